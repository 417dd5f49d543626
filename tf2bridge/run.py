"""Runs an untouched TF 0.12 or 1.x program on TensorFlow 2; see `tf2bridge.program.running`."""

from __future__ import annotations

from tf2bridge.program.running import execute

__all__ = ["execute"]
