"""What a proof compares: a Keras model with a genuine checkpoint, and what the genuine program computed from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tf2bridge
from tests.tf2bridge.checkpoint.recorded import Recorded
from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo

CLOSE = 1e-6
"""How near numbers of a mapped model are to the genuine ones, absolute and relative."""


class Held(Checkpoint):
    """Recorded values as a checkpoint, so that a plan says what each of its variables would be made from them."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.path, self.format, self._values = Path("recorded"), "npz", values
        self.tensors = {
            name: TensorInfo(name, value.shape, value.dtype.name, value.nbytes) for name, value in values.items()
        }

    def pieces(self, name: str) -> Iterator[bytes]:
        yield self._values[name].tobytes()

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.asarray(self._values[name])

    def close(self) -> None:
        pass


def filled(model: Any, actual: Recorded, rules: Any = (), **wishes: Any) -> Plan:
    """Gives a model the recorded checkpoint; returns the plan that did it."""
    with tf2bridge.checkpoint.open(actual.prefix) as checkpoint:
        plan = tf2bridge.checkpoint.plan(checkpoint, model, rules, **wishes)
        assert plan.complete, str(plan)
        plan.apply()
    return plan


def check_output(computed: Any, actual: Recorded, name: str) -> None:
    """What the model computes is what the genuine program computed with the saved variables."""
    np.testing.assert_allclose(computed, actual.expected[f"out {name}"], CLOSE, CLOSE)


def check_next_step(
    model: Any, actual: Recorded, plan: Plan, *batch: Any, but: str = "", unseen: tuple[str, slice] | None = None
) -> None:
    """One step of training: the loss, then every variable and slot (`but` those of a role) as after the genuine one.

    `unseen` names a part of variables that the loss does not depend on. Its gradient is rounding, which each processor
    does otherwise, and Adam divides it by its own size: it may move by the learning rate.
    """
    loss = model.train_on_batch(*batch)
    np.testing.assert_allclose(loss, actual.expected["loss"], CLOSE, CLOSE)
    for variable, value in plan.values(Held(actual.part("after"))):
        if not but or variable.role != but:
            now, there = np.asarray(plan.live[variable.name]), value
            if unseen is not None and variable.name.endswith(unseen[0]):
                step = actual.hyper["learning_rate"]
                np.testing.assert_allclose(now[unseen[1]], value[unseen[1]], 0, step, err_msg=variable.name)
                now, there = np.delete(now, unseen[1]), np.delete(value, unseen[1])
            np.testing.assert_allclose(now, there, CLOSE, CLOSE, err_msg=variable.name)
