"""Checkpoints and graphs are found by their content; those here were written by genuine TensorFlow."""

from __future__ import annotations

import shutil
from pathlib import Path

from tf2bridge.migration.artifacts import Kind, find

LEGACY = Path(__file__).parents[3] / "fixtures/legacy"


def found(root: Path) -> set[tuple[Kind, str]]:
    return {(artifact.kind, artifact.path.as_posix()) for artifact in find(root)}


def test_a_checkpoint_and_its_metagraph() -> None:
    assert found(LEGACY / "mnist_towers") == {
        (Kind.CHECKPOINT_V2, "genuine/run/model.ckpt-24"),
        (Kind.METAGRAPH, "genuine/run/model.ckpt-24.meta"),
    }


def test_every_form_of_a_graph() -> None:
    kinds = {kind for kind, _ in found(LEGACY / "generator_freeze")}
    assert {Kind.GRAPH, Kind.METAGRAPH, Kind.SAVED_MODEL, Kind.CHECKPOINT_V2} <= kinds


def test_v1_checkpoints_have_no_index(tmp_path: Path) -> None:
    v1 = [artifact for artifact in find(LEGACY / "saver_swap") if artifact.kind is Kind.CHECKPOINT_V1]
    assert v1
    shutil.copy(LEGACY / "saver_swap" / v1[0].path, tmp_path / "any_name")
    assert found(tmp_path) == {(Kind.CHECKPOINT_V1, "any_name")}


def test_sizes_count_the_data_of_a_checkpoint() -> None:
    [checkpoint] = [a for a in find(LEGACY / "mnist_towers") if a.kind is Kind.CHECKPOINT_V2]
    files = (LEGACY / "mnist_towers/genuine/run").glob("model.ckpt-24.[id]*")
    assert checkpoint.size == sum(path.stat().st_size for path in files)


def test_other_files_are_not_taken_for_graphs(tmp_path: Path) -> None:
    (tmp_path / "a.pb").write_bytes(b"\x08\x01\x12\x04data")
    (tmp_path / "b.pbtxt").write_text("item { name: 'x' }")
    (tmp_path / "c.meta").write_text("text")
    (tmp_path / "d.index").write_bytes(b"")
    assert found(tmp_path) == set()


def test_links_are_followed_within_the_tree_and_not_out_of_it(tmp_path: Path) -> None:
    graph = next(a.path for a in find(LEGACY / "generator_freeze") if a.kind is Kind.GRAPH)
    (tmp_path / "tree").mkdir()
    for name in ("outside.pb", "tree/inside.pb"):
        shutil.copy(LEGACY / "generator_freeze" / graph, tmp_path / name)
    (tmp_path / "tree/leads_out.pb").symlink_to("../outside.pb")
    (tmp_path / "tree/stays.pb").symlink_to("inside.pb")
    (tmp_path / "tree/circle.pb").symlink_to("circle.pb")
    assert found(tmp_path / "tree") == {(Kind.GRAPH, "inside.pb"), (Kind.GRAPH, "stays.pb")}
