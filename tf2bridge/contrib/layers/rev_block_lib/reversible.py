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
    """y1 = x1 + f(x2), y2 = x2 + g(y1), `num_layers` times: the inputs can be computed back from the outputs.

    `f` and `g` are functions or lists of one for each layer; they take the side inputs as a second argument if there
    are any, and make their variables in the scopes "revlayer_N/f" and "revlayer_N/g". With `use_efficient_backprop`
    nothing is kept for the gradient.
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
        """Raises AssertionError for a list of another length than `num_layers`."""
        super().__init__(name=name, **kwargs)
        self.f = _in_scopes(f, "f", num_layers)
        self.g = _in_scopes(g, "g", num_layers)
        self.num_layers = num_layers
        self.f_side_input = list(f_side_input or [])
        self.g_side_input = list(g_side_input or [])
        self._use_efficient_backprop = use_efficient_backprop

    def build(self, _: Any) -> None:
        """The variables are made by the first call."""
        self.built = True

    def call(self, inputs: Any, forward: bool = True) -> Any:
        """Returns (y1, y2) of (x1, x2), or the other way round."""
        scope = v1.get_variable_scope()
        before = len(scope.global_variables())
        outputs = (self._forward if forward else self._backward)(*inputs)
        trained = {id(each) for each in scope.trainable_variables()}
        for made in scope.global_variables()[before:]:
            (self._trainable_weights if id(made) in trained else self._non_trainable_weights).append(made)
        return outputs

    def forward(self, x1: Any, x2: Any) -> Any:
        """Returns (y1, y2)."""
        return self.apply([x1, x2])

    def backward(self, y1: Any, y2: Any) -> Any:
        """Returns (x1, x2)."""
        return self.apply([y1, y2], forward=False)

    def _forward(self, x1: Any, x2: Any) -> Any:
        def plain(one: Any, two: Any, *sides: Any) -> Any:
            f_sides, g_sides = list(sides[: len(self.f_side_input)]), list(sides[len(self.f_side_input) :])
            for f, g in zip(self.f, self.g, strict=True):
                one = one + _called(f, value=two, sides=f_sides)
                two = two + _called(g, value=one, sides=g_sides)
                if self._use_efficient_backprop:
                    one, two = v1.tuple([one, two])
            return one, two

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
        """Of the inputs and of `variables`: layer by layer from the last one, whose inputs are computed back."""
        found: dict[int, Any] = {}
        sides: dict[str, list[Any]] = {"f": [[] for _ in self.f_side_input], "g": [[] for _ in self.g_side_input]}
        with v1.variable_scope(self.scope_name, reuse=True):
            for number in reversed(range(self.num_layers)):
                own = {kind: [each for each in variables if _place(each) == (number, kind)] for kind in "fg"}
                outputs, upstream, of_variables, of_sides = self._layer_gradients(number, outputs, upstream, own)
                for kind in "fg":
                    found.update({id(v): d for v, d in zip(own[kind], of_variables[kind], strict=True)})
                    for collected, one in zip(sides[kind], of_sides[kind], strict=True):
                        collected.append(one)
        totals = [_sum(each) for each in sides["f"] + sides["g"]]
        return [*upstream, *totals], [found.get(id(each)) for each in variables]

    def _layer_gradients(self, number: int, outputs: Any, upstream: Any, own: dict[str, list[Any]]) -> Any:
        (y1, y2), (dy1, dy2) = outputs, upstream
        f_sides = [tf.stop_gradient(each) for each in self.f_side_input]
        g_sides = [tf.stop_gradient(each) for each in self.g_side_input]
        y1_kept = tf.stop_gradient(y1)
        change2 = _called(self.g[number], value=y1_kept, sides=g_sides)
        x2 = y2 - change2
        x2_kept = tf.stop_gradient(x2)
        change1 = _called(self.f[number], value=x2_kept, sides=f_sides)
        of_g = v1.gradients(change2, [y1_kept, *own["g"], *g_sides], dy2)
        dx1 = dy1 + of_g[0]
        of_f = v1.gradients(change1, [x2_kept, *own["f"], *f_sides], dx1)
        gated = v1.tuple([y1 - change1, x2, dx1, of_f[0] + dy2, *of_f[1:], *of_g[1:]])
        of_f, of_g = gated[4 : 3 + len(of_f)], gated[3 + len(of_f) :]
        split = {"f": (of_f, len(own["f"])), "g": (of_g, len(own["g"]))}
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
    """Returns (y1, y2) of a `RevBlock` of these arguments; when not training, gradients keep what they need."""
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
    each = functions if isinstance(functions, list) else [functions] * count
    assert len(each) == count, f"{kind} is a list of {len(each)} functions, not {count}"
    return [_in_scope(function, f"revlayer_{number}/{kind}") for number, function in enumerate(each)]


def _in_scope(function: Layer, scope: str) -> Layer:
    def scoped(*args: Any, **kwargs: Any) -> Any:
        with v1.variable_scope(scope, use_resource=True):
            return function(*args, **kwargs)

    return scoped if isinstance(function, functools.partial) else functools.wraps(function)(scoped)


def _called(function: Layer, value: Any, sides: Sequence[Any]) -> Any:
    return function(value, list(sides)) if sides else function(value)


def _place(variable: Any) -> tuple[int, str] | None:
    found = _LAYER.match(variable.name)
    return (int(found[1]), found[2]) if found else None


def _sum(gradients: Sequence[Any]) -> Any:
    known = [each for each in gradients if each is not None]
    return tf.add_n(known) if known else None
