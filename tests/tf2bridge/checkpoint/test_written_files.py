"""Single files that are written of a checkpoint are what NumPy, safetensors and Keras read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tf2bridge.checkpoint.planning.matching import plan
from tf2bridge.checkpoint.planning.refusals import OtherTargetError
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.checkpoint.writing.refusals import FormatError, UnplannedTensorError, UnwritableTypeError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

FIXTURES = Path(__file__).parents[3] / "fixtures"
CHAR_RNN = FIXTURES / "legacy/char_rnn/genuine/run/model.ckpt-2"


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A checkpoint of two dense layers, by a Saver's names."""
    values = np.random.RandomState(3)
    shapes = {"net/d1/kernel": (4, 8), "net/d1/bias": (8,), "net/d2/kernel": (8, 3), "net/d2/bias": (3,)}
    np.savez(tmp_path / "net.npz", **{name: values.rand(*shape).astype("f") for name, shape in shapes.items()})
    return convert(tmp_path / "net.npz", tmp_path / "net", format="saver").path


def network_of_keras() -> Any:
    import keras

    layers = keras.layers
    return keras.Sequential([layers.Input((4,)), layers.Dense(8, name="d1"), layers.Dense(3, name="d2")])


def old_name(variable: Any) -> str:
    return "/".join(["net", *variable.path.split("/")[-2:]])


def tensors_of_tensorflow(prefix: Path, **values: Any) -> Path:
    """A checkpoint of such tensors, written by TensorFlow itself."""
    import tensorflow as tf

    tensors = [tf.constant(value) for value in values.values()]
    tf.raw_ops.SaveV2(
        prefix=str(prefix), tensor_names=list(values), shape_and_slices=[""] * len(values), tensors=tensors
    )
    return prefix


def test_numpy_reads_an_archive(tmp_path: Path) -> None:
    assert not convert(CHAR_RNN, tmp_path / "new.npz", format="npz").kept
    with open_checkpoint(CHAR_RNN) as old, np.load(tmp_path / "new.npz") as new:
        assert {name: value.tobytes() for name, value in new.items()} == {name: old[name].tobytes() for name in old}
        assert {name: value.shape for name, value in new.items()} == {name: old[name].shape for name in old}


