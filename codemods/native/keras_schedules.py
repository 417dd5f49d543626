"""Learning rates that an optimizer of Keras computes itself, from the number of its steps."""

from __future__ import annotations

import ast

from codemods.native.counters import MAKERS
from codemods.native.kinds import Kind, v1_name
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.state import Rewriting
from codemods.native.training import Step
from codemods.tree import walk

_SCHEDULES = ("train.exponential_decay",)
"""What becomes a schedule of Keras, called with the step."""
_GIVING = ("assign", "load", "scatter", "count_up")
"""Parts of the names of what gives a variable another value."""


def schedule_of(state: Rewriting, index: int, rate: ast.expr | None) -> ast.Call | None:
    """Returns the call that makes a learning rate, if the optimizer can compute it itself.

    It can where the step that the rate is of counts the steps of this optimizer alone, from 0, and nothing else reads
    the rate. A checkpoint may give the step another value, so there must be no saver.

    Args:
        state: The rewriting.
        index: The number of the statement that makes the optimizer.
        rate: The learning rate.
    """
    if rate is None or state.meanings.savers:
        return None
    call: ast.AST | None = rate
    if isinstance(rate, ast.Name):
        made = state.body.definition(rate.id, index)
        reads = [n for n in walk(state.source.tree) if isinstance(n, ast.Name) and n.id == rate.id]
        if made is None or sum(isinstance(node.ctx, ast.Load) for node in reads) != 1:
            return None
        call = getattr(made.node, "value", None)
    if not isinstance(call, ast.Call) or v1_name(state.names, call.func) not in _SCHEDULES:
        return None
    step = step_of(call)
    place = place_of(step) if step is not None else None
    return call if place is not None and _counts_alone(state, index, place) else None


def step_of(call: ast.Call) -> ast.expr | None:
    """Returns the step that a schedule of TensorFlow 1 is of."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    return given.get("global_step") or (call.args[1] if len(call.args) > 1 else None)


def read_schedules(state: Rewriting) -> None:
    """Reads the schedules of Keras that optimizers get, while their statements still stand."""
    for made in state.planner.keras.values():
        if made.schedule is not None:
            state.schedules[made.schedule] = _text(state, made.schedule)


def _text(state: Rewriting, call: ast.Call) -> str:
    """Returns the schedule of Keras, without the step that it is called with.

    Raises:
        NotNativeError: The call did not become one.
    """
    step = step_of(call)
    text, end = state.source.text_of(call), f"({state.source.text_of(step)})" if step is not None else ""
    if not end or not text.endswith(f"){end}"):
        raise NotNativeError(call, "NAT001", "this learning rate has no counterpart; use --exact")
    return text.removesuffix(end)


def _counts_alone(state: Rewriting, index: int, place: str) -> bool:
    """Returns whether a variable counts the steps of one optimizer alone, from 0."""
    known = state.body.definition(place, index)
    value = getattr(known.node, "value", None) if known is not None else None
    if not isinstance(value, ast.Call):
        return False
    name = v1_name(state.names, value.func)
    first = value.args[0] if value.args else None
    if name not in MAKERS and not (name == "Variable" and isinstance(first, ast.Constant) and first.value == 0):
        return False
    if any(place in item.reads | item.writes for item in state.body.items if item.kind is Kind.ASSIGN):
        return False
    calls = (call for call in walk(state.source.tree) if isinstance(call, ast.Call))
    giving = (call for call in calls if any(word in ast.unparse(call.func) for word in _GIVING))
    if any(place == place_of(below) for call in giving for below in walk(call) if isinstance(below, ast.expr)):
        return False
    counted = [
        (at, step)
        for at, steps in state.planner.steps.items()
        for step in steps
        if (counter := step.given.get("global_step")) is not None and place_of(counter) == place
    ]
    return len(counted) == 1 and maker(state, *counted[0]) == index


def maker(state: Rewriting, at: int, step: Step) -> int | None:
    """Returns the number of the statement that makes the optimizer of a step."""
    place = place_of(step.optimizer) if step.optimizer is not None else None
    made = state.body.definition(place, at) if place is not None else state.body.items[at]
    return None if made is None else made.index
