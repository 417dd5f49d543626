"""What git knows of a work tree: the files it holds no copy of, and those that differ from a revision."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from codemods.errors import NoRevisionError


def uncommitted(paths: Iterable[Path]) -> list[Path]:
    """Those of the files that lie in a git work tree and are modified or untracked there."""
    found: list[Path] = []
    kept: dict[Path, frozenset[Path]] = {}
    tops: dict[Path, Path | None] = {}
    for path in paths:
        real = path.resolve()
        if real.parent not in tops:
            tops[real.parent] = _top(real.parent)
        top = tops[real.parent]
        if top is None:
            continue
        if top not in kept:
            kept[top] = _listed(top, "ls-files", "-z") - _modified(top)
        if real not in kept[top]:  # an ignored file too has no copy
            found.append(path)
    return found


def changed_since(ref: str, folder: Path) -> frozenset[Path]:
    """The files of the work tree around a folder that differ from a revision, or that git does not track.

    Raises NoRevisionError.
    """
    top = _top(folder)
    if top is None:
        raise NoRevisionError(folder, ref, "not in a git work tree")
    if _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") is None:
        if ref != "HEAD":
            raise NoRevisionError(folder, ref, "no such revision")
        return _listed(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard")  # nothing committed yet
    differing = _listed(top, "diff", "--name-only", "-z", "--diff-filter=d", "--no-renames", ref, "--")
    return differing | _listed(top, "ls-files", "-z", "--others", "--exclude-standard")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _top(folder: Path) -> Path | None:
    answer = _git(folder, "rev-parse", "--show-toplevel")
    return Path(answer.rstrip("\n")).resolve() if answer and answer.strip() else None


def _listed(top: Path, *arguments: str) -> frozenset[Path]:
    answer = _git(top, *arguments) or ""
    return frozenset(top / name for name in answer.split("\0") if name)


def _modified(top: Path) -> frozenset[Path]:
    answer = _git(top, "status", "--porcelain", "-z", "--untracked-files=no", "--no-renames") or ""
    return frozenset(top / line[3:] for line in answer.split("\0") if line)
