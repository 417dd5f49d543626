"""The program that a cluster runs, as it is named after `--`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.errors import NoSuchFileError
from tf2bridge.train.clusters import flags


@dataclass(frozen=True)
class Program:
    """`entry` is its script, or `-m` and its module; `path` its file, `root` where its imports are looked for."""

    shown: str
    entry: tuple[str, ...]
    arguments: tuple[str, ...]
    path: Path
    root: Path

    def interface(self) -> flags.Interface:
        """What its text says of how it learns its place in a cluster."""
        return flags.interface(self.path, self.root)


def program_of(words: Sequence[str]) -> Program:
    """Returns the program that the words `SCRIPT ARGS...` or `-m MODULE ARGS...` name. Raises NoSuchFileError."""
    if words[:1] == ["-m"] and len(words) > 1:
        return Program(words[1], ("-m", words[1]), tuple(words[2:]), _module_file(words[1]), Path.cwd())
    if not words or not Path(words[0]).is_file():
        raise NoSuchFileError(words[0] if words else "", "program")
    path = Path(words[0])
    return Program(words[0], (words[0],), tuple(words[1:]), path, path.resolve().parent)


def _module_file(name: str) -> Path:
    """Found below the current directory by its name: importing its packages might import TensorFlow."""
    base = Path.cwd().joinpath(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__main__.py"):
        if path.is_file():
            return path
    raise NoSuchFileError(name, "module of a program below the current directory")
