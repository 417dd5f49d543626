"""`replicate_model_fn`: a model_fn on each of several devices, with a share of each batch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.estimator.replicate_model_fn.shards import eval_spec, predict_spec, split_batch, train_spec
from tf2bridge.contrib.estimator.replicate_model_fn.towers import TowerOptimizer, clear_state, scaled, state
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_MEAN = v1.losses.Reduction.SUM_BY_NONZERO_WEIGHTS


class VariableDistributionMode:
    """Where variables lie: on one device, or on each device in turn."""

    SHARED_LOCAL_PARAMETER_SERVER = 1
    SHARED_ROUND_ROBIN = 2


def replicate_model_fn(
    model_fn: Callable[..., Any], loss_reduction: str = _MEAN, devices: Any = None
) -> Callable[..., Any]:
    """Returns a model_fn that builds `model_fn` on each device: those named, all GPUs, or the CPU.

    Several towers share their variables. Each tower gets a part of the batch. `loss_reduction` is the reduction of
    losses and gradients. The returned function raises ValueError if towers do not use a TowerOptimizer in the same way.

    Raises:
        ValueError: `loss_reduction` is NONE.
    """
    return replicate_model_fn_with_mode(model_fn, loss_reduction, devices)


def replicate_model_fn_with_mode(
    model_fn: Callable[..., Any],
    loss_reduction: str,
    devices: Any = None,
    mode: int = VariableDistributionMode.SHARED_LOCAL_PARAMETER_SERVER,
) -> Callable[..., Any]:
    """Does the same as `replicate_model_fn`, with a choice of the variable placement."""
    if loss_reduction == v1.losses.Reduction.NONE:
        raise ValueError(f"Tower losses need to be reduced in some way, yet {loss_reduction} reduction is specified.")
    devices = list(devices or local_devices("GPU") or local_devices("CPU"))
    consolidation = devices[0] if len(devices) == 1 and "GPU" in devices[0].upper() else "/CPU:0"
    holders = devices if mode == VariableDistributionMode.SHARED_ROUND_ROBIN else [consolidation]
    logging.info("Replicating the `model_fn` across %s; variables are placed on %s.", devices, holders)

    def towers(features: Any, labels: Any, mode: str, params: Any, config: Any) -> list[Any]:
        return get_loss_towers(model_fn, mode, features, labels, params, config, devices, holders, loss_reduction)

    def alone(features: Any, labels: Any, mode: str, params: Any = None, config: Any = None) -> Any:
        return towers([features], [labels], mode, params, config)[0]

    def replicated(features: Any, labels: Any, mode: str, params: Any = None, config: Any = None) -> Any:
        parts, label_parts = split_batch(features, labels, len(devices), device=consolidation)
        specs = towers(parts, label_parts, mode, params, config)
        if mode == ModeKeys.TRAIN:
            return train_spec(specs, specs[-1].train_op, aggregation_device=consolidation)
        if mode == ModeKeys.EVAL:
            return eval_spec(specs, aggregation_device=consolidation)
        return predict_spec(specs, aggregation_device=consolidation)

    return alone if len(devices) == 1 else replicated


def local_devices(device_type: str) -> list[str]:
    """Returns the names of this machine's devices of one type."""
    return [device.name for device in tf.config.list_logical_devices(device_type)]


def get_loss_towers(
    model_fn: Callable[..., Any],
    mode: Any,
    features: Any,
    labels: Any,
    params: Any,
    config: Any,
    devices: Any,
    local_ps_devices: Any,
    loss_reduction: str,
    name_scope_pattern: str = "tower_{}",
) -> list[Any]:
    """Returns the result of the model_fn on each device. Raises ValueError if towers use optimizers differently."""
    taken = fn_args(model_fn)
    given = {name: copy.deepcopy(value) for name, value in (("params", params), ("config", config)) if name in taken}
    place = _in_turns(len(local_ps_devices))
    state().reduction, state().towers = loss_reduction, len(devices)
    specs = []
    for number, device in enumerate(devices):
        scope = name_scope_pattern.format(number) if number else ""
        with (
            v1.variable_scope("", reuse=number > 0) as variable_scope,
            v1.name_scope(scope) as name_scope,
            state().tower(number, variable_scope, name_scope),
            v1.device(local_device_setter(device, local_ps_devices, place)),
        ):
            part = labels[number] if labels else None
            spec = model_fn(mode=mode, features=features[number], labels=part, **given)
            if spec.train_op is not None and len(devices) > 1 and not TowerOptimizer.has_been_used():
                raise ValueError(
                    "Please wrap optimizers with TowerOptimizer in order to use replicate_model_fn with multiple "
                    "`devices`."
                )
            specs.append(_with_share(spec, loss_reduction, len(devices)))
    if not state().has_same_calls():
        raise ValueError("Each invocation of model_fn was supposed to make the same optimizer calls.")
    clear_state()
    return specs


def _with_share(spec: Any, reduction: str, towers: int) -> Any:
    if spec.loss is None:
        return spec
    fields = {name: getattr(spec, name) for name in spec._fields}
    return EstimatorSpec(**{**fields, "loss": scaled(spec.loss, reduction, towers)})


def _in_turns(count: int) -> Callable[[Any], int]:
    last = -1

    def place(op: Any) -> int:
        nonlocal last
        del op
        last = (last + 1) % count
        return last

    return place


def local_device_setter(worker_device: Any, ps_devices: Any, ps_strategy: Callable[[Any], int]) -> Callable[[Any], str]:
    """Returns a function for `tf.device` that puts variables on `ps_devices`, and other ops on `worker_device`."""

    def choose(op: Any) -> str:
        node = op if isinstance(op, v1.NodeDef) else op.node_def
        wanted = ps_devices[ps_strategy(op)] if node.op in _VARIABLES else worker_device
        spec = v1.DeviceSpec.from_string(str(wanted or ""))
        spec.merge_from(v1.DeviceSpec.from_string(op.device or ""))
        return str(spec.to_string())

    return choose
