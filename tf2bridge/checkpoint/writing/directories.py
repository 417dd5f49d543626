"""Converts all checkpoints of a directory, as `tf.train.CheckpointManager` and `Saver` keep them, into another."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.checkpoint.writing.bundle_writer import files_at
from tf2bridge.checkpoint.writing.converting import Converted, StrPath, convert, read_plan
from tf2bridge.checkpoint.writing.formats import BUNDLES
from tf2bridge.checkpoint.writing.refusals import DamagedRecordError, FormatError
from tf2bridge.formats.checkpoints import opening
from tf2bridge.formats.checkpoints.forms import Form, held, v1_files
from tf2bridge.formats.checkpoints.state_file import STATE, read_state, write_state
from tf2bridge.regular_files import text_of
from tf2bridge.systems import same_place
from tf2bridge.whole_file import write_whole

if TYPE_CHECKING:
    from tf2bridge.checkpoint.mapping import Plan

_RECORD = ".tf2bridge.json"
"""A file in the destination with the source of each checkpoint there, so that a second run skips it."""
_LONGEST_RECORD = 64 << 20
"""Bytes. A checkpoint takes some 200 bytes, and 100 for each of its files."""
_NUMBER = re.compile(r".*-(\d+)")
_OBJECTS = "checkpoint"


@dataclass(frozen=True)
class Progress:
    """A converted checkpoint of several, from this run or an earlier one."""

    number: int
    of: int
    source: Path
    path: Path
    converted: Converted | None
    """None for a checkpoint of an earlier run."""


def is_directory_of_checkpoints(path: Path) -> bool:
    """Returns whether a directory holds a training program's checkpoints: a state file, or several checkpoints."""
    return path.is_dir() and ((path / STATE).is_file() or len(_held(path)) > 1)


def by_step(path: Path) -> dict[int, list[Path]]:
    """Returns step -> the prefixes of a directory's checkpoints, in rising order; {} if it is no directory.

    A step has one prefix, unless two Savers wrote there.
    """
    prefixes: dict[int, list[Path]] = {}
    for prefix in _ordered(path) if path.is_dir() else ():
        steps = _steps(prefix)
        if steps is not None:
            prefixes.setdefault(steps, []).append(prefix)
    return dict(sorted(prefixes.items()))


def convert_directory(
    src: Path,
    dst: Path,
    plan: Plan | StrPath | None = None,
    format: str = _OBJECTS,  # noqa: A002 (as `convert` has it)
    into: Any = None,
    *,
    link: bool = False,
    verify: bool = True,
    force: bool = False,
    allow_nan: bool = False,
    max_to_keep: int | None = None,
    report: Callable[[Progress], None] = lambda _: None,
) -> list[Progress]:
    """Converts every checkpoint of `src` into the directory `dst`, and returns the checkpoints that are there then.

    The directory `dst` is created if necessary. Each checkpoint in it is complete or absent. A later call continues
    after the last complete one. Object-based checkpoints are called ckpt-N after the steps N of their sources; in other
    formats each keeps its name. A plan is made once, for the newest checkpoint. The file `checkpoint` names all
    checkpoints that are there, and the newest, as in the source.

    Args:
        src: The directory of checkpoints.
        dst: The directory to write to.
        plan, format, into, link, verify, force, allow_nan: See `convert`.
        max_to_keep: The number of newest checkpoints to convert; all by default.
        report: A function that is called after each checkpoint.

    Raises:
        FormatError: The directory holds no checkpoint. What `convert` raises is raised, too.
    """
    sources = _ordered(src)[-max_to_keep if max_to_keep else None :]
    if not sources:
        raise FormatError(src, "there is no checkpoint here: name one by its prefix, or its directory")
    if src.resolve() == dst.resolve() or same_place(src, dst):
        raise FormatError(dst, "this is the directory of the source: name another")
    ready = _plan(sources[-1], read_plan(plan), into, format)
    dst.mkdir(exist_ok=True)
    settings = f"{format} {_digest(ready)}"
    done: list[Progress] = []
    for number, (source, name) in enumerate(_named(sources, format), 1):
        made = None
        of = f"{settings} {_stamp(source)}"
        is_present = _is_there(dst / name, format)
        if force or not is_present or _read_record(dst).get(name) != of:
            # Recorded first, in case the process is killed after the last move. Empty while an older checkpoint exists.
            _write_record(dst, name, "" if is_present else of)
            made = convert(
                source, dst / name, ready, format, into, link=link, verify=verify, force=force, allow_nan=allow_nan
            )
            _write_record(dst, name, of)
        done.append(Progress(number, len(sources), source, dst / name, made))
        if format in BUNDLES:
            write_state(dst / STATE, [(conversion.path.name, _time(conversion.source)) for conversion in done])
        report(done[-1])
    return done


