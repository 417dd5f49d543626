"""What a checkpoint can be written as, and how the command line calls it."""

from __future__ import annotations

BUNDLES = ("checkpoint", "saver")
"""V2 checkpoints: of objects, and by names alone."""
LIVE = ("keras", "weights.h5")
"""Files that Keras writes of a live model."""
FORMATS = (*BUNDLES, *LIVE, "safetensors", "npz")
