"""Every kind of file that genuine releases wrote is told, with its release, operations, series and duplicates."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from tests.tf2bridge.fleet.scanned import FIXTURES, by_path, scanned, unpacked
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.scanning.digests import Digest, Reading
from tf2bridge.fleet.scanning.scan import Options
from tf2bridge.formats.sidecars import digest_of

_LEGACY = "legacy/generator_freeze/genuine"


@pytest.fixture(scope="module")
def legacy() -> dict[str, Item]:
    """What is found of three programs that genuine releases ran."""
    folder = FIXTURES / "legacy"
    paths = [folder / name / "genuine" for name in ("generator_freeze", "supervisor_counter", "saver_swap")]
    return by_path(folder, scanned(*paths))


def test_the_kinds_of_what_genuine_programs_wrote(legacy: dict[str, Item]) -> None:
    assert {path: item.kind for path, item in legacy.items() if "generator_freeze" in path} == {
        "generator_freeze/genuine/generator_freeze.trace": Kind.TRACE,
        "generator_freeze/genuine/run/frozen.pb": Kind.FROZEN,
        "generator_freeze/genuine/run/graph.pb": Kind.GRAPH,
        "generator_freeze/genuine/run/graph.pbtxt": Kind.GRAPH,
        "generator_freeze/genuine/run/model.ckpt-12": Kind.CHECKPOINT,
        "generator_freeze/genuine/run/saved_model": Kind.SAVED_MODEL,
    }
    assert all(item.error is None for item in legacy.values())


def test_the_release_is_that_of_the_program(legacy: dict[str, Item]) -> None:
    assert legacy["generator_freeze/genuine/run/model.ckpt-12"].release == "1.15.5"
    assert legacy["generator_freeze/genuine/run/saved_model"].release == "1.15.5"
    assert legacy["generator_freeze/genuine/generator_freeze.trace"].release == "1.15.5"
    assert legacy["supervisor_counter/genuine/run/graph.pbtxt"].release == "0.12.1 or a release near it"
    assert legacy["saver_swap/genuine/run/dict"].release is None  # there is no .meta that says one


def test_the_refused_operations_are_those_of_audit(legacy: dict[str, Item]) -> None:
    assert legacy["generator_freeze/genuine/run/graph.pb"].refused == ("RestoreV2", "SaveV2")
    assert legacy["generator_freeze/genuine/run/frozen.pb"].refused == ()


def test_checkpoints_of_one_training_are_a_series(legacy: dict[str, Item]) -> None:
    run = f"{FIXTURES}/legacy/supervisor_counter/genuine/run/model.ckpt"
    assert {path.rpartition("-")[2] for path, item in legacy.items() if item.series == run} == {"4", "8", "12"}
    assert legacy["saver_swap/genuine/run/grown"].series is None


def test_a_step_of_other_tensors_is_not_of_the_series(tmp_path: Path) -> None:
    run = FIXTURES / "legacy/supervisor_counter/genuine/run"
    for file in run.glob("model.ckpt-[48].*"):
        shutil.copy(file, tmp_path)
    for file in (FIXTURES / _LEGACY / "run").glob("model.ckpt-12.*"):
        shutil.copy(file, tmp_path)
    series = {path: item.series for path, item in by_path(tmp_path, scanned(tmp_path)).items()}
    assert series == {
        "model.ckpt-12": None,
        "model.ckpt-4": f"{tmp_path}/model.ckpt",
        "model.ckpt-8": f"{tmp_path}/model.ckpt",
    }


def test_the_digest_of_a_file_is_that_of_sha256sum(legacy: dict[str, Item]) -> None:
    path = "generator_freeze/genuine/run/frozen.pb"
    assert legacy[path].digest == f"sha256:{digest_of(FIXTURES / 'legacy' / path)}"


@pytest.mark.parametrize("archive", ["checkpoints/1.4.1/sharded.zip", "checkpoints/0.12.1/adam_long.zip"])
@pytest.mark.parametrize("digest", [Digest.CHECKSUMS, Digest.FULL])
def test_copies_are_duplicates_whatever_their_folders_and_names(archive: str, digest: Digest, tmp_path: Path) -> None:
    unpacked(archive, tmp_path / "a")
    for file in (tmp_path / "a").iterdir():
        (tmp_path / "b").mkdir(exist_ok=True)
        shutil.copy(file, tmp_path / "b" / f"renamed.{file.name}")
    items = by_path(tmp_path, scanned(tmp_path, options=Options(Reading(digest))))
    assert items
    for path, item in items.items():
        first = path.replace("b/renamed.", "a/")
        assert item.duplicate_of == (f"{tmp_path}/{first}" if path.startswith("b/") else None)


def test_another_value_has_another_digest() -> None:
    digests = set()
    for step in (4, 8, 12):
        (item,) = scanned(FIXTURES / f"legacy/supervisor_counter/genuine/run/model.ckpt-{step}")
        assert item.digest is not None
        digests.add(item.digest)
    assert len(digests) == 3


def test_files_of_keras_are_told_and_other_hdf5_files_are_none(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    for name in ("model.h5", "weights.h5"):
        (tmp_path / name).write_bytes(gzip.decompress((FIXTURES / f"keras_files/{name}.gz").read_bytes()))
    with h5py.File(tmp_path / "images.h5", "w") as file:
        file["images"] = [1.0, 2.0]
    items = by_path(tmp_path, scanned(tmp_path))
    assert {path: (item.kind, item.error) for path, item in items.items()} == {
        "model.h5": (Kind.KERAS, None),
        "weights.h5": (Kind.KERAS, None),
    }


def test_a_hub_module_is_told_from_a_saved_model() -> None:
    items = scanned(FIXTURES / "graphs/1.15.5/hub_text.zip")
    assert Kind.HUB in {item.kind for item in items}


def test_a_repository_is_told_with_the_release_that_it_asks_for(tmp_path: Path) -> None:
    (tmp_path / "a" / "src").mkdir(parents=True)
    (tmp_path / "a" / "requirements.txt").write_text("numpy\ntensorflow-gpu==1.4.0\n")
    (tmp_path / "a" / "src" / "train.py").write_text("import tensorflow as tf\n")
    (tmp_path / "a" / "inner" / ".git").mkdir(parents=True)
    (tmp_path / "a" / "inner" / "net.py").write_text("from tensorflow.contrib import slim\n")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "train.ipynb").write_text('{"cells": [{"source": [\n "import tensorflow as tf\\n"]}]}\n')
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "main.py").write_text("import torch  # not import tensorflow\n")
    items = by_path(tmp_path, scanned(tmp_path))
    assert {path: (item.kind, item.release, item.files) for path, item in items.items()} == {
        "a": (Kind.REPOSITORY, "==1.4.0", 2),
        "a/inner": (Kind.REPOSITORY, None, 1),
        "c": (Kind.REPOSITORY, None, 1),
    }


def test_files_that_are_no_models_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "labels.pbtxt").write_text('item { id: 1 name: "cat" }\n')
    (tmp_path / "batches.meta").write_bytes(b"\x80\x02}q\x01.")
    (tmp_path / "train-00000-of-00002").write_bytes(b"\x05" + bytes(40))
    (tmp_path / "words.index").write_text("a 1\nb 2\n")
    (tmp_path / "notes.txt").write_text("node { }\n")
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "gone"\n')
    assert scanned(tmp_path) == []
