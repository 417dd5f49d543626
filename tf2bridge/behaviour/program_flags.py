"""`tf.flags.FLAGS` and `tf.app.run`: argparse up to 1.4, absl from 1.5 on, as the release had it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.behaviour.old_ops import library_flags
from tf2bridge.behaviour.refusals import FlagsError

v1 = tf.compat.v1


class ProgramFlags:
    """The flags that the program defined; the command line is read when one is first used.

    `_parse_flags` returns the arguments that no flag takes; `__parsed` says whether it was called. `__flags` is a
    dictionary: of values up to 1.4, since then of absl's flags (python/platform/flags.py of 1.4.1 and 1.15.5).
    """

    def __getattr__(self, name: str) -> Any:
        values = v1.flags.FLAGS
        if name == "__parsed":
            return values.is_parsed()
        if not values.is_parsed():
            self._parse_flags()
        if name == "__flags":
            return {name: flag.value if argparse_release() else flag for name, flag in _defined().items()}
        if name not in values and not hasattr(values, name):
            raise FlagsError(name, sorted(_defined()))
        return getattr(values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not v1.flags.FLAGS.is_parsed():
            self._parse_flags()
        setattr(v1.flags.FLAGS, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(v1.flags.FLAGS, name)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # programs of 1.4 look into it
        return {name: getattr(self, name) for name in ("__parsed", "__flags")}

    def __dir__(self) -> list[str]:
        return sorted(_defined())

    def __iter__(self) -> Iterator[str]:
        return iter(v1.flags.FLAGS)

    def __contains__(self, name: str) -> bool:
        return name in v1.flags.FLAGS

    def __getitem__(self, name: str) -> Any:
        return v1.flags.FLAGS[name]

    def __call__(self, argv: list[str], known_only: bool = False) -> list[str]:
        """Reads `argv` as absl does; returns what is left of it."""
        return list(v1.flags.FLAGS(argv, known_only=known_only))

    def _parse_flags(self, args: list[str] | None = None) -> list[str]:
        argv = sys.argv if args is None else [sys.argv[0], *args]
        if not argparse_release():
            return list(v1.flags.FLAGS(argv))[1:]
        known, rest = _parser().parse_known_args(argv[1:])
        v1.flags.FLAGS(argv[:1])
        for name, value in vars(known).items():
            setattr(v1.flags.FLAGS, name, value)
        return rest


FLAGS = ProgramFlags()

_FlagValues = ProgramFlags
"""The class of FLAGS up to 1.4; all its objects had one parser, so that each had all flags."""


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Reads the flags, calls `main` (that of the main module by default) with the rest; exits with what it returns."""
    if argparse_release():
        rest = FLAGS._parse_flags(argv[1:] if argv else None)
        chosen = main or sys.modules["__main__"].main
        sys.exit(chosen(sys.argv[:1] + rest))
    v1.app.run(main=main, argv=argv)
    sys.exit(0)


def argparse_release() -> bool:
    """Returns whether the release in force read the command line with argparse (to 1.4) rather than absl."""
    return before(1, 5)


def _defined() -> dict[str, Any]:
    """Returns the flags that no library defined, by name."""
    by_module = v1.flags.FLAGS.flags_by_module_dict()
    own = [module for module in by_module if not library_flags.is_of_library(module)]
    return {flag.name: flag for module in own for flag in by_module[module]}


def _parser() -> argparse.ArgumentParser:
    """Returns the parser that tf.flags had: `--flag value`, `--flag=value`; for booleans a bare `--flag` and `--noflag`
    too.
    """
    parser = argparse.ArgumentParser()
    for name, flag in _defined().items():
        if flag.flag_type() == "bool":
            parser.add_argument(f"--{name}", nargs="?", const=True, default=flag.value, type=_truth, help=flag.help)
            parser.add_argument(f"--no{name}", action="store_false", dest=name.replace("-", "_"))
        else:
            kind = {"int": int, "float": float}.get(flag.flag_type(), str)
            parser.add_argument(f"--{name}", default=flag.value, type=kind, help=flag.help)
    return parser


def _truth(text: str) -> bool:
    return text.lower() in ("true", "t", "1")
