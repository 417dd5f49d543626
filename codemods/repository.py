"""Queries a git repository from an untrusted source, so that it cannot make git run programs.

The configuration and the attributes of a repository may name programs that git runs: monitors, hooks, filters, diff
drivers, and transports that fetch missing objects. So git gets a stand-in: a temporary directory with a configuration
of ours, and links to the pure data of the repository. Git only lists files; it never compares them.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from codemods import systems
from codemods.errors import CodemodsError, GitFailedError
from codemods.regular import read_regular

SECONDS = 60.0
_MOST_BYTES = 100_000_000
_SMALL = 4096
_CONFIGURATION_BYTES = 1_000_000
_HEAD = re.compile(rb"ref: refs/[^\0\n]+\n?|(?:[0-9a-f]{40}|[0-9a-f]{64})\n?")
# The only settings that are copied from a repository's configuration: the format of its files.
_FORMAT = re.compile(r"\b(objectformat|refstorage|ignorecase|precomposeunicode)\s*=\s*(sha256|reftable|true)\b", re.I)
_OF_COMMON, _OF_WORKTREE = ("refs", "packed-refs", "reftable", "shallow", "objects"), ("index", "logs")
# Switches off settings of the user's own configuration, and work of git that a query does not need.
_WITHOUT = (
    "core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.untrackedCache=false", "core.pager=cat",
    "safe.bareRepository=explicit", "protocol.allow=never", "maintenance.auto=false",
)  # fmt: skip
_KEPT = frozenset(("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"))
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_ATTR_NOSYSTEM": "1",
}  # fmt: skip


@dataclass(frozen=True)
class Repository:
    """A work tree. `own` is its `.git`, or the directory that `.git` names; `common` differs for linked work trees."""

    top: Path
    own: Path
    common: Path


def around(folder: Path) -> Repository | None:
    """Returns the repository whose work tree contains a directory. Bare repositories do not count."""
    folder = Path(os.path.realpath(folder))
    for top in (folder, *folder.parents):
        marker = top / ".git"
        try:
            if os.path.lexists(marker) and (repository := _opened(top, marker)) is not None:
                return repository
        except (OSError, ValueError, CodemodsError):  # git would refuse it too
            continue
    return None


def _opened(top: Path, marker: Path) -> Repository | None:
    own = marker
    if not marker.is_dir():
        text = os.fsdecode(read_regular(marker, _SMALL))
        if not text.startswith("gitdir:"):
            return None
        own = top / text.removeprefix("gitdir:").strip()
    common = own
    if (own / "commondir").exists():
        common = own / os.fsdecode(read_regular(own / "commondir", _SMALL)).strip()
    is_one = _HEAD.fullmatch(read_regular(own / "HEAD", _SMALL)) and (common / "objects").is_dir()
    return Repository(top, own.resolve(), common.resolve()) if is_one else None


def program() -> str | None:
    """Returns the git of the user's PATH. A git in the current directory is ignored."""
    places = [place for place in os.get_exec_path() if Path(place).is_absolute()]
    return systems.program("git", places)


def ask(repository: Repository, *question: str) -> bytes | None:
    """Runs a git command and returns its output; None if it fails. No other code runs git.

    Raises:
        GitFailedError: git is not installed, gives no answer in time, or prints too much.
    """
    git = program()
    if git is None:
        raise GitFailedError(repository.top, "git is not installed")
    with tempfile.TemporaryDirectory(prefix="codemods-git-") as name:
        _build(Path(name), repository)
        command = [git, f"--git-dir={name}", f"--work-tree={repository.top}", "-C", str(repository.top)]
        command += ["--no-pager", "--literal-pathspecs", *(word for setting in _WITHOUT for word in ("-c", setting))]
        return _answer([*command, *question], name, repository)


def _build(place: Path, repository: Repository) -> None:
    """Creates the stand-in."""
    (place / "HEAD").write_bytes(read_regular(repository.own / "HEAD", _SMALL))
    shared = [repository.common / name for name in _OF_COMMON]
    own = [repository.own / name for name in _OF_WORKTREE] + sorted(repository.own.glob("sharedindex.*"))
    for path in (*shared, *own):
        if path.is_file() or path.is_dir():  # no pipe and no device
            _share(path, place / path.name)
    if (repository.common / "info" / "exclude").is_file():
        (place / "info").mkdir()
        _share(repository.common / "info" / "exclude", place / "info" / "exclude")
    try:
        theirs = read_regular(repository.common / "config", _CONFIGURATION_BYTES).decode(errors="replace")
    except (OSError, CodemodsError):
        theirs = ""
    settings = {key.lower(): value.lower() for key, value in _FORMAT.findall(theirs)}
    extensions = {key: settings.pop(key) for key in ("objectformat", "refstorage") if key in settings}
    lines = ["[core]", "bare = false", f"repositoryformatversion = {int(bool(extensions))}"]
    lines += [f"{key} = {value}" for key, value in settings.items() if value == "true"]
    lines += ["[extensions]", *(f"{key} = {value}" for key, value in extensions.items())] if extensions else []
    (place / "config").write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


def _share(path: Path, place: Path) -> None:
    """Links a file or directory of the repository into the stand-in.

    If the system cannot make links, the objects are named in `info/alternates`, and all other files are copied.
    """
    if systems.make_link(place, path, path.is_dir()):
        return
    if path.name == "objects":
        (place / "info").mkdir(parents=True)
        (place / "info" / "alternates").write_text(f"{path.as_posix()}\n", "utf-8", newline="\n")
        return
    files = [path] if path.is_file() else (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    for file in files:
        if not file.is_symlink() and file.is_file():
            copy = place / file.relative_to(path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(read_regular(file, _MOST_BYTES))
    if path.is_dir():
        place.mkdir(exist_ok=True)  # git needs the directory to recognize a repository


def _answer(command: list[str], folder: str, repository: Repository) -> bytes | None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**kept, **_ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(SECONDS, stop)
    timer.daemon = True
    timer.start()
    try:
        assert process.stdout is not None
        parts: list[bytes] = []
        left = _MOST_BYTES
        while left > 0 and (part := process.stdout.read1(1 << 20)):  # type: ignore[attr-defined]
            parts.append(part)
            left -= len(part)
    finally:
        if left <= 0:
            process.kill()
        process.wait()
        timer.cancel()
        process.stdout.close()  # type: ignore[union-attr]
    if late.is_set():
        raise GitFailedError(repository.top, f"git gave no answer in {SECONDS:g} seconds")
    if left <= 0:
        raise GitFailedError(repository.top, f"git lists more than {_MOST_BYTES / 1e6:g} MB of names")
    return b"".join(parts) if process.returncode == 0 else None
