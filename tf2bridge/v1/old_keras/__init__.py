"""What tf_keras does otherwise than the tf.keras of 1.15, put back as it was for the whole process."""

from __future__ import annotations

from tf2bridge.v1 import old_state
from tf2bridge.v1.old_keras import (
    configs,
    counts,
    files,
    flags,
    images,
    inputs,
    layers,
    models,
    names,
    optimizers,
    random,
    regularizers,
)

_PARTS = (
    names,
    layers,
    random,
    models,
    optimizers,
    regularizers,
    configs,
    counts,
    files,
    images,
    inputs,
    flags,
)


def install() -> None:
    """Changes tf_keras, which must be importable. The same call again changes nothing."""
    for part in _PARTS:
        part.install()
    old_state.install_in_keras()
