"""Shape functions of contrib.layers that hold no weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.v1.installed import supplier

v1 = tf.compat.v1


def flatten(inputs: Any, outputs_collections: str | Sequence[str] | None = None, scope: str | None = None) -> Any:
    """Returns `inputs`, [batch, ...], as [batch, everything else]."""
    layers = supplier("tf_keras.api._v1.keras.__internal__.legacy.layers")
    with v1.name_scope(scope, "Flatten", [inputs]):
        output = layers.flatten(tf.convert_to_tensor(inputs))
    names = [outputs_collections] if isinstance(outputs_collections, str) else outputs_collections or ()
    for name in names:
        v1.add_to_collection(name, output)
    return output
