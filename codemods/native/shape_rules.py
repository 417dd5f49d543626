"""The static shape of what ops and layers of TensorFlow 1 give, from the shapes of their inputs.

A dimension is an int, the text of an expression that gives it, or None if it is not known. Rules give None where
TensorFlow 1 would infer more; a number that they give is one that TensorFlow 1 inferred too (`common_shapes.cc`,
`nn_ops.cc` and `array_ops.cc` of 1.15.5), or could only have at run time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from codemods.native.counterparts import counterpart

Dim = int | str | None
Shape = tuple[Dim, ...]

SAME = frozenset(
    (
        "nn.relu", "nn.relu6", "nn.elu", "nn.selu", "nn.leaky_relu", "nn.sigmoid", "nn.tanh", "nn.softplus",
        "nn.softsign", "nn.softmax", "nn.log_softmax", "nn.dropout", "nn.lrn", "nn.local_response_normalization",
        "nn.l2_normalize", "nn.bias_add", "nn.batch_normalization", "sigmoid", "tanh", "exp", "log", "sqrt", "square",
        "abs", "negative", "sign", "identity", "stop_gradient", "cast", "to_float", "to_int32", "to_int64",
        "clip_by_value", "zeros_like", "ones_like", "rsqrt", "layers.dropout", "layers.batch_normalization",
        "contrib.layers.batch_norm", "contrib.slim.batch_norm", "contrib.layers.dropout", "contrib.slim.dropout",
        "image.per_image_standardization", "image.random_flip_left_right", "image.random_brightness",
        "image.random_contrast", "math.square", "math.exp", "math.log", "math.sqrt", "log_sigmoid",
    )
)  # fmt: skip
"""Ops whose result has the shape of their first argument."""
BROADCAST = frozenset(("add", "subtract", "multiply", "divide", "div", "maximum", "minimum", "truediv"))
"""Ops of two arguments."""
OF_SHAPE = frozenset(
    (
        "random_normal", "random_uniform", "truncated_normal", "random.normal", "random.uniform",
        "random.truncated_normal", "zeros", "ones", "fill",
    )
)  # fmt: skip
"""Ops whose first argument is the shape."""

_PARAMETERS: Mapping[str, str] = {
    "placeholder": "dtype shape name",
    "Variable": "initial_value trainable collections validate_shape",
    "get_variable": "name shape dtype initializer regularizer trainable collections",
    "reshape": "tensor shape name",
    "matmul": "a b transpose_a transpose_b adjoint_a adjoint_b a_is_sparse b_is_sparse name",
    "nn.xw_plus_b": "x weights biases name",
    "nn.conv2d": "input filter strides padding use_cudnn_on_gpu data_format dilations name",
    "nn.conv2d_transpose": "value filter output_shape strides padding data_format",
    "nn.max_pool": "value ksize strides padding data_format",
    "nn.avg_pool": "value ksize strides padding data_format",
    "nn.embedding_lookup": "params ids partition_strategy name",
    "layers.dense": "inputs units activation use_bias kernel_initializer bias_initializer",
    "layers.conv2d": "inputs filters kernel_size strides padding data_format dilation_rate activation use_bias",
    "layers.max_pooling2d": "inputs pool_size strides padding data_format",
    "layers.average_pooling2d": "inputs pool_size strides padding data_format",
    "layers.flatten": "inputs name",
    "contrib.layers.fully_connected": "inputs num_outputs activation_fn normalizer_fn",
    "contrib.layers.flatten": "inputs",
    "one_hot": "indices depth on_value off_value axis dtype name",
    "concat": "values axis name",
    "constant": "value dtype shape name",
    "fill": "dims value name",
}


def parameters_of(name: str) -> list[str]:
    """Returns the parameters of a function, in order; an empty list if only the first argument matters."""
    listed = _PARAMETERS.get(name)
    if listed is not None:
        return listed.split()
    known = counterpart(name)
    return [new or old for old, new in known.parameters] if known is not None else []


def broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    """Returns the shape of a sum; None if the number of dimensions is not known."""
    if left is None or right is None:
        return None
    longest = max(len(left), len(right))
    pairs = zip((1,) * (longest - len(left)) + left, (1,) * (longest - len(right)) + right, strict=True)
    return tuple(_common(one, other) for one, other in pairs)


def _common(one: Dim, other: Dim) -> Dim:
    if one == other or other == 1:
        return one
    if one == 1:
        return other
    known = [dim for dim in (one, other) if isinstance(dim, int)]
    return known[0] if len(known) == 1 and known[0] > 1 else None


def merged(shapes: Sequence[Shape | None], axis: int) -> Shape | None:
    """Returns the shape of tensors that are joined along an axis."""
    known = [shape for shape in shapes if shape is not None]
    if not known or len({len(shape) for shape in known}) != 1 or not -len(known[0]) <= axis < len(known[0]):
        return None
    axis %= len(known[0])
    made: list[Dim] = []
    for number in range(len(known[0])):
        dims = [shape[number] for shape in known]
        if number == axis:
            numbers = [dim for dim in dims if isinstance(dim, int)]
            made.append(sum(numbers) if len(numbers) == len(shapes) else None)
        else:
            made.append(next((dim for dim in dims if dim is not None), None))
    return tuple(made)


def product(dims: Sequence[Dim]) -> int | None:
    """Returns the number of elements; None if it is not known."""
    numbers = [dim for dim in dims if isinstance(dim, int)]
    return math.prod(numbers) if len(numbers) == len(dims) else None


def reshaped(before: Shape | None, wanted: Sequence[Dim]) -> Shape:
    """Returns the shape that `tf.reshape` gives."""
    if -1 not in wanted:
        return tuple(wanted)
    others = product([dim for dim in wanted if dim != -1])
    whole = product(before) if before is not None else None
    rest = whole // others if whole is not None and others else None
    return tuple(rest if dim == -1 else dim for dim in wanted)


def window(size: Dim, kernel: Dim, stride: Dim, padding: str) -> Dim:
    """Returns what is left of a side after a window has moved over it."""
    if padding == "SAME" and stride == 1:
        return size
    if not isinstance(size, int) or not isinstance(stride, int) or stride < 1:
        return None
    if padding == "SAME":
        return -(-size // stride)
    return (size - kernel) // stride + 1 if padding == "VALID" and isinstance(kernel, int) else None


def without_axes(shape: Shape | None, axes: Sequence[int] | None, keeps: bool) -> Shape | None:
    """Returns the shape after a reduction. `axes`: None for all."""
    if shape is None:
        return None
    gone = set(range(len(shape))) if axes is None else {axis % len(shape) for axis in axes if shape}
    if keeps:
        return tuple(1 if number in gone else dim for number, dim in enumerate(shape))
    return tuple(dim for number, dim in enumerate(shape) if number not in gone)


def pair(dims: Sequence[Dim] | None, default: Dim) -> tuple[Dim, Dim]:
    """Returns height and width, of one number or two."""
    if dims is None:
        return default, default
    return (dims[0], dims[-1]) if len(dims) in (1, 2) else (None, None)
