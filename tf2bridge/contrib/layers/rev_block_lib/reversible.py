"""Reversible residual blocks (Gomez et al., 2017, https://arxiv.org/abs/1707.04585)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers

v1 = tf.compat.v1
Layer = Callable[..., Any]
_LAYER = re.compile(r".*revlayer_([0-9]*)/([fg])/.*")


class RevBlock(core_layers().Layer):  # type: ignore[misc]  # TensorFlow has no types
    """y1 = x1 + f(x2), y2 = x2 + g(y1), `num_layers` times. The inputs can be computed from the outputs.

    `f` and `g` are functions, or lists with a function for each layer. They make their variables in the scopes
    "revlayer_N/f" and "revlayer_N/g". Side inputs, if there are any, are their second argument. With
    `use_efficient_backprop` no activations are kept for the gradient.
    """

    def __init__(
        self,
        f: Any,
        g: Any,
        num_layers: int = 1,
        f_side_input: Sequence[Any] | None = None,
        g_side_input: Sequence[Any] | None = None,
        use_efficient_backprop: bool = True,
        name: Any = "revblock",
        **kwargs: Any,
    ) -> None:
        """Makes the block. Raises AssertionError if a list of functions has a length other than `num_layers`."""
        super().__init__(name=name, **kwargs)
        self.f = _in_scopes(f, "f", num_layers)
        self.g = _in_scopes(g, "g", num_layers)
        self.num_layers = num_layers
        self.f_side_input = list(f_side_input or [])
        self.g_side_input = list(g_side_input or [])
        self._use_efficient_backprop = use_efficient_backprop

    def build(self, _: Any) -> None:
        """Does nothing: the first call makes the variables."""
        self.built = True

    def call(self, inputs: Any, forward: bool = True) -> Any:
        """Returns (y1, y2) of (x1, x2), or (x1, x2) of (y1, y2) if not `forward`."""
        scope = v1.get_variable_scope()
        before = len(scope.global_variables())
        outputs = (self._forward if forward else self._backward)(*inputs)
        trained = {id(variable) for variable in scope.trainable_variables()}
        for variable in scope.global_variables()[before:]:
            (self._trainable_weights if id(variable) in trained else self._non_trainable_weights).append(variable)
        return outputs

    def forward(self, x1: Any, x2: Any) -> Any:
        """Returns (y1, y2)."""
        return self.apply([x1, x2])

    def backward(self, y1: Any, y2: Any) -> Any:
        """Returns (x1, x2)."""
        return self.apply([y1, y2], forward=False)

    def _forward(self, x1: Any, x2: Any) -> Any:
        def plain(x1_now: Any, x2_now: Any, *sides: Any) -> Any:
            f_sides, g_sides = list(sides[: len(self.f_side_input)]), list(sides[len(self.f_side_input) :])
            for f, g in zip(self.f, self.g, strict=True):
                x1_now = x1_now + _called(f, value=x2_now, sides=f_sides)
                x2_now = x2_now + _called(g, value=x1_now, sides=g_sides)
                if self._use_efficient_backprop:
                    x1_now, x2_now = v1.tuple([x1_now, x2_now])
            return x1_now, x2_now

        @tf.custom_gradient  # type: ignore[untyped-decorator]
        def reversible(*inputs: Any) -> Any:
            outputs = plain(*inputs)

            def gradient(*upstream: Any, variables: Any = ()) -> Any:
                return self._gradients(outputs, upstream, list(variables))

            return outputs, gradient

        run = reversible if self._use_efficient_backprop else plain
        return run(x1, x2, *self.f_side_input, *self.g_side_input)

    def _backward(self, y1: Any, y2: Any) -> Any:
        for f, g in zip(reversed(self.f), reversed(self.g), strict=True):
            y2 = y2 - _called(g, value=y1, sides=self.g_side_input)
            y1 = y1 - _called(f, value=y2, sides=self.f_side_input)
        return y1, y2

    def _gradients(self, outputs: Any, upstream: Any, variables: list[Any]) -> Any:
        """Returns the gradients of the inputs and of `variables`.

        Goes through the layers from the last to the first, and computes each layer's inputs from its outputs.
        """
        gradient_of: dict[int, Any] = {}
        sides: dict[str, list[Any]] = {"f": [[] for _ in self.f_side_input], "g": [[] for _ in self.g_side_input]}
        with v1.variable_scope(self.scope_name, reuse=True):
            for number in reversed(range(self.num_layers)):
                own_variables = {
                    kind: [variable for variable in variables if _place(variable) == (number, kind)] for kind in "fg"
                }
                outputs, upstream, of_variables, of_sides = self._layer_gradients(
                    number, outputs, upstream, own_variables
                )
                for kind in "fg":
                    gradient_of.update({id(v): d for v, d in zip(own_variables[kind], of_variables[kind], strict=True)})
                    for collected, gradient in zip(sides[kind], of_sides[kind], strict=True):
                        collected.append(gradient)
        totals = [_sum(gradients) for gradients in sides["f"] + sides["g"]]
        return [*upstream, *totals], [gradient_of.get(id(variable)) for variable in variables]

    def _layer_gradients(self, number: int, outputs: Any, upstream: Any, own_variables: dict[str, list[Any]]) -> Any:
        (y1, y2), (dy1, dy2) = outputs, upstream
        f_sides = [tf.stop_gradient(side) for side in self.f_side_input]
        g_sides = [tf.stop_gradient(side) for side in self.g_side_input]
        y1_kept = tf.stop_gradient(y1)
        change2 = _called(self.g[number], value=y1_kept, sides=g_sides)
        x2 = y2 - change2
        x2_kept = tf.stop_gradient(x2)
        change1 = _called(self.f[number], value=x2_kept, sides=f_sides)
        of_g = v1.gradients(change2, [y1_kept, *own_variables["g"], *g_sides], dy2)
        dx1 = dy1 + of_g[0]
        of_f = v1.gradients(change1, [x2_kept, *own_variables["f"], *f_sides], dx1)
        gated = v1.tuple([y1 - change1, x2, dx1, of_f[0] + dy2, *of_f[1:], *of_g[1:]])
        of_f, of_g = gated[4 : 3 + len(of_f)], gated[3 + len(of_f) :]
        split = {"f": (of_f, len(own_variables["f"])), "g": (of_g, len(own_variables["g"]))}
        of_variables = {kind: values[:count] for kind, (values, count) in split.items()}
        of_sides = {kind: values[count:] for kind, (values, count) in split.items()}
        return gated[:2], gated[2:4], of_variables, of_sides


def rev_block(
    x1: Any,
    x2: Any,
    f: Any,
    g: Any,
    num_layers: int = 1,
    f_side_input: Sequence[Any] | None = None,
    g_side_input: Sequence[Any] | None = None,
    is_training: bool = True,
) -> Any:
    """Returns (y1, y2) of a `RevBlock` with these arguments. If not training, activations are kept as usual."""
    block = RevBlock(
        f=f,
        g=g,
        num_layers=num_layers,
        f_side_input=f_side_input,
        g_side_input=g_side_input,
        use_efficient_backprop=is_training,
        _reuse=v1.get_variable_scope().reuse,
    )
    return block.forward(x1, x2)


def _in_scopes(functions: Any, kind: str, count: int) -> list[Layer]:
    layers = functions if isinstance(functions, list) else [functions] * count
    assert len(layers) == count, f"{kind} is a list of {len(layers)} functions, not {count}"
    return [_in_scope(function, f"revlayer_{number}/{kind}") for number, function in enumerate(layers)]


def _in_scope(function: Layer, scope: str) -> Layer:
    def scoped(*args: Any, **kwargs: Any) -> Any:
        with v1.variable_scope(scope, use_resource=True):
            return function(*args, **kwargs)

    return scoped if isinstance(function, functools.partial) else functools.wraps(function)(scoped)


def _called(function: Layer, value: Any, sides: Sequence[Any]) -> Any:
    return function(value, list(sides)) if sides else function(value)


def _place(variable: Any) -> tuple[int, str] | None:
    match = _LAYER.match(variable.name)
    return (int(match[1]), match[2]) if match else None


def _sum(gradients: Sequence[Any]) -> Any:
    terms = [gradient for gradient in gradients if gradient is not None]
    return tf.add_n(terms) if terms else None
