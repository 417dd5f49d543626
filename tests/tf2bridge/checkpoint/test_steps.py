"""The steps of a plan: what they make, what they refuse, how a file says them, how they are turned round."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tf2bridge.checkpoint import steps
from tf2bridge.checkpoint.refusals import NoSlotsError, StepError, UnknownStepError
from tf2bridge.checkpoint.steps import from_table, inverse, steps_from_power, to_table

SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


def numbered(shape: tuple[int, ...], start: int = 1) -> Any:
    """Values that tell their places."""
    return np.arange(start, start + math.prod(shape), dtype=np.float32).reshape(shape)


@st.composite
def rearranged(draw: Any) -> tuple[Any, list[tuple[int, ...]]]:
    """A step that can be turned round, and the shapes of what it takes."""
    shape = draw(SHAPES)
    axis = draw(st.integers(0, len(shape) - 1))
    some = draw(st.integers(1, 3))
    order = tuple(draw(st.permutations(range(shape[axis]))))
    lengths = draw(st.lists(st.integers(1, 3), min_size=some, max_size=some))
    joined = [(*shape[:axis], length, *shape[axis + 1 :]) for length in lengths]
    return draw(
        st.sampled_from(
            [
                (steps.Transpose(tuple(draw(st.permutations(range(len(shape)))))), [shape]),
                (steps.Reshape((math.prod(shape),)), [shape]),
                (steps.Blocks(order, axis), [shape]),
                (steps.Blocks(order, axis - len(shape)), [shape]),
                (steps.AddToBlock(0, shape[axis], 1.0, axis), [shape]),
                (steps.Scale(0.25), [shape]),
                (steps.Join(axis), joined),
                (steps.Stack(axis), [shape] * some),
                (steps.Stack(-1), [shape] * some),
            ]
        )
    )


@given(rearranged())
@settings(deadline=None)
def test_turned_round_is_what_it_was(case: tuple[Any, list[tuple[int, ...]]]) -> None:
    step, shapes = case
    arrays = [numbered(shape, 100 * place + 1) for place, shape in enumerate(shapes)]
    made = step(*arrays)
    assert made.shape == step.shape(*shapes)
    for array, back in zip(arrays, inverse(step, *shapes), strict=True):
        result = made
        for item in back:
            result = item(result)
        np.testing.assert_array_equal(result, array)
    assert from_table(to_table(step)) == step


@given(rearranged())
@settings(deadline=None)
def test_a_step_leaves_its_arrays_as_they_are(case: tuple[Any, list[tuple[int, ...]]]) -> None:
    step, shapes = case
    arrays = [numbered(shape) for shape in shapes]
    for array in arrays:
        array.flags.writeable = False
    step(*arrays)


def test_gates_of_a_cell() -> None:
    """i, j, f, o of TensorFlow's cells become i, f, j, o of Keras (tensorflow/python/ops/rnn_cell_impl.py 1.15)."""
    kernel = np.array([["i", "i", "j", "j", "f", "f", "o", "o"]])
    assert steps.Blocks((0, 2, 1, 3))(kernel).tolist() == [["i", "i", "f", "f", "j", "j", "o", "o"]]


def test_forget_bias() -> None:
    bias = np.zeros(8, np.float32)
    assert steps.AddToBlock(1, 4, 1.0)(bias).tolist() == [0, 0, 1, 1, 0, 0, 0, 0]
    assert steps.AddToBlock(1, 4, 1.0).of_slots() is None


def test_rows_sum_and_total() -> None:
    kernel = numbered((5, 2))
    assert steps.Rows(0, 3)(kernel).tolist() == [[1, 2], [3, 4], [5, 6]]
    assert steps.Rows(1, 2, axis=1)(kernel).tolist() == [[2], [4], [6], [8], [10]]
    assert steps.Sum()(kernel[0], kernel[1], kernel[2]).tolist() == [9, 12]
    assert steps.Total()(kernel).tolist() == [25, 30]
    assert steps.Total(axis=-1)(kernel).tolist() == [3, 7, 11, 15, 19]
    assert steps.Constant(1.0, (3,))().tolist() == [1, 1, 1]


