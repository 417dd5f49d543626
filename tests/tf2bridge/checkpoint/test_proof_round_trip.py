"""From a Saver's checkpoint to an object-based one and back: bit for bit, and genuine TensorFlow restores it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tf2bridge
from tests import oracles
from tests.tf2bridge.checkpoint.recorded import FOLDER, RELEASES, Recorded, of, unpacked
from tf2bridge.formats.checkpoints.stored import Checkpoint

PROGRAMS = (
    *("mlp_adam", "mlp_rmsprop_centered", "basic_lstm", "gru", "conv_slim", "conv_layers", "residual", "averages"),
    *("partitioned", "sharded", "types", "types_since", "many", "version_1", "twins", "bert"),
)
RESTORED = ("mlp_adam", "basic_lstm", "partitioned", "sharded", "types", "many", "twins")
CASES = [name for program in PROGRAMS for name in of(program)]


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def there_and_back(actual: Recorded, folder: Path) -> Path:
    """The checkpoint as objects and, of these, as a Saver's again."""
    folder.mkdir(exist_ok=True)
    new = tf2bridge.checkpoint.convert(actual.prefix, folder / "objects", format="checkpoint")
    return Path(tf2bridge.checkpoint.convert(new.path, folder / "model.ckpt", format="saver").path)


def check_bit_equal(one: Checkpoint, other: Checkpoint) -> None:
    assert sorted(one) == sorted(other)
    for name in one:
        mine, theirs = one[name], other[name]
        assert (one.tensors[name].dtype, mine.shape) == (other.tensors[name].dtype, theirs.shape), name
        same = list(mine.flat) == list(theirs.flat) if mine.dtype == object else mine.tobytes() == theirs.tobytes()
        assert same, name


@pytest.mark.parametrize("name", CASES)
def test_there_and_back_it_is_the_same(name: str, parent: Path, tmp_path: Path) -> None:
    program_files = unpacked(name, parent)
    with (
        tf2bridge.checkpoint.open(program_files.prefix) as old,
        tf2bridge.checkpoint.open(there_and_back(program_files, tmp_path)) as again,
    ):
        check_bit_equal(old, again)


@pytest.mark.parametrize("release", RELEASES)
def test_under_new_names_and_back(release: str, parent: Path, tmp_path: Path) -> None:
    program_files = unpacked(f"{release}/mlp_sgd", parent)
    new_names = {
        f"{layer}/{new}": list(program_files.expected[f"saved {layer}/{old}"].shape) for layer, new, old in LAYERS
    }
    with tf2bridge.checkpoint.open(program_files.prefix) as old:
        plan = tf2bridge.checkpoint.plan(old, new_names)
        tf2bridge.checkpoint.convert(old, tmp_path / "new", plan, "saver")
        names = {name: value.shape for name, value in program_files.part("saved").items() if name != "global_step"}
        with tf2bridge.checkpoint.open(tmp_path / "new") as new:
            assert sorted(new) == sorted(new_names)
            back = tf2bridge.checkpoint.plan(new, names)
            tf2bridge.checkpoint.convert(new, tmp_path / "back", back, "saver")
        with tf2bridge.checkpoint.open(tmp_path / "back") as again:
            assert sorted(again) == sorted(names)
            assert all(again[name].tobytes() == old[name].tobytes() for name in names)


LAYERS = [(layer, *pair) for layer in ("hidden", "logits") for pair in (("kernel", "weights"), ("bias", "biases"))]


@pytest.mark.oracle
def test_genuine_tensorflow_restores_what_came_back(parent: Path, tmp_path: Path) -> None:
    oracles.require("1.15.5")
    arguments = []
    for program in RESTORED:
        program_files = unpacked(f"1.15.5/{program}", parent)
        back = there_and_back(program_files, tmp_path / program)
        arguments += [program, str(back), str(program_files.folder / "expected.npz")]
    command = [sys.executable, str(FOLDER / "restore.py"), "1.15.5", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    equal = [f"{program}: equal" for program in RESTORED]
    assert (done.returncode, done.stdout.splitlines()) == (0, equal), done.stderr[-2000:]
