"""Whether a name exists today, from the data on the exports of TensorFlow 2.21 and tf2bridge.

status("tensorflow.nn.relu").state               # OK
status("tensorflow.mul").state                   # MISSING
binds("x y= *", positional=1, keywords=("y",))   # None: it binds
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from codemods import symbols
from codemods.names import Names
from codemods.symbols import Answer
from codemods.symbols.declared import IN_PLACE_OF_PACKAGES

_ONLY_OF_COMPAT_V2 = ("compat.v2.enable_v2_behavior",)
_BRIDGES = {"tf2bridge.v1.": "1", "tf2bridge.v0.": "0"}


class State(Enum):
    """OK: the name exists. MISSING: it does not. UNKNOWN: the data do not cover it (attributes of objects)."""

    OK = "ok"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Status:
    """The state of a qualified name. `part` is the part of it that decides, `takes` its parameters if known."""

    state: State
    part: str
    takes: str | None = None


@cache
def status(qualified: str) -> Status:
    """Returns the state of a qualified name (`tensorflow.nn.relu`, `tf2bridge.v1.layers.dense`) today."""
    for head, mark in _BRIDGES.items():
        if qualified.startswith(head):
            return _bridged(head, qualified.removeprefix(head), mark)
    if not qualified.startswith("tensorflow.") or ".__" in qualified:
        return Status(State.UNKNOWN, qualified)
    name = qualified.removeprefix("tensorflow.")
    if name.startswith(("python.", "contrib.", "examples.", "models.")) or name == "contrib":
        return _private(name)
    if name.startswith("compat.v1."):
        return _public("tensorflow.compat.v1.", name.removeprefix("compat.v1."), "1")
    if name in _ONLY_OF_COMPAT_V2:
        return Status(State.OK, qualified)
    return _public("tensorflow.", name.removeprefix("compat.v2."), "2")


def _rows(name: str) -> dict[str, dict[str, str]]:
    return symbols.table(name)


def _public(head: str, name: str, mark: str) -> Status:
    """Decides by the longest exported part. A name in a module must be exported too; a name in a class need not."""
    if name.split(".")[0] in _closed():
        return Status(State.UNKNOWN, head + name)
    part, rest = _longest(name, lambda prefix: mark in _rows("today").get(prefix, {}).get("in", ""))
    row = _rows("today").get(part, {})
    if rest and row.get("kind") == "module" and part not in _holders():
        return Status(State.UNKNOWN, head + part)  # a module of another package, such as tf.test.mock
    if rest and (not part or (row.get("kind") == "module" and part.rpartition(".")[2] not in _closed())):
        return Status(State.MISSING, head + f"{part}.{rest.split('.')[0]}".lstrip("."))
    takes = row.get("takes1", row.get("takes")) if mark == "1" else row.get("takes")
    return Status(State.OK, head + part, None if rest else takes)


@cache
def _holders() -> frozenset[str]:
    """Returns the modules whose names are listed."""
    return frozenset(name.rpartition(".")[0] for name in _rows("today"))


@cache
def _closed() -> frozenset[str]:
    return frozenset(("compat", "core", "python", "raw_ops", "tools", "_api", "compiler", "lite", "distribute"))


def _bridged(head: str, name: str, mark: str) -> Status:
    """Decides by the names of the bridge itself. All other names are those of tf.compat.v1."""
    if name.split(".")[0] == "python" or (name.startswith("contrib.") and "python" in name.split(".")[2:]):
        return _bridged_private(head, name)
    part, rest = _longest(name, lambda prefix: mark in _rows("bridge").get(prefix, {}).get("in", ""))
    row = _rows("bridge").get(part, {})
    answered = symbols.lookup(name)
    if rest and row.get("as") and (answered is None or answered.answer is not Answer.BRIDGE):
        return _bridged(head, f"{row['as']}.{rest}", mark)
    if part and (not rest or row.get("kind") != "module"):
        takes = row.get("takes0", row.get("takes")) if mark == "0" else row.get("takes")
        return Status(State.OK, head + part, None if rest else takes)
    if name in ("enable", "contrib") or (answered is not None and answered.answer is Answer.BRIDGE):
        return Status(State.OK, head + name)
    if mark == "0":  # names that 0.12 shares with 1.15 are in tf2bridge.v1
        return _bridged(head, name, "1")
    inherited = _public("tensorflow.compat.v1.", name, "1")
    part = head + inherited.part.removeprefix("tensorflow.compat.v1.")
    return Status(inherited.state, part, inherited.takes)


def _private(name: str) -> Status:
    """Decides by the lists of names of 2.21's private modules. Other names below `contrib` or `models` are missing."""
    part, rest = _longest(name, lambda prefix: "2" in _rows("private").get(prefix, {}).get("in", ""))
    full_name = f"tensorflow.{name}"
    if not part:
        return Status(State.MISSING, f"tensorflow.{'.'.join(name.split('.')[:2])}")
    if not rest:
        return Status(State.OK, full_name)
    first = rest.split(".")[0]
    listed = _rows("private")[part].get("has")
    if listed is None:
        return Status(State.UNKNOWN, f"tensorflow.{part}")
    is_there = first in listed.split()
    return Status(State.OK if is_there else State.MISSING, f"tensorflow.{part}.{first}")


