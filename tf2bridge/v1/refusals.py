"""Errors of the TF 1.x namespace. (Not called `errors`: `tf.errors` is a name of TensorFlow.)"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from codemods.symbols import lookup
from tf2bridge.errors import BridgeError
from tf2bridge.v1.exclusions import exclusion


class UnavailableNameError(BridgeError, AttributeError):
    """A TF 1.x name that tf2bridge lacks. An AttributeError, so that `hasattr` and `getattr(..., default)` work.

    `near` is a name that the program may have meant. `of_tensorflow_2` says that only TensorFlow 2 has it.
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
    found: Any = sys.modules.get("tensorflow")
    if found is None or dotted.startswith(("python", "contrib")) or lookup(dotted) is not None:
        return False
    for part in dotted.split("."):
        found = getattr(found, part, None)
    return found is not None


def _advice(dotted: str, near: str | None) -> str:
    found = exclusion(dotted)
    if found is not None:
        return f"{found.why}; {found.use}"
    if near is not None:
        return f"did you mean {near}?"
    if dotted.startswith("python."):
        return "it was private to TensorFlow; use the public name instead"
    return "tf2bridge has no such name; look it up in the release that the program was written for"


class Unavailable:
    """Stands where an import of something that is gone stood: it can be bound, and its first use raises."""

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
    """What codemods writes in place of an import that nothing stands for: `x = tf2bridge.v1.unavailable("contrib.x")`.

    The program loads, and where it uses `x` it raises UnavailableNameError, which says what to use.
    """
    return Unavailable(dotted)
