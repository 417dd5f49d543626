"""The graph of objects that `tf.train.Checkpoint` needs to restore by attributes, and `Saver` by full names.

The message is core/protobuf/trackable_object_graph.proto; the keys are those of python/trackable/trackable_utils.py.
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
"""What `tf.train.Checkpoint` counts its checkpoints by, which `assert_consumed` asks for."""


def key_of(path: str) -> str:
    """Returns the key of the variable that is reached by the attributes of a path: "model/kernel"."""
    return "/".join(map(escaped, path.split("/"))) + _ATTRIBUTES + VARIABLE


def escaped(attribute: str) -> str:
    """Returns how the name of an attribute stands in a key."""
    return attribute.replace(".", "..").replace("/", ".S")


def path_of(key: str) -> str:
    """Returns what a key says without its end; a name that is no key as it is."""
    path, mark, _ = key.rpartition(_ATTRIBUTES)
    return "/".join(_attributes(path)) if mark else key


def object_graph(variables: Iterable[tuple[str, str]]) -> bytes:
    """Returns the message, serialized, for variables given as (key, full name), an object for each attribute on a way.

    Key "a/b/.ATTRIBUTES/VARIABLE_VALUE" makes a variable that is attribute b of attribute a of the root.
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
    """The names of attributes in a key, in which ".S" stands for "/" and ".." for "."."""
    return [_ESCAPED.sub(lambda match: _PLAIN[match[0]], part) for part in path.split("/")]
