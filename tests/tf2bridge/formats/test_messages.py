"""The messages of graph and checkpoint files are those that TensorFlow itself declares, and need no TensorFlow."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from google.protobuf import descriptor_pool, text_format
from tensorflow.core.framework import graph_pb2

from tests.tf2bridge.graph.recorded import ALL, unpacked
from tf2bridge.formats import messages

PACKAGE = "tensorflow"
OTHERS = {"FunctionDef.Node", "ModuleAttachment"}
"""Messages that TensorFlow 2.21 does not declare: one of 0.12, one of TensorFlow Hub (module_attachment.proto)."""


@pytest.mark.parametrize("name", sorted(messages._MESSAGES.keys() - OTHERS))
def test_every_field_is_as_tensorflow_declares_it(name: str) -> None:
    theirs = tensorflows_pool().FindMessageTypeByName(f"{PACKAGE}.{name}").fields_by_name
    for field in messages.own(name).DESCRIPTOR.fields:
        if field.message_type is None or field.message_type.full_name.removeprefix(f"{PACKAGE}.") not in OTHERS:
            assert described(field) == described(theirs[field.name])


def tensorflows_pool() -> Any:
    """Where TensorFlow's messages are, those of checkpoints too, which it does not import of itself."""
    import tensorflow as tf  # noqa: F401
    from tensorflow.core.protobuf import tensor_bundle_pb2  # noqa: F401
    from tensorflow.core.util import saved_tensor_slice_pb2  # noqa: F401

    return descriptor_pool.Default()


def described(field: Any) -> tuple[object, ...]:
    message, enum, group = field.message_type, field.enum_type, field.containing_oneof
    return (
        field.number,
        field.type,
        field.is_repeated,
        message.full_name if message is not None else None,
        message.GetOptions().map_entry if message is not None else None,
        enum.full_name if enum is not None else None,
        group.name.removesuffix("_hack") if group is not None else None,  # 2.21 renamed one
    )


@pytest.mark.parametrize("name", sorted(messages._ENUMS))
def test_every_value_is_as_tensorflow_declares_it(name: str) -> None:
    theirs = tensorflows_pool().FindEnumTypeByName(f"{PACKAGE}.{name}").values_by_name
    for value, number in messages._ENUMS[name].items():
        assert theirs[value].number == number


@pytest.mark.parametrize("name", ["0.12.1/mlp_adam", "1.15.5/rnn_lstm"])
def test_what_is_read_is_written_again_byte_for_byte(name: str, tmp_path_factory: Any) -> None:
    assert name in ALL
    model = unpacked(name, tmp_path_factory.getbasetemp())
    ours, theirs = messages.own("GraphDef")(), graph_pb2.GraphDef()
    for message in (ours, theirs):
        message.ParseFromString((model.folder / "frozen.pb").read_bytes())
    assert ours.SerializeToString(deterministic=True) == theirs.SerializeToString(deterministic=True)
    assert text_format.MessageToString(ours) == text_format.MessageToString(theirs)


@pytest.mark.parametrize(
    "number, name", [(1, "float32"), (101, "float32"), (19, "float16"), (7, "string"), (99, "unknown")]
)
def test_the_names_of_types(number: int, name: str) -> None:
    assert messages.type_name(number) == name


def test_tensorflow_is_not_imported() -> None:
    code = (
        "import sys; from tf2bridge.formats import messages; "
        "messages.own('GraphDef'); assert 'tensorflow' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
