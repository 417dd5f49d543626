"""TF 1.x behaviour of a release for the length of a with block, in a process that stays with TensorFlow 2."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Iterator

from tf2bridge.patching import PatchSet, on_undo, put
from tf2bridge.v1 import switch
from tf2bridge.v1.installed import tensorflow
from tf2bridge.v1.release import parse

_PYTHON = "tensorflow.python"

_TOGGLES = (
    (f"{_PYTHON}.framework.tensor_shape", "_TENSORSHAPE_V2_OVERRIDE", False),
    (f"{_PYTHON}.ops.resource_variables_toggle", "_DEFAULT_USE_RESOURCE", False),
    (f"{_PYTHON}.ops.control_flow_util", "ENABLE_CONTROL_FLOW_V2", False),
    (f"{_PYTHON}.framework.tensor:Tensor", "_USE_EQUALITY", False),
)
"""What `disable_v2_behavior` sets (python/compat/v2_compat.py of 2.21), save eager execution, which no graph has, and
the names of tf.data."""


@contextlib.contextmanager
def for_a_while(api: str) -> Iterator[None]:
    """Within the block, graphs are built as release `api` built them; afterwards the process is as it was.

    To be used in an eager process, with a graph of one's own as default. Other threads must not build graphs meanwhile.
    Raises UnknownReleaseError, MissingExtraError, UnsupportedTensorFlowError.
    """
    release = parse(api)
    tensorflow()
    with PatchSet(f"TensorFlow {release.asked} for a while").for_a_while():
        tf2 = importlib.import_module(f"{_PYTHON}.tf2")
        if tf2.enabled():
            on_undo(tf2.enable)
            tf2.disable()
        for place, name, value in _TOGGLES:
            module, *path = place.split(":")
            put(functools.reduce(getattr, path, importlib.import_module(module)), name, value)
        switch.install(release)
        yield
