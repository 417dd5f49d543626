"""The shapes that ops and layers of TensorFlow 1 give, from their arguments in a program."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codemods.native.places import named_arguments
from codemods.native.shape_rules import (
    BROADCAST,
    OF_SHAPE,
    SAME,
    Dim,
    Shape,
    broadcast,
    merged,
    pair,
    parameters_of,
    product,
    reshaped,
    window,
    without_axes,
)


@dataclass(frozen=True)
class Tensor:
    """A tensor or variable; the shape is None if its number of dimensions is not known."""

    shape: Shape | None


@dataclass(frozen=True)
class Sizes:
    """A list of sizes, such as `x.get_shape()`; `of_tensor` says whether a tensor gave them."""

    dims: Shape
    of_tensor: bool = False


@dataclass(frozen=True)
class Number:
    """One size; `of_tensor` says whether a tensor gave it."""

    dim: Dim
    of_tensor: bool = False


@dataclass(frozen=True)
class Items:
    """A dict of tensors."""

    values: Mapping[object, Value]


Value = Tensor | Sizes | Number | Items | None


class OpShapes(ABC):
    """What calls of TensorFlow give, by the values of their arguments."""

    @abstractmethod
    def value(self, node: ast.expr | None) -> Value:
        """Returns what an expression is; None if it is not known."""

    @abstractmethod
    def dim(self, node: ast.expr | None) -> Dim:
        """Returns the size that an expression is."""

    @abstractmethod
    def dims(self, node: ast.expr | None) -> Shape | None:
        """Returns the sizes that an expression lists, or the one that it is."""

    @abstractmethod
    def shape(self, node: ast.expr | None) -> Shape | None:
        """Returns the shape of a tensor, or of what becomes one."""

    def of_op(self, name: str, node: ast.Call) -> Value:
        """Returns what a call of TensorFlow gives."""
        parameters = parameters_of(name)
        given = named_arguments(node, parameters)
        first = node.args[0] if node.args else given.get((parameters or ["x"])[0])
        if name == "placeholder":
            return Tensor(self.dims(given.get("shape")))
        if name in ("Variable", "constant"):
            listed = self.dims(given.get("shape")) if "shape" in given else None
            return Tensor(listed if listed is not None else self.shape(first) if name == "Variable" else None)
        if name == "get_variable":
            return Tensor(self.dims(given["shape"]) if "shape" in given else self.shape(given.get("initializer")))
        if name in OF_SHAPE:
            return Tensor(self.dims(first))
        if name in SAME:
            return Tensor(self.shape(first))
        if name in BROADCAST and len(node.args) >= 2:
            return Tensor(broadcast(self.shape(node.args[0]), self.shape(node.args[1])))
        if name.startswith("reduce_") or name in ("argmax", "argmin"):
            return self._reduced(name, given)
        rule = getattr(self, "_" + name.replace(".", "_"), None)
        return Tensor(rule(given)) if rule is not None and len(node.args) <= len(parameters) else None

    def _reduced(self, name: str, given: Mapping[str, ast.expr]) -> Value:
        axis = next((given[key] for key in ("axis", "reduction_indices", "dimension") if key in given), None)
        axes = self.dims(axis) if axis is not None else None
        numbers = [dim for dim in axes or () if isinstance(dim, int)]
        if (axis is not None and (axes is None or len(numbers) != len(axes))) or (axis is None and name[0] == "a"):
            return None
        kept = given.get("keepdims", given.get("keep_dims"))
        keeps = isinstance(kept, ast.Constant) and kept.value is True
        if kept is not None and not isinstance(kept, ast.Constant):
            return None
        shape = self.shape(given.get("input_tensor", given.get("input")))
        return Tensor(without_axes(shape, numbers if axis is not None else None, keeps))

    def _reshape(self, given: Mapping[str, ast.expr]) -> Shape | None:
        wanted = self.dims(given.get("shape"))
        return reshaped(self.shape(given.get("tensor")), wanted) if wanted is not None else None

    def _matmul(self, given: Mapping[str, ast.expr]) -> Shape | None:
        if len(given.keys() - {"name"}) > 2:
            return None
        return product_of(self.shape(given.get("a")), self.shape(given.get("b")))

    def _nn_xw_plus_b(self, given: Mapping[str, ast.expr]) -> Shape | None:
        return product_of(self.shape(given.get("x")), self.shape(given.get("weights")))

    def _nn_conv2d(self, given: Mapping[str, ast.expr]) -> Shape | None:
        image, kernel = self.shape(given.get("input")), self.shape(given.get("filter", given.get("filters")))
        if image is None or len(image) != 4:
            return (None, None, None, kernel[3]) if kernel is not None and len(kernel) == 4 else None
        if kernel is None or len(kernel) != 4:
            return None
        return self._moved(given, image, (kernel[0], kernel[1]), kernel[3], self._steps(given.get("strides")))

    def _nn_conv2d_transpose(self, given: Mapping[str, ast.expr]) -> Shape | None:
        return self.dims(given.get("output_shape"))

    def _pooled(self, given: Mapping[str, ast.expr]) -> Shape | None:
        image, kernel = self.shape(given.get("value", given.get("input"))), self._steps(given.get("ksize"))
        if image is None or len(image) != 4:
            return None
        whole = [self.dims(given.get(name)) for name in ("ksize", "strides")]
        channels = image[3] if all(dims is not None and (len(dims) < 4 or dims[3] == 1) for dims in whole) else None
        return self._moved(given, image, kernel, channels, self._steps(given.get("strides")))

    _nn_max_pool = _nn_avg_pool = _pooled

    def _steps(self, node: ast.expr | None) -> tuple[Dim, Dim]:
        dims = self.dims(node)
        return (dims[1], dims[2]) if dims is not None and len(dims) == 4 else pair(dims, None)

    def _moved(
        self,
        given: Mapping[str, ast.expr],
        image: Shape,
        kernel: tuple[Dim, Dim],
        channels: Dim,
        strides: tuple[Dim, Dim],
    ) -> Shape | None:
        """Returns the shape of an image after a window has moved over it."""
        padding = given.get("padding", ast.Constant("VALID"))
        order = given.get("data_format")
        if order is not None and not (isinstance(order, ast.Constant) and order.value in ("NHWC", "channels_last")):
            return None
        if {"dilations", "dilation_rate"} & given.keys() or not isinstance(padding, ast.Constant):
            return (image[0], None, None, channels)
        sides = [
            window(side, size, stride, str(padding.value).upper())
            for side, size, stride in zip(image[1:3], kernel, strides, strict=True)
        ]
        return (image[0], *sides, channels)

    def _layers_dense(self, given: Mapping[str, ast.expr]) -> Shape | None:
        inputs = self.shape(given.get("inputs"))
        units = self.dim(given.get("units", given.get("num_outputs")))
        return (*inputs[:-1], units) if inputs else None

    _contrib_layers_fully_connected = _layers_dense

    def _layers_conv2d(self, given: Mapping[str, ast.expr]) -> Shape | None:
        image, kernel = self.shape(given.get("inputs")), pair(self.dims(given.get("kernel_size")), None)
        strides = pair(self.dims(given["strides"]) if "strides" in given else (1,), None)
        if image is None or len(image) != 4:
            return None
        return self._moved(given, image, kernel, self.dim(given.get("filters")), strides)

    def _layers_max_pooling2d(self, given: Mapping[str, ast.expr]) -> Shape | None:
        image, kernel = self.shape(given.get("inputs")), pair(self.dims(given.get("pool_size")), None)
        if image is None or len(image) != 4:
            return None
        return self._moved(given, image, kernel, image[3], pair(self.dims(given.get("strides")), None))

    _layers_average_pooling2d = _layers_max_pooling2d

    def _layers_flatten(self, given: Mapping[str, ast.expr]) -> Shape | None:
        inputs = self.shape(given.get("inputs"))
        return (inputs[0], product(inputs[1:])) if inputs else None

    _contrib_layers_flatten = _layers_flatten

    def _nn_embedding_lookup(self, given: Mapping[str, ast.expr]) -> Shape | None:
        table, rows = self.shape(given.get("params")), self.shape(given.get("ids", given.get("indices")))
        return (*rows, *table[1:]) if table is not None and rows is not None else None

    def _gather(self, given: Mapping[str, ast.expr]) -> Shape | None:
        return None if {"axis", "batch_dims"} & given.keys() else self._nn_embedding_lookup(given)

    def _one_hot(self, given: Mapping[str, ast.expr]) -> Shape | None:
        rows = self.shape(given.get("indices"))
        return (*rows, self.dim(given.get("depth"))) if rows is not None and "axis" not in given else None

    def _expand_dims(self, given: Mapping[str, ast.expr]) -> Shape | None:
        shape, axis = self.shape(given.get("input")), self.dim(given.get("axis", given.get("dim")))
        if shape is None or not isinstance(axis, int) or not -len(shape) - 1 <= axis <= len(shape):
            return None
        at = axis if axis >= 0 else len(shape) + 1 + axis
        return (*shape[:at], 1, *shape[at:])

    def _transpose(self, given: Mapping[str, ast.expr]) -> Shape | None:
        shape, order = self.shape(given.get("a")), self.dims(given.get("perm"))
        if shape is None or ("perm" in given and (order is None or sorted(map(str, order)) != _numbers(shape))):
            return None
        return tuple(shape[int(number or 0)] for number in order) if order is not None else shape[::-1]

    def _concat(self, given: Mapping[str, ast.expr]) -> Shape | None:
        parts, axis = given.get("values"), self.dim(given.get("axis"))
        if not isinstance(parts, (ast.List, ast.Tuple)) or not isinstance(axis, int):
            return None
        return merged([self.shape(part) for part in parts.elts], axis)


def product_of(left: Shape | None, right: Shape | None) -> Shape | None:
    """Returns the shape of a product of matrices."""
    if left is None or right is None or len(left) != len(right) or len(left) < 2:
        return (None, right[1]) if right is not None and len(right) == 2 and left is None else None
    return (*left[:-2], left[-2], right[-1]) if len(left) == 2 else None


def _numbers(shape: Sequence[Dim]) -> list[str]:
    return [str(number) for number in range(len(shape))]