def test_the_library_reads_safetensors(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    convert(CHAR_RNN, tmp_path / "new.safetensors", format="safetensors")
    with open_checkpoint(CHAR_RNN) as old:
        new = load_file(tmp_path / "new.safetensors")
        assert {name: value.tobytes() for name, value in new.items()} == {name: old[name].tobytes() for name in old}
        assert {name: value.shape for name, value in new.items()} == {name: old[name].shape for name in old}


@pytest.mark.parametrize("form", ["npz", "safetensors"])
def test_from_a_file_back_to_a_saver(form: str, tmp_path: Path) -> None:
    convert(CHAR_RNN, tmp_path / "between", format=form)
    convert(tmp_path / "between", tmp_path / "back", format="saver")
    for suffix in (".index", ".data-00000-of-00001"):
        assert Path(f"{tmp_path / 'back'}{suffix}").read_bytes() == Path(f"{CHAR_RNN}{suffix}").read_bytes()


def test_types_of_every_kind_in_an_archive(tmp_path: Path) -> None:
    kinds = ("bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64")
    given = {kind: np.arange(6).reshape(2, 3).astype(kind) for kind in kinds}
    given |= {"empty": np.zeros((0, 3), "f"), "scalar": np.float32(2.5), "texts": np.array([b"a", b"", b"\xff\x00b"])}
    prefix = tensors_of_tensorflow(tmp_path / "old", **given)
    convert(prefix, tmp_path / "new.npz", format="npz")
    with np.load(tmp_path / "new.npz") as new:
        for name, value in given.items():
            assert new[name].dtype.kind == np.asarray(value).dtype.kind
            np.testing.assert_array_equal(new[name], value, err_msg=name)


def test_what_a_format_has_no_type_for(tmp_path: Path) -> None:
    given = {"weights": np.ones([3], ml_dtypes.bfloat16), "texts": np.array([b"end\x00", b"another text"], object)}
    prefix = tensors_of_tensorflow(tmp_path / "old", **given)
    with pytest.raises(UnwritableTypeError, match=r"no type for bfloat16, the type of 'weights'; cast it.*float32"):
        convert(prefix, tmp_path / "new.npz", format="npz")
    with pytest.raises(UnwritableTypeError, match=r"safetensors has no type for string, the type of 'texts'; drop it"):
        convert(prefix, tmp_path / "new.safetensors", format="safetensors")
    assert not list(tmp_path.glob("new*"))
    only = tensors_of_tensorflow(tmp_path / "texts", texts=given["texts"])
    with pytest.raises(UnwritableTypeError, match="texts that end in NUL"):
        convert(only, tmp_path / "new.npz", format="npz")


def test_bfloat16_in_safetensors(tmp_path: Path) -> None:
    prefix = tensors_of_tensorflow(tmp_path / "old", weights=np.arange(3).astype(ml_dtypes.bfloat16))
    convert(prefix, tmp_path / "new.safetensors", format="safetensors")
    with open_checkpoint(tmp_path / "new.safetensors") as new:
        assert new["weights"].astype("f").tolist() == [0, 1, 2]


@pytest.mark.parametrize(("form", "name"), [("keras", "new.keras"), ("weights.h5", "new.weights.h5")])
def test_keras_loads_its_own_files(form: str, name: str, network: Path) -> None:
    import keras

    path = convert(network, network.with_name(name), format=form, into=network_of_keras()).path
    loaded = keras.models.load_model(path) if form == "keras" else network_of_keras()
    loaded.load_weights(path)
    with open_checkpoint(network) as old:
        for variable in loaded.variables:
            np.testing.assert_array_equal(variable.numpy(), old[old_name(variable)])


def test_a_plan_makes_objects_of_the_model(network: Path, tmp_path: Path) -> None:
    import tensorflow as tf

    with open_checkpoint(network) as old:
        mapped = plan(old, network_of_keras())
        mapped.save(tmp_path / "plan.toml")
        path = convert(old, tmp_path / "new", tmp_path / "plan.toml").path
        model = network_of_keras()
        tf.train.Checkpoint(model=model).restore(str(path)).assert_existing_objects_matched()
        for variable in model.variables:
            np.testing.assert_array_equal(variable.numpy(), old[old_name(variable)])
    convert(tmp_path / "new", tmp_path / "back", format="saver")  # what stayed as it was has its old name still
    assert (tmp_path / "back.index").read_bytes() == network.with_name("net.index").read_bytes()


def test_keras_needs_a_model_of_these_variables(network: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="name the code that builds it by --into"):
        convert(network, tmp_path / "new.keras", format="keras")
    with pytest.raises(FormatError, match=r"ends in \.keras"):
        convert(network, tmp_path / "new.h5", format="keras", into=network_of_keras())
    with open_checkpoint(network) as old:
        mapped = plan(old, network_of_keras())
    import keras

    other = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(8, name="another")])
    with pytest.raises(OtherTargetError, match=r"the plan is for another target: it has no variable '.*d1/kernel'"):
        convert(network, tmp_path / "new.keras", mapped, format="keras", into=other)


def test_a_plan_of_another_checkpoint(network: Path, tmp_path: Path) -> None:
    with open_checkpoint(network) as old:
        mapped = plan(old, {name: info.shape for name, info in old.tensors.items()})
        more = tensors_of_tensorflow(tmp_path / "more", extra=np.float32(1), **dict(old))
    with pytest.raises(UnplannedTensorError, match=r"more: the plan does not mention 'extra'"):
        convert(more, tmp_path / "new", mapped)
