"""What the optimizers of `tf.train` take and keep, and which optimizer of Keras stands for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from codemods.native.keras_optimizers import Counterpart

_GENERAL = ("learning_rate", "use_locking", "name")
_REQUIRED = object()


@dataclass(frozen=True)
class Legacy:
    """An optimizer of `tf.train`.

    Attributes:
        parameters: Its parameters in their order -> their defaults.
        slots: What it names its slots in checkpoints -> the input of the operation that each one is.
        inputs: Parameter -> the input or attribute of the operation, where that has another name.
        same: Parameters that Keras has under the same name, with the same default, and the operation has not.
        powers: Its variables that belong to no variable of the program -> the parameter that each is a power of.
    """

    parameters: Mapping[str, Any]
    slots: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    same: tuple[str, ...] = ()
    powers: Mapping[str, str] = field(default_factory=dict)


LEGACY: Mapping[str, Legacy] = {
    "GradientDescent": Legacy({"learning_rate": _REQUIRED, "use_locking": False, "name": ""}),
    "Momentum": Legacy(
        {"learning_rate": _REQUIRED, "momentum": _REQUIRED, "use_locking": False, "name": "", "use_nesterov": False},
        {"Momentum": "accum"},
    ),
    "Adam": Legacy(
        {"learning_rate": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-08, "use_locking": False, "name": ""},
        {"Adam": "m", "Adam_1": "v"},
        powers={"beta1_power": "beta1", "beta2_power": "beta2"},
    ),
    "Adagrad": Legacy(
        {"learning_rate": _REQUIRED, "initial_accumulator_value": 0.1, "use_locking": False, "name": ""},
        {"Adagrad": "accum"},
        same=("initial_accumulator_value",),
    ),
    "RMSProp": Legacy(
        {
            "learning_rate": _REQUIRED,
            "decay": 0.9,
            "momentum": 0.0,
            "epsilon": 1e-10,
            "use_locking": False,
            "centered": False,
            "name": "",
        },
        {"RMSProp": "ms", "RMSProp_1": "mom"},
        {"decay": "rho"},
    ),
    "Adadelta": Legacy(
        {"learning_rate": 0.001, "rho": 0.95, "epsilon": 1e-08, "use_locking": False, "name": ""},
        {"Adadelta": "accum", "Adadelta_1": "accum_update"},
    ),
}
"""The class of the exact target -> what TensorFlow 1 (`tensorflow/python/training`) has."""


@dataclass(frozen=True)
class KerasOptimizer:
    """What stands for an optimizer of TensorFlow 1.

    Attributes:
        counterpart: The optimizer of Keras.
        legacy: That of TensorFlow 1.
        given: Parameter -> argument in the program.
        rate: The learning rate, where it is assigned before each step; None where the optimizer gets it once.
        schedule: The call that makes the learning rate, where the optimizer computes it itself.
    """

    counterpart: Counterpart
    legacy: Legacy
    given: Mapping[str, ast.expr]
    rate: ast.expr | None
    schedule: ast.Call | None = None

    def arguments(self) -> Iterator[tuple[str, ast.expr | Any]]:
        """Yields the arguments of Keras, without the rate, that differ from its defaults."""
        for name, default in self.legacy.parameters.items():
            if name in _GENERAL:
                continue
            of = self.legacy.inputs.get(name, name)
            argument = self.counterpart.numbers.get(of) or self.counterpart.flags.get(of)
            argument = name if argument is None and name in self.legacy.same else argument
            value = self.given.get(name, default)
            usual = default if name in self.legacy.same else self.counterpart.defaults.get(argument or "", False)
            known = value.value if isinstance(value, ast.Constant) else value
            if argument is not None and (isinstance(known, ast.expr) or known != usual):
                yield argument, value

    def slots(self) -> dict[str, str]:
        """Returns slot of TensorFlow 1 -> how Keras ends the name of the same variable; "" if it has no such one."""
        momentum = self.given.get("momentum")
        lacks = isinstance(momentum, ast.Constant) and not momentum.value
        lacks = lacks or (momentum is None and "momentum" in self.legacy.parameters)
        endings = {
            slot: "" if self.counterpart.negated or (of == "mom" and lacks) else self.counterpart.slots[of]
            for slot, of in self.legacy.slots.items()
        }
        return endings | dict.fromkeys(self.legacy.powers, "")
