"""Facts about the names of TensorFlow 0.12 to 1.15: which releases had them, and what stands for them on TF 2.21.

The data beside this file are built from the genuine releases by `python fixtures/symbols/build.py`; nothing here
imports TensorFlow. They are read on first use.
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
    """What to write for an old name on TensorFlow 2.21."""

    SAME = "SAME"  # tf.X is the object that tf.compat.v1.X is
    COMPAT = "COMPAT"  # tf.compat.v1.<target>
    BRIDGE = "BRIDGE"  # <namespace>.<target>, the namespace being tf2bridge.v1, or tf2bridge.v0 for a program of 0.x
    DEAD = "DEAD"


@dataclass(frozen=True)
class Symbol:
    """One old name, without its leading `tensorflow.`.

    `releases` are those of RELEASES that had it (none: older than 0.12.1). `target` is the name to write, with nothing
    before it; for DEAD it is "", `reason` says why and `nearest` what comes closest ("" if nothing does). `older` is
    the name under tf2bridge.v0 that a program of 0.x needs instead ("" if it needs none).
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
        """The answer for a program of 0.x, where 0.x computed something else, or by other variable names, than 1.x."""
        return replace(self, answer=Answer.BRIDGE, target=self.older, namespace="tf2bridge.v0") if self.older else self

    @cached_property
    def qualified(self) -> str:
        """The full name to write, such as `tensorflow.compat.v1.placeholder`; "" for DEAD."""
        heads = {Answer.SAME: "tensorflow", Answer.COMPAT: "tensorflow.compat.v1", Answer.BRIDGE: self.namespace}
        return f"{heads[self.answer]}.{self.target}" if self.answer in heads else ""


@cache
def _load(name: str) -> dict[str, dict[str, str]]:
    """One of the data files; all hold string fields only."""
    data: dict[str, dict[str, str]] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return data


def table(name: str) -> dict[str, dict[str, str]]:
    """The rows of data/NAME.json, or none where it was not built."""
    return _load(name)


@cache
def lookup(name: str) -> Symbol | None:
    """What is known of `name` ("nn.relu", "contrib.layers.l2_regularizer", "mul"); None if it is no old public name.

    `compat.v1.X` is the same question as `X`.
    """
    name = name.removeprefix("compat.v1.")
    row = _load("names").get(name)
    if row is None:
        for tree, twin in declared.TWINS.items():
            if f"{name}.".startswith(f"{tree}."):
                return lookup(twin + name.removeprefix(tree))
        if is_private(name):
            return _private(name)
        # Of a public module that no walk along attributes reaches, only what is there is told.
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
    """Whether a name lies in a private module of TensorFlow 1: `python.ops...`, `contrib.AREA.python...`."""
    parts = name.split(".")
    return parts[0] == "python" or (parts[0] == "contrib" and "python" in parts[2:])


def _private(name: str) -> Symbol | None:
    """What is known of a private module, or of a name in one; None if TensorFlow 2.21 has it still, as it was."""
    rows = _load("private")
    row = rows.get(name, {})
    if row or name in _bridged_packages():
        stays = row.get("in") or (not row.get("bridge") and name not in _bridged_packages())
        return None if stays else Symbol(name, RELEASES, Answer.BRIDGE, name, module=True)
    module, _, last = name.rpartition(".")
    row = rows.get(module, {})
    if last in row.get("bridge", "").split():
        return Symbol(name, RELEASES, Answer.BRIDGE, name)
    if last in row.get("has", "").split() or not (row.get("has") or row.get("bridge")):
        return None
    why = REASONS["contrib" if name.startswith("contrib.") else "gone"]
    return Symbol(name, RELEASES, Answer.DEAD, "", False, why, nearest(name))


@cache
def _bridged_packages() -> frozenset[str]:
    """The private packages below which tf2bridge.v1 supplies something that TensorFlow 2.21 has not."""
    packages: set[str] = set()
    for module, row in _load("private").items():
        parts = module.split(".") if row.get("bridge") else []
        packages.update(".".join(parts[:end]) for end in range(1, len(parts)) if "python" in parts[:end])
    return frozenset(name for name in packages if not _load("private").get(name, {}).get("in"))


def _span(text: str) -> tuple[str, ...]:
    """The releases of "0.12.1-1.4.1" (first to last)."""
    if not text:
        return ()
    first, _, last = text.partition("-")
    return RELEASES[RELEASES.index(first) : RELEASES.index(last or first) + 1]


def nearest(name: str) -> str:
    """What comes closest to a name that is gone: by the longest of its prefixes that is declared; "" if none is."""
    while name:
        if name in declared.NEAREST:
            return declared.NEAREST[name]
        name = name.rpartition(".")[0]
    return ""


def longest(name: str) -> tuple[Symbol, str] | None:
    """The longest prefix of `name` that is known, and the rest ("app.flags.FLAGS.lr" -> app.flags.FLAGS, "lr")."""
    head, rest = name, ""
    while head:
        if (symbol := lookup(head)) is not None:
            return symbol, rest
        head, _, last = head.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    return None


@cache
def signature(name: str, release: str) -> tuple[str, ...] | None:
    """Argument names in order (`*` and `**` kept, `self` left out) in a release, or in TODAY's tf.compat.v1.

    None where the release had no such function, or where no release differs from another in it. A release that is not
    one of RELEASES is answered by the nearest one that is not later (0.x: by 0.12.1).
    """
    row = _load("signatures").get(name.removeprefix("compat.v1."))
    if row is None:
        return None
    text = row.get(release) if release == TODAY else _at(row, release)
    return None if text is None else tuple(text.split())


def _at(row: dict[str, str], release: str) -> str | None:
    """The last entry that is not later than `release`: there is one only where it differs from the one before."""
    entry = None
    for known in RELEASES:
        if known in row and (_number(known) <= _number(release) or known == RELEASES[0]):
            entry = row[known]
    return entry


def _number(release: str) -> tuple[int, int]:
    """(1, 4) of "1.4.1" or "1.4"."""
    major, minor = release.split(".")[:2]
    return int(major), int(minor)


def names() -> Iterator[str]:
    """Every old name that is known."""
    return iter(_load("names"))
