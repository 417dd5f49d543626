"""Seeds made of one seed and a text."""

from __future__ import annotations

import hashlib
from typing import Any


class SeedStream:
    """Returns another seed with each call, all of them determined by `seed` and `salt`; None for a seed of None.

    A SeedStream as `seed` stands for its own seed.
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
        text = str((self._seed, self._counter, self._salt))  # what 1.15 hashed
        return int(hashlib.sha512(text.encode()).hexdigest(), 16)

    @property
    def original_seed(self) -> Any:
        """The seed that it was made with."""
        return self._seed

    @property
    def salt(self) -> Any:
        """The text that it was made with."""
        return self._salt
