"""The commands that a fleet can do, the kinds of items that they take, and their command lines for one item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tf2bridge.fleet.inventory import Kind

_GRAPHS = frozenset({Kind.FROZEN, Kind.GRAPH, Kind.METAGRAPH, Kind.SAVED_MODEL, Kind.HUB})
_ARRAYS = frozenset({Kind.CHECKPOINT, Kind.KERAS, Kind.ARRAYS, Kind.SAFETENSORS})
NOT_LOOKED_INTO = frozenset({Kind.ARCHIVE, Kind.FOLDER, Kind.FILE})
"""Kinds of which the inventory says why nothing is known of them."""
_ANY = frozenset(Kind) - NOT_LOOKED_INTO - {Kind.REPOSITORY}

_JSON = ("--output-format", "json")
_OF_MIGRATION = ("--html", "report.html", "--patch-out", "changes.patch", "--sarif", "findings.sarif", "--jobs", "1")
_SUFFIXES = {"safetensors": ".safetensors", "keras": ".keras", "weights.h5": ".weights.h5", "npz": ".npz"}
_OF_EXPORT = {"frozen": ".pb", "tflite": ".tflite"}


@dataclass(frozen=True)
class Verb:
    """A command of tf2bridge that a fleet can do.

    Attributes:
        kinds: the kinds of items that it takes.
        arguments: its arguments after the options, from an item's path and the name of what it writes.
        own: options that the fleet sets itself.
        written: the name of what it writes, from the values of its options; "" if it writes nothing.
        keeps_apart: whether each item needs a fresh process, because the command leaves state in TensorFlow.
        by_path: whether its result depends on where an item is, so that equal items are not done once for all.
        writes_beside: whether it writes beside an item, which archives and stores do not allow.
    """

    kinds: frozenset[Kind]
    arguments: Callable[[str, str], Sequence[str]]
    own: Sequence[str]
    written: Callable[[Mapping[str, Any]], str] = lambda _: ""
    keeps_apart: bool = False
    by_path: bool = False
    writes_beside: bool = False


def _path_alone(path: str, _written: str) -> Sequence[str]:
    return (*_JSON, "--", path)


VERBS = {
    "convert": Verb(
        _ARRAYS,
        lambda path, written: (*_JSON, "--", path, written),
        ("--output-format", "--max-to-keep", "--link", "--force"),
        written=lambda options: "model" + _SUFFIXES.get(options["form"], ""),
    ),
    "export": Verb(
        _GRAPHS | {Kind.CHECKPOINT},
        lambda path, written: ("--", path, written),
        ("--force", "--sha256"),
        written=lambda options: "model" + _OF_EXPORT.get(options["form"], ""),
        keeps_apart=True,
    ),
    "decompile": Verb(
        _GRAPHS | {Kind.CHECKPOINT},
        lambda path, written: ("--output", written, *_JSON, "--", path),
        ("--output", "-o", "--output-format"),
        written=lambda _: "model",
        keeps_apart=True,
    ),
    "seal": Verb(_ANY, _path_alone, ("--output-format",), by_path=True, writes_beside=True),
    "audit": Verb(_GRAPHS | {Kind.CHECKPOINT, Kind.EVENTS}, _path_alone, ("--output-format",)),
    "compare": Verb(
        _ANY - {Kind.EVENTS, Kind.TFLITE},
        lambda path, other: (*_JSON, "--", path, other),
        ("--output-format", "--html", "--save-inputs"),
        by_path=True,
    ),
    "migrate": Verb(
        frozenset({Kind.REPOSITORY}),
        lambda path, written: ("--output", written, *_JSON, *_OF_MIGRATION, "--", path),
        ("--output", "--output-format", "--html", "--patch-out", "--sarif", "--jobs"),
        written=lambda _: "tree",
        keeps_apart=True,
    ),
}
