"""Every kind of file and object as a side, and plans between old and new ones."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.proof.comparing.files import checkpoint, graph, trace, written
from tests.tf2bridge.proof.comparing.live import arrays
from tests.tf2bridge.proof.traces.damaging import unpacked
from tf2bridge.checkpoint.planning.matching import plan as planned
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.proof.comparing.any_two import compare
from tf2bridge.proof.comparing.opening import side_of
from tf2bridge.proof.comparing.refusals import NothingInCommonError, PlanMisfitError
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.recording.folding import JOURNAL
from tf2bridge.proof.traces.refusals import DamagedTraceError

KERAS_FILES = Path(__file__).parents[4] / "fixtures" / "keras_files"


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sides")


def values_of(path: Path) -> dict[str, Any]:
    with open_checkpoint(path) as checkpoint:
        return {name: checkpoint[name] for name in checkpoint}


def test_a_directory_of_arrays(parent: Path) -> None:
    old = values_of(checkpoint("1.15.5/mlp_adam", parent))
    for name, value in old.items():
        file = parent / "arrays" / f"{name}.npy"
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, value)
    assert compare(old, parent / "arrays").equal
    assert compare(checkpoint("1.15.5/mlp_adam", parent).parent / "model.ckpt.index", parent / "arrays").equal


def test_weights_of_keras_2_and_the_checkpoint_of_the_same_model(parent: Path) -> None:
    """fixtures/keras_files.py wrote the weights of one model both ways."""
    for name in ("weights.h5", "model.h5"):
        with gzip.open(KERAS_FILES / f"{name}.gz") as packed, (parent / name).open("wb") as file:
            shutil.copyfileobj(packed, file)
    assert compare(parent / "weights.h5", parent / "weights.h5").equal
    both = compare(parent / "weights.h5", parent / "model.h5", subset=True)
    assert both.equal
    assert both.how


def test_variables_and_modules(parent: Path) -> None:
    import tensorflow as tf

    import tf2bridge

    prefix = checkpoint("1.15.5/mlp_adam", parent)
    module = tf2bridge.load(prefix)
    assert compare(prefix, module).equal
    assert compare(module, list(module.variables)).equal
    own = tf.Module()
    own.w = tf.Variable(values_of(prefix)["hidden/weights"])
    assert compare({"w": own.w.numpy()}, own).equal


def test_code_is_called() -> None:
    comparison = compare("tests.tf2bridge.proof.comparing.live:arrays", arrays())
    assert comparison.equal
    assert comparison.a == "tests.tf2bridge.proof.comparing.live:arrays"
    assert compare("tests.tf2bridge.proof.comparing.live:frozen", written("freeze_script", "frozen.pb")).equal


@pytest.mark.parametrize(
    "side, kind, stores, runs",
    [
        (trace("q_agent"), "trace of TensorFlow 1.15.5", True, False),
        (written("freeze_script", "frozen.pb"), "frozen GraphDef", True, True),
        (written("freeze_script", "model.ckpt"), "V2 checkpoint", True, True),
        (written("saver_swap", "dict"), "V2 checkpoint", True, False),
        (written("saver_swap", "old.ckpt"), "V1 checkpoint", True, False),
        (written("generator_freeze", "saved_model"), "V2 checkpoint", True, True),
        (written("generator_freeze", "graph.pbtxt"), "GraphDef", False, True),
    ],
)
def test_what_a_path_is_and_offers(side: Path, kind: str, stores: bool, runs: bool) -> None:
    opened_side = side_of(side)
    assert (opened_side.kind, opened_side.values is not None, opened_side.runner is not None) == (kind, stores, runs)
    opened_side.close()


def test_a_hub_directory_is_the_saved_model_in_it(tmp_path: Path) -> None:
    """hub.Module.export of tensorflow_hub 0.7 writes a SavedModel, and beside it the version of its format."""
    plain = written("generator_freeze", "saved_model")
    module = shutil.copytree(plain, tmp_path / "module")
    (module / "tfhub_module.pb").write_bytes(b"\x08\x03")
    comparison = compare(plain, module)
    assert comparison.equal
    assert (comparison.kinds, comparison.only_a, comparison.only_b) == (("V2 checkpoint", "V2 checkpoint"), (), ())
    assert len(comparison.rows) == len(values_of(plain))
    assert side_of(module).runner is not None


def test_the_folder_of_an_unfinished_trace_is_a_side(tmp_path: Path) -> None:
    """The recorder left it where the program was killed, here after its initializer and two steps."""
    recording = trace("freeze_script")
    folder = unpacked(recording, tmp_path / "freeze_script.trace.part")
    assert compare(recording, folder).equal
    journal = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    ends = [place for place, line in enumerate(journal) if b'"event": "call"' in line]
    (folder / JOURNAL).write_bytes(b"".join(journal[: ends[2] + 1]))
    cut = compare(folder, recording)  # calls that it does not hold are not asked for
    assert {row.call for row in cut.rows if row.kind == "fetch"} == {1, 2}
    assert all(row.passed for row in cut.rows if row.kind in ("initial", "fetch", "feed"))
    lacking = compare(recording, folder)
    assert not lacking.equal
    assert any("not made" in row.distance.note for row in lacking.rows)


def test_a_graph_without_values_says_what_to_give() -> None:
    bare = written("generator_freeze", "graph.pbtxt")
    with pytest.raises(NothingInCommonError, match="stores no values; give --inputs to compare what it computes"):
        compare(bare, written("generator_freeze", "saved_model"))


def test_an_empty_directory_is_none(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(BridgeError):
        compare(tmp_path / "folder", {"x": np.ones(1)})


@pytest.mark.parametrize(
    "name, error",
    [("frozen.pb", DamagedGraphError), ("arrays.npz", DamagedCheckpointError), ("run.trace", DamagedTraceError)],
)
def test_what_is_cut_off_is_said_to_be_damaged(name: str, error: type[Exception], tmp_path: Path) -> None:
    np.savez(tmp_path / "arrays.npz", x=np.arange(1000))
    shutil.copy(written("freeze_script", "frozen.pb"), tmp_path)
    shutil.copy(trace("q_agent"), tmp_path / "run.trace")
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(error):
        compare(tmp_path / name, tmp_path / name)


def lstm() -> Any:
    """The model that fixtures/checkpoints' basic_lstm becomes."""
    import keras

    inputs = keras.Input((5, 3))
    return keras.Model(inputs, keras.layers.RNN(keras.layers.LSTMCell(4), name="rnn")(inputs))


