"""What tf_keras does otherwise than the tf.keras of 1.15, put back as it was for the whole process."""

from __future__ import annotations

from tf2bridge.v1 import (
    keras_configs,
    keras_counts,
    keras_files,
    keras_images,
    keras_layers,
    keras_models,
    keras_names,
    keras_optimizers,
    keras_random,
)

_PARTS = (
    keras_names,
    keras_layers,
    keras_random,
    keras_models,
    keras_optimizers,
    keras_configs,
    keras_counts,
    keras_files,
    keras_images,
)


def install() -> None:
    """Changes tf_keras, which must be importable. The same call again changes nothing."""
    for part in _PARTS:
        part.install()
