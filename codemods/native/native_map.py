"""The map `native.toml`: which function of a native program stands for which call of a session.

The rewriter writes it beside its result, and the proof reads it. A person may change it with the program:

    [files]                                       # the legacy files that the program was made from
    "train.py" = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    [[calls]]
    legacy = "train.py:102"                       # the line of the call, as the recorder names it
    function = "train:Model.train_step"           # module:qualified name of a tf.function
    feeds = ["x:0", "y:0"]                        # for each parameter the tensor that was fed; "" for none
    fetches = ["loss/Mean:0", ""]                 # for each result the tensor that was fetched; "" for none
    operations = ["train_op"]                     # what the call ran, and whose value nothing used

    [[variables]]
    legacy = "hidden/w"
    path = "hidden/w"                             # the name of the new variable, or "train:Model.hidden.w"
    transform = [{ kind = "transpose" }]          # steps of a checkpoint plan; none if left out

    [[variables]]
    legacy = "beta1_power"
    path = ""                                     # nothing stands for it; then there is a reason
    reason = "the optimizer computes it from its counter"

    [[dropped]]
    legacy = "train.py:40"                        # a call that became nothing
    fetches = ["init"]                            # may be left out if all calls of this line became nothing
    kind = "initializer"
    reason = "variables have their values when they are made"

    [[choices]]
    legacy = "train.py:30"                        # with --idiomatic: what is taken of Keras for this line
    part = "optimizer"
    keras = "keras.optimizers.Adam"               # "" if the part stays exact; `why` says why
    why = "rounding"
    slots = { Adam = "momentum" }                 # an old slot, and how Keras ends the name of the same variable

A row with program = "train" is of the program train.py alone, where several programs of a folder share the map.
A variable that has its old name needs no row. Without a trace, a row may name tensors as the source does, in the order
of the fetches. Parameters and results are counted after flattening, `self` is none. One line may have several calls:
they are told apart by what they fetch and run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from codemods.errors import NotRegularError, TooLargeError
from codemods.native.choices import KerasChoice
from codemods.regular import read_regular

NAME = "native.toml"
KINDS = ("initializer", "saver", "read", "summary", "queue", "other")
"""What a dropped call did."""
_HEADER = """\
# Which function of this program stands for which call of the legacy program's sessions. `tf2bridge replay` compares
# the calls of both by this file. Change it with the program.
"""

Steps = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Call:
    """A call of a session, and the function that stands for it.

    Attributes:
        legacy: The line of the call, "train.py:102".
        function: "train:Model.train_step".
        feeds: For each flattened parameter the name of the fed tensor, or "".
        fetches: For each flattened result the name of the fetched tensor, or "".
        operations: The fetched operations, which have no result, and tensors that were fetched only to be computed.
        line: The line in the map; 0 if it was not read from a file.
        program: The module of the program that the row is of; empty if it is of each program of the map.
    """

    legacy: str
    function: str
    feeds: tuple[str, ...] = ()
    fetches: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    program: str = ""

    @property
    def fetched(self) -> frozenset[str]:
        """The names of all that the legacy call fetched."""
        return frozenset({*self.fetches, *self.operations} - {""})


@dataclass(frozen=True)
class Variable:
    """A variable of the legacy program, and the native one.

    Attributes:
        legacy: Its name, "hidden/w".
        path: The native variable: its name, or "module:Class.attribute.path"; empty if nothing stands for it.
        transform: The steps of a checkpoint plan that make the native value from the legacy one; empty for none.
        reason: Why nothing stands for it.
        line, program: See `Call`.
    """

    legacy: str
    path: str
    transform: Steps = ()
    reason: str = ""
    line: int = field(default=0, compare=False)
    program: str = ""


@dataclass(frozen=True)
class Dropped:
    """Calls of a session that became nothing.

    Attributes:
        legacy: The line of the calls.
        kind: One of `KINDS`.
        reason: Why nothing stands for them.
        fetches: What they fetch; empty for all calls of the line that no `Call` names.
        line, program: See `Call`.
    """

    legacy: str
    kind: str
    reason: str
    fetches: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    program: str = ""


@dataclass(frozen=True)
class NativeMap:
    """The whole map.

    Attributes:
        files: Legacy file, relative to the legacy tree -> its `digest`.
        calls, variables, dropped, choices: The rows, in the order of the file.
    """

    files: Mapping[str, str]
    calls: tuple[Call, ...] = ()
    variables: tuple[Variable, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    choices: tuple[KerasChoice, ...] = ()

    def of_program(self, name: str) -> NativeMap:
        """Returns the map without the rows of other programs; the whole map if no row is of this one.

        Args:
            name: The module of the program, "train".
        """
        known = {row.program for kind in (self.calls, self.variables, self.dropped) for row in kind}
        if name not in known:
            return self
        rows = _of(self.calls, name), _of(self.variables, name), _of(self.dropped, name)
        return NativeMap(self.files, *rows, self.choices)


_Row = TypeVar("_Row", Call, Variable, Dropped)


def _of(rows: tuple[_Row, ...], program: str) -> tuple[_Row, ...]:
    return tuple(row for row in rows if row.program in ("", program))


def digest(data: bytes) -> str:
    """Returns the SHA-256 of a legacy file, in hexadecimal; line ends count as they are."""
    return hashlib.sha256(data).hexdigest()


def changed_files(native_map: NativeMap, legacy: Path) -> list[str]:
    """Returns the files of the map that are missing in a legacy tree, or have other content."""
    return [name for name, expected in native_map.files.items() if not _has(legacy / name, expected)]


def _has(path: Path, expected: str) -> bool:
    try:
        return digest(read_regular(path)) == expected
    except (OSError, NotRegularError, TooLargeError):
        return False


def written(native_map: NativeMap) -> str:
    """Returns the text of a map's file."""
    parts = [_HEADER]
    if native_map.files:
        rows = (f"{_value(name)} = {_value(known)}" for name, known in native_map.files.items())
        parts.append("\n".join(["[files]", *rows]) + "\n")
    for call in native_map.calls:
        parts.append(_table("calls", call, optional=("operations", "program")))
    for variable in native_map.variables:
        parts.append(_table("variables", variable, optional=("transform", "reason", "program")))
    for dropped in native_map.dropped:
        parts.append(_table("dropped", dropped, optional=("fetches", "program")))
    for choice in native_map.choices:
        parts.append(_table("choices", choice, optional=("slots", "figures")))
    return "\n".join(parts)


def _table(name: str, row: Call | Variable | Dropped | KerasChoice, optional: Sequence[str]) -> str:
    fields = {"legacy": row.legacy, **vars(row)}
    fields = {key: value for key, value in fields.items() if key != "line" and (value or key not in optional)}
    return "\n".join([f"[[{name}]]", *(f"{key} = {_value(value)}" for key, value in fields.items())]) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
