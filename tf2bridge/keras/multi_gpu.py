"""`tf.keras.utils.multi_gpu_model`: a model that computes parts of each batch on several GPUs.

Keras dropped the function with TensorFlow 2.4 (its release notes). Facts are those of TensorFlow 1.15.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)
v1 = tf.compat.v1


def multi_gpu_model(model: Any, gpus: int | Sequence[int], cpu_merge: bool = True, cpu_relocation: bool = False) -> Any:
    """Returns a model with the inputs, outputs and weights of `model` that runs on `gpus` at the same time.

    Args:
        model: A model with inputs, or a Sequential that is built.
        gpus: How many GPUs, or their numbers.
        cpu_merge: Whether the parts of the outputs are joined by the CPU; if not, by the first GPU.
        cpu_relocation: Whether the weights are made anew, on the CPU.

    Raises:
        ValueError: Fewer than two GPUs are asked for, or there are fewer.
    """
    numbers = list(gpus) if isinstance(gpus, list | tuple) else list(range(int(gpus)))  # type: ignore[arg-type]
    _check(gpus, numbers)
    if cpu_relocation:
        with tf.device("/cpu:0"):
            model = _keras.models.clone_model(model)
    parts = [_replica(model, place, number, len(numbers)) for place, number in enumerate(numbers)]
    with tf.device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        merged = [
            _keras.layers.concatenate(list(outputs), axis=0, name=name)
            for name, outputs in zip(_distinct(model.output_names), zip(*parts, strict=True), strict=True)
        ]
        return _keras.models.Model(model.inputs, merged)


def _check(gpus: Any, numbers: list[int]) -> None:
    """Raises ValueError if the GPUs are too few, or are not there."""
    if len(numbers) < 2:
        asked = "len(gpus) >= 2" if isinstance(gpus, list | tuple) else "gpus >= 2"
        raise ValueError(
            f"For multi-gpu usage to be effective, call `multi_gpu_model` with `{asked}`. Received: `gpus={gpus}`"
        )
    wanted = ["/cpu:0", *(f"/gpu:{number}" for number in numbers)]
    devices = [f"/{device.name.lower().split('device:')[1]}" for device in tf.config.list_logical_devices()]
    if not set(wanted) <= set(devices):
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be available: {wanted}. "
            f"However this machine only has: {devices}. Try reducing `gpus`."
        )


def _replica(model: Any, place: int, number: int, parts: int) -> list[Any]:
    """Returns the outputs of `model` for one part of each batch, computed by one GPU."""
    with tf.device(f"/gpu:{number}"), v1.name_scope(f"replica_{number}"):
        inputs = [
            _keras.layers.Lambda(
                _slice, output_shape=tuple(source.shape.as_list())[1:], arguments={"i": place, "parts": parts}
            )(source)
            for source in model.inputs
        ]
        outputs = model(inputs[0] if len(inputs) == 1 else inputs)
        return outputs if isinstance(outputs, list) else [outputs]


def _slice(data: Any, i: int, parts: int) -> Any:
    """Returns part `i` of the rows of a batch. The last part has the remaining rows."""
    shape = tf.shape(data)
    batch, rest = shape[:1], shape[1:]
    step = batch // parts
    size = tf.concat([batch - step * i if i == parts - 1 else step, rest], axis=0)
    return tf.slice(data, tf.concat([step, rest * 0], axis=0) * i, size)


def _distinct(names: Sequence[str]) -> list[str]:
    """Returns the names of outputs. Names that occur several times get numbers."""
    often, seen = Counter(names), Counter[str]()
    distinct = []
    for name in names:
        seen[name] += 1
        distinct.append(f"{name}_{seen[name]}" if often[name] > 1 else name)
    return distinct
