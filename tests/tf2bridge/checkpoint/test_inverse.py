"""A plan turned round: what genuine releases wrote comes back from the variables that it was mapped into."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.checkpoint.written import of_shapes, written
from tf2bridge import checkpoint
from tf2bridge.checkpoint import Plan, Rule, load_plan
from tf2bridge.checkpoint.planning.inverse import facing
from tf2bridge.checkpoint.planning.refusals import NotInvertibleError
from tf2bridge.checkpoint.steps import Rows, Sum, Transpose

L = keras.layers


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recorded")


def values(plan: Plan, source: Any = None) -> dict[str, Any]:
    return {variable.name: array for variable, array in plan.values(source)}


LAYERS = {
    "basic_lstm": lambda: L.LSTM(4, return_sequences=True),
    "gru": lambda: L.GRU(4, return_sequences=True, reset_after=False),
    "basic_rnn": lambda: L.SimpleRNN(4, return_sequences=True),
}


@pytest.mark.parametrize("name", [name for program in LAYERS for name in recorded.of(program)])
def test_a_cell_comes_back(name: str, folder: Path, tmp_path: Path) -> None:
    program = recorded.unpacked(name, folder)
    model = keras.Sequential([keras.Input((5, 3)), LAYERS[name.partition("/")[2]]()])
    with checkpoint.open(program.prefix) as old:
        plan = checkpoint.plan(old, model)
        new = written(tmp_path, values(plan))
        back = values(facing(plan, new), new)
        for tensor, array in back.items():
            np.testing.assert_allclose(array, old[tensor], rtol=0, atol=2e-7)  # the forget bias is added and taken off
            assert array.dtype == old[tensor].dtype
        assert set(back) == set(plan.tensors)


def test_rearranged_values_come_back_bit_for_bit_from_a_file_of_the_plan(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    with of_shapes(tmp_path, {"a": [6, 2], "b": [3]}) as old:
        rules = [Rule("a", "x", [Transpose((1, 0))]), ("b", "y")]
        checkpoint.plan(old, {"x": [2, 6], "y": [3]}, rules).save(tmp_path / "plan.toml")
        plan = load_plan(tmp_path / "plan.toml")
        new = written(tmp_path / "new", values(plan, old))
        back = values(plan.inverse(), new)
        assert {name: array.tobytes() for name, array in back.items()} == {name: old[name].tobytes() for name in old}


@pytest.mark.parametrize("form", ["checkpoint", "npz", "safetensors"])
@pytest.mark.parametrize("name", recorded.of("basic_lstm_forget_bias"))
def test_a_file_comes_back_by_the_same_plan(name: str, form: str, folder: Path, tmp_path: Path) -> None:
    program = recorded.unpacked(name, folder)
    with checkpoint.open(program.prefix) as old:
        model = keras.Sequential([keras.Input((5, 3)), LAYERS["basic_lstm"]()])
        plan = checkpoint.plan(old, model, forget_bias=0.25)
        checkpoint.convert(old, tmp_path / "new", plan, form)
        checkpoint.convert(tmp_path / "new", tmp_path / "old", plan, "saver")
        with checkpoint.open(tmp_path / "old") as back:
            assert set(back) == set(plan.tensors)
            for tensor in back:
                # Of the forget gate, the last block but one, 0.25 was added and taken off, each time rounded.
                others = [np.delete(item[tensor], np.s_[8:12], -1) for item in (back, old)]
                np.testing.assert_array_equal(*others)
                np.testing.assert_allclose(back[tensor], old[tensor], rtol=0, atol=1e-7)


def test_rows_that_are_not_all_used(tmp_path: Path) -> None:
    with of_shapes(tmp_path, {"a": [6, 2]}) as old:
        plan = checkpoint.plan(old, {"x": [4, 2]}, [Rule("a", "x", [Rows(2, 6)])])
        with pytest.raises(NotInvertibleError, match="takes other rows"):
            plan.inverse()


def test_a_sum_does_not_come_back(tmp_path: Path) -> None:
    from tf2bridge.checkpoint.moves import Move, TargetVariable

    with of_shapes(tmp_path, {"a": [2], "b": [2]}) as old:
        by_name = {name: (info.shape, info.dtype) for name, info in old.tensors.items()}
        variables = {"x": TargetVariable("x", (2,), "float32")}
        plan = Plan("old", "new", (Move("x", ("a", "b"), (Sum(),)),), {}, {}, variables=variables, tensors=by_name)
        with pytest.raises(NotInvertibleError, match="'a'"):
            plan.inverse()
