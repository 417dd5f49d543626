"""`tf2bridge.toml`, which may lie beside a legacy program and says how it is run and proven."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge.errors import ConfigurationError
from tf2bridge.proof.numbers.tolerance import DEFAULT, Tolerance
from tf2bridge.proof.replaying.process import FROM_PROGRAM
from tf2bridge.proof.replaying.seeding import FROM_TRACE, MODES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME = "tf2bridge.toml"
_KINDS: Mapping[str, type] = {"entry": str, "api": str, "trace": str, "seeds": str, "feeds": str, "tolerance": dict}


@dataclass(frozen=True)
class Project:
    """What is known of a legacy program.

    Attributes:
        entry: its command line without the interpreter, ("train.py", "--steps", "5") or ("-m", "pkg.train").
        api: the release it was written for, "0.12"; empty if not stated.
        trace: the trace that genuine TensorFlow left of it, or None.
        seeds: "trace" or "rule": see `tf2bridge.proof.replaying.seeding.Seeding`.
        feeds: "program" or "trace": see `tf2bridge.proof.replaying.programs.replay`.
        tolerance: for fetched tensors and variables.
    """

    entry: tuple[str, ...] = ()
    api: str = ""
    trace: Path | None = None
    seeds: str = FROM_TRACE
    feeds: str = FROM_PROGRAM
    tolerance: Tolerance = DEFAULT


def read(directory: Path) -> Project:
    """Reads the `tf2bridge.toml` of a directory; where there is none, nothing is known.

    Raises:
        ConfigurationError: it is not TOML, or a key or value is not one that tf2bridge knows.
    """
    path = directory / NAME
    if not path.is_file():
        return Project()
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(path, f"cannot be read as TOML: {error}") from error
    _check_keys(path, table)
    trace = directory / table["trace"] if "trace" in table else None
    return Project(
        entry=split_entry(table.get("entry", "")),
        api=table.get("api", ""),
        trace=trace,
        seeds=table.get("seeds", FROM_TRACE),
        feeds=table.get("feeds", FROM_PROGRAM),
        tolerance=_tolerance(path, table.get("tolerance", {})),
    )


def split_entry(entry: str) -> tuple[str, ...]:
    """Splits an entry as a shell would; a leading `python` is dropped, since the interpreter is ours."""
    words = shlex.split(entry)
    if words and Path(words[0]).name in ("python", "python2", "python3"):
        words = words[1:]
    return tuple(words)


def _check_keys(path: Path, table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if key not in _KINDS:
            raise ConfigurationError(path, f"unknown key {key!r}; known are {', '.join(_KINDS)}")
        if not isinstance(value, _KINDS[key]):
            raise ConfigurationError(path, f"{key} must be a {_KINDS[key].__name__}, not {value!r}")
    for key, known in (("seeds", MODES), ("feeds", (FROM_PROGRAM, FROM_TRACE))):
        if key in table and table[key] not in known:
            raise ConfigurationError(path, f"{key} must be one of {', '.join(known)}, not {table[key]!r}")


def _tolerance(path: Path, table: Mapping[str, Any]) -> Tolerance:
    for key, value in table.items():
        if key not in ("rtol", "atol"):
            raise ConfigurationError(path, f"unknown key tolerance.{key}; known are rtol and atol")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
            raise ConfigurationError(path, f"tolerance.{key} must be a number of at least 0, not {value!r}")
    given = {key: float(value) for key, value in table.items()}
    return Tolerance(given.get("rtol"), given.get("atol"))
