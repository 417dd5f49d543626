"""`Policy`, `set_policy` and `global_policy` of `tf.keras.mixed_precision.experimental`.

tf_keras kept the policies, without a loss scale and without the names that end in "_with_float32_vars". Facts are those
of TensorFlow 1.15.5 (tensorflow/python/keras/mixed_precision/experimental/policy.py).
"""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier

supplier(KERAS)
_kept: Any = importlib.import_module("tf_keras.src.mixed_precision.policy")
_layer_utils: Any = importlib.import_module("tf_keras.src.engine.base_layer_utils")
_experimental = tf.compat.v1.mixed_precision
_log = logging.getLogger("tensorflow")

USE_DEFAULT = "USE_DEFAULT"
"""The loss scale that the policy's name implies."""

_SPLIT = "_with_float32_vars"
_RENAMED = {"infer_float32_vars": "infer_with_float32_vars", "float32_with_float32_vars": "float32"}
_MIXED = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}


def loss_scale_of(identifier: Any) -> Any:
    """Returns the `tf.train.experimental.LossScale` for a number, "dynamic", a loss scale or None.

    Raises:
        ValueError: for anything else.
    """
    if isinstance(identifier, (int, float)) and not isinstance(identifier, bool):
        return _experimental.FixedLossScale(identifier)
    if identifier == "dynamic":
        return _experimental.DynamicLossScale()
    if identifier is None or isinstance(identifier, _experimental.LossScale):
        return identifier
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


class Policy(_kept.Policy):  # type: ignore[misc]
    """The dtypes in which a layer computes and keeps its variables, and the loss scale of a model.

    Args:
        name: A dtype's name; "DTYPE_with_float32_vars"; "mixed_float16" or "mixed_bfloat16"; "infer" or
            "infer_with_float32_vars", which take the dtype of the first input.
        loss_scale: What `loss_scale_of` takes. "mixed_float16" has a dynamic one if nothing is said, others have none.

    Raises:
        TypeError: if `name` is no string.
        ValueError: if `name` names no dtype.
    """

    def __init__(self, name: str, loss_scale: Any = USE_DEFAULT) -> None:
        if isinstance(name, tf.DType):
            raise TypeError(f"'name' must be a string, not a DType. Instead, pass DType.name. Got: {name.name}")
        if not isinstance(name, str):
            raise TypeError(f"'name' must be a string, but got: {name}")
        self._name = _RENAMED.get(name, name)
        self._compute_dtype, self._variable_dtype = _dtypes(self._name)
        if loss_scale == USE_DEFAULT:
            loss_scale = "dynamic" if name == "mixed_float16" else None
        if loss_scale and self._compute_dtype not in (None, "float16"):
            _log.warning(
                "Creating a Policy with a loss scale is only useful for float16 policies. You passed loss_scale=%r for "
                "policy %s. Consider not passing any loss_scale instead.",
                loss_scale,
                name,
            )
        self._loss_scale = loss_scale_of(loss_scale)

    @property
    def should_cast_variables(self) -> bool:
        """Whether variables are cast before a layer computes with them."""
        return bool(self.variable_dtype != self.compute_dtype)

    @property
    def loss_scale(self) -> Any:
        """The `tf.train.experimental.LossScale` of the policy, or None."""
        return self._loss_scale

    def __repr__(self) -> str:
        return f'<Policy "{self._name}", loss_scale={self.loss_scale}>'


def _dtypes(name: str) -> tuple[str | None, str | None]:
    """Returns the dtypes of computation and of variables."""
    if name in _MIXED:
        return _MIXED[name], "float32"
    base = name.removesuffix(_SPLIT)
    try:
        dtype = None if base == "infer" else tf.as_dtype(base).name
    except TypeError as error:
        text = (
            f"Cannot convert value {name} to a mixed precision Policy. Valid policies include include those in the "
            'form "<dtype>" and "<dtype>_with_float32_vars", where <dtype> is the name of a dtype.'
        )
        if base != name:
            text += f" The value {name} ends with _with_float32_vars, but {base} cannot be converted to a DType"
        raise ValueError(text) from error
    return dtype, dtype if base == name else "float32"


def with_input_dtype(policy: Policy, dtype: Any) -> Policy:
    """Returns the policy that an "infer" policy becomes at an input of this dtype."""
    name = tf.as_dtype(dtype).name
    return Policy(name if policy.variable_dtype is None else name + _SPLIT)


def global_policy() -> Policy:
    """Returns the policy of layers that are given none."""
    chosen = _kept.global_policy()
    return chosen if isinstance(chosen, Policy) else Policy(chosen.name.removeprefix("_"))  # "_infer" was "infer"


def policy_defaults_to_floatx() -> bool:
    """Returns whether `global_policy` follows `tf.keras.backend.floatx()`."""
    return _kept._global_policy is None and bool(_layer_utils.v2_dtype_behavior_enabled())


def set_policy(policy: Any) -> None:
    """Sets the policy of layers that are given none.

    Args:
        policy: A `Policy`, the name of one, or None for the default.

    Raises:
        ValueError: if the graph rewrite for mixed precision is on, or if the policy names a dtype while dtypes behave
            as in TensorFlow 1.
    """
    if tf.__internal__.train.is_mixed_precision_graph_rewrite_enabled():
        raise ValueError(_REWRITTEN)
    if policy is not None and not isinstance(policy, _kept.Policy):
        policy = Policy(policy)
    if policy is not None and policy.compute_dtype and not _layer_utils.v2_dtype_behavior_enabled():
        raise ValueError("The global policy can only be set to a non-infer policy in TensorFlow 2")
    _kept._global_policy = policy
    tf.__internal__.train.set_using_mixed_precision_policy(policy is not None)


_REWRITTEN = """\
The mixed precision policy cannot be set, because the mixed precision graph rewrite has already been enabled.
At most, one of the following functions can be called:

  1. tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called this first)
  2. tf.keras.mixed_precision.experimental.set_policy() (You called this second)

Both enable mixed precision, so call one of them."""


@contextlib.contextmanager
def policy_scope(policy: Any) -> Iterator[None]:
    """Sets the policy for a block."""
    before = _kept._global_policy
    try:
        set_policy(policy)
        yield
    finally:
        set_policy(before)
