"""The program that a cluster runs, from the words after `--`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.errors import NoSuchFileError
from tf2bridge.train.clusters import flags

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True)
class Program:
    """A program of a command line.

    Attributes:
        shown: The name of the program in messages.
        environment: The words NAME=VALUE before the program.
        entry: The script, or `-m` and its module.
        arguments: The words after the program.
        path: The file of the program.
        root: The directory in which its imports are searched.
    """

    shown: str
    environment: tuple[str, ...]
    entry: tuple[str, ...]
    arguments: tuple[str, ...]
    path: Path
    root: Path

    def interface(self) -> flags.Interface:
        """Returns how the program learns its place in a cluster, read from its text."""
        return flags.interface(self.path, self.root)


def program_of(words: Sequence[str]) -> Program:
    """Returns the program that `[NAME=VALUE...] SCRIPT ARGS...` or `[NAME=VALUE...] -m MODULE ARGS...` names.

    Raises:
        NoSuchFileError: There is no such file or module.
    """
    set_ = tuple(itertools.takewhile(_ASSIGNMENT.match, words))
    entry = list(words[len(set_) :])
    if entry[:1] == ["-m"] and len(entry) > 1:
        return Program(entry[1], set_, ("-m", entry[1]), tuple(entry[2:]), _module_file(entry[1]), Path.cwd())
    if not entry or not Path(entry[0]).is_file():
        raise NoSuchFileError(entry[0] if entry else "", "program")
    path = Path(entry[0])
    return Program(entry[0], set_, (entry[0],), tuple(entry[1:]), path, path.resolve().parent)


def _module_file(name: str) -> Path:
    """Returns the file of a module below the current directory. Importing its packages might import TensorFlow."""
    base = Path.cwd().joinpath(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__main__.py"):
        if path.is_file():
            return path
    raise NoSuchFileError(name, "module of a program below the current directory")
