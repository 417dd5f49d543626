"""One wrong bit in a file of each format: never silent where there is a checksum, counted where there is none.

A graph has no checksum. A wrong bit in its structure is found nearly always, and one in a weight never: so the share of
weights in a file decides. With a sidecar (`tf2bridge seal`) no wrong bit is silent in any format.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format

import tf2bridge
from tests.hostile.flips import CLOSE, EQUAL, FAULT, HANGS, OTHER, READERS, REFUSED
from tests.tf2bridge.formats.checkpoints.every_form import unpacked_forms
from tests.tf2bridge.formats.checkpoints.keras_files import unpacked_keras
from tests.tf2bridge.graph.recorded import FOLDER
from tf2bridge.formats import sidecars
from tf2bridge.formats.graphs.event_writer import write_log
from tf2bridge.formats.graphs.reader import read

ROOT = Path(__file__).parents[2]
TRACE = ROOT / "fixtures/legacy/scopes/genuine/scopes.trace"
CHECKED = {
    "v1": ("checkpoint", "v1", "v1"),
    "v1 of several files": ("checkpoint", "v1_sharded", "v1_sharded-00001-of-00002"),
    "v2 index": ("checkpoint", "v2", "v2.index"),
    "v2 data": ("checkpoint", "v2", "v2.data-00000-of-00001"),
    "npz": ("checkpoint", "values.npz", "values.npz"),
    "keras": ("checkpoint", "values.keras", "values.keras"),
    "trace": ("trace", "program.trace", "program.trace"),
    "event file": ("events", "logs", "logs/EVENTS"),
}
UNCHECKED = {
    "hdf5": ("checkpoint", "weights.h5", "weights.h5"),
    "safetensors": ("checkpoint", "values.safetensors", "values.safetensors"),
    "plan": ("plan", "plan.toml", "plan.toml"),
}
"""Format -> its reader, what is opened, and the file that is damaged."""
GRAPHS = {
    "frozen pb": ("frozen.pb", "frozen.pb"),
    "frozen pbtxt": ("text/frozen.pbtxt", "text/frozen.pbtxt"),
    "meta": ("model.ckpt.meta", "model.ckpt.meta"),
    "SavedModel": ("saved_model", "saved_model/saved_model.pb"),
}
MOST = {
    "1.15.5/mlp_sgd": (6, 6),
    "1.12.3/convnet": (75, 20),
    "0.12.1/mlp_sgd": (12, 8),
    "1.4.1/loop": (12, 6),
    "1.15.5/rnn_lstm": (14, 6),
}
"""Model -> how many of 200 flips may be silent in the binary and in the text of its frozen graph.

The measured numbers are 2, 63, 6, 6, 7 and 1, 12, 2, 2, 1. In a .meta or SavedModel it is 0: the values lie in a
checkpoint, which has checksums."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of each format that is no graph."""
    result = tmp_path_factory.mktemp("flips")
    shutil.copytree(unpacked_forms("1.15.5", tmp_path_factory.getbasetemp()), result, dirs_exist_ok=True)
    shutil.copytree(unpacked_keras(tmp_path_factory.getbasetemp()), result, dirs_exist_ok=True)
    with tf2bridge.checkpoint.open(result / "v2") as checkpoint:
        values = {name.replace("/", "."): checkpoint[name] for name in ("rows", "of_int64", "layer/scalar")}
    np.savez(result / "values.npz", **values)
    from safetensors.numpy import save_file

    save_file(values, result / "values.safetensors")
    with zipfile.ZipFile(result / "values.keras", "w") as archive:
        archive.write(result / "weights.h5", "model.weights.h5")
    shutil.copy(TRACE, result / "program.trace")
    with tf2bridge.checkpoint.open(result / "values.npz") as opened:
        shapes = {name: opened.tensors[name].shape for name in opened}
        tf2bridge.checkpoint.plan(opened, shapes).save(result / "plan.toml")
    events = write_log(read(unzipped("1.4.1/loop", result) / "frozen.pb").graph_def, result / "logs")
    events.rename(result / "logs" / "events.out.tfevents.1.here")
    return result


