"""Protocol buffer modules that an old protoc generated."""

from __future__ import annotations

import ast
from typing import Any

from google.protobuf import descriptor_pb2, timestamp_pb2

from tf2bridge.program.old_messages import with_built_messages

GENERATED = """
import sys
_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from google.protobuf import service as _service
from google.protobuf import symbol_database as _symbol_database
_sym_db = _symbol_database.Default()

from google.protobuf import timestamp_pb2 as google_dot_protobuf_dot_timestamp__pb2

DESCRIPTOR = _descriptor.FileDescriptor(
  name='old.proto', package='old', syntax='proto3',
  serialized_pb=_b({text!r}),
  dependencies=[google_dot_protobuf_dot_timestamp__pb2.DESCRIPTOR,])

_KIND = _descriptor.EnumDescriptor(name='Kind', full_name='old.Kind', file=DESCRIPTOR, values=[])
"""


def serialized() -> str:
    file = descriptor_pb2.FileDescriptorProto(name="old.proto", package="old", syntax="proto3")
    file.dependency.append(timestamp_pb2.DESCRIPTOR.name)
    kind = file.enum_type.add(name="Kind")
    kind.value.add(name="SMALL", number=0)
    kind.value.add(name="LARGE", number=1)
    thing = file.message_type.add(name="Thing")
    field = descriptor_pb2.FieldDescriptorProto
    thing.field.add(name="kind", number=1, type=field.TYPE_ENUM, label=field.LABEL_OPTIONAL, type_name=".old.Kind")
    part = thing.nested_type.add(name="Part")
    part.field.add(name="sizes", number=1, type=field.TYPE_INT32, label=field.LABEL_REPEATED)
    thing.field.add(
        name="parts", number=2, type=field.TYPE_MESSAGE, label=field.LABEL_REPEATED, type_name=".old.Thing.Part"
    )
    return file.SerializeToString().decode("latin1")


def test_messages_are_built_from_the_serialized_file() -> None:
    made: dict[str, Any] = {"__name__": "old_pb2"}
    tree = with_built_messages(ast.parse(GENERATED.format(text=serialized())))
    exec(compile(tree, "old_pb2.py", "exec"), made)  # noqa: S102  # a module that was generated
    thing = made["Thing"](kind=made["LARGE"], parts=[made["Thing"].Part(sizes=[3, 4])])
    assert made["Thing"].FromString(thing.SerializeToString()).parts[0].sizes == [3, 4]
    assert made["Kind"].Name(thing.kind) == "LARGE"
    assert made["_THING"].full_name == "old.Thing"


def test_any_other_module_stays_as_it_is() -> None:
    tree = ast.parse("DESCRIPTOR = _descriptor_pool.Default().AddSerializedFile(b'')")
    assert with_built_messages(tree) is tree
