"""The random numbers of Python and NumPy that a recorded program began with, given to its replay.

Data that a program shuffles or draws without a seed come out as they were: both draw from a Mersenne Twister whose
stream no release has changed (numpy.org/neps/nep-0019-rng-policy.html). What Python 2 drew by `random.shuffle`,
`randrange` and the like is another matter: Python 3 makes other numbers of the same stream.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from tf2bridge.patching import put
from tf2bridge.proof.recording.states import SEEDED, noticed
from tf2bridge.proof.traces.reader import Trace

_VERSION = 3
"""Of the states of `random`, in Python 2.7 and all of 3."""


class RandomStates:
    """Sets the states that a trace holds: at the beginning, and each time that the system would give a seed.

    Attributes:
        taken: how often that was done.
    """

    def __init__(self, recorded: Trace) -> None:
        self.taken = 0
        self._left: dict[str, deque[Mapping[str, Any]]] = {which: deque() for which in SEEDED}
        for state in recorded.manifest.get("random", ()):
            self._left[state["of"]].append(state)

    def install(self) -> None:
        """Sets the first states, and replaces `random.seed` and `numpy.random.seed`."""
        for which, module in SEEDED.items():
            self._set(which)
            put(module, "seed", noticed(module.seed, partial(self._set, which)))

    def _set(self, which: str) -> None:
        if not self._left[which]:
            return
        state = self._left[which].popleft()
        words = [int(state["words"][at : at + 8], 16) for at in range(0, len(state["words"]), 8)]
        gauss = state["gauss"]
        if which == "python":
            random.setstate((_VERSION, (*words, state["place"]), gauss))
        else:
            key = np.array(words, np.uint32)
            np.random.set_state(("MT19937", key, state["place"], int(gauss is not None), gauss or 0.0))
        self.taken += 1
