"""Variables made by name, as contrib.framework and contrib.layers make them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope

v1 = tf.compat.v1


_AUTO, _NONE = tf.VariableSynchronization.AUTO, v1.VariableAggregation.NONE


@add_arg_scope
def variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: Any = _AUTO,
    aggregation: Any = _NONE,
) -> Any:
    """Returns the variable of this name in the variable scope, made if need be, on `device` (a name or a function).

    `custom_getter` replaces `tf.get_variable`, and receives `reuse`. Raises the errors of `tf.get_variable`.
    """
    getter = v1.get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=v1.get_variable_scope().reuse)
    kept = [v1.GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with v1.device(device or ""):
        return getter(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=list(dict.fromkeys(kept)),
            caching_device=caching_device,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )


@add_arg_scope
def model_variable(
    name: str,
    shape: Any = None,
    dtype: Any = tf.float32,
    initializer: Any = None,
    regularizer: Callable[[Any], Any] | None = None,
    trainable: bool = True,
    collections: Iterable[str] | None = None,
    caching_device: Any = None,
    device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: Any = _AUTO,
    aggregation: Any = _NONE,
) -> Any:
    """Returns `variable(...)`, which is put into the collection of model variables besides."""
    return variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=[*(collections or ()), v1.GraphKeys.GLOBAL_VARIABLES, v1.GraphKeys.MODEL_VARIABLES],
        caching_device=caching_device,
        device=device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        use_resource=use_resource,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def add_model_variable(var: Any) -> None:
    """Puts `var` into the collection of model variables, unless it is there."""
    if not any(var is member for member in v1.get_collection(v1.GraphKeys.MODEL_VARIABLES)):
        v1.add_to_collection(v1.GraphKeys.MODEL_VARIABLES, var)


def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """Returns a new variable of this process: it is neither trained nor saved."""
    return _untrained(v1.GraphKeys.LOCAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """Returns a new variable that is saved, but not trained."""
    return _untrained(v1.GraphKeys.GLOBAL_VARIABLES, initial_value, validate_shape, name, use_resource)


def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Any:
    """Returns an op output that fills the uninitialized variable `ref` with zeros.

    Running it on an initialized variable raises InvalidArgumentError. (1.x filled the memory in place, by a kernel of
    its own; here the zeros are assigned.)
    """
    fresh = v1.logical_not(v1.is_variable_initialized(ref))
    with v1.control_dependencies([v1.Assert(fresh, ["zero_initializer: the input is already initialized"])]):
        zeros = tf.zeros(ref.shape, ref.dtype.base_dtype)
        if not hasattr(ref, "handle"):
            return v1.assign(ref, zeros, use_locking=use_locking, name=name)
        filled = v1.assign(ref, zeros, use_locking=use_locking)
    with v1.control_dependencies([filled.op]):  # the read of a resource variable waits for nothing by itself
        return tf.identity(ref.read_value(), name=name)


class VariableDeviceChooser:
    """A device function: the parameter servers in turn, or one device type if `num_tasks` is 0."""

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int | None = 0,
        replica: int | None = None,
    ) -> None:
        self._device = {"replica": replica, "device_type": device_type, "device_index": device_index}
        self._job_name = job_name
        self._num_tasks = num_tasks
        self._next_task_id = 0

    def __call__(self, op: Any) -> str:  # noqa: ARG002  # what tf.device calls is given the op
        """Returns the device of the variable that `op` is."""
        server: dict[str, Any] = {}
        if self._num_tasks > 0:
            server = {"job": self._job_name, "task": self._next_task_id}
            self._next_task_id = (self._next_task_id + 1) % self._num_tasks
        return str(v1.DeviceSpec(**self._device, **server).to_string())


def _untrained(
    collection: str, initial_value: Any, validate_shape: bool, name: str | None, use_resource: bool | None
) -> Any:
    return v1.Variable(
        initial_value,
        trainable=False,
        collections=[collection],
        validate_shape=validate_shape,
        use_resource=use_resource,
        name=name,
    )


def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """Returns `global_step_tensor`, checked to be a scalar integer; without it the step of `graph`, or None."""
    if global_step_tensor is None:
        return v1.train.get_global_step(graph)
    v1.train.assert_global_step(global_step_tensor)
    return global_step_tensor