def _held(folder: Path) -> list[Path]:
    return [place.path for place in held(folder) if place.form in (Form.V1, Form.V2)]


def _ordered(folder: Path) -> list[Path]:
    """Returns the checkpoints of a directory, oldest first.

    Those that the state file lacks come first, by their steps.
    """
    paths = sorted(_held(folder), key=lambda path: (_steps(path) or 0, path.name))
    state = read_state(folder / STATE) if (folder / STATE).is_file() else None
    named = [path.name for path in (*state.others, state.newest)] if state else []
    return sorted(paths, key=lambda path: named.index(path.name) if path.name in named else -1)


def _steps(path: Path) -> int | None:
    match = _NUMBER.fullmatch(path.name)
    return int(match[1]) if match else None


def _named(sources: list[Path], form: str) -> Iterator[tuple[Path, str]]:
    """Yields each source with the name of its conversion: ckpt-N if no other source has N."""
    counts = Counter(map(_steps, sources))
    for path in sources:
        steps = _steps(path)
        if form in BUNDLES:
            alone = form == _OBJECTS and steps is not None and counts[steps] == 1
            yield path, f"ckpt-{steps}" if alone else path.name
        else:
            yield path, f"{path.name}.{form}"


def _plan(newest: Path, plan: Plan | None, into: Any, form: str) -> Plan | None:
    if plan is not None or into is None or form not in (*BUNDLES, "npz", "safetensors"):
        return plan
    from tf2bridge.checkpoint.planning.matching import plan as planned

    with opening.open(newest) as source:
        return planned(source, into)


def _digest(plan: Plan | None) -> str:
    if plan is None:
        return ""
    from tf2bridge.checkpoint.planning.plan_file import as_toml

    return hashlib.sha256(as_toml(plan).encode()).hexdigest()


def _files(path: Path) -> list[Path]:
    return sorted({*files_at(path), *v1_files(path)})


def _stamp(source: Path) -> str:
    """Returns a text that changes if a source changes: its files, their sizes and times."""
    facts = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in _files(source)]
    return json.dumps(facts)


def _time(source: Path) -> float:
    """Returns when a checkpoint was written, in seconds since 1970."""
    return max(path.stat().st_mtime for path in _files(source))


def _is_there(path: Path, form: str) -> bool:
    return bool(files_at(path)) if form in BUNDLES else path.is_file()


def _read_record(folder: Path) -> Mapping[str, str]:
    """Returns the record of earlier conversions into a directory.

    Raises:
        DamagedRecordError, NotRegularFileError, TooLargeFileError: The record cannot be read.
    """
    path = folder / _RECORD
    if path.is_symlink():
        raise DamagedRecordError(path, "is a symbolic link")
    try:
        record = json.loads(text_of(path, _LONGEST_RECORD))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise DamagedRecordError(path, "is no JSON") from error
    if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
        raise DamagedRecordError(path, "is not as tf2bridge writes it")
    return record


def _write_record(folder: Path, name: str, stamp: str) -> None:
    write_whole(folder / _RECORD, json.dumps({**_read_record(folder), name: stamp}, indent=1))
