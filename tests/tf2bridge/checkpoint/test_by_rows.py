"""Moves of large tensors, some rows at a time: the same values as at once, in little memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.checkpoint.written import written
from tf2bridge.checkpoint import steps
from tf2bridge.checkpoint.moves import Move, TargetVariable
from tf2bridge.checkpoint.planning.applying import value
from tf2bridge.checkpoint.planning.refusals import ShapeClashError
from tf2bridge.checkpoint.writing import by_rows
from tf2bridge.checkpoint.writing.by_rows import row_steps, values_by_rows
from tf2bridge.formats.checkpoints.opening import open as opened
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError

LSTM = steps.Blocks((0, 2, 1, 3))
MOVES = [
    (("a",), (LSTM, steps.Rows(0, 30)), (30, 8)),
    (("a",), (LSTM, steps.Rows(30, 70)), (40, 8)),
    (("a",), (steps.Rows(10, 60), LSTM, steps.Rows(5, 7)), (2, 8)),
    (("a", "b"), (steps.Join(1), steps.Blocks((1, 0, 2)), steps.Rows(3, 70)), (67, 12)),
    (("a", "a"), (steps.Stack(0), steps.Total(0)), (70, 8)),
    (("a", "a"), (steps.Sum(), steps.Scale(-0.5)), (70, 8)),
    (("a",), (steps.Reshape((70, 2, 4)), steps.Transpose((0, 2, 1))), (70, 4, 2)),
    (("a",), (steps.Transpose((1, 0)),), (8, 70)),
    (("a",), (steps.Reshape((560,)),), (560,)),
    (("a", "b"), (steps.CudnnCompatibleGru("kernel"),), None),
    (("v",), (steps.Cast("float64"), steps.Rows(100, 900)), (800,)),
    (("v",), (steps.AddToBlock(1, 4, 1.0),), (1000,)),
    (("c",), (steps.Cast("float32"),), (5, 0, 3)),
]


@pytest.mark.parametrize("sources, made, shape", MOVES)
def test_the_same_as_at_once(sources: Any, made: Any, shape: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(by_rows, "PIECE", 200)
    numbers = np.random.default_rng(0)
    shapes = {"a": (70, 8), "b": (70, 4), "v": (1000,), "c": (5, 0, 3)}
    tensors = {name: numbers.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    if shape is None:
        tensors["a"], tensors["b"], shape = tensors["a"][:8], tensors["b"][:4], (4, 12)
    with written(tmp_path, tensors) as checkpoint:
        arrays = [tensors[source] for source in sources]
        for step in made:
            arrays = [step(*arrays)]
        variable = TargetVariable("x", shape, arrays[0].dtype.name)
        move = Move("x", sources, made)
        result = list(values_by_rows(move, checkpoint, variable))
        np.testing.assert_array_equal(np.concatenate(result), arrays[0])
        np.testing.assert_array_equal(value(move, checkpoint, variable), arrays[0])


def test_a_large_kernel_is_never_whole_in_memory(tmp_path: Path) -> None:
    large = np.zeros((40_000, 400), np.float32)  # 64 MB
    large[:] = np.arange(400)
    with written(tmp_path, {"a": large}) as checkpoint:
        move = Move("x", ("a",), (LSTM, steps.Rows(10_000, 40_000)))
        variable = TargetVariable("x", (30_000, 400), "float32")
        tracemalloc.start()
        rows = sum(len(row) for row in values_by_rows(move, checkpoint, variable))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert rows == 30_000
    assert peak < 40 << 20


def test_damage_behind_the_rows_that_are_taken(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(by_rows, "PIECE", 200)
    written(tmp_path, {"a": np.ones((70, 8), np.float32)}).close()
    (data,) = tmp_path.glob("*.data-*")
    content = bytearray(data.read_bytes())
    content[-1] ^= 1
    data.write_bytes(content)
    with opened(tmp_path / "model.ckpt") as checkpoint, pytest.raises(DamagedCheckpointError):
        list(
            values_by_rows(
                Move("x", ("a",), (LSTM, steps.Rows(0, 3))), checkpoint, TargetVariable("x", (3, 8), "float32")
            )
        )


def test_another_dtype_than_the_variable_s(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(by_rows, "PIECE", 200)
    with written(tmp_path, {"a": np.ones((70, 8), np.float32)}) as checkpoint, pytest.raises(ShapeClashError):
        list(values_by_rows(Move("x", ("a",), (LSTM,)), checkpoint, TargetVariable("x", (70, 8), "float64")))


@pytest.mark.parametrize(
    "made, shapes",
    [
        ((steps.Blocks((1, 0), 0),), [(4, 2)]),
        ((steps.Join(0),), [(4, 2), (4, 2)]),
        ((steps.Total(0),), [(4, 2)]),
        ((steps.Reshape((2, 4)),), [(4, 2)]),
        ((steps.Join(1),), [(4, 2), (4, 2), (3, 2)]),
        ((), [()]),
    ],
)
def test_steps_that_are_not_of_rows(made: Any, shapes: Any) -> None:
    assert row_steps(Move("x", ("a",) * len(shapes), made), shapes) is None
