"""A layer of Keras in place of nodes, and the nodes that stand for layers and expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from tf2bridge.decompile.ir import Kind, Node, Spec, Value


class Weight(NamedTuple):
    """What an attribute of a layer holds.

    Attributes:
        variables: The old names of the variables that it is made of.
        transform: What is done with them, as `emitted/weights.py` explains; empty for variables as they are.
    """

    variables: tuple[str, ...]
    transform: str = ""

    @property
    def is_a_variable(self) -> bool:
        """True for one variable as it is."""
        return len(self.variables) == 1 and not self.transform

    def then(self, step: str) -> Weight:
        """Returns the weight with a further step of its transform."""
        return self._replace(transform=f"{self.transform}, {step}" if self.transform else step)


@dataclass(frozen=True)
class Layer:
    """A layer. Two calls of equal layers are calls of one.

    Attributes:
        kind: The class, such as "keras.layers.Dense".
        positional: The positional arguments of the class.
        weights: The attribute of the layer -> what it holds: a weight, or the old name of a variable.
        keywords: Further arguments. They have no defaults among them.
        scope: The name scope that the layer gets its name from.
    """

    kind: str
    positional: tuple[Any, ...]
    weights: tuple[tuple[str, str | Weight], ...]
    keywords: tuple[tuple[str, Any], ...] = ()
    scope: str = field(default="", compare=False)

    @property
    def held(self) -> tuple[tuple[str, Weight], ...]:
        """The attributes with their weights."""
        return tuple((name, Weight((weight,)) if isinstance(weight, str) else weight) for name, weight in self.weights)

    @property
    def variables(self) -> tuple[str, ...]:
        """The old names of the variables that it holds."""
        return tuple(dict.fromkeys(variable for _, weight in self.held for variable in weight.variables))

    def but(self, **keywords: Any) -> Layer:
        """Returns the layer with other keywords; None leaves one out."""
        kept = {**dict(self.keywords), **keywords}
        return replace(self, keywords=tuple((name, value) for name, value in kept.items() if value is not None))

    def holding(self, **weights: str | Weight) -> Layer:
        """Returns the layer with further weights."""
        return replace(self, weights=(*self.weights, *weights.items()))


INSTEAD_OF = "instead of"
"""The attribute of a call whose effects stand for those of nodes: these nodes."""
BUILT_FOR = "built for"
"""The attribute of a layer that takes a list: the shapes of what is in it."""
OUTPUT_NAMES = "names of outputs"
"""The attribute of a layer whose outputs have names of their own, as variables of a loop: these names."""
SEED = "_seed"
"""Stands in the template of an expression for the `keras.random.SeedGenerator` of the model."""
NORMALIZATION = "normalization.BatchNormalization"
"""The class of a batch normalization that does what Keras' own one does not."""
TAKE_BIAS_AND_ACTIVATION = tuple(
    f"keras.layers.{name}"
    for name in (
        "Dense",
        "Conv1D",
        "Conv2D",
        "Conv3D",
        "DepthwiseConv2D",
        "SeparableConv2D",
        "Conv2DTranspose",
        "Conv3DTranspose",
    )
)
"""The classes of layers that add a bias and apply an activation."""


def keywords(defaults: Mapping[str, Any], **given: Any) -> tuple[tuple[str, Any], ...]:
    """Returns the arguments that are not at their defaults."""
    return tuple((name, value) for name, value in given.items() if defaults.get(name) != value)


def layer_node(
    node: Node,
    layer: Layer,
    inputs: Sequence[Value],
    call: str = "_layer(_0)",
    outputs: Sequence[Spec] | None = None,
    built_for: Sequence[Value] = (),
) -> Node:
    """Returns a node that calls a layer in place of `node`.

    Args:
        node: The node that the layer stands for, or that the new node gets its name from.
        layer: The layer.
        inputs: What the layer is called with.
        call: The template of the call; `_layer` stands for the layer, `_0` for the first input.
        outputs: What is known of each output; None for the first one of `node`. If there are several, the call returns
            a list, and a rule replaces several values.
        built_for: The values whose shapes the layer is built for, if it takes a list.
    """
    attributes: dict[str, Any] = {"layer": layer, "template": call}
    if built_for:
        attributes[BUILT_FOR] = [value.spec.shape for value in built_for]
    return Node(node.name, Kind.LAYER, list(inputs), attributes, list(outputs or node.outputs[:1]), node.owner)


def extended(
    node: Node, called: Node, layer: Layer, inputs: Sequence[Value], shape: tuple[int | None, ...] | None = None
) -> Node:
    """Returns a node that calls a layer in place of `node` and of the call of a smaller layer before it.

    Args:
        node: The node, which takes what the smaller layer gives.
        called: The call of the smaller layer.
        layer: The layer that computes both.
        inputs: What it is called with.
        shape: The shape of the result; None for that of `called`.
    """
    better = layer_node(node, layer, inputs)
    better.outputs = [Spec(better.outputs[0].dtype, called.outputs[0].shape if shape is None else shape)]
    better.attributes["rules"] = called.attributes["rules"]
    return better


def expression_node(
    node: Node, template: str, inputs: Sequence[Value], is_elementwise: bool = False, keras: str | None = None
) -> Node:
    """Returns a node that computes the first output of `node` by a template, as those of `forms`.

    Args:
        node: The node.
        template: The template.
        inputs: What it takes.
        is_elementwise: The result has the shape of the first input.
        keras: The template for every backend of Keras, or None if there is none.
    """
    attributes = {"template": template, "keras template": keras, "is_elementwise": is_elementwise}
    return Node(node.name, Kind.EXPRESSION, list(inputs), attributes, node.outputs[:1], node.owner)


def scope_of(name: str) -> str:
    """Returns the name scope that a node lies in."""
    return name.rpartition("/")[0]


def dtype_keyword(weights: Value) -> tuple[tuple[str, Any], ...]:
    """Returns the argument `dtype` of a layer with these weights, if it needs one."""
    dtype = weights.spec.dtype.name
    return () if dtype == "float32" else (("dtype", dtype),)


def shortest(number: float) -> float:
    """Returns the number with the fewest digits that is the same float32: 0.001 for 0.0010000000474974513."""
    return float(np.format_float_positional(np.float32(number), unique=True))


def alike(sizes: Sequence[int]) -> Any:
    """Returns one number if all sizes are the same, else the sizes: what Keras takes for windows and strides."""
    return sizes[0] if len(set(sizes)) == 1 else tuple(sizes)
