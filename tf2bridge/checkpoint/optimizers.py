"""Which slots of a TF 1.x optimizer are which of a Keras 3 one: facts, each tried by numbers on genuine checkpoints.

The formulas are those of tensorflow/core/kernels/training_ops.cc (1.15) and of keras/src/optimizers (3.15). Where both
are the same, so are the slots; only Keras's SGD keeps -learning_rate times what TensorFlow's Momentum accumulates.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class OptimizerRule:
    """An optimizer of Keras, and the slots that it takes from one of TF 1.x."""

    keras: str
    legacy: tuple[str, ...]
    """What TF 1.x calls the slots, the first without its number."""
    slots: tuple[tuple[str, ...], ...]
    """Keras's roles of the first, second, third slot; one row for each number of slots that there may be."""
    epsilon: float | None = None
    """What TF 1.x adds by default where Keras adds its epsilon; None where neither adds one."""
    powers: tuple[tuple[str, str], ...] = ()
    """The variables that count its steps as powers, and Keras's argument of which: ("beta2_power", "beta_2")."""
    by_rate: bool = False
    """Whether its slot has the learning rate in it, and TensorFlow's has not."""
    note: str = ""


_BETAS = (("beta2_power", "beta_2"), ("beta1_power", "beta_1"))
_DECAY = "TF 1.x takes weight_decay times the variable off, Keras times the learning rate too: divide it by that"
_OLD_ADADELTA = "TF 1.4 and older stepped by the accumulated updates after the step, 1.12 and Keras by those before"

RULES: tuple[OptimizerRule, ...] = (
    OptimizerRule("SGD", ("Momentum", "MomentumW"), (("momentum",),), by_rate=True),
    OptimizerRule("Adam", ("Adam",), (("momentum", "velocity"),), 1e-8, _BETAS),
    OptimizerRule("AdamW", ("AdamW",), (("momentum", "velocity"),), 1e-8, _BETAS, note=_DECAY),
    OptimizerRule(
        "RMSprop", ("RMSProp",), (("velocity", "momentum"), ("velocity", "average_gradient", "momentum")), 1e-10
    ),
    OptimizerRule("Adagrad", ("Adagrad",), (("accumulator",),), 0.0),
    OptimizerRule(
        "Adadelta", ("Adadelta",), (("accumulated_grad", "accumulated_delta_var"),), 1e-8, note=_OLD_ADADELTA
    ),
    OptimizerRule("Adamax", ("AdaMax",), (("momentum", "norm"),), 1e-8, (("beta1_power", "beta_1"),)),
    OptimizerRule("Ftrl", ("Ftrl",), (("accumulator", "linear"),)),
)

NO_COUNTERPART = {
    "AdagradDA": "Keras has no dual averaging",
    "ProximalAdagrad": "Keras has no proximal steps",
    "PowerSignOptimizer": "Keras has no PowerSign",
    "AddSignOptimizer": "Keras has no AddSign",
    "LARSOptimizer": "Keras has no LARS",
    "Shampoo": "Keras has no Shampoo",
    "RegAdagrad": "Keras's Adagrad has no steps without gradients",
}
"""What TF 1.x calls the slots of optimizers that Keras lacks -> what is lacking."""


def rule_for(keras_class: str) -> OptimizerRule | None:
    """The rule of an optimizer of Keras, None for one that takes no slots of TF 1.x: Nadam, Lion and others."""
    return next((each for each in RULES if each.keras == keras_class), None)


def base_of(slot: str) -> tuple[str, int]:
    """What the optimizer of a slot is called, and which of its slots this is: "Adam_1" is ("Adam", 1)."""
    found = re.fullmatch(r"(.+?)(?:_(\d+))?", slot)
    assert found is not None
    return found[1], int(found[2] or 0)


def roles_of(rule: OptimizerRule, count: int) -> tuple[str, ...]:
    """Keras's roles of `count` slots of a variable in the order of their numbers, () for a number that it has not."""
    return next((each for each in rule.slots if len(each) == count), ())


def is_named_by_program(base: str, known: Collection[str]) -> bool:
    """Whether a program gave its optimizer this name, so that it does not tell which optimizer it was."""
    return base not in known and base not in NO_COUNTERPART
