"""Gives tensors and variables TF 1.x behaviour for the length of a with block, in an eager process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tf2bridge.behaviour.old_ops.resource_variables import initialized_value
from tf2bridge.patching import PatchSet, put


@contextlib.contextmanager
def tf1_ways() -> Iterator[None]:
    """Patches TensorFlow for TF 1.x code, for the length of a with block.

    Shapes hold `Dimension`s (`x.shape[1].value`), and resource variables have `initialized_value()`. TensorFlow 2.21
    has neither in an eager process.
    """
    from tf2bridge.internals.framework import tensor_shape
    from tf2bridge.internals.ops import BaseResourceVariable

    with PatchSet("shapes and variables of TF 1.x").for_a_while():
        put(tensor_shape, "_TENSORSHAPE_V2_OVERRIDE", False)  # as tf.compat.v1.disable_v2_tensorshape does
        put(BaseResourceVariable, "initialized_value", initialized_value)
        yield
