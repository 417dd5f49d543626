"""Facts about the names of TensorFlow 0.12 to 1.15: which releases had them, and what replaces them on TF 2.21.

`python fixtures/symbols/build.py` builds the data beside this file from the genuine releases. They are read at first
use. Nothing here imports TensorFlow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from pathlib import Path

from codemods.symbols import declared

DATA = Path(__file__).parent / "data"
RELEASES = ("0.12.1", "1.4.1", "1.12.3", "1.15.5")
TODAY = "2.21"
REASONS = {
    "contrib": "tf.contrib was removed in TensorFlow 2.0",
    "gone": "TensorFlow 2.21 has no such name",
    "refused": "TensorFlow 2.21 refuses it with Keras 3",
}


class Answer(Enum):
    """The replacement of an old name on TensorFlow 2.21."""

    SAME = "SAME"  # tf.X and tf.compat.v1.X are one object
    COMPAT = "COMPAT"  # tf.compat.v1.<target>
    BRIDGE = "BRIDGE"  # <namespace>.<target>; the namespace is tf2bridge.v1, or tf2bridge.v0 for a program of 0.x
    DEAD = "DEAD"


@dataclass(frozen=True)
class Symbol:
    """One old name, without its leading `tensorflow.`.

    Attributes:
        name: The old name.
        releases: The releases of RELEASES that had it; empty if it is older than 0.12.1.
        answer: How to write it today.
        target: The name to write, without the namespace; "" for DEAD.
        module: Whether it is a module.
        reason: For DEAD, why.
        nearest: For DEAD, the closest replacement; "" if there is none.
        older: The name in tf2bridge.v0 that a program of 0.x needs instead; "" if it needs none.
        namespace: The namespace of a BRIDGE.
    """

    name: str
    releases: tuple[str, ...]
    answer: Answer
    target: str
    module: bool = False
    reason: str = ""
    nearest: str = ""
    older: str = ""
    namespace: str = "tf2bridge.v1"

    def for_0x(self) -> Symbol:
        """Returns the symbol for a program of 0.x. It differs if 0.x computed or named variables otherwise."""
        return replace(self, answer=Answer.BRIDGE, target=self.older, namespace="tf2bridge.v0") if self.older else self

    @cached_property
    def qualified(self) -> str:
        """The full name to write, such as `tensorflow.compat.v1.placeholder`; "" for DEAD."""
        heads = {Answer.SAME: "tensorflow", Answer.COMPAT: "tensorflow.compat.v1", Answer.BRIDGE: self.namespace}
        return f"{heads[self.answer]}.{self.target}" if self.answer in heads else ""


@cache
def _load(name: str) -> dict[str, dict[str, str]]:
    """Returns the rows of a data file. All fields are strings."""
    data: dict[str, dict[str, str]] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return data


def table(name: str) -> dict[str, dict[str, str]]:
    """Returns the rows of data/NAME.json."""
    return _load(name)


@cache
def lookup(name: str) -> Symbol | None:
    """Returns the symbol of an old public name ("nn.relu", "contrib.layers.l2_regularizer", "mul"), or None.

    `compat.v1.X` gives the same symbol as `X`.
    """
    name = name.removeprefix("compat.v1.")
    row = _load("names").get(name)
    if row is None:
        for tree, twin in declared.TWINS.items():
            if f"{name}.".startswith(f"{tree}."):
                return lookup(twin + name.removeprefix(tree))
        if is_private(name):
            return _private(name)
        # Public modules that are no attributes are listed incompletely, so only names that exist are returned.
        symbol = _private(name) if name.startswith("contrib.") else None
        return symbol if symbol is not None and symbol.answer is Answer.BRIDGE else None
    answer = Answer(row.get("is", "SAME"))
    if answer is Answer.DEAD and is_private(name):
        supplied = _private(name)
        if supplied is not None and supplied.answer is Answer.BRIDGE:  # tf2bridge has it at its own path
            return replace(supplied, releases=_span(row["in"]))
    reason = REASONS.get(row.get("why", ""), "")
    target = "" if answer is Answer.DEAD else row.get("to", name)
    kind = row.get("kind") == "module"
    close = nearest(name) if reason else ""
    return Symbol(name, _span(row["in"]), answer, target, kind, reason, close, row.get("0.x", ""))


def is_private(name: str) -> bool:
    """Returns whether a name is in a private module of TensorFlow 1: `python.ops...`, `contrib.AREA.python...`."""
    parts = name.split(".")
    return parts[0] == "python" or (parts[0] == "contrib" and "python" in parts[2:])


def _private(name: str) -> Symbol | None:
    """Returns the symbol of a private module, or of a name in one; None if TensorFlow 2.21 still has it unchanged."""
    rows = _load("private")
    row = rows.get(name, {})
    if row or name in _bridged_packages():
        stays = row.get("in") or (not row.get("bridge") and name not in _bridged_packages())
        return None if stays else Symbol(name, RELEASES, Answer.BRIDGE, name, module=True)
    module, _, last = name.rpartition(".")
    row = rows.get(module, {})
    if last in row.get("bridge", "").split():
        return Symbol(name, RELEASES, Answer.BRIDGE, name)
    if module in declared.IN_PLACE_OF_PACKAGES and last not in row.get("has", "").split():
        return _in_place_of_package(name, f"{declared.IN_PLACE_OF_PACKAGES[module]}.{last}")
    if last in row.get("has", "").split() or not (row.get("has") or row.get("bridge")):
        return None
    why = REASONS["contrib" if name.startswith("contrib.") else "gone"]
    return Symbol(name, RELEASES, Answer.DEAD, "", False, why, nearest(name))


def _in_place_of_package(name: str, meant: str) -> Symbol | None:
    """Returns the symbol of a name in a module that `tensorflow.python` had in place of a package."""
    symbol = lookup(meant)
    if symbol is not None:
        return symbol
    module, _, last = meant.rpartition(".")
    is_there = last in _load("private").get(module, {}).get("has", "").split()
    return Symbol(name, RELEASES, Answer.BRIDGE, name) if is_there else None


@cache
def _bridged_packages() -> frozenset[str]:
    """Returns the private packages in which tf2bridge.v1 supplies names that TensorFlow 2.21 lacks."""
    packages: set[str] = set()
    for module, row in _load("private").items():
        parts = module.split(".") if row.get("bridge") else []
        packages.update(".".join(parts[:end]) for end in range(1, len(parts)) if "python" in parts[:end])
    return frozenset(name for name in packages if not _load("private").get(name, {}).get("in"))


def _span(text: str) -> tuple[str, ...]:
    """Returns the releases of a span "0.12.1-1.4.1" (first to last)."""
    if not text:
        return ()
    first, _, last = text.partition("-")
    return RELEASES[RELEASES.index(first) : RELEASES.index(last or first) + 1]


def nearest(name: str) -> str:
    """Returns the closest replacement of a removed name, as declared for its longest prefix; "" if there is none."""
    while name:
        if name in declared.NEAREST:
            return declared.NEAREST[name]
        name = name.rpartition(".")[0]
    return ""


def longest(name: str) -> tuple[Symbol, str] | None:
    """Returns the longest known prefix of `name`, and the rest ("app.flags.FLAGS.lr" -> app.flags.FLAGS, "lr")."""
    head, rest = name, ""
    while head:
        if (symbol := lookup(head)) is not None:
            return symbol, rest
        head, _, last = head.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return None


@cache
def signature(name: str, release: str) -> tuple[str, ...] | None:
    """Returns the ordered parameters (with `*` and `**`, without `self`) in a release, or in TODAY's tf.compat.v1.

    The result is None if the release had no such function, or if all releases have the same parameters. A release
    between two of RELEASES counts as the earlier one; 0.x counts as 0.12.1.
    """
    row = _load("signatures").get(name.removeprefix("compat.v1."))
    if row is None:
        return None
    text = row.get(release) if release == TODAY else _at(row, release)
    return None if text is None else tuple(text.split())


def _at(row: dict[str, str], release: str) -> str | None:
    """Returns the last entry that is not later than `release`. A release has an entry only if it changed something."""
    entry = None
    for known in RELEASES:
        if known in row and (_number(known) <= _number(release) or known == RELEASES[0]):
            entry = row[known]
    return entry


def _number(release: str) -> tuple[int, int]:
    """Returns (1, 4) for "1.4.1" or "1.4"."""
    major, minor = release.split(".")[:2]
    return int(major), int(minor)


def names() -> Iterator[str]:
    """Returns an iterator over all known old names."""
    return iter(_load("names"))
