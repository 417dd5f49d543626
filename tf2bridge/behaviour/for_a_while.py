"""TF 1.x behaviour of a release for the length of a with block, in a process that stays with TensorFlow 2."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tf2bridge.behaviour import parts
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.release import parse
from tf2bridge.internals import framework, ops
from tf2bridge.patching import PatchSet, on_undo, put


@contextlib.contextmanager
def for_a_while(api: str) -> Iterator[None]:
    """Builds graphs as release `api` did, within a with block; afterwards the process is as it was.

    To be used in an eager process, with a graph of one's own as default. Other threads must not build graphs meanwhile.
    Raises UnknownReleaseError, MissingExtraError, UnsupportedTensorFlowError.
    """
    release = parse(api)
    tensorflow()
    with PatchSet(f"TensorFlow {release.asked} for a while").for_a_while():
        _disable_v2_behavior()
        parts.install(release)
        yield


def _disable_v2_behavior() -> None:
    """Sets the switches of `disable_v2_behavior` (python/compat/v2_compat.py of 2.21).

    Exceptions are eager execution, which graphs do not have, and the names of tf.data.
    """
    tf2 = framework.tf2
    if tf2.enabled():
        on_undo(tf2.enable)
        tf2.disable()
    put(framework.tensor_shape, "_TENSORSHAPE_V2_OVERRIDE", False)
    put(ops.resource_variables_toggle, "_DEFAULT_USE_RESOURCE", False)
    put(ops.control_flow_util, "ENABLE_CONTROL_FLOW_V2", False)
    put(framework.tensor.Tensor, "_USE_EQUALITY", False)
