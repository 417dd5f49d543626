"""Converting a checkpoint of 1 GB and 1,000 variables beside cp and TensorFlow's own ways, all in one run.

    python -m pytest -s tests/benchmarks/bench_checkpoints.py

Each is a command of its own, measured whole, with its start and its imports; times are the least of several rounds,
taken in turns; memory is the most that a process held. A copy begins a moment after the last file was removed, as
that of a command does that has to start first: where the machine is a virtual one its host takes freed memory back,
and gives it again slowly.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tf2bridge.checkpoint.planning.matching import plan
from tf2bridge.checkpoint.writing.converting import convert
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

ROOT = Path(__file__).parents[2]
ROUNDS = 5
VARIABLES, ROWS = 1000, 500
MOMENT = 0.35
"""Seconds that a command takes to start."""

SAVER = """
import sys
import tensorflow as tf
v1 = tf.compat.v1
old = tf.train.load_checkpoint(sys.argv[1])
with tf.Graph().as_default(), v1.Session() as session:
    for name, shape in old.get_variable_to_shape_map().items():
        v1.get_variable(name, shape, old.get_variable_to_dtype_map()[name], v1.zeros_initializer)
    saver = v1.train.Saver()
    saver.restore(session, sys.argv[1])
    saver.save(session, sys.argv[2], write_meta_graph=False, write_state=False)
"""
CHECKPOINT = """
import sys
import tensorflow as tf
old = tf.train.load_checkpoint(sys.argv[1])
names = old.get_variable_to_shape_map()
root = tf.train.Checkpoint(variables=[tf.Variable(old.get_tensor(name)) for name in sorted(names)])
root.write(sys.argv[2])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkpoint `old`, and plans of which one changes each name, one turns each array, one orders its blocks."""
    made = tmp_path_factory.mktemp("checkpoints")
    values = np.random.default_rng(0)
    names = [f"net/block_{number // 10}/unit_{number % 10}/kernel" for number in range(VARIABLES)]
    np.savez(made / "old.npz", **{name: values.random([ROWS, ROWS], np.float32) for name in names})
    convert(made / "old.npz", made / "old", format="saver")
    (made / "old.npz").unlink()
    with open_checkpoint(made / "old") as old:
        made_plan = plan(old, {name.replace("net", "model", 1): info.shape for name, info in old.tensors.items()})
    made_plan.save(made / "names.toml")
    text = (made / "names.toml").read_text()
    for name, step in (
        ("turned", '{ kind = "transpose", axes = [1, 0] }'),
        ("gates", '{ kind = "blocks", order = [0, 2, 1, 3], axis = 1 }'),
    ):
        (made / f"{name}.toml").write_text(text.replace("\nreason", f"\nsteps = [{step}]\nreason"))
    yield made
    shutil.rmtree(made)


def settings() -> dict[str, str]:
    """The environment of a command, in which what is imported is kept compiled, as it is once it is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT)}


def ran(command: list[str]) -> float:
    """Seconds that a command took, start and all."""
    begun = time.perf_counter()
    subprocess.run(command, env=settings(), check=True, capture_output=True)
    return time.perf_counter() - begun


def converting(folder: Path, *options: object) -> list[str]:
    command = [sys.executable, "-m", "tf2bridge", "convert", folder / "old", folder / "new/model", *options]
    return list(map(str, command))


def peak(command: list[str]) -> float:
    """Megabytes that a command held at most, in a process that has had no other child."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True);"
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    done = subprocess.run([sys.executable, "-c", code, *command], env=settings(), capture_output=True, check=True)
    return float(done.stdout)


def emptied(folder: Path) -> None:
    shutil.rmtree(folder / "new", ignore_errors=True)
    (folder / "new").mkdir()


def least(folder: Path, commands: dict[str, list[str]], rounds: int) -> dict[str, float]:
    result = dict.fromkeys(commands, float("inf"))
    for _ in range(rounds):
        for name, command in commands.items():
            emptied(folder)
            if name == "cp":
                time.sleep(MOMENT)
            result[name] = min(result[name], ran(command))
    return result


def bench_converting(folder: Path) -> None:
    commands = {
        "cp": ["cp", *map(str, folder.glob("old.*")), str(folder / "new")],
        "names as they are": converting(folder),
        "names as they are, --no-verify": converting(folder, "--no-verify"),
        "names as they are, --link --no-verify": converting(folder, "--link", "--no-verify"),
        "new names": converting(folder, "--plan", folder / "names.toml"),
        "new names, --link --no-verify": converting(folder, "--plan", folder / "names.toml", "--link", "--no-verify"),
        "every array transposed": converting(folder, "--plan", folder / "turned.toml"),
        "gates of every array": converting(folder, "--plan", folder / "gates.toml"),
        "to safetensors": converting(folder, "--to", "safetensors"),
        "to npz": converting(folder, "--to", "npz"),
    }
    slow = {
        "Saver: restore, save": [sys.executable, "-c", SAVER, str(folder / "old"), str(folder / "new/model")],
        "load, Checkpoint.write": [sys.executable, "-c", CHECKPOINT, str(folder / "old"), str(folder / "new/model")],
    }
    seconds = least(folder, commands, ROUNDS) | least(folder, slow, 1)
    copy = seconds["cp"]
    print(f"\n1 GB in {VARIABLES} variables; cp {copy:.2f} s")
    for name, its in seconds.items():
        emptied(folder)
        print(f"  {name}: {its:.2f} s, {(its - 0.3) / copy:.2f} cp + 0.3 s, {peak((commands | slow)[name]):.0f} MB")


def bench_one_large_tensor(folder: Path) -> None:
    np.save(folder / "large.npy", np.zeros([1000, 250, 1000], np.float32))
    convert_ = [sys.executable, "-m", "tf2bridge", "convert"]
    emptied(folder)
    (folder / "large").mkdir()
    (folder / "large.npy").rename(folder / "large/table.npy")
    for form in ("saver", "checkpoint", "npz", "safetensors"):
        emptied(folder)
        memory = peak([*convert_, str(folder / "large"), str(folder / "new/model"), "--to", form])
        print(f"\none tensor of 1 GB to {form}: {memory:.0f} MB", end="")
    print()