def _bridged_private(head: str, name: str) -> Status:
    part, rest = _longest(name, lambda prefix: prefix in _rows("private"))
    if not rest:
        return Status(State.OK if part else State.MISSING, head + name)
    row, first = _rows("private").get(part, {}), rest.split(".")[0]
    is_there = first in f"{row.get('has', '')} {row.get('bridge', '')}".split()
    if not is_there and part in IN_PLACE_OF_PACKAGES:
        return _bridged_private(head, f"{IN_PLACE_OF_PACKAGES[part]}.{rest}")
    return Status(State.OK if is_there else State.MISSING, head + f"{part}.{first}".lstrip("."))


def _longest(name: str, known: Callable[[str], bool]) -> tuple[str, str]:
    """Returns the longest known prefix, and the rest; ("", name) if no prefix is known."""
    head, rest = name, ""
    while head:
        if known(head):
            return head, rest
        head, _, last = head.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return "", rest


def binds(takes: str, positional: int, keywords: Iterable[str], open_ended: bool = False) -> str | None:
    """Returns why a call does not bind to the parameters; None if it does.

    Args:
        takes: The parameters, as the data write them.
        positional: The number of positional arguments.
        keywords: The keywords of the call.
        open_ended: Whether the call also passes `*args` or `**kwargs`, so that no argument is certainly missing.
    """
    parameters = _parameters(takes)
    if positional > len(parameters.by_place) and not parameters.rest:
        return f"takes {len(parameters.by_place)} arguments by position, not {positional}"
    given = {*parameters.by_place[:positional]}
    for keyword in keywords:
        if keyword in given:
            return f"gets {keyword} twice"
        if keyword not in parameters.named and not parameters.more:
            return f"takes no {keyword}"
    given.update(keywords)
    lacking = [] if open_ended else [word for word in parameters.needed if word not in given]
    return f"lacks {', '.join(lacking)}" if lacking else None


class _Parameters(NamedTuple):
    """A parsed list of parameters. `rest` and `more`: whether it has `*args`, `**kwargs`."""

    by_place: tuple[str, ...]
    named: frozenset[str]
    needed: tuple[str, ...]
    rest: bool
    more: bool


@cache
def _parameters(takes: str) -> _Parameters:
    words = takes.split()
    starred = next((place for place, word in enumerate(words) if word.startswith("*")), len(words))
    named = [word for word in words if not word.startswith("*")]
    return _Parameters(
        tuple(word.rstrip("=") for word in words[:starred]),
        frozenset(word.rstrip("=") for word in named),
        tuple(word for word in named if not word.endswith("=")),
        any(word.startswith("*") and word[1:2] not in ("", "*") for word in words[starred:]),
        any(word.startswith("**") for word in words),
    )


_GUARDED: WeakKeyDictionary[Names, frozenset[ast.AST]] = WeakKeyDictionary()
_CAUGHT = ("Exception", "ImportError", "AttributeError", "ModuleNotFoundError")


def guarded(names: Names) -> frozenset[ast.AST]:
    """Returns the nodes in a `try` that catches a missing name: the program handles it itself."""
    if names not in _GUARDED:
        nodes: set[ast.AST] = set()
        for node in names.nodes.get(ast.Try, []):
            assert isinstance(node, ast.Try)
            caught = " ".join(ast.unparse(handler.type) if handler.type else "Exception" for handler in node.handlers)
            if any(word in caught for word in _CAUGHT):
                nodes.update(inner for statement in node.body for inner in ast.walk(statement))
        _GUARDED[names] = frozenset(nodes)
    return _GUARDED[names]
