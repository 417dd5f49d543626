"""How a person writes each operation: the public function or operator for it, as a template.

`_0`, `_1` ... stand for the inputs, `_all` for the list of all inputs, `_front` for the list of all but the last one,
`_last` for that one, `_name` for the attribute `name`, and `_spatial_name` for one whose first and last numbers, those
of batch and channels, are 1 and left out. An operation with an attribute that is neither in the
template, nor at its default, nor as `given` says, has no form here. It is written as a call of `tf.raw_ops`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import tensorflow as tf

ALL_AXES = object()
"""Stands for a constant with the numbers of all axes of the first input."""

REVERSED_AXES = object()
"""Stands for a constant with the numbers of all axes of the first input, the last one first."""

CONSTANT = object()
"""Stands for any constant."""


@dataclass(frozen=True)
class Form:
    """A template, and what it holds for.

    Attributes:
        template: The expression.
        given: Attributes that must have these values.
        constants: Numbers of inputs that must be these constants, `CONSTANT`, `ALL_AXES` or `REVERSED_AXES`.
        types: The names of the types of the first input that it holds for; empty for all.
        ignored: Attributes that may have any value: TensorFlow 2 makes other numbers of a seed.
    """

    template: str
    given: Mapping[str, Any] = field(default_factory=dict)
    constants: Mapping[int, Any] = field(default_factory=dict)
    types: Collection[str] = ()
    ignored: Collection[str] = ()


def functions(prefix: str, names: str, arguments: str = "_0") -> dict[str, tuple[Form, ...]]:
    """Returns a form for each `Op=function` of `names`; without `=` the function is the lower case of the type."""
    pairs = (name.partition("=") for name in names.split())
    return {op: (Form(f"{prefix}{function or op.lower()}({arguments})"),) for op, _, function in pairs}


_UNARY = {
    **functions("tf.nn.", "Relu Relu6 Elu Selu Softplus Softsign Softmax LogSoftmax=log_softmax L2Loss=l2_loss"),
    **functions("tf.", "Tanh Sigmoid Exp Sqrt Square Abs Floor Sign Round Cos Sin Identity Shape Rank Size"),
    **functions("tf.", "ZerosLike=zeros_like OnesLike=ones_like StopGradient=stop_gradient Where Snapshot=identity"),
    **functions("tf.math.", "Log Log1p Expm1 Rsqrt Erf Erfc Lgamma Digamma Ceil Reciprocal Tan Asin Acos Atan"),
    **functions("tf.math.", "Rint Sinh Cosh Asinh Acosh Atanh Inv=reciprocal"),
    **functions("tf.math.", "IsNan=is_nan IsInf=is_inf IsFinite=is_finite InvertPermutation=invert_permutation"),
    "CheckNumerics": (Form("tf.debugging.check_numerics(_0, _message)"),),
    "LogicalNot": (Form("~_0"),),
    "Neg": (Form("-_0"),),
}

_BINARY = {
    **{op: (Form(f"_0 {sign} _1"),) for op, sign in (("Sub", "-"), ("Mul", "*"), ("RealDiv", "/"), ("FloorDiv", "//"))},
    **{op: (Form(f"_0 {sign} _1"),) for op, sign in (("Less", "<"), ("LessEqual", "<="), ("Greater", ">"))},
    **{op: (Form("_0 + _1"),) for op in ("Add", "AddV2")},
    "GreaterEqual": (Form("_0 >= _1"),),
    "FloorMod": (Form("_0 % _1"),),
    "LogicalAnd": (Form("_0 & _1"),),
    "LogicalOr": (Form("_0 | _1"),),
    "Pow": (Form("_0 ** _1"),),
    **functions("tf.", "Maximum Minimum Equal NotEqual=not_equal", "_0, _1"),
    "SquaredDifference": (Form("tf.math.squared_difference(_0, _1)"),),
    "DivNoNan": (Form("tf.math.divide_no_nan(_0, _1)"),),
    **functions("tf.math.", "Atan2 Xlogy Xdivy", "_0, _1"),
    "MatMul": tuple(
        Form(
            f"tf.matmul(_0, _1{', transpose_a=True' if a else ''}{', transpose_b=True' if b else ''})",
            {"transpose_a": a, "transpose_b": b},
        )
        for a in (False, True)
        for b in (False, True)
    ),
    **{
        op: tuple(
            Form(
                f"tf.matmul(_0, _1{', adjoint_a=True' if a else ''}{', adjoint_b=True' if b else ''})",
                {"adj_x": a, "adj_y": b},
            )
            for a in (False, True)
            for b in (False, True)
        )
        for op in ("BatchMatMul", "BatchMatMulV2")
    },
    "BiasAdd": (
        Form("tf.nn.bias_add(_0, _1)", {"data_format": "NHWC"}),
        Form("tf.nn.bias_add(_0, _1, data_format='NCHW')", {"data_format": "NCHW"}),
    ),
}

_REDUCTIONS = {
    op: (
        Form(f"tf.reduce_{name}(_0)", {"keep_dims": False}, {1: ALL_AXES}),
        Form(f"tf.reduce_{name}(_0, _1)", {"keep_dims": False}),
        Form(f"tf.reduce_{name}(_0, _1, keepdims=True)", {"keep_dims": True}),
    )
    for op, name in (
        *(("Sum", "sum"), ("Mean", "mean"), ("Max", "max"), ("Min", "min"), ("Prod", "prod"), ("All", "all")),
        ("Any", "any"),
    )
}

_SHAPES = {
    "Reshape": (Form("tf.reshape(_0, _1)"),),
    "Transpose": (Form("tf.transpose(_0)", constants={1: REVERSED_AXES}), Form("tf.transpose(_0, _1)")),
    "ExpandDims": (Form("tf.expand_dims(_0, _1)"),),
    "Squeeze": (Form("tf.squeeze(_0, _squeeze_dims)"),),
    "Tile": (Form("tf.tile(_0, _1)"),),
    "Fill": (Form("tf.fill(_0, _1)"),),
    "Range": (Form("tf.range(_1)", constants={0: 0, 2: 1}), Form("tf.range(_0, _1, _2)")),
    "Slice": (Form("tf.slice(_0, _1, _2)"),),
    "Pad": (Form("tf.pad(_0, _1)"),),
    "BroadcastTo": (Form("tf.broadcast_to(_0, _1)"),),
    "Pack": (Form("tf.stack(_all)", {"axis": 0}), Form("tf.stack(_all, axis=_axis)")),
    "Unpack": (Form("tf.unstack(_0, _num)", {"axis": 0}), Form("tf.unstack(_0, _num, axis=_axis)")),
    "Split": (Form("tf.split(_1, _num_split, _0)"),),
    "SplitV": (Form("tf.split(_0, _1, _2)", constants={1: CONSTANT}), Form("tf.split(_0, _1, _2, _num_split)")),
    "Cast": (Form("tf.cast(_0, _DstT)", {"Truncate": False}),),
    "EnsureShape": (Form("tf.ensure_shape(_0, _shape)"),),
    "AddN": (Form("tf.add_n(_all)"),),
    "Gather": (Form("tf.gather(_0, _1)", {"validate_indices": True}),),
    "GatherV2": (
        Form("tf.gather(_0, _1)", {"batch_dims": 0}, {2: 0}),
        Form("tf.gather(_0, _1, axis=_2)", {"batch_dims": 0}),
        Form("tf.gather(_0, _1, axis=_2, batch_dims=_batch_dims)"),
    ),
    "ConcatV2": (Form("tf.concat(_front, _last)"),),
    "GatherNd": (Form("tf.gather_nd(_0, _1)"),),
    "ScatterNd": (Form("tf.scatter_nd(_0, _1, _2)"),),
    "DynamicPartition": (Form("tf.dynamic_partition(_0, _1, _num_partitions)"),),
    **{
        f"Segment{name}": (Form(f"tf.math.segment_{name.lower()}(_0, _1)"),)
        for name in ("Sum", "Mean", "Max", "Min", "Prod")
    },
    **{
        f"UnsortedSegment{name}": (Form(f"tf.math.unsorted_segment_{name.lower()}(_0, _1, _2)"),)
        for name in ("Sum", "Max", "Min", "Prod")
    },
    "MatrixBandPart": (Form("tf.linalg.band_part(_0, _1, _2)"),),
    "MirrorPad": (Form("tf.pad(_0, _1, _mode)"),),
    "PadV2": (Form("tf.pad(_0, _1, constant_values=_2)"),),
    "DepthToSpace": (Form("tf.nn.depth_to_space(_0, _block_size)", {"data_format": "NHWC"}),),
    "SpaceToDepth": (Form("tf.nn.space_to_depth(_0, _block_size)", {"data_format": "NHWC"}),),
    "OneHot": (
        Form("tf.one_hot(_0, _1)", {"axis": -1, "T": tf.float32}, {2: 1, 3: 0}),
        Form("tf.one_hot(_0, _1, dtype=_T)", {"axis": -1}, {2: 1, 3: 0}),
        Form("tf.one_hot(_0, _1, _2, _3)", {"axis": -1, "T": tf.float32}),
        Form("tf.one_hot(_0, _1, _2, _3, axis=_axis, dtype=_T)"),
    ),
    **{
        op: (
            Form(f"tf.{op.lower()}(_0, _1)", {"output_type": tf.int64}),
            Form(f"tf.{op.lower()}(_0, _1, output_type=_output_type)"),
        )
        for op in ("ArgMax", "ArgMin")
    },
    "TopKV2": (Form("tf.math.top_k(_0, _1)"),),
    **{
        op: (
            Form(f"{name}(_0, _1)", {"exclusive": False, "reverse": False}),
            Form(f"{name}(_0, _1, exclusive=True)", {"exclusive": True, "reverse": False}),
            Form(f"{name}(_0, _1, exclusive=_exclusive, reverse=_reverse)"),
        )
        for op, name in (("Cumsum", "tf.cumsum"), ("Cumprod", "tf.math.cumprod"))
    },
    "BroadcastArgs": (Form("tf.broadcast_dynamic_shape(_0, _1)"),),
    "ReverseV2": (Form("tf.reverse(_0, _1)"),),
    "ReverseSequence": (Form("tf.reverse_sequence(_0, _1, _seq_dim, _batch_dim)"),),
}

_NETS = {
    "Conv2D": (
        Form("tf.nn.conv2d(_0, _1, _spatial_strides, _padding)", {"data_format": "NHWC", "dilations": [1, 1, 1, 1]}),
        Form("tf.nn.conv2d(_0, _1, _spatial_strides, _padding, dilations=_spatial_dilations)", {"data_format": "NHWC"}),
    ),
    "DepthwiseConv2dNative": (
        Form("tf.nn.depthwise_conv2d(_0, _1, _strides, _padding)", {"data_format": "NHWC", "dilations": [1, 1, 1, 1]}),
    ),
    **{
        op: (Form(f"tf.nn.{name}(_0, _spatial_ksize, _spatial_strides, _padding)", {"data_format": layout}),)
        for op, name, layout in (
            *(("MaxPool", "max_pool2d", "NHWC"), ("AvgPool", "avg_pool2d", "NHWC")),
            *(("MaxPool3D", "max_pool3d", "NDHWC"), ("AvgPool3D", "avg_pool3d", "NDHWC")),
        )
    },
    "LRN": (Form("tf.nn.lrn(_0, depth_radius=_depth_radius, bias=_bias, alpha=_alpha, beta=_beta)"),),
    "LeakyRelu": (Form("tf.nn.leaky_relu(_0, _alpha)"),),
    "SelectV2": (Form("tf.where(_0, _1, _2)"),),
    "ResizeBilinear": (
        Form("tf.image.resize(_0, _1)", {"half_pixel_centers": True, "align_corners": False}, types=("float32",)),
    ),
    **{
        op: (Form(f"tf.image.adjust_{name}(_0, _1)", types=("float32",)),)
        for op, name in (("AdjustContrastv2", "contrast"), ("AdjustSaturation", "saturation"), ("AdjustHue", "hue"))
    },
    "NonMaxSuppressionV2": (Form("tf.image.non_max_suppression(_0, _1, _2, _3)", types=("float32",)),),
    "Conv2DBackpropInput": (
        Form("tf.nn.conv2d_transpose(_2, _1, _0, _spatial_strides, _padding)", {"data_format": "NHWC"}),
    ),
    "Conv3DBackpropInputV2": (
        Form("tf.nn.conv3d_transpose(_2, _1, _0, _spatial_strides, _padding)", {"data_format": "NDHWC"}),
    ),
    "CropAndResize": (Form("tf.image.crop_and_resize(_0, _1, _2, _3)"),),
    "AsString": (Form("tf.strings.as_string(_0)"),),
    "StringToHashBucketFast": (Form("tf.strings.to_hash_bucket_fast(_0, _num_buckets)"),),
    "InTopKV2": (Form("tf.math.in_top_k(_1, _0, _2)"),),
}

_SEEDS = "seed", "seed2"
_RANDOM = {
    "Multinomial": (Form("tf.random.categorical(_0, _1)", {"output_dtype": tf.int64}, ignored=_SEEDS),),
    **{
        op: (Form(f"tf.random.{name}(_0)", {"dtype": tf.float32}, ignored=_SEEDS),)
        for op, name in (("RandomUniform", "uniform"), ("RandomStandardNormal", "normal"))
    },
}
"""Random numbers, which rules write as arguments of the same functions where there is an example that reaches them."""

_SPARSE_TENSOR = "tf.SparseTensor(_0, _1, _2)"
_SPARSE = {
    "EditDistance": (
        Form(f"tf.edit_distance({_SPARSE_TENSOR}, tf.SparseTensor(_3, _4, _5))", {"normalize": True}),
        Form(f"tf.edit_distance({_SPARSE_TENSOR}, tf.SparseTensor(_3, _4, _5), _normalize)"),
    ),
    "SparseTensorDenseMatMul": (
        Form(f"tf.sparse.sparse_dense_matmul({_SPARSE_TENSOR}, _3)", {"adjoint_a": False, "adjoint_b": False}),
        Form(f"tf.sparse.sparse_dense_matmul({_SPARSE_TENSOR}, _3, _adjoint_a, _adjoint_b)"),
    ),
    "SparseSoftmax": (Form(f"tf.sparse.softmax({_SPARSE_TENSOR}).values"),),
    "Unique": (Form("tf.unique(_0)", {"out_idx": tf.int32}),),
}
"""Functions of sparse tensors."""

_FILES = {
    "DecodeJpeg": (Form("tf.io.decode_jpeg(_0)", {"channels": 0}), Form("tf.io.decode_jpeg(_0, channels=_channels)")),
    **{
        f"Decode{name}": (
            Form(f"tf.io.decode_{name.lower()}(_0)", {"channels": 0}),
            Form(f"tf.io.decode_{name.lower()}(_0, channels=_channels)"),
        )
        for name in ("Png", "Bmp")
    },
    **functions("tf.io.", "DecodeGif=decode_gif DecodeBase64=decode_base64"),
    "EncodeBase64": (Form("tf.io.encode_base64(_0)"), Form("tf.io.encode_base64(_0, pad=_pad)")),
    "EncodeJpeg": (Form("tf.io.encode_jpeg(_0)"), Form("tf.io.encode_jpeg(_0, format=_format, quality=_quality)")),
    "EncodePng": (Form("tf.io.encode_png(_0)"),),
    "DecodeRaw": (Form("tf.io.decode_raw(_0, _out_type)"),),
    "StringToNumber": (
        Form("tf.strings.to_number(_0)", {"out_type": tf.float32}),
        Form("tf.strings.to_number(_0, _out_type)"),
    ),
    "StringLength": (Form("tf.strings.length(_0)"),),
    "StringJoin": (
        Form("tf.strings.join(_all)", {"separator": b""}),
        Form("tf.strings.join(_all, separator=_separator)"),
    ),
    "RegexReplace": (Form("tf.strings.regex_replace(_0, _1, _2)"),),
    "StaticRegexReplace": (Form("tf.strings.regex_replace(_0, _pattern, _rewrite)"),),
    "NonMaxSuppressionV3": (Form("tf.image.non_max_suppression(_0, _1, _2, _3, _4)"),),
}
"""Files, texts, and what is found in images."""

FORMS: Mapping[str, tuple[Form, ...]] = {
    **_UNARY,
    **_BINARY,
    **_REDUCTIONS,
    **_SHAPES,
    **_NETS,
    **_RANDOM,
    **_SPARSE,
    **_FILES,
}
"""Type of an operation -> its forms; the first one that holds is used."""
