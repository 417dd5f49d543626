"""Trees of files as somebody who means harm would make them; their programs leave a mark where they ran."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

LEGACY = b"import tensorflow as tf\ny = tf.mul(a, b)\n"
CONTROLS = [chr(code) for code in (*range(1, 32), *range(127, 160)) if chr(code) != "/"]
MARKS = ["\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A)), "\u2028"]
ORDERS = ["::error file=a.py::forged", "a\n::error::forged", "##[error]forged", "x\r::warning::y", "\x1b]0;title\x07"]
SPECIAL_NAMES = ("fifo.py", "requirements.txt", "setup.py", "notebook.ipynb", ".gitignore", "Dockerfile")


def special(folder: Path) -> Iterator[Path]:
    """Puts pipes, sockets, devices and links to them into a folder, named like sources."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in SPECIAL_NAMES:
        os.mkfifo(folder / name)
        yield folder / name
    links = {"zero.py": "/dev/zero", "tty.py": "/dev/tty", "loop.py": "loop.py", "in.py": "fifo.py"}
    for name, target in links.items():
        (folder / name).symlink_to(target)
        yield folder / name
    here = Path.cwd()
    os.chdir(folder)  # the address of a socket is shorter than many a path
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket.py")
    finally:
        os.chdir(here)
    yield folder / "socket.py"
    try:
        os.mknod(folder / "device.py", stat.S_IFCHR | 0o600, os.makedev(1, 5))
        yield folder / "device.py"
    except PermissionError:
        pass  # only root makes devices


def git(folder: Path, *arguments: str) -> None:
    """Runs the user's git, as a user would who knows what is in the folder."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "core.fsmonitor="]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *identity, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def committed(folder: Path) -> Path:
    """A repository with one committed source and one beside it that is not."""
    folder.mkdir(parents=True)
    (folder / "kept.py").write_bytes(LEGACY)
    git(folder, "init", "-q")
    git(folder, "add", "kept.py")
    git(folder, "commit", "-q", "-m", "a")
    (folder / "new.py").write_bytes(LEGACY)
    return folder


def program(place: Path, ran: Path) -> Path:
    """A program that leaves a mark where it ran, and passes on what it is given."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\necho ran >> '{ran}'\nexec cat\n")
    place.chmod(0o755)
    return place


def poisoned(folder: Path, ran: Path) -> None:
    """Has the configuration of a repository, its attributes and its hooks name a program for all that git runs."""
    evil = program(folder / ".git" / "evil", ran)
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction", "pre-auto-gc"):
        program(folder / ".git" / "hooks" / hook, ran)
    (folder / ".git" / "more").write_text(f"[core]\nfsmonitor = {evil}\n")
    (folder / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    (folder / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    with (folder / ".git" / "config").open("a") as config:
        config.write(
            f"""
[core]
    fsmonitor = {evil}
    hooksPath = {folder}/.git/hooks
    pager = {evil}
    editor = {evil}
    sshCommand = {evil}
    gitProxy = {evil}
    askPass = {evil}
    alternateRefsCommand = {evil}
    untrackedCache = true
[include]
    path = more
[filter "evil"]
    clean = {evil}
    smudge = {evil}
    process = {evil}
    required = true
[diff]
    external = {evil}
[diff "evil"]
    command = {evil}
    textconv = {evil}
[alias]
    ls-files = !{evil}
    rev-parse = !{evil}
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[remote "origin"]
    url = ext::{evil}
    promisor = true
    uploadpack = {evil}
[credential]
    helper = !{evil}
[extensions]
    partialClone = origin
"""
        )


def embedded(folder: Path, ran: Path) -> None:
    """Makes a folder a bare repository among the files, as a clone of one can hold it, which names a program."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "--bare")
    evil = program(folder / "evil", ran)
    with (folder / "config").open("a") as config:
        config.write(f"[core]\n    bare = false\n    worktree = .\n    fsmonitor = {evil}\n    hooksPath = hooks\n")
    program(folder / "hooks" / "post-index-change", ran)
    (folder / "inside.py").write_bytes(LEGACY)


def named_oddly(folder: Path) -> list[Path]:
    """Sources whose names hold every control character, marks of direction, bytes that are no text, and orders."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"a{char}b.py".encode() for char in (*CONTROLS, *MARKS)]
    names += [f"{order}.py".encode() for order in ORDERS]
    names += [b"\xff\xfe.py", b"\x9b31m.py", b"\xed\xa0\x80.py", b"::error::x\xff.py", b'quote".py', b"back\\slash.py"]
    made = []
    for name in names:
        with contextlib.suppress(OSError, UnicodeError):  # a file system may take text alone
            (folder / os.fsdecode(name)).write_bytes(LEGACY)
            made.append(folder / os.fsdecode(name))
    return made
