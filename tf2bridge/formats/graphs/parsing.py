"""Parses and checks the messages of a graph file, in binary or text form."""

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
"""The limit of graphs in a SavedModel, which has one for each set of tags."""


class MessageClasses:
    """The message classes that a file is parsed into. They need no TensorFlow, and are enough to inspect a graph.

    A subclass uses TensorFlow's classes, and prepares a graph to run.
    """

    def message(self, name: str) -> Any:
        """Returns a new message by its name, such as "GraphDef"."""
        return messages.own(name)()

    def merge_text(self, message: Any, text: str) -> None:
        """Parses a text into a message. Fields that the classes do not know are ignored."""
        merge_text(message, text, allow_unknown=True)

    def check(self, path: Path, message: Any, content: bytes) -> None:
        """Raises DamagedGraphError if the message, parsed from this content, has fields that no release wrote."""

    def settle(self, path: Path, message: Any, graph_def: Any, content: bytes) -> None:  # noqa: ARG002 (of a subclass)
        """Converts one graph of a message, parsed from this content, into a usable form, in place."""
        listed(graph_def)


OWN = MessageClasses()


def parsed(path: Path, name: str, content: bytes, classes: MessageClasses) -> Any:
    """Returns the checked message of this type in the content of a file. Raises DamagedGraphError, NoGraphError."""
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
    """Returns the unchecked message of this type in the content of a file. Raises DamagedGraphError."""
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
    """Parses a text into a message, with the types of the message's own pool. Raises ParseError."""
    pool = message.DESCRIPTOR.file.pool
    text_format.Parse(text, message, allow_unknown_field=allow_unknown, descriptor_pool=pool)


def graphs_in(message: Any) -> Iterator[Any]:
    """Yields the graphs of a message: a GraphDef itself, the graph of a metagraph, or those of a SavedModel."""
    if message.DESCRIPTOR.name == "GraphDef":
        yield message
    elif message.DESCRIPTOR.name == "MetaGraphDef":
        yield message.graph_def
    else:
        yield from (meta.graph_def for meta in message.meta_graphs)
