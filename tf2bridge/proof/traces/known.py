"""Checks that a manifest has only known content. A reader would misread anything else, so it refuses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.formats.sizes import elements
from tf2bridge.proof.recording.folding import FORMAT, HEADER, VERSION

_CALL_KINDS = ("run", "callable", "partial")
_VALUE_KINDS = ("array", "string", "raw")
_LEAF = frozenset(("name", "value"))
_CALL = frozenset(
    (
        *("index", "position", "kind", "graph", "session", "thread", "via", "where", "error"),
        *("feeds", "fetches", "intermediate", "handle"),
    )
)
_GRAPH = frozenset(("member", "lines", "nodes", "seed", "random_ops", "variables"))
_VARIABLE = frozenset(("name", "dtype", "shape", "trainable", "initial", "initial_after_call", "final"))
_TWISTER = 624
"""Words of 32 bits in the state of a Mersenne Twister."""
_RANDOM = frozenset(("of", "words", "place", "gauss"))
_VALUE = frozenset(("kind", "dtype", "shape", "member", "members"))
_TEXT = str | None
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "manifest": {
        **dict.fromkeys(("tensorflow", "python", "numpy"), str),
        **dict.fromkeys(("argv", "intermediate", "notes", "graphs", "calls", "left_out", "values", "members"), list),
        "limits": dict,
        "exit": dict | None,
        "stopped": dict | None,
    },
    "member": {"name": str, "bytes": int},
    "printed": {"member": str, "cut": bool},
    "value": {"dtype": str, "shape": list},
    "graph": {"nodes": int, "seed": int | None, "random_ops": list, "variables": list},
    "variable": {"name": str, "dtype": str, "initial_after_call": int | None},
    "random op": {"name": str, "type": str, "seed": int, "seed2": int},
    "call": {
        **dict.fromkeys(("graph", "session"), int),
        "position": int | None,
        **dict.fromkeys(("thread", "via", "error"), _TEXT),
        **dict.fromkeys(("feeds", "fetches"), list),
    },
    "left out": {"calls": int, "fetches": list},
}
"""Kind of row -> the types of its fields. They are checked, because anybody can write a manifest with a valid checksum.
"""
_SUMS = ("exit", "stopped", "notes", "random", "printed", "graphs", "calls", "left_out", "values", "members")


class UnknownContentError(Exception):
    """A manifest holds what this reader does not know; the text says what."""


def check(manifest: Mapping[str, Any]) -> None:
    """Raises UnknownContentError if a manifest is not of this format and version, or holds anything else.

    References to graphs and values must be in their lists.
    """
    if manifest.get("format") != FORMAT:
        raise UnknownContentError(f"its format is {manifest.get('format')!r}, not {FORMAT!r}")
    if manifest.get("version") != VERSION:
        raise UnknownContentError(f"it is of version {manifest.get('version')!r}; this reader knows version {VERSION}")
    _keys("manifest", manifest, frozenset((*HEADER, *_SUMS, "sha256")))
    _typed("manifest", manifest)
    for name in ("argv", "intermediate", "notes"):
        _texts(name, manifest[name])
    _ends(manifest)
    for row in manifest["left_out"]:
        _typed("left out", row)
        _texts("fetches", row["fetches"])
    for row in manifest["members"]:
        _typed("member", row)
    members = {row["name"] for row in manifest["members"]}
    _added_later(manifest, members)
    for row in manifest["values"]:
        _value(row, members)
    for row in manifest["graphs"]:
        _graph(row, members, len(manifest["values"]))
    for number, row in enumerate(manifest["calls"]):
        _call(number, row, len(manifest["graphs"]), len(manifest["values"]))


def _added_later(manifest: Mapping[str, Any], members: set[str]) -> None:
    """Checks what the first recorders of this version did not write."""
    for row in manifest.get("random", ()):
        _random(row)
    if "printed" in manifest:
        _keys("printed", manifest["printed"], frozenset(_TYPES["printed"]))
        _typed("printed", manifest["printed"])
        _present(manifest["printed"]["member"], members)


def _ends(manifest: Mapping[str, Any]) -> None:
    end, stopped, every = manifest["exit"], manifest["stopped"], manifest["limits"].get("every")
    if end is not None and not (isinstance(end["status"], int) and isinstance(end["error"], _TEXT)):
        raise UnknownContentError(f"its end is {end!r}")
    if stopped is not None and not (isinstance(stopped["call"], int) and isinstance(stopped["reason"], str)):
        raise UnknownContentError(f"its stop is {stopped!r}")
    if not isinstance(every, int):
        raise UnknownContentError(f"its limits are {manifest['limits']!r}")


def _random(row: Mapping[str, Any]) -> None:
    _keys("random", row, _RANDOM)
    words = row["words"]
    if row["of"] not in ("python", "numpy") or len(words) != _TWISTER * 8 or not 0 <= row["place"] <= _TWISTER:
        raise UnknownContentError(f"its state of random numbers of {row['of']!r} is no Mersenne Twister's")
    int(words, 16)


def _value(row: Mapping[str, Any], members: set[str]) -> None:
    _keys("value", row, _VALUE)
    _typed("value", row)
    elements(row["shape"])
    if row["kind"] not in _VALUE_KINDS:
        raise UnknownContentError(f"a value is of kind {row['kind']!r}; this reader knows {', '.join(_VALUE_KINDS)}")
    for name in row["members"] if row["kind"] == "string" else [row["member"]]:
        _present(name, members)


def _graph(row: Mapping[str, Any], members: set[str], values: int) -> None:
    _keys("graph", row, _GRAPH)
    _typed("graph", row)
    for op in row["random_ops"]:
        _typed("random op", op)
    _present(row["member"], members)
    _present(row["lines"], members)
    for variable in row["variables"]:
        _keys("variable", variable, _VARIABLE)
        _typed("variable", variable)
        _reference(variable["initial"], values)
        _reference(variable["final"], values)


def _call(number: int, row: Mapping[str, Any], graphs: int, values: int) -> None:
    _keys("call", row, _CALL)
    _typed("call", row)
    where = row["where"]
    if where is not None and not (isinstance(where[0], str) and isinstance(where[1], int)):
        raise UnknownContentError(f"call {number} is made at {where!r}")
    if row["kind"] not in _CALL_KINDS:
        raise UnknownContentError(f"a call is of kind {row['kind']!r}; this reader knows {', '.join(_CALL_KINDS)}")
    if row["index"] != number or not 0 <= row["graph"] < graphs:
        raise UnknownContentError(f"call {number} is numbered {row['index']}, of graph {row['graph']} of {graphs}")
    for leaves in (row["feeds"], row["fetches"], row.get("intermediate", ())):
        for leaf in leaves:
            if leaf.keys() != _LEAF:
                _keys("leaf", leaf, _LEAF)
            _reference(leaf["value"], values)
            if type(leaf["name"]) is not str:
                raise UnknownContentError(f"call {number} names a tensor {leaf['name']!r}")


def _keys(kind: str, row: Mapping[str, Any], known: frozenset[str]) -> None:
    unknown = sorted(row.keys() - known)
    if unknown:
        raise UnknownContentError(f"a {kind} of it has {', '.join(unknown)}, which this reader does not know")


def _typed(kind: str, row: Mapping[str, Any]) -> None:
    for name, types in _TYPES[kind].items():
        if not isinstance(row[name], types):
            raise UnknownContentError(f"the {name} of a {kind} of it is {str(row[name])[:80]!r}")


def _texts(kind: str, texts: list[Any]) -> None:
    if not all(isinstance(text, str) for text in texts):
        raise UnknownContentError(f"its {kind} are {str(texts)[:80]}, and not all of them texts")


def _present(name: str, members: set[str]) -> None:
    if name not in members:
        raise UnknownContentError(f"it lacks its member {name}")


def _reference(ref: int | None, values: int) -> None:
    if ref is not None and not 0 <= ref < values:
        raise UnknownContentError(f"it refers to value {ref} of {values}")
