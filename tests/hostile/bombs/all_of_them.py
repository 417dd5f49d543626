"""Every bomb, by its name."""

from __future__ import annotations

from tests.hostile.bombs import archives, bundles, graphs, hdf5, texts, traces
from tests.hostile.bombs.registry import BOMBS

assert all((archives, bundles, graphs, hdf5, texts, traces))  # each registers its own

__all__ = ["BOMBS"]
