"""Reads `tf2bridge.toml`, which may lie beside a legacy program and says how to run and prove it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge import systems
from tf2bridge.migration.refusals import ConfigurationError
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.replaying.process import FROM_PROGRAM
from tf2bridge.proof.replaying.seeding import FROM_TRACE, MODES
from tf2bridge.regular_files import text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME = "tf2bridge.toml"
_LONGEST = 64 << 10
"""The most bytes; a file with all keys has some 200."""
_KINDS: Mapping[str, type] = {"entry": str, "api": str, "trace": str, "seeds": str, "feeds": str, "tolerance": dict}


@dataclass(frozen=True)
class Project:
    """How to run and prove a legacy program.

    Attributes:
        entry: the command line without the interpreter, ("train.py", "--steps", "5") or ("-m", "pkg.train").
        api: the release that the program was written for, such as "0.12"; empty if unknown.
        trace: the trace that genuine TensorFlow recorded of it, or None.
        seeds: "trace" or "rule": see `tf2bridge.proof.replaying.seeding.Seeding`.
        feeds: "program" or "trace": see `tf2bridge.program.replaying.replay`.
        tolerance: the tolerance for fetched tensors and variables.
    """

    entry: tuple[str, ...] = ()
    api: str = ""
    trace: Path | None = None
    seeds: str = FROM_TRACE
    feeds: str = FROM_PROGRAM
    tolerance: Tolerance = DEFAULT


def read(directory: Path, entry: str = "", trace: Path | None = None) -> Project:
    """Reads the `tf2bridge.toml` of a directory; without the file, the result has only the given values.

    The file came with the program, perhaps from a stranger, so all that it names must lie in the directory. `entry` and
    `trace` come from the command line. They override the file, and may lie anywhere.

    Raises:
        ConfigurationError: the file is not TOML, or a key is unknown, or a value is not accepted.
        ValueError: the given entry cannot be split into words.
    """
    path = directory / NAME
    words = split_entry(entry)
    if not path.exists():
        return Project(words, trace=trace)
    try:
        table = tomllib.loads(text_of(_real(directory, NAME), _LONGEST))
    except (OSError, ValueError, RecursionError) as error:  # numbers that are too long and deep arrays raise these too
        raise ConfigurationError(path, f"cannot be read as TOML: {error}") from error
    _check_keys(path, table)
    return Project(
        entry=words or _entry(path, table.get("entry", "")),
        api=table.get("api", ""),
        trace=trace or (_trace(path, table["trace"]) if "trace" in table else None),
        seeds=table.get("seeds", FROM_TRACE),
        feeds=table.get("feeds", FROM_PROGRAM),
        tolerance=_tolerance(path, table.get("tolerance", {})),
    )


def split_entry(entry: str) -> tuple[str, ...]:
    """Splits an entry as a shell would; a leading `python` is dropped, because tf2bridge uses its own interpreter.

    Raises ValueError for quotes that are not closed.
    """
    words = systems.split(entry)
    if words and Path(words[0]).name in ("python", "python2", "python3"):
        words = words[1:]
    return tuple(words)


def _entry(path: Path, entry: str) -> tuple[str, ...]:
    """Returns the words of an entry, and checks that its file or module lies in the directory of the file `path`."""
    try:
        words = split_entry(entry)
    except ValueError as error:
        raise ConfigurationError(path, f"entry cannot be split into words: {error}") from error
    if not words:
        return ()
    if not any(_holds(path.parent, file) for file in _files_of(words)):
        named = " ".join(words[: 2 if words[0] == "-m" else 1])
        why = f"entry names {named!r}, which is no file or module in {path.parent}, and only those are run"
        raise ConfigurationError(path, f"{why}; name one, or give the program with --entry on the command line")
    return words


def _files_of(words: tuple[str, ...]) -> list[str]:
    """Returns the files in the directory that may be the program."""
    if words[0] != "-m":
        return [words[0]]
    parts = words[1].split(".") if len(words) > 1 else [""]
    base = "/".join(parts)
    return [f"{base}.py", f"{base}/__main__.py"] if all(part.isidentifier() for part in parts) else []


def _trace(path: Path, trace: str) -> Path:
    try:
        _real(path.parent, trace)
    except ValueError as error:
        why = f"trace {error}; name one inside it, or give it with --trace on the command line"
        raise ConfigurationError(path, why) from error
    return path.parent / trace


def _holds(directory: Path, name: str) -> bool:
    try:
        return _real(directory, name).is_file()
    except ValueError:
        return False


def _real(directory: Path, name: str) -> Path:
    """Returns the file that a name in a directory leads to. Raises ValueError if it is outside the directory."""
    if not name.isprintable():
        raise ValueError(f"names {name!r}, which is not a file name")
    real = Path(os.path.realpath(directory / name))
    if Path(name).is_absolute() or not real.is_relative_to(os.path.realpath(directory)):
        raise ValueError(f"names {name!r}, which is outside {directory}")
    return real


def _check_keys(path: Path, table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if key not in _KINDS:
            raise ConfigurationError(path, f"unknown key {key!r}; use one of {', '.join(_KINDS)}")
        if not isinstance(value, _KINDS[key]):
            raise ConfigurationError(path, f"{key} must be a {_KINDS[key].__name__}, not {value!r}")
    for key, known in (("seeds", MODES), ("feeds", (FROM_PROGRAM, FROM_TRACE))):
        if key in table and table[key] not in known:
            raise ConfigurationError(path, f"{key} must be one of {', '.join(known)}, not {table[key]!r}")


def _tolerance(path: Path, table: Mapping[str, Any]) -> Tolerance:
    for key, value in table.items():
        if key not in ("rtol", "atol"):
            raise ConfigurationError(path, f"unknown key tolerance.{key}; use rtol or atol")
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= sys.float_info.max:
            raise ConfigurationError(path, f"tolerance.{key} must be a finite number of at least 0, not {value!r}")
    given = {key: float(value) for key, value in table.items()}
    return Tolerance(given.get("rtol"), given.get("atol"))
