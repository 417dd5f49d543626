"""The graph of objects by which `tf.train.Checkpoint` restores attributes, and `Saver` restores full names.

The message is core/protobuf/trackable_object_graph.proto. The keys are those of python/trackable/trackable_utils.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tf2bridge.formats.checkpoints.objects import VARIABLE
from tf2bridge.formats.messages import own

_ATTRIBUTES = "/.ATTRIBUTES/"
_PLAIN = {"..": ".", ".S": "/"}
_ESCAPED = re.compile(r"\.[.S]")
SAVE_COUNTER = "save_counter"
"""The counter of checkpoints of `tf.train.Checkpoint`; `assert_consumed` requires it."""


def key_of(path: str) -> str:
    """Returns the key of the variable that the attributes of a path lead to: "model/kernel"."""
    return "/".join(map(escaped, path.split("/"))) + _ATTRIBUTES + VARIABLE


def escaped(attribute: str) -> str:
    """Returns the form of an attribute's name in a key."""
    return attribute.replace(".", "..").replace("/", ".S")


def path_of(key: str) -> str:
    """Returns a key without its end; a name that is no key is returned unchanged."""
    path, mark, _ = key.rpartition(_ATTRIBUTES)
    return "/".join(_attributes(path)) if mark else key


def object_graph(variables: Iterable[tuple[str, str]]) -> bytes:
    """Returns the serialized message for variables, given as (key, full name), with an object for each attribute.

    The key "a/b/.ATTRIBUTES/VARIABLE_VALUE" makes a variable that is attribute b of attribute a of the root.
    """
    graph = own("TrackableObjectGraph")()
    graph.nodes.add()
    numbers: dict[tuple[str, ...], int] = {(): 0}
    for key, full_name in variables:
        path, _, attribute = key.rpartition(_ATTRIBUTES)
        at: tuple[str, ...] = ()
        for name in _attributes(path):
            parent, at = numbers[at], (*at, name)
            if at not in numbers:
                numbers[at] = len(graph.nodes)
                graph.nodes.add()
                graph.nodes[parent].children.add(node_id=numbers[at], local_name=name)
        graph.nodes[numbers[at]].attributes.add(name=attribute, full_name=full_name, checkpoint_key=key)
    message: bytes = graph.SerializeToString()
    return message


def _attributes(path: str) -> list[str]:
    """Returns the names of attributes in a key, in which ".S" stands for "/" and ".." for "."."""
    return [_ESCAPED.sub(lambda match: _PLAIN[match[0]], part) for part in path.split("/")]