@pytest.mark.parametrize("step", [steps.Sum(), steps.Total(), steps.Scale(2.0), steps.StepsFromPower(0.9)])
def test_what_changes_gradients_has_no_slots(step: Any) -> None:
    with pytest.raises(NoSlotsError):
        step.of_slots()


@pytest.mark.parametrize(
    "step, shapes, message",
    [
        (steps.Transpose((1, 0)), [(2, 3, 4)], "axes"),
        (steps.Reshape((7,)), [(2, 3)], "6 values"),
        (steps.Rows(2, 5), [(4, 2)], "2:5"),
        (steps.Join(0), [(2, 3), (2, 4)], "differ"),
        (steps.Join(2), [(2, 3)], "axis 2"),
        (steps.Join(0), [], "one array or more"),
        (steps.Stack(), [(2,), (3,)], "shapes differ"),
        (steps.Blocks((0, 0)), [(4,)], "not a permutation"),
        (steps.Blocks((1, 0)), [(3,)], "2 equal blocks"),
        (steps.AddToBlock(4, 4, 1.0), [(8,)], "no block 4"),
        (steps.Sum(), [(2,), (1,)], "shapes differ"),
        (steps.Scale(2.0), [(2,), (2,)], "takes one"),
        (steps.CudnnGates(4), [(3, 6)], "4 equal blocks"),
        (steps.CudnnOpaque("kernel", "lstm", 3, 4), [(10,)], "144 values"),
        (steps.CudnnOpaque("kernel", "rnn", 3, 4), [(10,)], "cell"),
        (steps.CudnnOpaque("kernel", "gru", 3, 4, direction=1), [(10,)], "direction 1"),
    ],
)
def test_shapes_that_do_not_fit(step: Any, shapes: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(StepError, match=message) as error:
        step.shape(*shapes)
    assert all(str(list(shape)) in str(error.value) for shape in shapes)
    with pytest.raises(StepError):
        step(*(np.zeros(shape, np.float32) for shape in shapes))


def test_dtypes_are_not_mixed() -> None:
    with pytest.raises(StepError, match="dtypes"):
        steps.Join()(np.zeros(2, np.float32), np.zeros(2, np.float64))


@pytest.mark.parametrize(
    "value, dtype, exact",
    [
        (np.float64(0.5), "float32", True),
        (np.float64(0.1), "float32", False),
        (np.float32(np.nan), "float16", True),
        (np.float32(70000.0), "float16", False),
        (np.int64(2**40), "int32", False),
        (np.int64(7), "int32", True),
        (np.float32(1.5), "int32", False),
        (np.float32(-1.0), "uint8", False),
        (np.float32(0.1), "float64", True),
        (np.float32(1.5), "bfloat16", True),
        (np.float32(1.001), "bfloat16", False),
    ],
)
def test_a_cast_that_loses_is_refused(value: Any, dtype: str, exact: bool) -> None:
    array = np.array([value, value])
    rounded = steps.Cast(dtype, lossy=True)(array)
    assert str(rounded.dtype) == dtype
    if exact:
        np.testing.assert_array_equal(steps.Cast(dtype)(array), rounded)
    else:
        with pytest.raises(StepError, match="lossy"):
            steps.Cast(dtype)(array)


def test_the_dtype_stays() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        one = np.ones(4, dtype)
        for step in (steps.Scale(0.1), steps.AddToBlock(0, 2, 0.1), steps.Sum(), steps.Total()):
            assert step(one).dtype == dtype


@pytest.mark.parametrize("beta", [0.9, 0.99, 0.999, 0.9999])
def test_steps_from_a_power(beta: float) -> None:
    """As a float32 is multiplied again and again, which `**` does not give: what Adam does."""
    power = factor = np.float32(beta)
    for step in range(70_000):
        if power < np.finfo(np.float32).tiny:
            assert steps_from_power(float(power), beta) is None
            break
        if step < 300 or step % 997 == 0:
            assert steps_from_power(float(power), beta) == step
        power = power * factor
    else:
        assert steps_from_power(float(power), beta) == 70_000


def test_a_power_of_another_beta_is_none() -> None:
    power = float(np.float32(0.999) * np.float32(0.999))
    assert steps_from_power(power, 0.999) == 1
    assert steps_from_power(power, 0.9) is None
    assert steps_from_power(0.0, 0.9) is None
    assert steps_from_power(1.0, 0.9) is None
    with pytest.raises(StepError, match="not a power"):
        steps.StepsFromPower(0.9)(np.array(power, np.float32))
    result = steps.StepsFromPower(0.999)(np.array(power, np.float32))
    assert result.shape == () and result.dtype == np.int64 and result == 1


@pytest.mark.parametrize(
    "table, message",
    [
        ({"kind": "turn"}, "no such step"),
        ({}, "no such step"),
        ({"kind": "transpose"}, "needs axes"),
        ({"kind": "transpose", "axis": [0]}, "no field 'axis'"),
        ({"kind": "transpose", "axes": [0, 1.5]}, "list of integers"),
        ({"kind": "transpose", "axes": "10"}, "list of integers"),
        ({"kind": "rows", "start": True, "stop": 2}, "type int"),
        ({"kind": "cast", "dtype": 32}, "type str"),
        ({"kind": "sum", "axis": 0}, "its fields: none"),
    ],
)
def test_tables_that_are_no_steps(table: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownStepError, match=message):
        from_table(table)


def test_tables() -> None:
    assert to_table(steps.Rows(0, 3)) == {"kind": "rows", "start": 0, "stop": 3}
    assert to_table(steps.Transpose((1, 0))) == {"kind": "transpose", "axes": [1, 0]}
    assert from_table({"kind": "scale", "factor": -1}) == steps.Scale(-1.0)
    assert from_table({"kind": "cast", "dtype": "float16", "lossy": True}) == steps.Cast("float16", True)
    assert all(kind == step.kind for kind, step in steps.STEPS.items())


@pytest.mark.parametrize("step", [steps.Sum(), steps.Rows(0, 1), steps.Cast("float16"), steps.Total()])
def test_what_cannot_be_turned_round(step: Any) -> None:
    with pytest.raises(StepError, match="no inverse"):
        inverse(step, (2, 2))


@pytest.mark.parametrize("cell, gates", [("lstm", 4), ("gru", 3)])
@pytest.mark.parametrize("directions", [1, 2])
def test_the_vector_of_cudnn_holds_each_value_once(cell: str, gates: int, directions: int) -> None:
    layers, inputs, units = 2, 3, 4
    widths = [inputs, units * directions]
    size = sum(directions * gates * units * (width + units + 2) for width in widths)
    vector = np.arange(size, dtype=np.float32)
    result = [
        steps.CudnnOpaque(part, cell, inputs, units, layers, directions, layer, way)(vector)
        for layer in range(layers)
        for way in range(directions)
        for part in ("kernel", "recurrent_kernel", "biases")
    ]
    assert [item.shape for item in result[:3]] == [(3, gates * units), (units, gates * units), (2, gates * units)]
    assert sorted(np.concatenate([item.ravel() for item in result])) == list(range(size))


def test_the_cell_of_cudnn_trains_one_bias_of_each_gate() -> None:
    gates, inputs, hidden = numbered((8,)), numbered((4,), 10), numbered((4,), 20)
    step = steps.CudnnCompatibleGru("biases")
    assert step(gates, inputs, hidden).tolist() == [
        [5, 6, 7, 8, 1, 2, 3, 4, 10, 11, 12, 13],
        [0, 0, 0, 0, 0, 0, 0, 0, 20, 21, 22, 23],
    ]
    with pytest.raises(NoSlotsError, match="twice"):
        step.of_slots()
    with pytest.raises(StepError, match="one cell"):
        steps.CudnnCompatibleGru("kernel").shape((7, 8), (2, 4))
