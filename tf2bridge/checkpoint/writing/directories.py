"""All checkpoints of a directory converted into another, as `tf.train.CheckpointManager` and `Saver` keep theirs."""

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
"""In the destination: what each checkpoint there was made of, so that a second run passes it over."""
_LONGEST_RECORD = 64 << 20
"""Bytes; a checkpoint takes some 200, and 100 for each of its files."""
_NUMBER = re.compile(r".*-(\d+)")
_OBJECTS = "checkpoint"


@dataclass(frozen=True)
class Progress:
    """A checkpoint of several that is done, by this run or an earlier one."""

    number: int
    of: int
    source: Path
    path: Path
    converted: Converted | None
    """None for what was there."""


def is_directory_of_checkpoints(path: Path) -> bool:
    """Whether a path is a directory that a training program kept its checkpoints in: with a state file, or several."""
    return path.is_dir() and ((path / STATE).is_file() or len(_held(path)) > 1)


def by_step(path: Path) -> dict[int, list[Path]]:
    """Returns the steps that a directory's checkpoints are numbered by, rising -> the prefixes, one unless two Savers
    wrote there; {} for what is no directory.
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
    """Converts every checkpoint of `src` into the directory `dst`, made if need be, and returns what is there then.

    Each is whole or absent, and a later call goes on after the last that is whole. Objects are called ckpt-N by the
    steps N of their sources, in other formats each has its own name. max_to_keep: only so many, the newest. A plan is
    made once, for the newest. The file `checkpoint` names all that are there, and the newest, as it is in the source.
    Raises what `convert` does, and FormatError for a directory that holds none.
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
        there = _is_there(dst / name, format)
        if force or not there or _read_record(dst).get(name) != of:
            # Said first, so that a process killed after the last move has said so; but not of what is still another.
            _write_record(dst, name, "" if there else of)
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
    """The checkpoints of a directory, oldest first: those that the state file does not name by their steps, before."""
    paths = sorted(_held(folder), key=lambda path: (_steps(path) or 0, path.name))
    state = read_state(folder / STATE) if (folder / STATE).is_file() else None
    named = [path.name for path in (*state.others, state.newest)] if state else []
    return sorted(paths, key=lambda path: named.index(path.name) if path.name in named else -1)


def _steps(path: Path) -> int | None:
    match = _NUMBER.fullmatch(path.name)
    return int(match[1]) if match else None


def _named(sources: list[Path], form: str) -> Iterator[tuple[Path, str]]:
    """Each source, and what its conversion is called: ckpt-N if that is one's alone."""
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
    """What tells whether a source is as it was: its files, their sizes and times."""
    facts = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in _files(source)]
    return json.dumps(facts)


def _time(source: Path) -> float:
    """Seconds since 1970 at which a checkpoint was written."""
    return max(path.stat().st_mtime for path in _files(source))


def _is_there(path: Path, form: str) -> bool:
    return bool(files_at(path)) if form in BUNDLES else path.is_file()


def _read_record(folder: Path) -> Mapping[str, str]:
    """What was converted into a directory before. Raises DamagedRecordError, NotRegularFileError, TooLargeFileError."""
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
