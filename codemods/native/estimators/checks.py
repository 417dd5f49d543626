"""Refuses a model_fn that does more than build one model for all modes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native.estimators.modes import TRAIN
from codemods.native.estimators.parameters import STEPS
from codemods.native.estimators.state import State
from codemods.native.kinds import ASSIGNING, Kind, kind_of_call, v1_name
from codemods.native.places import COMPREHENSIONS, bound_names, names_in_texts
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_OWN_NAMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *COMPREHENSIONS)
_WITHOUT_VARIABLES = frozenset(
    f"{module}layers.{name}"
    for module in ("", "contrib.")
    for name in (
        "dropout", "flatten", "max_pooling1d", "max_pooling2d", "average_pooling2d", "max_pool2d", "avg_pool2d",
        "l1_regularizer", "l2_regularizer", "xavier_initializer", "variance_scaling_initializer",
    )
)  # fmt: skip
_MAKING = ("layers.", "contrib.", "keras.", "nn.rnn_cell.")


def require_one_model(state: State) -> None:
    """Refuses a model_fn whose graphs one model cannot stand for.

    Raises:
        NotNativeError: It has other variables for one mode, prints, writes summaries, or does not count its steps.
    """
    for statement in state.model.statements:
        modes = [mode for mode, path in state.model.paths.items() if statement in path]
        made = next(_variables(statement, state), None)
        if made is not None and len(modes) < len(state.model.paths):
            raise NotNativeError(made, "NAT005", f"this makes variables for the mode {' and '.join(modes)} alone")
        for node in walk(statement):
            _require_known(node, state)
    if TRAIN in state.model.paths:
        _require_count(state)


def _require_known(node: ast.AST, state: State) -> None:
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        raise NotNativeError(node, "NAT008", "a model_fn that changes names of the module is not known")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
        raise NotNativeError(node, "NAT008", "a model_fn prints for each graph that an Estimator builds; remove it")
    if isinstance(node, ast.Call) and (v1_name(state.names, node.func) or "").startswith("summary."):
        raise NotNativeError(node, "NAT001", "summaries that an Estimator writes have no counterpart")
    changed = {old for old, new in state.renamed.items() if old != new} | {"features", "labels", "params", "mode"}
    changed |= state.model.training | state.dicts.keys()
    if isinstance(node, _OWN_NAMES) and (both := changed & bound_names(node)):
        raise NotNativeError(node, "NAT008", f"{min(both)} is another name inside of this; give it one of its own")
    if isinstance(node, ast.JoinedStr) and (both := changed & names_in_texts(node)):
        raise NotNativeError(node, "NAT008", f"{min(both)} is in an f-string here; use format() for it")


def _variables(node: ast.AST, state: State, seen: frozenset[str] = frozenset()) -> Iterator[ast.Call]:
    """Yields the calls that make variables, or that call functions of the module which do."""
    functions = {n.name: n for n in state.names.tree.body if isinstance(n, ast.FunctionDef)}
    for call in (below for below in walk(node) if isinstance(below, ast.Call)):
        name = v1_name(state.names, call.func)
        if name is not None:
            is_layer = name.startswith(_MAKING) and name not in _WITHOUT_VARIABLES
            if (is_layer or kind_of_call(name) is Kind.VARIABLE) and name not in STEPS:
                yield call
        elif isinstance(call.func, ast.Name) and call.func.id in functions.keys() - seen:
            inner = _variables(functions[call.func.id], state, seen | {call.func.id})
            yield from (call for _ in zip(inner, range(1), strict=False))


def _require_count(state: State) -> None:
    """Refuses a training op that does not count the global step, with which an Estimator ends."""
    model = state.model
    steps = {
        name
        for statement in model.statements
        if isinstance(statement, ast.Assign) and _is_step(statement.value, state, set())
        for name in (target.id for target in statement.targets if isinstance(target, ast.Name))
    }
    nodes = [*(node for statement in model.paths[TRAIN] for node in walk(statement))]
    nodes += walk(model.specs[TRAIN].get("train_op", model.function))
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        given = [k.value for k in call.keywords if k.arg == "global_step"] + call.args[:2]
        is_counting = method in ("minimize", "apply_gradients") or method in ASSIGNING or method == "optimize_loss"
        if is_counting and any(_is_step(value, state, steps) for value in given):
            return
    message = "the training op of this model_fn does not count the global step, so that steps would not end it"
    raise NotNativeError(model.function, "NAT008", message)


def _is_step(node: ast.expr, state: State, known: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in known
    return isinstance(node, ast.Call) and v1_name(state.names, node.func) in STEPS
