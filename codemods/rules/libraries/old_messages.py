"""LIB026: protocol buffer modules that a protoc before 3.20 generated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.old_messages import BUILDING, is_of_library, old_message
from codemods.rule import Example, Hit, Rule, Safety

_MESSAGE = "protobuf 4 refuses the descriptors of a protoc before 3.20; the serialized file makes the same messages"


def find(module: ast.Module, context: Context) -> Iterator[Hit]:
    """Yields one visible hit, on the statement that makes the descriptor, and silent hits on those that use it."""
    old = old_message(module)
    if old is None:
        return
    place, serialized = old
    for before in filter(is_of_library, module.body[:place]):
        yield Hit(before, _MESSAGE, rewrite="", together=module, silent=True, alone=True)
    building = BUILDING.replace("SERIALIZED", context.source(serialized))
    yield Hit(module.body[place], _MESSAGE, rewrite=building, together=module, alone=True)
    for after in module.body[place + 1 :]:
        yield Hit(after, _MESSAGE, rewrite="", together=module, silent=True, alone=True)


rule = Rule(
    code="LIB026",
    name="old-messages",
    summary="*_pb2.py of an old protoc -> messages built from the serialized file, as protoc writes them today",
    why="protobuf 4 raises an error for a module that a protoc before 3.20 generated. The module contains the "
    "serialized file of its .proto, from which protobuf builds the same messages. A new run of protoc gives the same.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example(
            "import sys\nfrom google.protobuf import descriptor as _descriptor\n"
            "DESCRIPTOR = _descriptor.FileDescriptor(\n  name='a.proto',\n  serialized_pb=b'\\n\\x07a.proto'\n)\n"
            "_A = _descriptor.Descriptor(name='A', file=DESCRIPTOR)\n",
            f"import sys\n{BUILDING}\n".replace("SERIALIZED", "b'\\n\\x07a.proto'"),
        ),
        Example("from google.protobuf import descriptor_pool\nDESCRIPTOR = descriptor_pool.Default()\n"),
    ),
)
