"""Errors of the TF 1.x namespace. (Not called `errors`: `tf.errors` is a name of TensorFlow.)"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from codemods.symbols import lookup
from tf2bridge.errors import BridgeError
from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.private import candidates


class UnavailableNameError(BridgeError, AttributeError):
    """A TF 1.x name that tf2bridge lacks. An AttributeError, so that `hasattr` and `getattr(..., default)` work.

    Attributes:
        of_tensorflow_2: Whether only TensorFlow 2 has the name.
    """

    def __init__(self, dotted: str, near: str | None = None) -> None:
        self.of_tensorflow_2 = _is_of_tensorflow_2(dotted)
        if self.of_tensorflow_2:
            super().__init__(f"tf.{dotted} is a name of TensorFlow 2, which no release of 1.x had")
            return
        super().__init__(f"tf.{dotted}{_releases(dotted)} is not available on TensorFlow 2: {_advice(dotted, near)}")


def _releases(dotted: str) -> str:
    known = lookup(dotted)
    if known is None or not known.releases:
        return ""
    first, last = known.releases[0], known.releases[-1]
    return f" (TensorFlow {first})" if first == last else f" (TensorFlow {first} to {last})"


def _is_of_tensorflow_2(dotted: str) -> bool:
    value: Any = sys.modules.get("tensorflow")
    if value is None or dotted.startswith(("python", "contrib")) or lookup(dotted) is not None:
        return False
    for part in dotted.split("."):
        value = getattr(value, part, None)
    return value is not None


def _advice(dotted: str, near: str | None) -> str:
    excluded = exclusion(dotted) or _of_public_name(dotted)
    if excluded is not None:
        return f"{excluded.why}; {excluded.use}"
    if near is not None:
        return f"did you mean {near}?"
    if dotted.startswith("python."):
        return "it was private to TensorFlow; use the public name instead"
    return "tf2bridge has no such name; look it up in the release that the program was written for"


def _of_public_name(dotted: str) -> Any:
    """Returns the exclusion of the public name of an object in a module of contrib that held it, or None."""
    path, _, name = dotted.rpartition(".")
    if not path.startswith("contrib."):
        return None
    return next(filter(None, map(exclusion, candidates(path, name))), None)


class Unavailable:
    """Replaces an import of a removed object. It can be bound to a name; its first use raises UnavailableNameError."""

    def __init__(self, dotted: str) -> None:
        self._dotted = dotted

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnavailableNameError(f"{self._dotted}.{name}")

    def __call__(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise UnavailableNameError(self._dotted)

    def __mro_entries__(self, _bases: tuple[object, ...]) -> NoReturn:
        raise UnavailableNameError(self._dotted)

    def __getitem__(self, _key: object) -> NoReturn:
        raise UnavailableNameError(self._dotted)

    def __repr__(self) -> str:
        return f"unavailable({self._dotted!r})"


def unavailable(dotted: str) -> Unavailable:
    """Returns a placeholder for an object that TensorFlow 2 lacks.

    codemods writes it in place of an import: `x = tf2bridge.v1.unavailable("contrib.x")`. The program loads. Its first
    use of `x` raises UnavailableNameError, which says what to use.
    """
    return Unavailable(dotted)
