"""Calls of losses, which are written anew as a whole."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native.counterparts import counterpart
from codemods.native.kinds import Kind, v1_name
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

_OF_LOSS = ("num_sampled", "num_classes", "num_true")

LOSSES: Mapping[str, tuple[str, ...]] = {
    "losses.mean_squared_error": (
        "{tf}.reduce_mean({tf}.math.squared_difference({1}, {0}))", "labels", "predictions"
    ),
    "losses.absolute_difference": ("{tf}.reduce_mean({tf}.abs({1} - ({0})))", "labels", "predictions"),
    "losses.softmax_cross_entropy": (
        "{tf}.reduce_mean({tf}.nn.softmax_cross_entropy_with_logits(labels={tf}.stop_gradient({0}), logits={1}))",
        "onehot_labels", "logits",
    ),
    "losses.sparse_softmax_cross_entropy": (
        "{tf}.reduce_mean({tf}.nn.sparse_softmax_cross_entropy_with_logits(labels={0}, logits={1}))", "labels", "logits"
    ),
    "losses.sigmoid_cross_entropy": (
        "{tf}.reduce_mean({tf}.nn.sigmoid_cross_entropy_with_logits(labels={0}, logits={1}))",
        "multi_class_labels", "logits",
    ),
}  # fmt: skip
"""Loss of TensorFlow 1 -> its formula, and its parameters (`losses_impl.py` of 1.15.5)."""


def softmax_cross_entropy(translation: Translation, call: ast.Call) -> None:
    """TensorFlow 1 takes no gradients of the labels. Labels that are fed have none."""
    row = counterpart("nn.softmax_cross_entropy_with_logits")
    labels = translation.argument(call, 1, "labels")
    if row is None or labels is None or translation.old_name(call.func) is None:
        return
    if not translation.rename_arguments(call, row):
        return
    translation.source.replace(translation.source.span(call.func), translation.spelled(row.name))
    if translation.places.get(place_of(labels) or "") is not Kind.PLACEHOLDER:
        start, end = translation.source.span(labels)
        translation.source.replace((start, end), f"{translation.tf}.stop_gradient({translation.text(labels)})")


def sampled_loss(translation: Translation, call: ast.Call) -> None:
    """Writes a loss by sampled classes. The strategy, an option TensorFlow 2 lacks, is for weights in several parts."""
    weights = translation.argument(call, 0, "weights")
    named = {keyword.arg for keyword in call.keywords}
    if translation.places.get(place_of(weights or call) or "") is not Kind.VARIABLE or "partition_strategy" in named:
        raise NotNativeError(call, "NAT001", "this loss is of weights in several parts, which are divided otherwise")
    if not {"labels", "inputs"} <= named and not translation.release.startswith("1."):  # 0.x had the inputs first
        _name_labels(translation, call)
    name = v1_name(translation.names, call.func) or ""
    translation.source.replace(translation.source.span(call.func), translation.spelled(name))


def _name_labels(translation: Translation, call: ast.Call) -> None:
    """Gives the labels and inputs of a loss by name. Placeholders of integers are the labels in all releases.

    Raises:
        NotNativeError: The source does not say which are the labels.
    """
    given = call.args[2:4]
    labels = [part for part in given if _is_fed_integers(translation, part)]
    if len(given) != 2 or len(labels) != 1 or len(call.args) > 4 + len(_OF_LOSS):
        raise NotNativeError(call, "NAT001", "releases differ in the order of labels and inputs; give them by name")
    for part in given:
        start = translation.source.span(part)[0]
        translation.source.replace((start, start), "labels=" if part is labels[0] else "inputs=")
    for name, part in zip(_OF_LOSS, call.args[4:], strict=False):
        start = translation.source.span(part)[0]
        translation.source.replace((start, start), f"{name}=")


def _is_fed_integers(translation: Translation, node: ast.expr) -> bool:
    """Returns whether a place is bound once, to a placeholder of integers."""
    place = place_of(node)
    assigned = [n for n in translation.names.nodes.get(ast.Assign, []) if isinstance(n, ast.Assign)]
    made = [n.value for n in assigned if place is not None and any(place_of(target) == place for target in n.targets)]
    call = made[0] if len(made) == 1 else None
    if not isinstance(call, ast.Call) or v1_name(translation.names, call.func) != "placeholder":
        return False
    dtype = translation.argument(call, 0, "dtype")
    return dtype is not None and (v1_name(translation.names, dtype) or "") in ("int32", "int64")


def loss(translation: Translation, call: ast.Call) -> None:
    """Writes the mean of a loss. Weights and collections have no counterpart."""
    name = v1_name(translation.names, call.func) or ""
    template, *keys = LOSSES[name]
    values = [translation.argument(call, at, key) for at, key in enumerate(keys)]
    named = [keyword for keyword in call.keywords if keyword.arg != "scope"]  # which only names ops
    if None in values or len(call.args) + len(named) > len(keys):
        raise NotNativeError(call, "NAT001", f"tf.{name} with these options has no counterpart")
    texts = [translation.text(value) for value in values if value is not None]
    translation.put(call, template.format(*texts, tf=translation.tf))
