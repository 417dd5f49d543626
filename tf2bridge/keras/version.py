"""`tf.keras.__version__`: the Keras that each release had, read in the genuine ones."""

from __future__ import annotations

from tf2bridge.behaviour import in_force

_BORDERS = (
    ((1, 5), "2.0.8-tf"),
    ((1, 6), "2.1.2-tf"),
    ((1, 7), "2.1.3-tf"),
    ((1, 8), "2.1.4-tf"),
    ((1, 9), "2.1.5-tf"),
    ((1, 13), "2.1.6-tf"),
)
"""Releases before these have these versions."""


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(name)
    return next((version for border, version in _BORDERS if in_force.before(*border)), "2.2.4-tf")
