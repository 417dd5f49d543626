"""The formats of checkpoints that can be written, with their names on the command line."""

from __future__ import annotations

BUNDLES = ("checkpoint", "saver")
"""V2 checkpoints: object-based, and with names only."""
LIVE = ("keras", "weights.h5")
"""Files that Keras writes from a live model."""
FORMATS = (*BUNDLES, *LIVE, "safetensors", "npz")
