"""Pictures and logs of a graph: what they hold, that large graphs stay small to look at, that a browser draws them."""

from __future__ import annotations

import html.parser
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from click.testing import CliRunner

from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.cli import cli
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.formats.graphs.scopes import Scope, opened, tree
from tf2bridge.formats.kinds import Kind
from tf2bridge.formats.messages import own
from tf2bridge.graph.read_runnable import read_runnable


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.12.3/mlp_adam", tmp_path_factory.getbasetemp())


def inspect(*arguments: object) -> str:
    done = CliRunner().invoke(cli, ["inspect", *map(str, arguments)], standalone_mode=False)
    assert done.exception is None, done.exception
    return str(done.stdout)


def nodes(*names: str, op: str = "Add", inputs: tuple[str, ...] = ("x",)) -> list[Any]:
    return [own("NodeDef")(name=name, op=op, input=inputs) for name in names]


def drawn(page: str) -> Any:
    """What a page is to draw."""
    match = re.search(r'<script type="application/json" id="graph">(.*?)</script>', page)
    assert match is not None
    return json.loads(match[1])


def labels(scope: Scope) -> list[str]:
    return [part.label for part in scope.parts]


def test_scopes_are_those_of_the_names() -> None:
    root = tree(nodes("x", "layer/w", "layer/w/read", "layer/y", "y"))
    assert labels(root) == ["x", "layer", "y"]
    assert labels(root.parts[1]) == ["w", "y"]
    assert labels(root.parts[1].parts[0]) == ["w", "read"]
    assert [node.name for node in root.nodes()] == ["x", "layer/w", "layer/w/read", "layer/y", "y"]


def test_scopes_that_only_a_number_tells_apart_are_put_together() -> None:
    root = tree(nodes("x", *(f"block_{number}/y" for number in range(30))))
    assert labels(root) == ["x", "30 x block_*"]
    assert labels(root.parts[1])[:2] == ["block_0", "block_1"]


def test_constants_are_put_together_and_what_computes_stays_in_order() -> None:
    names = [f"step_{number}" for number in range(60)]
    root = tree(nodes(*names) + nodes(*(f"c_{number}" for number in range(9)), op="Const", inputs=()))
    assert "9 x Const" in labels(root.parts[-1])
    assert [node.name for node in root.nodes()][:60] == names


@pytest.mark.parametrize("names", [[f"n{i}" for i in range(3000)], [f"s{i}/a/b" for i in range(500)]])
def test_no_scope_has_more_parts_than_one_can_look_at(names: list[str]) -> None:
    root = tree(nodes(*names))
    pending = [root]
    while pending:
        scope = pending.pop()
        assert len(scope.parts) <= 40
        pending += scope.parts
    assert sorted(node.name for node in root.nodes()) == sorted(names)
    assert len(opened(root, 30)) < 30


def test_a_page_holds_every_node_and_edge_and_needs_no_network(mlp: Recorded, tmp_path: Path) -> None:
    inspect(mlp.folder / "saved_model", "--html", tmp_path / "graph.html")
    page = (tmp_path / "graph.html").read_text()
    html.parser.HTMLParser().feed(page)
    assert not re.search(r"(src|href)=|@import|url\((?!#)|https?://(?!www\.w3\.org/2000/svg)", page)
    graph_def = read(mlp.folder / "saved_model").graph_def
    data = drawn(page)
    names = [part["n"] for part in data["parts"] if "op" in part]
    assert sorted(names) == sorted(node.name for node in graph_def.node)
    parts = data["parts"]
    joined = {(parts[start]["n"], parts[end]["n"]) for start, end, _ in data["edges"]}
    assert joined == {
        (source.removeprefix("^").partition(":")[0], node.name) for node in graph_def.node for source in node.input
    }
    roles = {part["n"]: part["r"] for part in parts if "r" in part}
    assert roles == {"x": "input", "labels": "input", "logits": "output", "loss": "output"}
    assert next(part for part in parts if part.get("n") == "x")["out"] == ["float32 [?, 4]"]


