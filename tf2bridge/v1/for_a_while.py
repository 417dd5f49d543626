"""TF 1.x behaviour of a release for the length of a with block, in a process that stays with TensorFlow 2."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from tf2bridge.v1 import switch
from tf2bridge.v1.installed import tensorflow
from tf2bridge.v1.release import parse
from tf2bridge.v1.seeds import rebind

_PYTHON = "tensorflow.python"

_TOGGLES = (
    (f"{_PYTHON}.framework.tensor_shape", "_TENSORSHAPE_V2_OVERRIDE", False),
    (f"{_PYTHON}.ops.resource_variables_toggle", "_DEFAULT_USE_RESOURCE", False),
    (f"{_PYTHON}.ops.control_flow_util", "ENABLE_CONTROL_FLOW_V2", False),
    (f"{_PYTHON}.framework.tensor:Tensor", "_USE_EQUALITY", False),
)
"""What `disable_v2_behavior` sets (python/compat/v2_compat.py of 2.21), save eager execution, which no graph has, and
the names of tf.data."""

_CHANGED = (
    f"{_PYTHON}.ops.variable_scope:_VariableStore",
    *(f"{_PYTHON}.framework.tensor_shape:{name}" for name in ("Dimension", "TensorShape")),
    *(
        f"{_PYTHON}.ops.init_ops",
        f"{_PYTHON}.ops.init_ops_v2",
        f"{_PYTHON}.ops.gen_math_ops",
        f"{_PYTHON}.ops.embedding_ops",
    ),
    *(f"{_PYTHON}.autograph.core.config", f"{_PYTHON}.ops.resource_variable_ops:BaseResourceVariable"),
)
"""Modules and classes whose attributes the parts of `switch.ALWAYS` replace."""


@contextlib.contextmanager
def for_a_while(api: str) -> Iterator[None]:
    """Within the block, graphs are built as release `api` built them; afterwards the process is as it was.

    To be used in an eager process, with a graph of one's own as default. Other threads must not build graphs meanwhile.
    Raises UnknownReleaseError, MissingExtraError, UnsupportedTensorFlowError.
    """
    release = parse(api)
    tensorflow()
    owners = [_found(place) for place in _CHANGED]
    before = [dict(vars(owner)) for owner in owners]
    toggles = [(_found(place), name, value) for place, name, value in _TOGGLES]
    tf2 = importlib.import_module(f"{_PYTHON}.tf2")
    modern = tf2.enabled()
    kept = [getattr(owner, name) for owner, name, _ in toggles]
    try:
        tf2.disable()
        for owner, name, value in toggles:
            setattr(owner, name, value)
        with rebind.for_a_while():
            try:
                switch.install(release)
                yield
            finally:
                switch.uninstall()
    finally:
        for owner, attributes in zip(owners, before, strict=True):
            _restore(owner, attributes)
        for (owner, name, _), value in zip(toggles, kept, strict=True):
            setattr(owner, name, value)
        if modern:
            tf2.enable()


def _found(place: str) -> Any:
    module, _, name = place.partition(":")
    owner = importlib.import_module(module)
    return getattr(owner, name) if name else owner


def _restore(owner: Any, before: dict[str, Any]) -> None:
    for name, value in list(vars(owner).items()):
        if name not in before:
            delattr(owner, name)
        elif before[name] is not value:
            setattr(owner, name, before[name])
