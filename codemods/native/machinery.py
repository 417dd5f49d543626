"""Tells the calls that make the machinery of sessions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import MACHINERY, Kind, kind_of_call, v1_name
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_BUILDING = frozenset({Kind.PLACEHOLDER, Kind.SESSION, Kind.INIT})
_DRIVING = (
    "estimator.DNNClassifier estimator.DNNRegressor estimator.LinearClassifier "
    "estimator.LinearRegressor contrib.learn.Estimator contrib.learn.DNNClassifier contrib.learn.DNNRegressor "
    "contrib.learn.LinearClassifier contrib.learn.LinearRegressor contrib.learn.SVM contrib.tpu.TPUEstimator "
    "contrib.slim.learning.train contrib.training.train"
)
DRIVING = frozenset(_DRIVING.split())
"""Names that run a graph without a session that the program makes."""

SUPERVISOR = "train.Supervisor"
MONITORED = frozenset(("train.MonitoredTrainingSession", "train.SingularMonitoredSession", "train.MonitoredSession"))
"""Names that make a session with hooks."""
MANAGING = MONITORED | {SUPERVISOR}
"""Names that make a session, or what makes one, and act beside it."""


ESTIMATOR = "estimator.Estimator"
"""The Estimator that gets a model_fn."""


def is_machinery(call: ast.Call, names: Names) -> bool:
    """Returns whether a call makes a placeholder, a session or an op that initializes."""
    return MACHINERY.get(v1_name(names, call.func) or "") in _BUILDING


def has_sessions(text: str) -> bool:
    """Returns whether a file is part of a program of sessions."""
    return any(is_machinery(call, names) or v1_name(names, call.func) in MANAGING for call, names in _calls(text))


def builds_graphs(text: str) -> bool:
    """Returns whether a file is part of a program of sessions, or has an Estimator with a model_fn."""
    return has_sessions(text) or any(v1_name(names, call.func) == ESTIMATOR for call, names in _calls(text))


def error_of_driving(text: str) -> NotNativeError | None:
    """Returns why a file cannot be native that makes no session itself, and has an estimator or a managed session."""
    for call, names in _calls(text):
        name = v1_name(names, call.func)
        if name in DRIVING:
            return NotNativeError(call, "NAT001", f"tf.{name} runs the graph, and has no counterpart in native code")
    return None


def _calls(text: str) -> Iterator[tuple[ast.Call, Names]]:
    """Yields the calls of a text, if it is Python 3."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    names = scopes.resolve(tree)
    yield from ((node, names) for node in names.nodes.get(ast.Call, []) if isinstance(node, ast.Call))


def optimizer_calls(statement: ast.stmt, names: Names) -> list[ast.Call]:
    """Returns the calls that make optimizers."""
    return [
        node
        for node in walk(statement)
        if isinstance(node, ast.Call)
        and (name := v1_name(names, node.func)) is not None
        and kind_of_call(name) is Kind.OPTIMIZER
    ]