def unzipped(model: str, parent: Path) -> Path:
    """The files of a recorded model, its frozen graph as a text too."""
    target = parent / model.replace("/", "_")
    with zipfile.ZipFile(FOLDER / f"{model}.zip") as archive:
        archive.extractall(target)
    (target / "text").mkdir()
    (target / "text/frozen.pbtxt").write_text(text_format.MessageToString(read(target / "frozen.pb").graph_def))
    return target


def flipped(reader: str, path: Path, damaged: Path, count: int) -> list[dict[str, Any]]:
    """What each flip came to; fails where the process that reads dies or does not end."""
    command = [sys.executable, "-m", "tests.hostile.flips", reader, str(path), str(damaged), "1", str(count)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=7200, check=False)
    result = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert done.returncode == 0, (done.returncode, result[-1:], done.stderr[-3000:])
    assert len(result) == count
    return result


def silent(name: str, actual: list[dict[str, Any]]) -> int:
    """How many flips changed what was read and were not told; all outcomes are printed."""
    outcomes = Counter(item["is"] for item in actual)
    print(f"{name:32}", ", ".join(f"{outcomes[item]} {item}" for item in (EQUAL, CLOSE, OTHER, REFUSED, FAULT, HANGS)))
    assert not outcomes[HANGS], [item for item in actual if item["is"] == HANGS]
    return outcomes[OTHER] + outcomes[CLOSE]


def check_format(folder: Path, name: str, count: int) -> int:
    reader, path, damaged = (CHECKED | UNCHECKED)[name]
    place = folder / damaged.replace("EVENTS", "events.out.tfevents.1.here")
    result = flipped(reader, folder / path, place, count)
    assert [item for item in result if item["is"] == FAULT] == []
    return silent(name, result)


@pytest.mark.parametrize("name", ["v2 data", "npz", "trace"])
def test_a_few_wrong_bits_are_never_silent(name: str, folder: Path) -> None:
    assert check_format(folder, name, 10) == 0


@pytest.mark.soak
@pytest.mark.parametrize("name", CHECKED)
def test_where_there_is_a_checksum_no_wrong_bit_is_silent(name: str, folder: Path) -> None:
    assert check_format(folder, name, 200) == 0


@pytest.mark.soak
@pytest.mark.parametrize("name", UNCHECKED)
def test_where_there_is_none_they_are_counted(name: str, folder: Path) -> None:
    print(f"{name}: {check_format(folder, name, 200)} of 200 silent")


@pytest.mark.soak
@pytest.mark.parametrize("model", MOST)
def test_wrong_bits_of_graphs_are_counted(model: str, tmp_path: Path) -> None:
    files = unzipped(model, tmp_path)
    for form, (path, damaged) in GRAPHS.items():
        if (files / damaged).exists():
            count = silent(f"{model} {form}", flipped("graph", files / path, files / damaged, 200))
            most = dict(zip(GRAPHS, (*MOST[model], 0, 0), strict=True))[form]
            assert count <= most, (model, form, count)


@pytest.mark.parametrize("name", [*CHECKED, *UNCHECKED])
def test_with_a_sidecar_none_is_silent_in_any_format(name: str, folder: Path, tmp_path: Path) -> None:
    reader, path, damaged = (CHECKED | UNCHECKED)[name]
    if reader == "trace":
        return  # it is sealed by itself
    copied = shutil.copytree(folder, tmp_path / "copy")
    place = copied / damaged.replace("EVENTS", "events.out.tfevents.1.here")
    sidecars.write(copied / path)
    READERS[reader](copied / path)
    content = place.read_bytes()
    for at in range(0, len(content), max(1, len(content) // 20)):
        place.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(tf2bridge.errors.BridgeError):
            READERS[reader](copied / path)
    place.write_bytes(content)
