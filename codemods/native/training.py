"""The parts of a training op: its optimizer, loss, gradients and variables."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from codemods.behaviour import EARLY_UNTIL
from codemods.native.items import Item
from codemods.native.kinds import Kind, v1_name
from codemods.native.meanings import Meanings
from codemods.native.optimizers import class_of
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "minimize": (
        "loss", "global_step", "var_list", "gate_gradients", "aggregation_method", "colocate_gradients_with_ops", "name"
    ),
    "compute_gradients": ("loss", "var_list", "gate_gradients", "aggregation_method", "colocate_gradients_with_ops"),
    "apply_gradients": ("grads_and_vars", "global_step", "name"),
    "gradients": ("ys", "xs"),
}  # fmt: skip
_KNOWN = frozenset(
    ("loss", "global_step", "var_list", "name", "grads_and_vars", "ys", "xs", "colocate_gradients_with_ops")
)
_FUNCTION = "gradients"


@dataclass(frozen=True)
class Step:
    """A call that trains or takes gradients.

    Attributes:
        call: The call.
        method: "minimize", "apply_gradients", "compute_gradients" or "gradients".
        optimizer: The expression of the optimizer; None for tf.gradients.
        given: Parameter -> argument.
    """

    call: ast.Call
    method: str
    optimizer: ast.expr | None
    given: Mapping[str, ast.expr]

    @property
    def differentiated(self) -> ast.expr | None:
        """What the gradients are of; None if the step only applies gradients."""
        return self.given.get("loss") or self.given.get("ys")


def steps_in(item: Item, meanings: Meanings) -> list[Step]:
    """Returns the steps of a statement.

    Raises:
        NotNativeError: A step has an option that has no counterpart.
    """
    steps = []
    for node in walk(item.node):
        if not isinstance(node, ast.Call):
            continue
        if v1_name(meanings.names, node.func) == _FUNCTION:
            steps.append(_step(node, _FUNCTION, None))
            continue
        method = node.func if isinstance(node.func, ast.Attribute) and node.func.attr in _PARAMETERS else None
        if method is not None and meanings.at(item.places).kind(method.value) is Kind.OPTIMIZER:
            steps.append(_step(node, method.attr, method.value))
    return steps


def _step(call: ast.Call, method: str, optimizer: ast.expr | None) -> Step:
    given = dict(zip(_PARAMETERS[method], call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    absent = {name for name, value in given.items() if isinstance(value, ast.Constant) and value.value is None}
    given = {name: value for name, value in given.items() if name not in absent}
    unknown = sorted(given.keys() - _KNOWN)
    if unknown or any(keyword.arg is None for keyword in call.keywords):
        raise NotNativeError(call, "NAT001", f"the option {(unknown or ['**'])[0]} of {method} has no counterpart")
    return Step(call, method, optimizer, given)


def class_of_call(call: ast.Call, meanings: Meanings) -> str:
    """Returns the class of the program for a call that makes an optimizer.

    Raises:
        NotNativeError: There is none.
    """
    name = v1_name(meanings.names, call.func) or ""
    chosen = class_of(name, _is_early(meanings))
    if chosen is None:
        raise NotNativeError(call, "NAT001", f"the optimizer tf.{name} has no counterpart in native code")
    return chosen


def _is_early(meanings: Meanings) -> bool:
    """Returns whether the program asks for TensorFlow 1.4 or earlier, as the compat target does where it matters."""
    for call in meanings.names.nodes.get(ast.Call, []):
        if isinstance(call, ast.Call) and meanings.names.qualified(call.func) == "tf2bridge.v1.enable":
            apis = [keyword.value for keyword in call.keywords if keyword.arg == "api"]
            return any(isinstance(api, ast.Constant) and api.value in EARLY_UNTIL for api in apis)
    return False


def rate_of(call: ast.Call, item: Item, meanings: Meanings) -> ast.expr | None:
    """Returns the learning rate of a call that makes an optimizer, if it is a tensor of the graph.

    Raises:
        NotNativeError: Another argument is a tensor.
    """
    scratch = meanings.at(item.places)
    first = call.args[0] if call.args else None
    rate = next((keyword.value for keyword in call.keywords if keyword.arg == "learning_rate"), first)
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        if argument is not rate and scratch.kind(argument) not in (Kind.PYTHON, Kind.CONSTANT):
            raise NotNativeError(argument, "NAT001", "only the learning rate of an optimizer may be a tensor")
    fixed = (Kind.PYTHON, Kind.CONSTANT, Kind.VARIABLE)
    return rate if rate is not None and scratch.kind(rate) not in fixed else None
