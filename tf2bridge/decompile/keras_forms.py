"""How a person writes each operation for every backend of Keras: `keras.ops` or an operator, as a template.

The placeholders are those of `forms`, and further ones that hold for constants alone, since JAX must know them before
it runs: `_constant_1` stands for input 1 as a number or tuple, `_constant_last` for the last input, and `_ends_1` for
where each part but the last ends if input 1 has their sizes. `_sizes_1` stands for a shape: a constant, or what
`python_sizes` computes. `_sum` stands for the sum of all inputs, `_rest` for the list of all but the first.

A form is left out where a backend computes something else than TensorFlow:

- Sums and products of small whole numbers are wider in Keras. Means of whole numbers are whole in TensorFlow alone.
- `average_pool` with `padding="same"` repeats the border in PyTorch if it is wider on one side.
- `pad` with `mode="symmetric"` repeats the border in PyTorch: the same for a border of 1.
- `top_k` orders equal numbers as it likes in PyTorch.

What is written still differs in three ways. Beside TensorFlow, Keras computes 32 bits where a graph has 64. `argmax`
takes 0.0 for more than -0.0. The sign of what is no number is 0 in PyTorch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import keras

from tf2bridge.decompile.forms import Form, functions

TYPES = frozenset(
    (
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "bool",
    )
)
"""The types that Keras has on all backends."""
FLOATS = ("float16", "bfloat16", "float32", "float64")
_WIDE = (*FLOATS, "int32", "int64")


def _reduction(name: str, types: tuple[str, ...]) -> tuple[Form, ...]:
    call = f"keras.ops.{name}(_0, axis=_constant_1"
    return (
        Form(f"{call})", {"keep_dims": False}, types=types),
        Form(f"{call}, keepdims=True)", {"keep_dims": True}, types=types),
    )


def _product(first: str, second: str) -> tuple[Form, ...]:
    """Returns the forms of a matrix product, for each way to turn the matrices that these attributes name."""
    turned = {False: "{}", True: "keras.ops.swapaxes({}, -1, -2)"}
    return tuple(
        Form(
            f"keras.ops.matmul({turned[a].format('_0')}, {turned[b].format('_1')})", {first: a, second: b}, types=_WIDE
        )
        for a in turned
        for b in turned
    )


_UNARY = {
    **functions("keras.ops.", "Relu Relu6 Elu Selu Softplus Softsign Softmax LogSoftmax=log_softmax Tanh Sigmoid Exp"),
    **functions("keras.ops.", "Sqrt Square Abs Floor Ceil Sign Round Cos Sin Tan Sinh Cosh Log Log1p Expm1 Rsqrt Erf"),
    **functions("keras.ops.", "Asin=arcsin Acos=arccos Atan=arctan Asinh=arcsinh Acosh=arccosh Atanh=arctanh Erfc"),
    **functions("keras.ops.", "Reciprocal Inv=reciprocal IsNan=isnan IsInf=isinf IsFinite=isfinite Identity=copy"),
    **functions("keras.ops.", "ZerosLike=zeros_like OnesLike=ones_like StopGradient=stop_gradient Snapshot=copy"),
    **functions(
        "keras.ops.", "InvertPermutation=argsort PreventGradient=copy Cholesky MatrixInverse=inv Invert=bitwise_not"
    ),
    "L2Loss": (Form("keras.ops.sum(keras.ops.square(_0)) / 2"),),
    "LogicalNot": (Form("~_0"),),
    "Neg": (Form("-_0"),),
}

_SIGNS = {
    **dict.fromkeys(("Add", "AddV2", "BiasAddV1"), "+"),
    **dict(
        zip(("Sub", "Mul", "RealDiv", "FloorDiv", "FloorMod", "Pow"), ("-", "*", "/", "//", "%", "**"), strict=True)
    ),
    **dict(zip(("Less", "LessEqual", "Greater", "GreaterEqual"), ("<", "<=", ">", ">="), strict=True)),
    **dict(zip(("LogicalAnd", "LogicalOr"), "&|", strict=True)),
}
_BINARY = {
    **{op: (Form(f"_0 {sign} _1"),) for op, sign in _SIGNS.items()},
    "Div": (Form("_0 / _1", types=FLOATS),),
    "BiasAdd": (
        Form("_0 + _1", {"data_format": "NHWC"}),
        Form("_0 + keras.ops.reshape(_1, (-1, 1, 1))", {"data_format": "NCHW"}),
    ),
    "AddN": (Form("_sum"),),
    "SquaredDifference": (Form("keras.ops.square(_0 - _1)"),),
    "DivNoNan": (Form("keras.ops.divide_no_nan(_0, _1)"),),
    **functions("keras.ops.", "Maximum Minimum Equal NotEqual=not_equal Atan2=arctan2", "_0, _1"),
    **functions("keras.ops.bitwise_", "BitwiseAnd=and BitwiseOr=or BitwiseXor=xor", "_0, _1"),
    "MatMul": _product("transpose_a", "transpose_b"),
    **{op: _product("adj_x", "adj_y") for op in ("BatchMatMul", "BatchMatMulV2")},
}

_REDUCTIONS = {
    **{op: _reduction(name, _WIDE) for op, name in (("Sum", "sum"), ("Prod", "prod"), ("Max", "max"), ("Min", "min"))},
    "Mean": _reduction("mean", FLOATS),
    **{op: _reduction(name, ("bool",)) for op, name in (("All", "all"), ("Any", "any"))},
    "ArgMax": (Form("keras.ops.cast(keras.ops.argmax(_0, axis=_constant_1), _output_type)"),),
    "ArgMin": (Form("keras.ops.cast(keras.ops.argmin(_0, axis=_constant_1), _output_type)"),),
    "Cumsum": (Form("keras.ops.cumsum(_0, axis=_constant_1)", types=_WIDE),),
    "Cumprod": (Form("keras.ops.cumprod(_0, axis=_constant_1)", types=_WIDE),),
}

_SHAPES = {
    "Reshape": (Form("keras.ops.reshape(_0, _sizes_1)"),),
    "Transpose": (Form("keras.ops.transpose(_0, _constant_1)"),),
    "ExpandDims": (Form("keras.ops.expand_dims(_0, _constant_1)"),),
    "Squeeze": (Form("keras.ops.squeeze(_0)", {"squeeze_dims": []}), Form("keras.ops.squeeze(_0, _squeeze_dims)")),
    "Tile": (Form("keras.ops.tile(_0, _sizes_1)"),),
    "Fill": (Form("keras.ops.full(_sizes_0, _1, dtype=_T)"),),
    "Range": (
        Form("keras.ops.arange(_sizes_1, dtype=_Tidx)", constants={0: 0, 2: 1}),
        Form("keras.ops.arange(_sizes_0, _sizes_1, _sizes_2, dtype=_Tidx)"),
    ),
    "Pad": (Form("keras.ops.pad(_0, _constant_1)"),),
    "PadV2": (Form("keras.ops.pad(_0, _constant_1, constant_values=_constant_2)"),),
    "MirrorPad": (Form("keras.ops.pad(_0, _constant_1, mode='reflect')", {"mode": "REFLECT"}),),
    "BroadcastTo": (Form("keras.ops.broadcast_to(_0, _sizes_1)"),),
    "Pack": (Form("keras.ops.stack(_all)", {"axis": 0}), Form("keras.ops.stack(_all, axis=_axis)")),
    "Unpack": (Form("keras.ops.unstack(_0, _num)", {"axis": 0}), Form("keras.ops.unstack(_0, _num, axis=_axis)")),
    "Split": (Form("keras.ops.split(_1, _num_split, axis=_constant_0)"),),
    "SplitV": (Form("keras.ops.split(_0, _ends_1, axis=_constant_2)"),),
    "Cast": (Form("keras.ops.cast(_0, _DstT)", {"Truncate": False}),),
    "Concat": (Form("keras.ops.concatenate(_rest, axis=_constant_0)"),),
    "ConcatV2": (Form("keras.ops.concatenate(_front, axis=_constant_last)"),),
    "Gather": (Form("keras.ops.take(_0, _1, axis=0)"),),
    "ResourceGather": (Form("keras.ops.take(_0, _1, axis=0)", {"batch_dims": 0}),),
    "GatherV2": (Form("keras.ops.take(_0, _1, axis=_constant_2)", {"batch_dims": 0}),),
    "OneHot": (
        Form("keras.ops.one_hot(_0, _constant_1, dtype=_T)", {"axis": -1}, {2: 1, 3: 0}),
        Form("keras.ops.one_hot(_0, _constant_1, axis=_axis, dtype=_T)", constants={2: 1, 3: 0}),
    ),
}


def _windows(call: str, layout: str, **given: Any) -> tuple[Form, ...]:
    """Returns the forms of a convolution or pooling, without padding and with it."""
    given = {"data_format": layout, **given}
    return (
        Form(call, {"padding": "VALID", **given}, types=FLOATS),
        Form(f"{call[:-1]}, padding='same')", {"padding": "SAME", **given}, types=FLOATS),
    )


def _convolution(name: str, layout: str, axes: int) -> tuple[Form, ...]:
    """Returns the forms of a convolution that is not dilated."""
    ones, call = [1] * axes, f"keras.ops.{name}(_0, _1"
    return (
        *_windows(f"{call})", layout, strides=ones, dilations=ones),
        *_windows(f"{call}, strides=_spatial_strides)", layout, dilations=ones),
    )


_DILATED = _windows("keras.ops.conv(_0, _1, dilation_rate=_spatial_dilations)", "NHWC", strides=[1] * 4)
_NETS = {
    "Conv2D": (*_convolution("conv", "NHWC", 4), *_DILATED),
    "Conv3D": _convolution("conv", "NDHWC", 5),
    "DepthwiseConv2dNative": _convolution("depthwise_conv", "NHWC", 4),
    **{
        op: _windows(f"keras.ops.{name}(_0, _spatial_ksize, _spatial_strides)", layout)
        for op, name, layout in (
            *(("MaxPool", "max_pool", "NHWC"), ("AvgPool", "average_pool", "NHWC")),
            *(("MaxPool3D", "max_pool", "NDHWC"), ("AvgPool3D", "average_pool", "NDHWC")),
        )
    },
    "LeakyRelu": (Form("keras.ops.leaky_relu(_0, _alpha)"),),
    "SelectV2": (Form("keras.ops.where(_0, _1, _2)"),),
    "InTopKV2": (Form("keras.ops.in_top_k(_1, _0, _constant_2)"),),
    "ClipByValue": (Form("keras.ops.clip(_0, _1, _2)"),),
}

_STATE = {
    "AssignVariableOp": (Form("_0.assign(_1)"),),
    "AssignAddVariableOp": (Form("_0.assign_add(_1)"),),
    "AssignSubVariableOp": (Form("_0.assign_sub(_1)"),),
}


def _is_in_this_release(form: Form) -> bool:
    """Returns True if the release of Keras has the functions of a form."""
    return all(hasattr(keras.ops, name) for name in re.findall(r"keras\.ops\.(\w+)", form.template))


_ALL = {**_UNARY, **_BINARY, **_REDUCTIONS, **_SHAPES, **_NETS, **_STATE}
KERAS_FORMS: Mapping[str, tuple[Form, ...]] = {
    op: tuple(form for form in forms if _is_in_this_release(form)) for op, forms in _ALL.items()
}
"""Type of an operation -> its forms; the first one that holds is used."""