@pytest.mark.parametrize("form, name", [("checkpoint", "new"), ("keras", "new.keras"), ("npz", "new.npz")])
def test_gates_in_another_order_are_held_against_what_was_converted(form: str, name: str, parent: Path) -> None:
    """A plan's blocks, rows and forget bias are applied to the old side, bit for bit as `convert` did."""
    old, model = checkpoint("1.15.5/basic_lstm", parent), lstm()
    with open_checkpoint(old) as opened:
        plan = planned(opened, model, drop=["global_step", ".*Adam.*", "beta.*"], forget_bias=1.0)
        assert plan.complete, str(plan)
        plan.apply()
    new = parent / form / name
    new.parent.mkdir()
    convert(old, new, plan=plan, format=form, into=model if form == "keras" else None)
    for side in (new, model):
        comparison = compare(old, side, plan=plan)
        assert [row.distance.verdict.value for row in comparison.rows] == ["equal"] * 3
        assert not (comparison.only_a or comparison.only_b)
    model.get_layer("rnn").cell.bias.assign_add(np.eye(1, 16)[0])
    bad = first_divergence(compare(old, model, plan=plan).rows)
    assert bad is not None
    assert bad.distance.worst == (0,)


def layers_in_another_order() -> Any:
    """A model whose layers Keras writes in another order: batch_normalization, conv2d, conv2d_1, dense, rnn."""
    import keras

    inputs = keras.Input((4, 4, 2))
    x = keras.layers.Conv2D(2, 3, padding="same", name="last_first")(inputs)
    x = keras.layers.Dropout(0.5)(x)
    x = keras.layers.BatchNormalization()(x)
    x = keras.layers.Conv2D(2, 3, padding="same", name="first_last")(x)
    x = keras.layers.Reshape((16, 2))(x)
    x = keras.layers.RNN(keras.layers.LSTMCell(2, name="cell"), name="rnn")(x)
    return keras.Model(inputs, keras.layers.Dense(2, name="conv2d")(x))


@pytest.mark.parametrize("name", ["new.keras", "new.weights.h5"])
def test_a_file_of_keras_is_paired_with_the_variables_of_the_plan_by_layers(name: str, tmp_path: Path) -> None:
    """Keras calls the tensors "layers/conv2d/vars/0", and sorts them: their order is not the model's."""
    numbers = np.random.default_rng(7)
    model, other = layers_in_another_order(), layers_in_another_order()  # the names differ in numbers
    values = {
        variable.path: numbers.normal(size=variable.shape).astype(np.float32) for variable in model.trainable_variables
    }
    moving = [variable.path for variable in model.variables if "moving" in variable.path]
    values |= {path: numbers.uniform(1, 2, 2).astype(np.float32) for path in moving}
    old, new = tmp_path / "old.npz", tmp_path / name
    np.savez(old, **values)
    with open_checkpoint(old) as checkpoint:
        plan = planned(checkpoint, model)
        assert plan.complete, str(plan)
        plan.save(tmp_path / "plan.toml")
    convert(old, new, plan=plan, format=name.partition(".")[2], into=model)
    compared = compare(old, new, plan=tmp_path / "plan.toml")
    assert first_divergence(compared.rows) is None
    assert compared.equal
    assert compared.how == {"plan": len(values)}
    other.set_weights(model.get_weights())
    other.save(tmp_path / "other.keras") if name == "new.keras" else other.save_weights(tmp_path / "other.weights.h5")
    assert compare(old, tmp_path / f"other{name.removeprefix('new')}", plan=plan).equal
    model.get_layer("first_last").bias.assign_add([0, 1])
    model.save(new) if name == "new.keras" else model.save_weights(new)
    assert [row.tensor for row in compare(old, new, plan=plan).rows if not row.passed] == ["first_last/bias"]


def test_a_plan_of_something_else_is_refused(parent: Path) -> None:
    old, model = checkpoint("1.15.5/basic_lstm", parent), lstm()
    with open_checkpoint(old) as opened:
        plan = planned(opened, model, drop=["global_step", ".*Adam.*", "beta.*"])
    with pytest.raises(PlanMisfitError, match=r"has no tensor .* it was made for"):
        compare(checkpoint("1.15.5/mlp_adam", parent), model, plan=plan)
    with pytest.raises(PlanMisfitError, match="has none of its variables"):
        compare(old, {"x": np.ones(1)}, plan=plan)


def test_a_graph_of_another_release_knows_its_tensors_by_their_modern_names(parent: Path) -> None:
    from tf2bridge.graph.load import load
    from tf2bridge.proof.comparing.graph_runs import GraphRunner

    runner = GraphRunner(load(graph("1.15.5/rnn_lstm", parent) / "model.ckpt"))
    assert runner.find("net/RNN/BasicLSTMCell/Linear/Matrix:0") == "net/rnn/basic_lstm_cell/kernel:0"
    assert runner.find("nothing/like/it:0") is None
