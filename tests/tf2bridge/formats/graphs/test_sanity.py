"""What a damaged graph says twice or never said is found when the file is read: nothing of it is passed over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import types_pb2

from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.formats.graphs.parsing import OWN, MessageClasses
from tf2bridge.formats.graphs.reader import read
from tf2bridge.formats.graphs.refusals import DamagedGraphError
from tf2bridge.graph.read_runnable import TENSORFLOWS, read_runnable

BOTH = (OWN, TENSORFLOWS)


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.15.5/mlp_sgd", tmp_path_factory.getbasetemp())


def frozen(mlp: Recorded) -> Any:
    return read_runnable(mlp.folder / "frozen.pb").graph_def


def text(mlp: Recorded) -> str:
    return str(text_format.MessageToString(frozen(mlp)))


@pytest.mark.parametrize("field", ["tensor_content", "attr", "input", "type", "op"])
def test_a_misspelt_field_of_a_text_is_an_error(field: str, mlp: Recorded, tmp_path: Path) -> None:
    """Left out of account, the weights would be zeros, and an input gone."""
    path = tmp_path / "graph.pbtxt"
    path.write_text(text(mlp).replace(f" {field}", f" {field.capitalize()}"))
    with pytest.raises(DamagedGraphError, match=rf'has no field named "{field.capitalize()}"'):
        read_runnable(path)


def test_fields_that_no_release_wrote_are_an_error(mlp: Recorded, tmp_path: Path) -> None:
    unknown = b"\xf8\x7f\x01"  # field 2047 as a number
    for change in (add_to_graph, add_to_node, add_to_value, add_to_shape):
        graph_def = frozen(mlp)
        change(graph_def, unknown)
        path = tmp_path / f"{change.__name__}.pb"
        path.write_bytes(graph_def.SerializeToString())
        with pytest.raises(DamagedGraphError, match="fields that no release of TensorFlow wrote"):
            read_runnable(path)
        graph_def.versions.producer = 1 << 30  # a later release may have more fields
        path.write_bytes(graph_def.SerializeToString())
        assert read_runnable(path).graph_def.versions.producer == 1 << 30


def add_to_graph(graph_def: Any, unknown: bytes) -> None:
    graph_def.MergeFromString(unknown)


def add_to_node(graph_def: Any, unknown: bytes) -> None:
    graph_def.node[3].MergeFromString(unknown)


def add_to_value(graph_def: Any, unknown: bytes) -> None:
    next(node for node in graph_def.node if node.op == "Const").attr["value"].tensor.MergeFromString(unknown)


def add_to_shape(graph_def: Any, unknown: bytes) -> None:
    next(node for node in graph_def.node if node.op == "Placeholder").attr["shape"].shape.MergeFromString(unknown)


@pytest.mark.parametrize("bytes_held", [64, 1 << 18])
@pytest.mark.parametrize("dimensions", [0, 1, 2, 3])
@pytest.mark.parametrize("part", ["node", "attr", "tensor", "shape", "dim", "handle", "variant"])
def test_each_part_of_a_constant_is_looked_at(part: str, dimensions: int, bytes_held: int, tmp_path: Path) -> None:
    graph_def = tf.compat.v1.GraphDef()
    node = graph_def.node.add(name="c", op="Const")
    node.attr["dtype"].type = types_pb2.DT_UINT8
    tensor = node.attr["value"].tensor
    tensor.tensor_content = bytes(bytes_held)
    for _ in range(dimensions):
        tensor.tensor_shape.dim.add(size=1)
    parts = {
        "node": node,
        "attr": node.attr["dtype"],
        "tensor": tensor,
        "shape": tensor.tensor_shape,
        "dim": tensor.tensor_shape.dim[-1] if dimensions else tensor.tensor_shape.dim.add(),
        "handle": tensor.resource_handle_val.add(),
        "variant": tensor.variant_val.add(),
    }
    path = tmp_path / "graph.pb"
    path.write_bytes(graph_def.SerializeToString())
    read_runnable(path)
    parts[part].MergeFromString(b"\xf8\x7f\x01")
    path.write_bytes(graph_def.SerializeToString())
    with pytest.raises(DamagedGraphError, match="fields that no release of TensorFlow wrote"):
        read_runnable(path)


@pytest.mark.parametrize("classes", BOTH, ids=["own", "TensorFlow's"])
def test_sizes_below_minus_one_are_an_error(classes: MessageClasses, mlp: Recorded, tmp_path: Path) -> None:
    graph_def = frozen(mlp)
    next(node for node in graph_def.node if node.op == "Placeholder").attr["shape"].shape.dim[0].size = -9
    (tmp_path / "frozen.pb").write_bytes(graph_def.SerializeToString())
    with pytest.raises(DamagedGraphError, match="has a dimension of size -9"):
        read(tmp_path / "frozen.pb", classes=classes)


def other_type(info: Any) -> None:
    info.dtype = 3


def other_rank(info: Any) -> None:
    info.tensor_shape.dim.add(size=4)


def other_size(info: Any) -> None:
    info.tensor_shape.dim[1].size += 1


@pytest.mark.parametrize("classes", BOTH, ids=["own", "TensorFlow's"])
@pytest.mark.parametrize("change", [other_type, other_rank, other_size])
def test_a_signature_that_contradicts_its_graph_is_an_error(
    change: Callable[[Any], None], classes: MessageClasses, mlp: Recorded, tmp_path: Path
) -> None:
    model = TENSORFLOWS.message("SavedModel")
    model.ParseFromString((mlp.folder / "saved_model/saved_model.pb").read_bytes())
    (signature,) = model.meta_graphs[0].signature_def.values()
    change(signature.inputs["x"])
    (tmp_path / "saved_model.pb").write_bytes(model.SerializeToString())
    with pytest.raises(DamagedGraphError, match=r"a signature says .* x:0"):
        read(tmp_path, classes=classes)


def test_what_genuine_releases_wrote_is_sound(tmp_path_factory: Any) -> None:
    for name in ("0.12.1/function_library", "1.4.1/table_columns", "1.12.3/estimator_export", "1.15.5/rnn_lstm"):
        model = unpacked(name, tmp_path_factory.getbasetemp())
        for path in (*model.folder.rglob("*.pb"), *model.folder.rglob("*.meta")):
            for classes in BOTH:
                assert read(path, classes=classes).graph_def.node
