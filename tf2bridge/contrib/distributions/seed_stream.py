"""Seeds derived from one seed and a text."""

from __future__ import annotations

import hashlib
from typing import Any


class SeedStream:
    """Returns a new seed with each call. `seed` and `salt` determine all seeds. If `seed` is None, all are None.

    If `seed` is a SeedStream, its original seed is used.
    """

    def __init__(self, seed: Any, salt: Any) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt = salt
        self._counter = 0

    def __call__(self) -> int | None:
        """Returns the next seed."""
        self._counter += 1
        if self._seed is None:
            return None
        text = str((self._seed, self._counter, self._salt))  # the same text as in 1.15
        return int(hashlib.sha512(text.encode()).hexdigest(), 16)

    @property
    def original_seed(self) -> Any:
        """The seed argument of the constructor."""
        return self._seed

    @property
    def salt(self) -> Any:
        """The text argument of the constructor."""
        return self._salt
