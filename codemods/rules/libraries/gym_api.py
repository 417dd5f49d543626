"""LIB019: environments of gym, whose methods return other values since 0.26."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

_MAKERS = ("gym.make", "gym.wrappers.Monitor")


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a finding on a call that makes an environment; the rule writes nothing."""
    if context.qualified(node) in _MAKERS:
        message = (
            "gym is gymnasium now: reset() returns (observation, info), step() five values, and old environments have "
            "new versions; install gym<0.22, or change these calls"
        )
        yield Hit(node, message)


rule = Rule(
    code="LIB019",
    name="gym-api",
    summary="gym.make: environments return other values since 0.26",
    why="gym 0.26 and gymnasium changed what reset and step return. Their calls do not show this, so the finding is "
    "where the program makes an environment. A person has to change the calls.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("gym",),
    find=find,
    examples=(
        Example("import gym\nenv = gym.make('CartPole-v0')\n", reported=True),
        Example("import gym\nspace = gym.spaces.Box(0, 1, (3,))\n"),
    ),
)
