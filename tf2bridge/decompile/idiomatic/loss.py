"""The loss of Keras that is the loss of a graph, and the outputs of the model that it needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tf2bridge.decompile.idiomatic.clipping import NoCounterpartError
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.idioms.rule import known_shape, shape_of
from tf2bridge.decompile.ir import Kind, Node, Value, array_of, behind
from tf2bridge.decompile.model_text import layers_of
from tf2bridge.decompile.of_module import function_of_module, variables_of
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.graph_module import GraphModule

_ADDING = ("Add", "AddV2", "AddN")
_OF_LOGITS = {
    "tf.nn.sparse_softmax_cross_entropy_with_logits(_0, _1)": "SparseCategoricalCrossentropy",
    "tf.nn.softmax_cross_entropy_with_logits(_0, _1)": "CategoricalCrossentropy",
    "tf.nn.sigmoid_cross_entropy_with_logits(_0, _1)": "BinaryCrossentropy",
}
_MEAN_OF_LOSSES = "tf.math.divide_no_nan(tf.reduce_sum(_0), "
_PASSING = ("StopGradient", "Cast", "Identity")


@dataclass(frozen=True)
class Loss:
    """A loss of Keras.

    Attributes:
        expression: The expression that makes it.
        predictions: The endpoint of what it compares.
        labels: The name of the input that it compares with.
        penalties: The endpoints of what is added to it.
    """

    expression: str
    predictions: str
    labels: str
    penalties: tuple[str, ...]


def loss_of(forward: GraphModule, place: int, whole: Collection[str]) -> Loss:
    """Returns the loss of Keras that an output of a model is.

    Args:
        forward: The model.
        place: The number of the output.
        whole: The variables that no layer may hold in parts.

    Raises:
        NoCounterpartError: It is another loss.
    """
    values = {name: variable.numpy() for name, variable in variables_of(forward).items()}
    function = layers_of(function_of_module(forward), values, whole)
    terms = _terms(function.results[place])
    standard = [(term, parts) for term in terms if (parts := _standard(term)) is not None]
    if len(standard) != 1:
        raise NoCounterpartError("it is no mean of cross entropies of logits or of squared errors")
    term, (expression, predictions, target) = standard[0]
    labels = _input(target)
    if labels is None:
        raise NoCounterpartError("its labels are computed, and fit takes labels from the data")
    penalties = [other for other in terms if other is not term]
    if any(labels in behind(value, with_bodies=True) for value in (predictions, *penalties)):
        raise NoCounterpartError("the model needs its labels for more than the loss")
    nodes = by_name(forward.graph.graph_def.node)
    if unknown := [value for value in (predictions, *penalties) if value.node.name not in nodes]:
        raise NoCounterpartError(f"{unknown[0].node.name} is no value of the graph")
    return Loss(expression, _endpoint(predictions), labels.name, tuple(map(_endpoint, penalties)))


def _endpoint(value: Value) -> str:
    return f"{value.node.name}:{value.port}"


def _terms(value: Value) -> list[Value]:
    """Returns the values that are added up to a value."""
    if value.node.op not in _ADDING:
        return [value]
    return [term for given in value.node.inputs for term in _terms(given)]


def _standard(value: Value) -> tuple[str, Value, Value] | None:
    """Returns the expression of a loss of Keras, its predictions and its labels, if a value is such a loss."""
    losses = _mean_of(value)
    if losses is None:
        return None
    kind = _OF_LOGITS.get(str(losses.node.attributes.get("template")))
    if losses.node.op == Kind.EXPRESSION and kind is not None:
        labels, logits = losses.node.inputs
        same = shape_of(labels) is not None and len(shape_of(labels) or ()) == len(shape_of(logits) or ())
        if same == (kind != "SparseCategoricalCrossentropy"):
            return f"keras.losses.{kind}(from_logits=True)", logits, labels
        return None
    names = match(losses, "SquaredDifference(a, b)") or match(losses, "Square(Sub(a, b))")
    if names is None:
        return None
    pair = names["a"], names["b"]
    if len(shape_of(pair[0]) or ()) != len(shape_of(pair[1]) or ()) or not shape_of(pair[0]):
        return None
    target = next((one for one in pair if _input(one) is not None), None)
    if target is None:
        return None
    predictions = pair[1] if target is pair[0] else pair[0]
    return "keras.losses.MeanSquaredError()", predictions, target


def _mean_of(value: Value) -> Value | None:
    """Returns the losses that a value is the mean of all of."""
    node = value.node
    if node.op == Kind.EXPRESSION and str(node.attributes.get("template")).startswith(_MEAN_OF_LOSSES):
        return node.inputs[0] if node.inputs[0] == node.inputs[1] else None
    names = match(value, "Mean(losses, axes)")
    if names is None or node.attributes.get("keep_dims"):
        return _mean_by_size(value)
    axes, shape = array_of(names["axes"]), shape_of(names["losses"])
    is_over_all = axes is not None and shape is not None and sorted(axes.reshape(-1)) == list(range(len(shape)))
    return names["losses"] if is_over_all else None


def _mean_by_size(value: Value) -> Value | None:
    """Returns the losses whose sum is divided by their number, which is a constant."""
    names = match(value, "(RealDiv | Div | DivNoNan)(Sum(losses, axes), count)")
    if names is None:
        return None
    axes, shape, count = array_of(names["axes"]), known_shape(names["losses"]), number(names["count"])
    size = 1
    for length in shape or ():
        size *= length
    is_over_all = axes is not None and shape is not None and sorted(axes.reshape(-1)) == list(range(len(shape)))
    return names["losses"] if is_over_all and count == size else None


def _input(value: Value) -> Node | None:
    """Returns the input that a value is, also in another type."""
    node = value.node
    while node.op in _PASSING or (node.op == Kind.EXPRESSION and _is_a_copy(node)):
        node = node.inputs[0].node
    return node if node.op == Kind.PARAMETER else None


def _is_a_copy(node: Node) -> bool:
    return str(node.attributes.get("template")).startswith("tf.stop_gradient(_0")
