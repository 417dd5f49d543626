"""Operations on values at the edges, for the table of `keras_forms`: what TensorFlow computes, and what is written.

`python keras_battery.py FOLDER` computes the expressions in the folder on the backend that KERAS_BACKEND names, and
prints those that differ, with the numbers. It imports Keras and NumPy alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keras
import numpy as np


@dataclass(frozen=True)
class Case:
    """An operation with its inputs.

    Attributes:
        op: Its type.
        inputs: Its inputs; a `list` is a constant.
        attributes: Attributes that are not at their defaults.
    """

    op: str
    inputs: tuple[Any, ...]
    attributes: dict[str, Any]


_FLOATS = ("float32", "float64", "float16")
_EDGES = [-0.0, 0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 1e-3, -0.25, 7.0]
_INTS = [0, 1, -1, 2, -2, 3, -3, 7, -7, 5, -5, 100]
_INFINITE = [float("inf"), float("-inf"), float("nan"), 1.0]
_TWO_FLOATS = "Add AddV2 BiasAddV1 Sub Mul RealDiv Div Maximum Minimum SquaredDifference"


def cases() -> Iterator[Case]:
    """Yields the cases: types, signs, zeros of both signs, halves, infinite numbers, axes, paddings, both layouts."""
    yield from _unary()
    yield from _binary()
    yield from _reductions()
    yield from _shapes()
    yield from _nets()


def _names(text: str) -> list[str]:
    return text.split()


def _case(op: str, *inputs: Any, **attributes: Any) -> Case:
    return Case(op, inputs, attributes)


def _array(numbers: list[Any], dtype: str, *shape: int) -> Any:
    return np.array(numbers, dtype).reshape(shape or (3, 4))


def _unary() -> Iterator[Case]:
    anywhere = (
        "Relu Relu6 Elu Selu Softplus Softsign Softmax LogSoftmax Tanh Sigmoid Exp Square Abs Floor Ceil Sign Round"
    )
    for op in _names(f"{anywhere} Cos Sin Sinh Cosh Expm1 Erf Erfc Atan Asinh L2Loss LeakyRelu Neg"):
        yield from (_case(op, _array(_EDGES, dtype)) for dtype in _FLOATS)
    for op in _names("IsNan IsInf IsFinite Abs Neg Relu Floor"):  # PyTorch has 0 for the sign of what is no number
        yield _case(op, np.float32(_INFINITE))
    positive = [abs(number) + 0.25 for number in _EDGES]
    for op in _names("Sqrt Log Log1p Rsqrt Reciprocal Inv Acosh"):
        yield from (
            _case(op, _array(positive, dtype) + (1 if op == "Acosh" else 0)) for dtype in ("float32", "float64")
        )
    within = np.float32([-0.9, -0.0, 0.0, 0.3])
    yield from (_case(op, within) for op in ("Asin", "Acos", "Atanh", "Tan"))
    for op in _names("Identity Snapshot ZerosLike OnesLike StopGradient PreventGradient"):
        yield from (_case(op, _array(_INTS, dtype)) for dtype in ("float32", "int32", "int64"))
    for op in _names("Square Abs Sign Neg Relu Invert"):
        yield _case(op, _array(_INTS, "int32"))
    yield _case("LogicalNot", np.array([True, False]))
    yield _case("InvertPermutation", np.int32([2, 0, 3, 1]))
    square = np.float32([[4, 1], [1, 3]])
    yield from (_case(op, square) for op in ("Cholesky", "MatrixInverse"))
    for start in ("float32", "int32", "bool", "float64"):
        for end in ("float32", "int32", "int64", "bool", "uint8", "float16"):
            numbers = [abs(number) for number in _EDGES] if end == "uint8" else _EDGES
            yield _case("Cast", _array(numbers, "float64").astype(start), DstT=end)


def _binary() -> Iterator[Case]:
    second = [2.0, -3.0, 0.5, 1.0]
    for op in _names(
        f"{_TWO_FLOATS} DivNoNan FloorDiv FloorMod Less LessEqual Greater GreaterEqual Equal NotEqual Atan2"
    ):
        yield from (_case(op, _array(_EDGES, dtype), np.array(second, dtype)) for dtype in ("float32", "float64"))
    for op in _names("Add AddV2 Sub Mul Maximum Minimum SquaredDifference FloorDiv FloorMod Less Equal NotEqual"):
        yield from (_case(op, _array(_INTS, dtype), np.array([2, -3, 5, -1], dtype)) for dtype in ("int32", "int64"))
    yield _case("Pow", np.float32([0.5, 2.0, 3.0]), np.float32([-1.5, 0.0, 3.0]))
    yield _case("Pow", np.int32([-2, 2, 3]), np.int32([3, 0, 2]))
    for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        yield _case(op, _array(_INTS, "int32"), np.int32([2, -3, 5, -1]))
    truths = np.array([True, False, True, False]), np.array([True, True, False, False])
    yield from (_case(op, *truths) for op in ("LogicalAnd", "LogicalOr"))
    yield _case("Add", _array(_EDGES, "float32"), [1.5])
    yield _case("Mul", _array(_EDGES, "float64"), [0.1])
    yield _case("Add", _array(_INTS, "int32"), [[1, 2, 3, 4]])
    yield _case("BiasAdd", np.ones([2, 3, 4, 3], "float32"), np.float32([1, 2, 3]))
    yield _case("BiasAdd", np.ones([2, 3, 4, 5], "float32"), np.float32([1, 2, 3]), data_format="NCHW")
    for count in (1, 2, 3):
        yield _case("AddN", *[_array(_EDGES, "float32")] * count, N=count)
    for op, first, other in (("MatMul", "transpose_a", "transpose_b"), ("BatchMatMul", "adj_x", "adj_y")):
        for a in (False, True):
            for b in (False, True):
                left = _array(_EDGES, "float32", *((4, 3) if a else (3, 4)))
                right = _array(_EDGES[::-1], "float32", *((3, 4) if b else (4, 3)))
                both = (left, right) if op == "MatMul" else (np.stack([left, -left]), np.stack([right, right]))
                yield _case(op, *both, **{first: a, other: b})
                if op == "BatchMatMul":
                    yield _case("BatchMatMulV2", *both, **{first: a, other: b})
    yield _case("MatMul", _array(_INTS, "int32"), _array(_INTS, "int32", 4, 3))


def _reductions() -> Iterator[Case]:
    for op in ("Sum", "Prod", "Max", "Min", "Mean", "ArgMax", "ArgMin", "Cumsum", "Cumprod"):
        is_one = op.startswith(("Arg", "Cum"))
        for dtype in ("float32", "float64", *(() if op == "Mean" else ("int32", "int64"))):
            x = _array([*_EDGES[1:], 9.0] if "float" in dtype else _INTS, dtype, 2, 3, 2)
            for axes in ([0], [-1]) if is_one else ([1], [[0]], [[0, 2]], [[0, 1, 2]]):
                keeps = ({},) if is_one else ({"keep_dims": False}, {"keep_dims": True})
                yield from (_case(op, x, axes, **keep) for keep in keeps)
    yield _case("ArgMax", np.float32([[1, 3, 3], [2, 2, 1]]), [1], output_type="int32")
    yield _case("Sum", np.float32(_INFINITE), [[0]])
    for op in ("All", "Any"):
        for keep in (False, True):
            yield _case(op, np.array([[True, False], [True, True]]), [[1]], keep_dims=keep)


def _shapes() -> Iterator[Case]:
    x, whole = _array(_EDGES, "float32"), _array(_INTS, "int64")
    yield from (_case("Reshape", given, [[-1, 2]]) for given in (x, whole))
    yield _case("Reshape", np.float32([3]), [[]])
    yield _case("Transpose", x.reshape(2, 3, 2), [[2, 0, 1]])
    yield from (_case("ExpandDims", x, axis) for axis in ([0], [-1]))
    yield from (_case("Squeeze", x.reshape(1, 3, 1, 4), squeeze_dims=axes) for axes in ([], [0], [0, 2], [-2]))
    yield _case("Tile", x, [[2, 1]])
    yield from (_case("Fill", [[2, 3]], np.array(7, dtype)) for dtype in ("float32", "int64"))
    yield from (_case("Range", *([np.array(n, "int32").tolist()] for n in bounds)) for bounds in ((0, 5, 1), (2, 9, 3)))
    yield _case("Pad", x, [[[1, 0], [0, 2]]])
    yield _case("PadV2", x, [[[1, 0], [0, 2]]], [-1.5])
    yield _case("MirrorPad", x.reshape(1, 3, 4), [[[0, 0], [2, 1], [1, 3]]], mode="REFLECT")
    yield _case("BroadcastTo", x, [[2, 3, 4]])
    for axis in (0, -1):
        yield _case("Pack", x, x + 1, axis=axis, N=2)
        yield _case("Concat", [abs(axis)], x, x + 1, N=2)
        yield _case("ConcatV2", x, x + 1, [axis], N=2)
        yield _case("Unpack", x, axis=axis, num=4 if axis else 3)
    yield _case("Split", [1], x, num_split=2)
    yield _case("SplitV", x, [[1, 3]], [1], num_split=2)
    yield _case("Gather", x, np.int32([2, 0, 2]))
    yield _case("GatherV2", x, np.int64([[3, 0]]), [1])
    yield from (_case("OneHot", np.int32([1, -1, 2]), [3], [1.0], [0.0], axis=axis) for axis in (-1, 0))
    condition = np.array([[True, False, True, False]] * 3)
    yield _case("SelectV2", condition, x, -x)
    yield _case("SelectV2", condition, whole, -whole)
    yield _case("ClipByValue", x, np.float32(-1), np.float32(2))
    yield _case("InTopKV2", np.float32([[1, 5, 3], [2, 2, 1]]), np.int32([2, 1]), [2])


def _nets() -> Iterator[Case]:
    random = np.random.default_rng(3)
    image, volume = random.normal(size=[2, 7, 6, 3]), random.normal(size=[1, 5, 4, 6, 2])
    for padding in ("VALID", "SAME"):
        for dtype in ("float32", "float64"):
            x, kernel = image.astype(dtype), random.normal(size=[3, 2, 3, 4]).astype(dtype)
            for more in ({}, {"strides": [1, 2, 2, 1]}, {"dilations": [1, 2, 2, 1]}):
                given = {"strides": [1] * 4, "padding": padding, **more}
                yield _case("Conv2D", x, kernel, **given)
                if "dilations" not in more:  # which TensorFlow has on GPUs alone
                    yield _case("DepthwiseConv2dNative", x, kernel, **given)
            for op in ("MaxPool", "AvgPool"):
                for window, stride in ((2, 2), (3, 1), (3, 2), (1, 2)):
                    sizes = {"ksize": [1, window, window, 1], "strides": [1, stride, stride, 1]}
                    yield _case(op, x - 3, **sizes, padding=padding)
        for strides in ([1] * 5, [1, 2, 2, 2, 1]):
            kernel = random.normal(size=[2, 3, 2, 2, 3]).astype("float32")
            yield _case("Conv3D", volume.astype("float32"), kernel, strides=strides, padding=padding)
            for op in ("MaxPool3D", "AvgPool3D"):
                given = {"ksize": [1, 3, 3, 3, 1], "strides": strides, "padding": padding}
                yield _case(op, volume.astype("float32"), **given)


def differing(lines: list[dict[str, Any]], arrays: dict[str, Any]) -> list[str]:
    """Returns the expressions that compute something else than is expected, with what they compute.

    Args:
        lines: For each expression its "text", and how many "inputs" and "outputs" it has.
        arrays: The inputs and expected outputs, by the number of the expression and their own.
    """
    wrong = []
    for place, line in enumerate(lines):
        names = {"keras": keras}
        for number in range(line["inputs"]):
            names[f"x{number}"] = keras.ops.convert_to_tensor(arrays[f"{place} in {number}"])
        try:
            result = eval(line["text"], names)
        except Exception as error:  # whatever a backend raises is an answer
            wrong.append(f"{line['text']}: {type(error).__name__}: {error}")
            continue
        results = result if isinstance(result, list | tuple) else [result]
        for number in range(line["outputs"]):
            expected, array = arrays[f"{place} out {number}"], keras.ops.convert_to_numpy(results[number])
            if not _is_equal(expected, array):
                wrong.append(
                    f"{line['text']}: {expected.dtype} {expected.tolist()}, not {array.dtype} {array.tolist()}"
                )
    return wrong


def _is_equal(expected: Any, array: Any) -> bool:
    """Returns True if arrays are equal to rounding. Keras may give 32 bits for 64 on backends other than TensorFlow."""
    narrow = {"int64": "int32", "float64": "float32"} if keras.backend.backend() != "tensorflow" else {}
    types = expected.dtype.name, narrow.get(expected.dtype.name)
    if array.dtype.name not in types or array.shape != expected.shape:
        return False
    tolerance = 2e-3 if expected.dtype == np.float16 else 2e-6
    return bool(np.allclose(expected, array, rtol=tolerance, atol=tolerance, equal_nan=True))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with np.load(folder / "battery.npz") as stored:
        print(json.dumps(differing(json.loads((folder / "battery.json").read_text("utf-8")), dict(stored))))
