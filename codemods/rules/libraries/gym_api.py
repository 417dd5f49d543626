"""LIB019: gym is another library today."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

_MAKERS = ("gym.make", "gym.wrappers.Monitor")


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """A finding on what makes an environment; nothing is written."""
    if context.qualified(node) in _MAKERS:
        message = (
            "gym is gymnasium now: reset() returns (observation, info), step() five values, and old environments have "
            "new versions; install gym<0.22, or change these calls"
        )
        yield Hit(node, message)


rule = Rule(
    code="LIB019",
    name="gym-api",
    summary="gym.make: environments return other things since 0.26",
    why="gym 0.26 and gymnasium changed what reset and step return, which cannot be seen at their calls. So it is "
    "reported where an environment is made, and nothing is written.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("gym",),
    find=find,
    examples=(
        Example("import gym\nenv = gym.make('CartPole-v0')\n", reported=True),
        Example("import gym\nspace = gym.spaces.Box(0, 1, (3,))\n"),
    ),
)
