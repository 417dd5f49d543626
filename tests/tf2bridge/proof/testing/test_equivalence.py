"""`assert_equivalent` over what may be compared, the names of outputs, and stored values."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, NamedTuple

import keras
import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import proof, v1
from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.pytest_plugin import Equivalence
from tf2bridge.proof.testing.computed_arrays import named
from tf2bridge.proof.testing.golden import held_to
from tf2bridge.proof.testing.places import stored_at
from tf2bridge.proof.testing.refusals import (
    DamagedValuesError,
    GenuineKeptError,
    NotEquivalentError,
    NothingStoredError,
)

X = np.linspace(-1, 1, 20, dtype=np.float32).reshape(5, 4)
FIXTURES = Path(__file__).parents[4] / "fixtures"


def old_net(x: Any) -> Any:
    w = v1.get_variable("dense/kernel", [4, 3], initializer=v1.ones_initializer())
    return {"logits": v1.matmul(x, w)}


def new_net(scale: float = 1.0) -> keras.Model:
    constant = keras.initializers.Constant(scale)
    layer = keras.layers.Dense(3, use_bias=False, name="dense", kernel_initializer=constant)
    return keras.Sequential([keras.Input((4,), name="x"), layer])


@pytest.fixture(scope="module")
def module() -> Any:
    return tf2bridge.wrap(old_net, inputs={"x": tf.TensorSpec([None, 4])})


def test_a_graph_a_model_and_a_function_are_compared(module: Any) -> None:
    def function(x: Any) -> Any:
        return x @ np.ones([4, 3], np.float32)

    for new in (new_net(), function, module):
        (row,) = proof.assert_equivalent(module, new, {"x": X})
        assert row.passed
    proof.assert_equivalent(function, new_net(), X)
    proof.assert_equivalent(module, new_net(), "random:3")
    with pytest.raises(NotEquivalentError, match=r"(?s)1 of 1 tensors differ.*passes with rtol 0\.1 .*DIFFERENT"):
        proof.assert_equivalent(module, new_net(1.1), {"x": X})
    proof.assert_equivalent(module, new_net(1.1), {"x": X}, rtol=0.11)


def test_stored_values_are_compared_without_inputs(module: Any, tmp_path: Path) -> None:
    module.save(tmp_path / "model.ckpt")
    with tf2bridge.checkpoint.open(tmp_path / "model.ckpt") as stored:
        same, other = new_net(), new_net(2.0)
        proof.assert_equivalent(stored, same, plan=tf2bridge.checkpoint.plan(stored, same))
        with pytest.raises(NotEquivalentError, match=r"value of .*dense/kernel"):
            proof.assert_equivalent(stored, other, plan=tf2bridge.checkpoint.plan(stored, other))


def test_a_trace_equals_itself_and_no_other() -> None:
    trace = FIXTURES / "legacy/scopes/genuine/scopes.trace"
    assert len(proof.assert_equivalent(trace, trace)) > 3
    other = FIXTURES / "legacy/supervisor_counter/genuine/supervisor_counter.trace"
    with pytest.raises(NotEquivalentError, match="first divergence: "):
        proof.assert_equivalent(trace, other)
        proof.assert_equivalent(
            trace, next(iter([other]) if other.exists() else (FIXTURES / "legacy").glob("c*/genuine/*.trace"))
        )


class State(NamedTuple):
    c: Any
    h: Any


def test_outputs_are_named_by_their_path() -> None:
    values = {"out": [tf.constant(1.0), 2.0], "state": State(np.zeros(2), None), "text": "a", "list": [1, 2]}
    result = named(values)
    assert list(result) == ["out/0", "out/1", "state/c", "text", "list"]
    assert result["text"].item() == b"a"
    assert result["list"].tolist() == [1, 2]
    assert list(named(3.0)) == ["output"]


def test_stored_values_that_are_damaged_or_genuine_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "golden/a.npz"
    with pytest.raises(NothingStoredError, match=r"a\.npz: nothing is stored"):
        held_to(path, [1.0], Tolerance(), "")
    held_to(path, {"a": [1.0, 2.0]}, Tolerance(), "new")
    held_to(path, {"a": [1.0, 2.0 + 1e-9]}, Tolerance(), "")
    with pytest.raises(NotEquivalentError, match="new side has no such output"):
        held_to(path, {}, Tolerance(), "")
    np.savez(path, a=np.float32(3))
    with pytest.raises(GenuineKeptError):
        held_to(path, {"a": np.float32(4)}, Tolerance(), "new")
    held_to(path, {"a": np.float32(3)}, Tolerance(), "")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    for update in ("", "new"):
        with pytest.raises(DamagedValuesError, match="restore it"):
            held_to(path, {"a": np.float32(4)}, Tolerance(), update)
    held_to(path, {"a": np.float32(4)}, Tolerance(), "force")
    assert [item.name for item in path.parent.iterdir()] == ["a.npz"]


def test_each_test_has_files_of_its_own() -> None:
    def place(node: str) -> str:
        return stored_at(Path("/t/test_a.py"), f"t/test_a.py::{node}", "traces", ".trace").relative_to("/t").as_posix()

    assert place("test_b") == "traces/test_a.test_b.trace"
    assert place("TestC::test_b[0.5-x]") == "traces/test_a.TestC.test_b[0.5-x].trace"
    strange = [place("test_b[a/b]"), place("test_b[a:b]"), place("test_b[a_b]"), place("test_b[" + "x" * 300 + "]")]
    assert len(set(strange)) == 4
    assert all(len(item) < 200 and item.count("/") == 1 for item in strange)


def test_keywords_of_both_are_those_of_compare() -> None:
    options = set(inspect.signature(proof.compare).parameters) - {"a", "b", "tolerance"} | {
        "old",
        "new",
        "rtol",
        "atol",
    }
    assert set(inspect.signature(proof.assert_equivalent).parameters) == options
    assert set(inspect.signature(Equivalence.__call__).parameters) == {"self", *options}
