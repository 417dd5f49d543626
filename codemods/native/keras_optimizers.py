"""The optimizers of Keras that are like operations of TensorFlow 1.x, and how they differ.

`idiomatic.py` writes them into native programs, and `tf2bridge.decompile` into packages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Counterpart:
    """An optimizer of Keras.

    Attributes:
        kind: The name of its class in `keras.optimizers`.
        differs: How it differs from the operation, beside rounding; empty if it does not.
        first: How the first values of its slots differ; empty if they do not.
        numbers: The name of an input of the operation -> that of the argument of Keras.
        slots: The name of an input of the operation that is a slot -> how Keras ends the name of its variables.
        defaults: The arguments of Keras that need not be written -> their values.
        flags: The name of an attribute of the operation -> the argument of Keras for it.
        fixed: Further arguments.
        refused: The attributes of the operation that Keras cannot have.
        rate: The name of the input that is the learning rate.
        gradient: The name of the input that is the gradient.
        powers: The names of the inputs that are powers of constants, which Keras computes from the step.
        negated: Keras holds minus the learning rate times the first slot.
    """

    kind: str
    differs: str = ""
    first: str = ""
    numbers: Mapping[str, str] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    rate: str = "lr"
    gradient: str = "grad"
    powers: tuple[str, ...] = ()
    negated: bool = False


_STARTS = "a new optimizer of Keras starts its averages at 0, TensorFlow 1.x at 1"
_RMSPROP = {"rho": "rho", "momentum": "momentum", "epsilon": "epsilon"}
_ADAM = {"beta1": "beta_1", "beta2": "beta_2", "epsilon": "epsilon"}
_ADAM_DEFAULTS = {"beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}
COUNTERPARTS = {
    "GradientDescent": Counterpart("SGD", rate="alpha", gradient="delta"),
    "Momentum": Counterpart(
        "SGD",
        "momentum of Keras has the learning rate in it, so that a change of the rate acts later; and rows of a table "
        "without a gradient move on",
        numbers={"momentum": "momentum"},
        slots={"accum": "momentum"},
        flags={"use_nesterov": "nesterov"},
        negated=True,
    ),
    "Adam": Counterpart(
        "Adam",
        numbers=_ADAM,
        slots={"m": "momentum", "v": "velocity"},
        defaults=_ADAM_DEFAULTS,
        refused=("use_nesterov",),
        powers=("beta1_power", "beta2_power"),
    ),
    "AdaMax": Counterpart(
        "Adamax",
        numbers=_ADAM,
        slots={"m": "momentum", "v": "norm"},
        defaults=_ADAM_DEFAULTS,
        powers=("beta1_power",),
    ),
    "Adagrad": Counterpart(
        "Adagrad",
        "Keras adds 1e-07 to the sum of squares under the root, and squares rows of a table before it adds up those of "
        "one index",
        slots={"accum": "accumulator"},
    ),
    "Adadelta": Counterpart(
        "Adadelta",
        numbers={"rho": "rho", "epsilon": "epsilon"},
        slots={"accum": "accumulated_grad", "accum_update": "accumulated_delta_var"},
        defaults={"rho": 0.95, "epsilon": 1e-7},
    ),
    "RMSProp": Counterpart(
        "RMSprop",
        first=_STARTS,
        numbers=_RMSPROP,
        slots={"ms": "velocity", "mom": "momentum"},
        defaults={"rho": 0.9, "momentum": 0.0, "epsilon": 1e-7},
    ),
    "CenteredRMSProp": Counterpart(
        "RMSprop",
        first=_STARTS,
        numbers=_RMSPROP,
        slots={"ms": "velocity", "mom": "momentum", "mg": "average_gradient"},
        defaults={"rho": 0.9, "momentum": 0.0, "epsilon": 1e-7},
        fixed={"centered": True},
    ),
    "Ftrl": Counterpart(
        "Ftrl",
        numbers={
            "lr_power": "learning_rate_power",
            "l1": "l1_regularization_strength",
            "l2": "l2_regularization_strength",
        },
        slots={"accum": "accumulator", "linear": "linear"},
        defaults={"learning_rate_power": -0.5, "l1_regularization_strength": 0.0, "l2_regularization_strength": 0.0},
    ),
}
"""Type of the operation, without "Resource", "Sparse" and "Apply" -> the optimizer of Keras. """
