"""Shares the tests among the workers of pytest-xdist: a file goes to one worker, and long ones go first.

What a file prepares once, in a fixture of the module or a cached function, would else be prepared in each worker. A
file that ends last and takes minutes would leave the other workers idle.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling

LONGEST = (
    "tests/tf2bridge/test_conformance.py",
    "tests/tf2bridge/migration/test_migrate.py",
    "tests/tf2bridge/proof/diverging/test_further_mutations.py",
    "tests/tf2bridge/proof/diverging/test_mutations.py",
    "tests/readmes/test_examples.py",
    "tests/tf2bridge/train/clusters/test_programs.py",
    "tests/tf2bridge/train/clusters/test_faults.py",
)
"""Files that take more than a minute, the longest first."""


class ByFile(LoadGroupScheduling):
    """Keeps the tests of a group together, and those of a file that are in no group."""

    def _split_scope(self, nodeid: str) -> str:
        return super()._split_scope(nodeid).partition("::")[0]


def longest_first(items: list[pytest.Item]) -> None:
    """Sorts the tests: those of the longest files first, the others as they were."""
    place = {path: number for number, path in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(place)))


def scheduler(config: Any, log: Any) -> ByFile | None:
    """Returns what shares the tests if `--dist loadgroup` is asked for."""
    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False  # xdist would sort by the number of tests, which says little of their time
    return ByFile(config, log)
