"""The message HParamDef (contrib/training/python/training/hparam.proto), which TensorFlow 2 does not have."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Any

_KINDS = {"int64": (1, 4, 3), "float": (2, 5, 2), "bytes": (3, 6, 12), "bool": (7, 8, 8)}
"""Kind -> (number of its field, number of the field of its list, type of the field as in descriptor.proto)."""


@functools.cache
def message_class() -> Any:
    """Returns the class of the message."""
    descriptor_pb2, descriptor_pool, message_factory = (
        importlib.import_module(f"google.protobuf.{name}")
        for name in ("descriptor_pb2", "descriptor_pool", "message_factory")
    )

    file = descriptor_pb2.FileDescriptorProto(name="tf2bridge/hparam.proto", package="tensorflow", syntax="proto3")
    hparam_def = file.message_type.add(name="HParamDef")
    kind_message = hparam_def.nested_type.add(name="HParamType")
    kind_message.oneof_decl.add(name="kind")
    for kind, (number, list_number, kind_type) in _KINDS.items():
        values = hparam_def.nested_type.add(name=f"{kind.capitalize()}List")
        values.field.add(name="value", number=1, label=3, type=kind_type)
        kind_message.field.add(name=f"{kind}_value", number=number, label=1, type=kind_type, oneof_index=0)
        named = f".tensorflow.HParamDef.{kind.capitalize()}List"
        kind_message.field.add(
            name=f"{kind}_list", number=list_number, label=1, type=11, type_name=named, oneof_index=0
        )
    entry = hparam_def.nested_type.add(name="HparamEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=1, type=9)
    entry.field.add(name="value", number=2, label=1, type=11, type_name=".tensorflow.HParamDef.HParamType")
    hparam_def.field.add(name="hparam", number=1, label=3, type=11, type_name=".tensorflow.HParamDef.HparamEntry")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("tensorflow.HParamDef"))


def message(values: Mapping[str, Any], types: Mapping[str, tuple[type, bool]]) -> Any:
    """Returns the message of `values`. `types` is {name: (type, True for several values)}.

    Raises:
        ValueError: a type is not bool, int, str, bytes or float.
    """
    hparam_def = message_class()()
    for name, value in values.items():
        kind = _kind(types[name][0])
        encoded = [
            element.encode() if isinstance(element, str) else element
            for element in (value if types[name][1] else [value])
        ]
        if types[name][1]:
            getattr(hparam_def.hparam[name], f"{kind}_list").value.extend(encoded)
        else:
            setattr(hparam_def.hparam[name], f"{kind}_value", encoded[0])
    return hparam_def


def values(hparam_def: Any) -> dict[str, Any]:
    """Returns {name: value} of a message, with bytes decoded. As in 1.15, other objects raise AssertionError."""
    if not hasattr(hparam_def, "hparam"):
        raise AssertionError(f"hparam_def must be a HParamDef, not {type(hparam_def).__name__}")
    result = {}
    for name, stored in hparam_def.hparam.items():
        kind = stored.WhichOneof("kind")
        value = getattr(stored, kind)
        several = [_text(element) for element in (value.value if kind.endswith("_list") else [value])]
        result[name] = several if kind.endswith("_list") else several[0]
    return result


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def _kind(kind: type) -> str:
    for known, name in ((bool, "bool"), (int, "int64"), ((str, bytes), "bytes"), (float, "float")):
        if issubclass(kind, known):
            return name
    raise ValueError(f"Unsupported parameter type: {kind}; a HParamDef holds bool, int, float, str and bytes")
