"""`--flag False` as TensorFlow up to 1.4 read it.

Those releases read the command line with argparse, where a boolean flag takes the next word as its value
(python/platform/flags.py of 1.4). Since 1.5 tf.flags is absl, where `--flag` alone means true and the next word is an
ordinary argument. So the flag would silently have the opposite value.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.patching import put

_WORDS = ("true", "false", "t", "f", "1", "0")


def install() -> None:
    """Makes boolean flags take the next word as their value, in this process."""
    from absl.flags import FlagValues

    original = FlagValues.__call__

    @functools.wraps(original)
    def read(self: Any, argv: Any, known_only: bool = False) -> Any:
        return original(self, joined(argv, self), known_only)

    put(FlagValues, "__call__", read)


def joined(argv: Any, flags: Any) -> list[str]:
    """Returns `argv` with `--flag=word` for `--flag word` if the flag is boolean and the word is a truth value."""
    words: list[str] = []
    for word in argv:
        before = words[-1].lstrip("-") if words and words[-1].startswith("-") else ""
        if len(words) > 1 and before in flags and flags[before].boolean and word.lower() in _WORDS:
            words[-1] += f"={word}"
        else:
            words.append(word)
    return words
