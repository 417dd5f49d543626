"""One wrong bit in a file: no crash, no hang, one BridgeError, and with the sidecar no silently wrong number."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format

from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.formats import sidecars
from tf2bridge.formats.graphs.event_writer import write_log
from tf2bridge.formats.graphs.reader import read

ROOT = Path(__file__).parents[3]
CHECKED = ("event file",)
"""Formats with checksums of their own."""


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.15.5/mlp_sgd", tmp_path_factory.getbasetemp())


def write_formats(mlp: Recorded, folder: Path) -> Path:
    """A directory for each format, as flipped_bits reads it."""
    frozen = read(mlp.folder / "frozen.pb").graph_def
    for name, path, damaged in (
        ("binary", "frozen.pb", "frozen.pb"),
        ("text", "graph.pbtxt", "graph.pbtxt"),
        ("metagraph", "model.ckpt.meta", "model.ckpt.meta"),
        ("SavedModel", "saved_model", "saved_model/saved_model.pb"),
        ("hub", "saved_model", "saved_model/saved_model.pb"),
        ("event file", "logs", "logs/EVENTS"),
    ):
        made = folder / name
        shutil.copytree(mlp.folder, made)
        (made / "graph.pbtxt").write_text(text_format.MessageToString(frozen))
        events = write_log(frozen, made / "logs")
        if name == "hub":  # what tensorflow_hub 0.7 writes there: the version of its format
            (made / "saved_model/tfhub_module.pb").write_bytes(b"\x08\x03")
        np.savez(made / "expected.npz", x=mlp.part("in")["x"], logits=mlp.part("out")["logits"])
        (made / "path").write_text(path)
        (made / "damaged").write_text(damaged.replace("EVENTS", events.name))
    return folder


def flip(folder: Path, count: int, limit: float) -> list[dict[str, Any]]:
    """What came of `count` flips in each format; fails where the process dies or does not end."""
    command = [sys.executable, "-m", "tests.tf2bridge.graph.flipped_bits", str(folder), "5", str(count)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=limit, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert done.returncode == 0, (done.returncode, lines[-1:], done.stderr[-3000:])
    return [line for line in lines if line["is"] != "running"]


def check_outcomes(actual: list[dict[str, Any]], count: int) -> None:
    table = Counter((line["format"], line["is"].partition(":")[0]) for line in actual)
    for (format_, outcome), number in sorted(table.items()):
        print(f"{format_:12} {number:4} {outcome}")
    assert Counter(line["format"] for line in actual) == dict.fromkeys({line["format"] for line in actual}, count)
    assert [line for line in actual if line["is"].startswith("raises")] == []
    assert [line for line in actual if "\n" in line["is"]] == []
    assert [line for line in actual if line["is"] == "different" and line["format"] in CHECKED] == []


def check_sidecars(folder: Path, actual: list[dict[str, Any]]) -> None:
    """With a sidecar none of the same flips is loaded."""
    for format_ in sorted(path for path in folder.iterdir() if path.is_dir()):
        damaged = format_ / (format_ / "damaged").read_text()
        content = damaged.read_bytes()
        path = format_ / (format_ / "path").read_text()
        sidecars.write(path)
        read(path)
        for line in (item for item in actual if item["format"] == format_.name):
            place = line["byte"]
            damaged.write_bytes(content[:place] + bytes([content[place] ^ 1 << line["bit"]]) + content[place + 1 :])
            with pytest.raises(sidecars.ChecksumError):
                read(path)
        damaged.write_bytes(content)


def test_some_wrong_bits(mlp: Recorded, tmp_path: Path) -> None:
    result = flip(write_formats(mlp, tmp_path), 8, limit=1800)
    check_outcomes(result, 8)
    check_sidecars(tmp_path, result)


@pytest.mark.soak
def test_many_wrong_bits(mlp: Recorded, tmp_path: Path) -> None:
    result = flip(write_formats(mlp, tmp_path), 200, limit=9000)
    check_outcomes(result, 200)
    check_sidecars(tmp_path, result)