def test_names_cannot_break_out_of_a_page(tmp_path: Path) -> None:
    graph_def = own("GraphDef")(node=nodes("x", op="Placeholder", inputs=()) + nodes("</script><b>y"))
    (tmp_path / "a.pb").write_bytes(graph_def.SerializeToString())
    inspect(tmp_path / "a.pb", "--html", tmp_path / "a.html", "--dot", tmp_path / "a.dot")
    assert "</script><b>" not in (tmp_path / "a.html").read_text()
    assert r'"</script><b>y" [label="script><b>y\nAdd"]' in (tmp_path / "a.dot").read_text()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser")
def test_a_browser_draws_it(mlp: Recorded, tmp_path: Path) -> None:
    inspect(mlp.folder / "model.ckpt.meta", "--html", tmp_path / "graph.html")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
    done = subprocess.run(
        [*command, f"file://{tmp_path}/graph.html"], capture_output=True, text=True, timeout=120, check=False
    )
    if not done.stdout:
        pytest.skip(f"the browser does not start here: {done.stderr[-300:]}")
    count = len(read(mlp.folder / "model.ckpt.meta").graph_def.node)
    assert re.search(rf"{count} nodes, \d+ of them not hidden, in \d+ boxes", done.stdout)
    for label in ("x", "MatMul", "loss"):
        assert f">{label}</text>" in done.stdout


def test_graphviz_sees_scopes_as_clusters_and_large_ones_as_boxes(mlp: Recorded, tmp_path: Path) -> None:
    inspect(mlp.folder / "frozen.pb", "--dot", tmp_path / "small.dot")
    small = (tmp_path / "small.dot").read_text()
    assert 'subgraph "cluster_hidden" { label="hidden";' in small
    assert '"x" -> "MatMul";' in small
    assert small.count("{") == small.count("}")
    many = own("GraphDef")(node=nodes("x", *(f"block_{i}/{j}" for i in range(90) for j in range(50))))
    (tmp_path / "large.pb").write_bytes(many.SerializeToString())
    inspect(tmp_path / "large.pb", "--dot", tmp_path / "large.dot")
    assert len((tmp_path / "large.dot").read_text().splitlines()) < 400
    if dot := shutil.which("dot"):
        assert subprocess.run([dot, "-Tsvg", tmp_path / "small.dot"], capture_output=True, check=False).returncode == 0


def test_a_log_is_what_tensorboard_reads(mlp: Recorded, tmp_path: Path) -> None:
    inspect(mlp.folder / "model.ckpt.meta", "--tensorboard", tmp_path / "logs")
    (path,) = (tmp_path / "logs").iterdir()
    first, second = tf.compat.v1.train.summary_iterator(str(path))
    assert first.file_version == "brain.Event:2"
    original = read_runnable(mlp.folder / "model.ckpt.meta").graph_def
    assert type(original).FromString(second.graph_def) == original
    again = read_runnable(tmp_path / "logs")
    assert (again.kind, again.graph_def) == (Kind.EVENTS, original)


def test_a_damaged_log_is_refused_and_a_stopped_one_read(mlp: Recorded, tmp_path: Path) -> None:
    inspect(mlp.folder / "frozen.pb", "--tensorboard", tmp_path / "logs")
    (path,) = (tmp_path / "logs").iterdir()
    content = path.read_bytes()
    for place in range(0, len(content), len(content) // 50):
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(Exception, match=r"events\.out.*(checksum|cut off|no graph)"):
            read(path)
    path.write_bytes(content + content[:20])
    assert read(path).graph_def == read(mlp.folder / "frozen.pb").graph_def
    path.write_bytes(content[:-20])
    with pytest.raises(DamagedGraphError, match="cut off before the graph"):
        read(path)


def test_inputs_outputs_and_tags_may_be_named(mlp: Recorded) -> None:
    facts = json.loads(inspect(mlp.folder / "model.ckpt", "--outputs", "logits", "--output-format", "json"))
    assert [input_["name"] for input_ in facts["inputs"]] == ["x"]
    assert facts["found by"] == "as asked"
    done = CliRunner().invoke(cli, ["inspect", str(mlp.folder / "saved_model"), "--tags", "train"])
    assert "no graph has just the tags train; name the tags of one: serve" in str(done.exception)
