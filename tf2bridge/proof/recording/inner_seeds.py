"""Gives seeds to random ops in conditions and loops that have none: what they draw cannot be fetched, and so recorded.

Such an op draws other numbers in every run, so that any seed is as good. It is in the recorded graph.
"""

import random

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

_MOST_SEED = 2**31 - 1


class InnerSeeds(object):
    """Replaces the function that gives random ops their seeds. `given` has the pairs that it made."""

    def __init__(self):
        # type: () -> None
        self._random = random.SystemRandom()  # the program's own generator goes on as without a recorder
        self._module = None  # type: Any
        self._original = None  # type: Any
        self.given = set()  # type: set[Any]

    def install(self):
        # type: () -> None
        """Replaces the function; TensorFlow has been imported."""
        from tensorflow.python.framework import ops, random_seed

        def get_seed(op_seed):
            # type: (Any) -> Any
            seeds = original(op_seed)
            if seeds[0] is not None or seeds[1] is not None:
                return seeds
            if ops.get_default_graph()._get_control_flow_context() is None:
                return seeds
            seeds = tuple([self._random.randint(1, _MOST_SEED) for _ in seeds])
            self.given.add(seeds)
            return seeds

        self._module, self._original = random_seed, random_seed.get_seed
        original = self._original
        random_seed.get_seed = get_seed

    def remove(self):
        # type: () -> None
        """Restores the function."""
        if self._module is not None:
            self._module.get_seed = self._original
