"""What the search keeps to: ranges, time, seeds, starts; what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.tf2bridge.proof.comparing.files import trace, written
from tests.tf2bridge.proof.comparing.live import keras_model
from tf2bridge.proof import compare, worst_inputs
from tf2bridge.proof.comparing.refusals import InputsError, NothingInCommonError
from tf2bridge.proof.worst.outcome import Way
from tf2bridge.proof.worst.ranges import parsed
from tf2bridge.proof.worst.refusals import RangeError, WorstError

FEW = {"seconds": 600.0, "runs": 150}


def squares(x: Any) -> Any:
    return x * x


def cubes(x: Any) -> Any:
    return x * x * x


@pytest.mark.parametrize("dtype", [tf.float32, tf.bfloat16, tf.float64, tf.complex64])
def test_no_number_leaves_a_stated_range(dtype: Any) -> None:
    """0.1 and 0.7 are no numbers of float32: the nearest of them lie outside."""
    seen: list[Any] = []

    def old(x: Any) -> Any:
        seen.append(x.numpy())
        return x * x

    worst_inputs(old, cubes, specs={"x": tf.TensorSpec([None, 3], dtype)}, ranges={"x": (0.1, 0.7)}, **FEW)
    for array in seen[1:]:  # the first only tells the names of the outputs
        parts = [array.real, array.imag] if dtype.is_complex else [array]
        for part in parts:
            assert part.astype(np.float64).min() >= 0.1
            assert part.astype(np.float64).max() <= 0.7


def test_whole_numbers_and_booleans_keep_their_range() -> None:
    seen: list[Any] = []

    def old(ids: Any, flags: Any) -> Any:
        seen.append((ids.numpy(), flags.numpy()))
        return ids + tf.cast(flags, ids.dtype)

    specs = {"ids": tf.TensorSpec([None, 2], tf.int64), "flags": tf.TensorSpec([None, 2], tf.bool)}
    worst_inputs(old, lambda ids, _: ids * 2, specs=specs, ranges={"ids": (3, 5.5), "flags": (1, 1)}, **FEW)
    assert {int(number) for ids, _ in seen[1:] for number in ids.reshape(-1)} == {3, 4, 5}
    assert all(flags.all() for _, flags in seen[1:])


def test_a_range_defaults_to_what_the_given_inputs_span() -> None:
    starts = [{"x": np.asarray([0.5, 1.0])}, {"x": np.asarray([np.nan, 2.0])}]
    worst = worst_inputs(squares, cubes, specs={"x": tf.TensorSpec([2])}, starts=starts, **FEW)
    (how,) = worst.searched
    assert str(how.range) == "0.5 to 2"
    assert how.range is not None
    assert how.range.source == "what the given inputs span"
    assert np.nanmax(worst.inputs["x"]) == pytest.approx(2.0)  # where x^3 - x^2 is greatest


def test_a_keep_probability_is_searched_only_in_a_stated_range() -> None:
    specs = {"x": tf.TensorSpec([2]), "keep_prob": tf.TensorSpec([])}
    pair = (lambda x, keep: x * keep), (lambda x, keep: x * keep * keep)
    fixed = worst_inputs(*pair, specs=specs, **FEW)
    assert (fixed.figure, fixed.searched[1].way) == (0, Way.FIXED)
    stated = worst_inputs(*pair, specs=specs, ranges={"keep_prob": (0.1, 1.0)}, **FEW)
    assert 0.1 <= stated.inputs["keep_prob"] < 0.9
    assert stated.figure > 0.2


def test_the_same_seed_finds_the_same() -> None:
    first, again, other = (
        worst_inputs(squares, cubes, specs={"x": tf.TensorSpec([None, 3])}, starts=f"random:{seed}", **FEW)
        for seed in (5, 5, 6)
    )
    assert first.progress == again.progress
    np.testing.assert_array_equal(first.inputs["x"], again.inputs["x"])
    assert first.progress != other.progress
    assert (first.seed, first.runs) == (5, again.runs)


def test_the_time_ends_the_search_after_the_first_start() -> None:
    worst = worst_inputs(squares, cubes, specs={"x": tf.TensorSpec([None, 3])}, seconds=1e-9)
    assert (worst.starts, worst.ascents) == (1, 0)
    assert worst.figure == worst.start > 0


def test_inputs_that_cannot_be_run_are_counted_and_named() -> None:
    table = tf.reshape(tf.range(10.0), [10, 1])
    pair = (lambda ids: tf.gather(table, ids)), (lambda ids: tf.gather(table + tf.cast(table > 7, tf.float32), ids))
    worst = worst_inputs(*pair, specs={"ids": tf.TensorSpec([2], tf.int32)}, ranges={"ids": (0, 12)}, **FEW)
    ((reason, times),) = worst.failed.items()
    assert "cannot be run on them (InvalidArgumentError: indices[" in reason
    assert times + worst.runs == pytest.approx(150, abs=2)
    assert worst.inputs["ids"].max() < 10
    assert worst.worst.worst.row.distance.max_abs == 1


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32", "bool", "string"])
def test_saved_inputs_give_the_same_difference_again(dtype: str, tmp_path: Path) -> None:
    def old(x: Any) -> Any:
        return tf.strings.length(x) if dtype == "string" else tf.cast(x, tf.float32)

    def new(x: Any) -> Any:
        return tf.cast(old(x), tf.float32) * 1.5 if dtype != "string" else old(x) + 1

    class Module(tf.Module):
        def __init__(self, function: Any) -> None:
            super().__init__()
            spec = tf.TensorSpec([None, 2], tf.as_dtype(dtype), name="x")
            self.call = tf.function(function, input_signature=[spec])

    sides = []
    for number, function in enumerate((old, new)):
        module = Module(function)
        tf.saved_model.save(module, str(tmp_path / str(number)), signatures={"serving_default": module.call})
        sides.append(tf.saved_model.load(str(tmp_path / str(number))))
    worst = worst_inputs(*sides, **FEW)
    worst.save(tmp_path / "worst.npz")
    again = compare(*sides, inputs=tmp_path / "worst.npz")
    assert again.rows[0].distance.max_abs == worst.worst.worst.row.distance.max_abs > 0


@pytest.mark.parametrize(
    "texts, message",
    [
        (["x"], "range x: it has not the form of a range; write NAME=LOW:HIGH, as x=-1:1"),
        (["x=1"], "range x=1: it has not the form"),
        (["=1:2"], "range =1:2: it has not the form"),
        (["x=a:2"], "range x=a:2: 'a:2' are not two numbers"),
        (["x=1:2", "x=2:3"], "range x=2:3: 'x' has a range already"),
    ],
)
def test_a_text_that_is_no_range_is_said(texts: list[str], message: str) -> None:
    with pytest.raises(RangeError) as error:
        parsed(texts)
    assert str(error.value).startswith(message)


def test_ranges_are_read() -> None:
    assert parsed(["x:0=-1:2.5", "a=b=1e-3:1"]) == {"x:0": (-1.0, 2.5), "a=b": (1e-3, 1.0)}


@pytest.mark.parametrize(
    "ranges, message",
    [
        ({"y": (0, 1)}, "range y=0:1: 'y' is no input of either side; their inputs are x, ids, words"),
        ({"x": (3, 1)}, "range x=3:1: its lower end 3 is above its upper end 1; write x=1:3"),
        ({"x": (0, float("inf"))}, "range x=0:inf: its ends are not finite"),
        ({"ids": (0, 300)}, "range ids=0:300: 'ids' is uint8, which goes from 0 to 255"),
        ({"ids": (0.2, 0.8)}, "range ids=0.2:0.8: 'ids' is uint8, and no whole number lies between"),
        ({"words": (0, 1)}, "range words=0:1: 'words' takes texts, which have no range; leave it away"),
    ],
)
def test_a_range_that_does_not_fit_is_said(ranges: Any, message: str) -> None:
    specs = {
        "x": tf.TensorSpec([2]),
        "ids": tf.TensorSpec([2], tf.uint8),
        "words": tf.TensorSpec([2], tf.string),
    }
    with pytest.raises(RangeError) as error:
        worst_inputs(lambda *given: given[0], lambda *given: given[0], specs=specs, ranges=ranges, **FEW)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("inputs", ["worst", "worst:", "worst:soon", "worst:0", "worst:-1", "worst:nan", "worst:inf"])
def test_a_time_that_is_none_is_said(inputs: str) -> None:
    with pytest.raises(WorstError, match="write worst:SECONDS, as worst:30"):
        compare({"x": np.ones(1)}, {"x": np.ones(1)}, inputs=inputs)


def test_options_that_do_not_go_together_are_said() -> None:
    arrays = {"x": np.ones(1)}
    with pytest.raises(WorstError, match="give --inputs worst:SECONDS, or leave them away"):
        compare(arrays, arrays, ranges={"x": (0, 1)})
    with pytest.raises(WorstError, match="give --inputs worst:SECONDS, or leave them away"):
        compare(arrays, arrays, inputs="random:1", starts="random:2")
    with pytest.raises(WorstError, match="the search looks at outputs, not at every tensor"):
        compare(arrays, arrays, inputs="worst:1", every_tensor=True)
    with pytest.raises(NothingInCommonError, match="arrays with no graph or model beside it"):
        compare(arrays, arrays, inputs="worst:1")
    with pytest.raises(WorstError, match="0 runs find nothing"):
        worst_inputs(squares, cubes, specs={"x": tf.TensorSpec([1])}, runs=0)


def test_sides_without_a_common_input_are_said() -> None:
    import tf2bridge

    def wrapped(name: str, shape: list[int]) -> Any:
        return tf2bridge.wrap(lambda **given: tf.identity(given[name], name="out"), inputs={name: tf.TensorSpec(shape)})

    with pytest.raises(NothingInCommonError, match=r"no input in common \(x and y\), so nothing can be searched"):
        worst_inputs(wrapped("x", [2]), wrapped("y", [3, 3]))


def test_starts_that_no_side_can_be_run_on_are_said() -> None:
    with pytest.raises(InputsError, match="cannot be run on them"):
        worst_inputs(
            lambda x: tf.reshape(x, [7]), cubes, specs={"x": tf.TensorSpec([None])}, starts={"x": np.ones(3)}, **FEW
        )


def test_recorded_inputs_are_starts_and_their_calls_keep_their_rows() -> None:
    worst = worst_inputs(
        written("freeze_script", "frozen.pb"),
        keras_model(written("freeze_script", "model.ckpt")),
        starts=trace("freeze_script"),
        **FEW,
    )
    assert worst.starts == 12
    assert [row.call for row in worst.start_rows] == list(range(1, 13))
    assert [row.step for row in worst.rows[12:]] == ["worst inputs"]
    assert all(row.passed for row in worst.rows)
