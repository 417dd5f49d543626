"""Applies the ConfigProto of a legacy session to tf.config, for a program that no longer has a session."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

_JIT = (1, 2)
"""OptimizerOptions.ON_1 and ON_2."""

_ELSEWHERE = {
    "cluster_def": "tf.distribute's cluster resolvers name the tasks",
    "device_filters": "tf.config.experimental_connect_to_cluster takes them, as cluster_device_filters",
    "isolate_session_state": "a variable lives as long as its Python object",
    "operation_timeout_in_ms": "no operation of a tf.function has a time limit",
    "placement_period": "nothing places by it any more",
    "rpc_options": "the environment variables of gRPC say this",
    "session_inter_op_thread_pool": "there is one pool of threads, of inter_op_parallelism_threads",
    "share_cluster_devices_in_session": "all of a cluster's devices are there",
    "use_per_session_threads": "there is one pool of threads",
}
"""Fields that only a session has, and what is there instead."""


def configure(config: Any) -> list[str]:
    """Configures TensorFlow's runtime as a `tf.compat.v1.ConfigProto` of a TF 1.x program configured its session.

    Call this function before the first operation. These fields have counterparts in tf.config: `device_count`, the
    numbers of threads, `gpu_options.allow_growth`, `visible_device_list`, `per_process_gpu_memory_fraction`,
    `log_device_placement`, `allow_soft_placement=True` and the JIT level. A field without a counterpart, and a field
    that is set too late, gives a notice on standard error; the notice names the field and says what to do. Sessions
    still take the ConfigProto itself.

    Args:
        config: The ConfigProto of the legacy program.

    Returns:
        The notices.
    """
    notices: list[str] = []
    for field, setting in _settings(config):
        try:
            setting()
        except (RuntimeError, ValueError) as error:
            notices.append(f"{field} is not set: {error}{_remedy(error)}")
    notices += [f"{name} has no meaning without a session: {_ELSEWHERE[name]}" for name in _others(config)]
    for notice in notices:
        print(f"tf2bridge: ConfigProto: {notice}", file=sys.stderr)
    return notices


def _remedy(error: Exception) -> str:
    late = isinstance(error, RuntimeError)
    return "; call tf2bridge.train.configure when the program starts, before its first operation" if late else ""


def _others(config: Any) -> Iterator[str]:
    for descriptor, _ in config.ListFields():
        if descriptor.name in _ELSEWHERE:
            yield descriptor.name


def _settings(config: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields each field that is set, with the function that sets its counterpart."""
    for name in ("inter_op_parallelism_threads", "intra_op_parallelism_threads"):
        if number := getattr(config, name):
            yield name, _with(getattr(tf.config.threading, f"set_{name}"), number)
    if config.device_count.get("CPU", 1) > 1:
        yield "device_count", _with(_divide, config.device_count["CPU"])
    yield from _gpu_settings(config)
    if config.log_device_placement:
        yield "log_device_placement", _with(tf.debugging.set_log_device_placement, True)
    if config.allow_soft_placement:
        yield "allow_soft_placement", _with(tf.config.set_soft_device_placement, True)
    if config.graph_options.optimizer_options.global_jit_level in _JIT:
        yield "graph_options.optimizer_options.global_jit_level", _with(tf.config.optimizer.set_jit, "autoclustering")


def _gpu_settings(config: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    gpu = config.gpu_options
    if gpu.visible_device_list:
        yield "gpu_options.visible_device_list", _with(_show, gpu.visible_device_list)
    if "GPU" in config.device_count:
        yield "device_count", _with(_limit, config.device_count["GPU"])
    if gpu.allow_growth:
        yield "gpu_options.allow_growth", _grow
    if gpu.per_process_gpu_memory_fraction:
        yield "gpu_options.per_process_gpu_memory_fraction", _with(_share, gpu.per_process_gpu_memory_fraction)


def _with(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    return lambda: function(*arguments)


def _divide(count: int) -> None:
    """Divides the CPU into `count` logical devices."""
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)


def _limit(count: int) -> None:
    """Makes at most `count` GPUs visible."""
    tf.config.set_visible_devices(tf.config.get_visible_devices("GPU")[:count], "GPU")


def _show(listed: str) -> None:
    """Makes the GPUs of a list such as "0,2" visible, in this order."""
    physical = tf.config.list_physical_devices("GPU")
    numbers = [int(number) for number in listed.split(",")]
    if wrong := [number for number in numbers if number >= len(physical)]:
        raise ValueError(f"there is no GPU {wrong[0]}: this machine has {len(physical)}")
    tf.config.set_visible_devices([physical[number] for number in numbers], "GPU")


def _grow() -> None:
    for device in tf.config.get_visible_devices("GPU"):
        tf.config.experimental.set_memory_growth(device, True)


def _share(fraction: float) -> None:
    """Raises ValueError if there is a GPU: tf.config takes megabytes, and does not tell how many a GPU has."""
    if tf.config.get_visible_devices("GPU"):
        raise ValueError(
            "tf.config takes no fractions: give each GPU its part in megabytes, "
            f"tf.config.LogicalDeviceConfiguration(memory_limit={fraction:g} of its memory)"
        )
