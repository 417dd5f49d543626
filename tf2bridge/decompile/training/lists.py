"""Operations on all gradients at once: the global norm, and clipping by it, as one call each."""

from __future__ import annotations

from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.ir import Function, Node, Value, array_of, replace

LIST = "<list>"
"""The type of a node that computes a list of tensors, or one tensor, from a list of tensors.

Its attribute "template" is its expression, in which `_list` stands for the first inputs, as many as "count" says, and
`_0`, `_1` ... for the others. "several" tells whether it gives a list.
"""
_SCALE = "Mul(clip, Minimum((RealDiv | Div)(1, norm), inverse))"
_SCALES = (_SCALE, f"Add({_SCALE}, Sub(norm, norm))")


def with_lists(function: Function) -> Function:
    """Returns the function, changed: a node stands for what `tf.clip_by_global_norm` and `tf.linalg.global_norm` do."""
    _replace_checked(function)
    norms = {value: parts for node in function.nodes() if (parts := _normed(value := Value(node, 0))) is not None}
    for norm, parts in norms.items():
        attributes = {"template": "tf.linalg.global_norm(_list)", "count": len(parts), "several": False}
        node = Node("global_norm", LIST, parts, attributes, [norm.spec], function)
        replace(function, {norm: Value(node, 0)})
    for node in function.nodes():
        clip = _clipped(function, Value(node, 0))
        if clip is not None:
            replace(function, clip)
    return function


def _replace_checked(function: Function) -> None:
    """Lets what waits for a check of a number, and takes the number, take the result of the check."""
    checked = {}
    for node in function.nodes():
        check = node.after[0] if node.op == "Identity" and len(node.after) == 1 else None
        if check is not None and check.op == "CheckNumerics" and check.inputs == node.inputs:
            check.name = "norm"
            checked[Value(node, 0)] = Value(check, 0)
    replace(function, checked)


def _normed(value: Value) -> list[Value] | None:
    """Returns the tensors whose global norm a value is."""
    names = match(value, "Sqrt(Mul(Sum(halves, axis), 2))") if value.node.op == "Sqrt" else None
    if names is None or names["halves"].node.op != "Pack":
        return None
    halves = [half.node for half in names["halves"].node.inputs]
    return [half.inputs[0] for half in halves] if all(half.op == "L2Loss" for half in halves) else None


def _clipped(function: Function, scale: Value) -> dict[Value, Value] | None:
    """Returns each tensor that a scale clips by the global norm of all of them -> an item of one call's list.

    The scale is `clip * min(1 / norm, 1 / clip)`, as clip_ops.py of TensorFlow 0.12 to 1.15 has it. From 1.13 on
    `norm - norm` is added, which is NaN for a norm that is not finite.
    """
    if scale.node.op not in ("Mul", "Add", "AddV2"):
        return None
    matches = (match(scale, pattern) for pattern in _SCALES)
    names = next((names for names in matches if names is not None), None)
    if names is None:
        return None
    norm, clip = names["norm"], names["clip"]
    inner = norm.node.inputs[0] if norm.node.op == "CheckNumerics" else norm
    if inner.node.op != LIST or not _is_inverse(names["inverse"], clip):
        return None
    parts = inner.node.inputs
    products = {}
    for node in function.nodes():
        if node.op == "Mul" and scale in node.inputs:
            other = node.inputs[1 - node.inputs.index(scale)]
            if other not in parts:
                return None
            products[Value(node, 0)] = parts.index(other)
    of_own = norm.node.op == LIST
    template = "tf.clip_by_global_norm(_list, _0)" if of_own else "tf.clip_by_global_norm(_list, _0, _1)"
    attributes = {"template": template, "count": len(parts), "several": True}
    inputs = [*parts, clip, *([] if of_own else [norm])]
    call = Node("clipped", LIST, inputs, attributes, [part.spec for part in parts], function)
    return {product: Value(call, place) for product, place in products.items()}


def _is_inverse(value: Value, clip: Value) -> bool:
    """Returns True if a value is 1 divided by another."""
    if array_of(value) is not None and array_of(clip) is not None:
        inverse, bound = number(value), number(clip)
        return inverse is not None and bound is not None and abs(inverse * bound - 1) < 1e-6
    return match(value, "(RealDiv | Div)(1, clip)", {"clip": clip}) is not None
