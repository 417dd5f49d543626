"""The content of a file parsed into messages, as bytes or as text, and checked; functions of 0.12 in today's form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import DecodeError

from tf2bridge.formats import messages
from tf2bridge.formats.graphs import sanity
from tf2bridge.formats.graphs.old_functions import listed
from tf2bridge.formats.graphs.refusals import DamagedGraphError, NoGraphError
from tf2bridge.formats.kinds import first_field

_MOST_GRAPHS = 1000
"""In a SavedModel, which has one for each set of tags."""


class MessageClasses:
    """The classes that a file is parsed into: ours, which are enough to look at a graph.

    A subclass has classes of TensorFlow, and does what a graph needs before it may run.
    """

    def message(self, name: str) -> Any:
        """Returns a new message by its name, as "GraphDef"."""
        return messages.own(name)()

    def merge_text(self, message: Any, text: str) -> None:
        """Parses a text into a message. Our classes do not know all fields, and pass over those."""
        merge_text(message, text, allow_unknown=True)

    def check(self, path: Path, message: Any, content: bytes) -> None:
        """Raises DamagedGraphError if the message, parsed from this content, has fields that no release wrote."""

    def settle(self, path: Path, message: Any, graph_def: Any, content: bytes) -> None:  # noqa: ARG002 (of a subclass)
        """Changes one graph of a message, parsed from this content, into what can be used; in place."""
        listed(graph_def)


OWN = MessageClasses()


def parsed(path: Path, name: str, content: bytes, classes: MessageClasses) -> Any:
    """Returns the message of this name in the content of a file. Raises DamagedGraphError, NoGraphError."""
    message = merged(path, name, content, classes)
    if sum(1 for _ in islice(graphs_in(message), _MOST_GRAPHS + 1)) > _MOST_GRAPHS:
        raise DamagedGraphError(path, f"it holds more than {_MOST_GRAPHS} graphs")
    classes.check(path, message, content)
    for graph_def in graphs_in(message):
        if not sanity.check(path, graph_def):
            raise NoGraphError(path)
        classes.settle(path, message, graph_def, content)
    return message


def merged(path: Path, name: str, content: bytes, classes: MessageClasses) -> Any:
    """Returns the message of this name in the content of a file, not checked. Raises DamagedGraphError."""
    message = classes.message(name)
    try:
        if first_field(content):
            classes.merge_text(message, content.decode())
        else:
            message.ParseFromString(content)
    except (DecodeError, text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedGraphError(path, str(error).splitlines()[0]) from error
    return message


def merge_text(message: Any, text: str, allow_unknown: bool) -> None:
    """Parses a text into a message, with names of its own pool. Raises ParseError."""
    pool = message.DESCRIPTOR.file.pool
    text_format.Parse(text, message, allow_unknown_field=allow_unknown, descriptor_pool=pool)


def graphs_in(message: Any) -> Iterator[Any]:
    """Gives the graphs in a message: itself, that of a metagraph, or those of a SavedModel."""
    if message.DESCRIPTOR.name == "GraphDef":
        yield message
    elif message.DESCRIPTOR.name == "MetaGraphDef":
        yield message.graph_def
    else:
        yield from (meta.graph_def for meta in message.meta_graphs)
