"""Which files hold work that git could not bring back: a rewrite of those waits for --force."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path


def uncommitted(paths: Iterable[Path]) -> list[Path]:
    """Those of the files that lie in a git work tree and are modified or untracked there."""
    found: list[Path] = []
    known: dict[Path, frozenset[Path]] = {}
    tops: dict[Path, Path | None] = {}
    for path in paths:
        real = path.resolve()
        if real.parent not in tops:
            tops[real.parent] = _top(real.parent)
        top = tops[real.parent]
        if top is None:
            continue
        if top not in known:
            known[top] = _changed(top)
        if real in known[top]:
            found.append(path)
    return found


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=False, encoding="utf-8", errors="replace"
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _top(folder: Path) -> Path | None:
    answer = _git(folder, "rev-parse", "--show-toplevel")
    return Path(answer.rstrip("\n")).resolve() if answer and answer.strip() else None


def _changed(top: Path) -> frozenset[Path]:
    answer = _git(top, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames") or ""
    return frozenset((top / line[3:]).resolve() for line in answer.split("\0") if line)
