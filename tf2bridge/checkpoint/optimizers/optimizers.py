"""The facts about which slots of a TF 1.x optimizer are which of a Keras 3 optimizer, tested on genuine checkpoints.

The formulas are those of tensorflow/core/kernels/training_ops.cc (1.15) and of keras/src/optimizers (3.15). If the
formulas are equal, so are the slots. One exception: Keras's SGD keeps -learning_rate times what TensorFlow's Momentum
accumulates.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

OF_KERAS = "tf.keras "
"""The prefix that `companions.slot_of` gives to slots of the Keras of TF 1.14 to 2.10."""


@dataclass(frozen=True)
class OptimizerRule:
    """An optimizer of Keras, and the slots that it takes from a TF 1.x optimizer."""

    keras: str
    legacy: tuple[str, ...]
    """TF 1.x's names of the optimizer's slots, without a number."""
    slots: tuple[tuple[str, ...], ...]
    """Keras's roles of the first, second, third slot; one row for each possible number of slots."""
    epsilon: float | None = None
    """The default that TF 1.x adds where Keras adds its epsilon; None if neither adds one."""
    powers: tuple[tuple[str, str], ...] = ()
    """Variables that count steps as powers, and Keras's argument for each: ("beta2_power", "beta_2")."""
    keras_slots: tuple[tuple[str, str], ...] = ()
    """Names of slots in the Keras of TF 1.14 to 2.10, and their roles in Keras 3."""
    by_rate: bool = False
    """Whether its slot includes the learning rate, and TensorFlow's does not; the slot of tf.keras does."""
    note: str = ""


_BETAS = (("beta2_power", "beta_2"), ("beta1_power", "beta_1"))
_MOMENTS = (("m", "momentum"), ("v", "velocity"), ("vhat", "velocity_hat"))
_NORM = (("m", "momentum"), ("v", "norm"))
_SAME = (("accumulator", "accumulator"), ("linear", "linear"))
_DECAY = "TF 1.x takes weight_decay times the variable off, Keras times the learning rate too: divide it by that"
_OLD_ADADELTA = "TF 1.4 and older stepped by the accumulated updates after the step, 1.12 and Keras by those before"

RULES: tuple[OptimizerRule, ...] = (
    OptimizerRule(
        "SGD", ("Momentum", "MomentumW"), (("momentum",),), keras_slots=(("momentum", "momentum"),), by_rate=True
    ),
    OptimizerRule("Adam", ("Adam",), (("momentum", "velocity"),), 1e-8, _BETAS, _MOMENTS),
    OptimizerRule("AdamW", ("AdamW",), (("momentum", "velocity"),), 1e-8, _BETAS, note=_DECAY),
    OptimizerRule(
        "RMSprop",
        ("RMSProp",),
        (("velocity", "momentum"), ("velocity", "average_gradient", "momentum")),
        1e-10,
        keras_slots=(("rms", "velocity"), ("momentum", "momentum"), ("mg", "average_gradient")),
    ),
    OptimizerRule("Adagrad", ("Adagrad",), (("accumulator",),), 0.0, keras_slots=_SAME[:1]),
    OptimizerRule(
        "Adadelta",
        ("Adadelta",),
        (("accumulated_grad", "accumulated_delta_var"),),
        1e-8,
        keras_slots=(("accum_grad", "accumulated_grad"), ("accum_var", "accumulated_delta_var")),
        note=_OLD_ADADELTA,
    ),
    OptimizerRule("Adamax", ("AdaMax",), (("momentum", "norm"),), 1e-8, (("beta1_power", "beta_1"),), _NORM),
    OptimizerRule("Ftrl", ("Ftrl",), (("accumulator", "linear"),), keras_slots=_SAME),
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
"""TF 1.x's names of slots of optimizers that Keras lacks -> what is lacking."""


def rule_for(keras_class: str) -> OptimizerRule | None:
    """Returns the rule of a Keras optimizer; None for one that takes no slots of TF 1.x: Nadam, Lion and others."""
    return next((rule for rule in RULES if rule.keras == keras_class), None)


def base_of(slot: str) -> tuple[str, str]:
    """Returns the name of a slot's optimizer, and the number or name of the slot.

    "Adam_1" is ("Adam", "1"), "Adam" is ("Adam", "0"), and "tf.keras Adam/m" is ("tf.keras Adam", "m").
    """
    if slot.startswith(OF_KERAS):
        base, _, own = slot.partition("/")
        return base, own
    match = re.fullmatch(r"(.+?)(?:_(\d+))?", slot)
    assert match is not None
    return match[1], match[2] or "0"


def slots_by_role(rule: OptimizerRule, base: str, present: Collection[str]) -> dict[str, str]:
    """Returns role in Keras 3 -> the slot, among a variable's slots; {} for a number of slots that the rule lacks."""
    if base.startswith(OF_KERAS):
        return {role: own for own, role in rule.keras_slots if own in present}
    roles = next((roles_of_slots for roles_of_slots in rule.slots if len(roles_of_slots) == len(present)), ())
    return {role: str(number) for number, role in enumerate(roles) if str(number) in present}


def is_named_by_program(base: str) -> bool:
    """Returns whether a program named its optimizer itself, so that the name does not identify the optimizer."""
    return base not in _KNOWN and base not in NO_COUNTERPART and not base.startswith(OF_KERAS)


_KNOWN = {name for rule in RULES for name in rule.legacy}
