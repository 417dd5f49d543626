"""Compares training steps with those that the old graph took: the numbers in recorded_training.npz.

`in NAME` holds an input of all steps, `start PATH` a variable before the first step, `step NUMBER PATH` the variable
after a step, `rounding NUMBER PATH` how far the old graph is from that if its first values are rounded in the last bit.
For a step of Keras, which differs, `loss NUMBER` is the loss of a step, and `limit NAME` how far an array may differ.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from . import Trainer
from .test_model import variable_at

_RECORDED = Path(__file__).with_name("recorded_training.npz")
LARGEST_OF_MOVE = 1e-3
"""The largest difference that is allowed, as a part of the largest move of a variable since the first step."""

ROUNDINGS = 8
"""How many times the effect of a rounding in the last bit is no difference.

Adam moves a weight without a gradient up or down by the whole learning rate, as rounding has it.
"""


def test_variables_after_each_step_are_those_of_the_old_graph() -> None:
    measured = step_differences()
    with np.load(_RECORDED) as recorded:
        limits = {name: float(recorded.get(f"limit {name}", LARGEST_OF_MOVE)) for name in measured}
    assert measured and all(size <= limits[name] for name, size in measured.items()), measured


def step_differences() -> dict[str, float]:
    """Returns name of a recorded array -> its largest difference, as a part of the largest move of the variable.

    That of a loss is a part of the loss.
    """
    with np.load(_RECORDED) as recorded:
        expected = dict(recorded)
    compare = _part_of_move if "of moves" in expected else _difference
    arrays = computed(expected)
    losses = {name: arrays.pop(name) for name in list(arrays) if name.startswith("loss ")}
    return {
        name: compare(array, expected[name], *(expected[_other(name, kind)] for kind in ("start", "rounding")))
        for name, array in arrays.items()
    } | {name: abs(float(loss) / float(expected[name]) - 1) if expected[name] else 0.0 for name, loss in losses.items()}


def computed(expected: dict[str, Any]) -> dict[str, Any]:
    """Returns what the trainer computes in place of each variable that is recorded after a step."""
    trainer = Trainer.load()
    inputs = [tf.convert_to_tensor(expected[f"in {name}"]) for name in trainer.legacy_inputs]
    names = [name for name in expected if name.startswith("step ")]
    arrays: dict[str, Any] = {}
    for number in range(1, max((int(name.split(" ")[1]) for name in names), default=0) + 1):
        loss = trainer.train_step(*inputs)
        if f"loss {number}" in expected:
            arrays[f"loss {number}"] = np.float64(np.sum(loss))
        of_step = [name for name in names if name.startswith(f"step {number} ")]
        arrays |= {name: variable_at(trainer, name.split(" ", 2)[2]).numpy() for name in of_step}
    return arrays


def _other(name: str, kind: str) -> str:
    _, number, path = name.split(" ", 2)
    return f"start {path}" if kind == "start" else f"rounding {number} {path}"


def _part_of_move(array: Any, expected: Any, start: Any, rounding: Any) -> float:
    """Returns the difference beyond rounding as a part of the largest move of a variable."""
    difference, move = (float(np.max(np.abs(expected - other), initial=0.0)) for other in (array, start))
    beyond = difference - ROUNDINGS * float(rounding)
    return beyond / move if beyond > 0 and move else max(beyond, 0.0)


def _difference(array: Any, expected: Any, start: Any, rounding: Any) -> float:
    if array.shape != expected.shape:
        return float("inf")
    both = array.astype(np.float64), expected.astype(np.float64)
    if not np.array_equal(np.isfinite(both[0]), np.isfinite(both[1])):
        return float("inf")
    finite = np.isfinite(both[1])
    difference = float(np.max(np.abs(both[0] - both[1])[finite], initial=0.0))
    move = float(np.max(np.abs(both[1] - start)[finite], initial=0.0))
    scale = move + ROUNDINGS / LARGEST_OF_MOVE * float(rounding)
    return difference / scale if difference else 0.0
