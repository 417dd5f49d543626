"""Recognizes variables that serve other variables: slots of optimizers, moving averages, and counters.

The names are those of fixtures/variable_names, as genuine 0.12.1, 1.4.1, 1.12.3 and 1.15.5 gave them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from tf2bridge.formats.checkpoints.names import role

AVERAGE = "ExponentialMovingAverage"
OPTIMIZERS = (
    *("Adam", "Momentum", "RMSProp", "Adagrad", "AdagradDA", "Adadelta", "Ftrl", "ProximalAdagrad", "AdaMax", "AdamW"),
    *("MomentumW", "PowerSignOptimizer", "AddSignOptimizer", "LARSOptimizer", "Shampoo", "RegAdagrad"),
)
"""The default names of slots; a second slot of a variable is Adam_1."""
_SLOT = re.compile(rf"(?P<variable>.+)/(?P<slot>(?:{'|'.join(OPTIMIZERS)})(?:_\d+)?)")
_NAMED = re.compile(r"(?P<variable>.+)/(?P<slot>[A-Za-z0-9.][\w.\\-]*)")
_KERAS = r"(?:training(?:_\d+)?/)?(?P<optimizer>SGD|Adam|RMSprop|Adagrad|Adadelta|Adamax|Nadam|Ftrl)(?:_\d+)?"
"""The prefix of the variables of an optimizer in the Keras of TF 1.14, 1.15 and 2.0 to 2.10."""
_KERAS_SLOT = re.compile(
    rf"{_KERAS}/(?P<variable>.+)/(?P<slot>momentum|m|v|vhat|rms|mg|accumulator|accum_grad|accum_var|linear)"
)
_KERAS_STEPS = re.compile(rf"{_KERAS}/iter(?:ations)?")
_POWER = re.compile(r"(?:(?P<scope>.*)/)?(?P<power>beta[12]_power)(?P<number>_\d+)?")

_BOOKKEEPING = (
    (r"(?:.*/)?beta[12]_power(?:_\d+)?", "a power that counts the steps of an optimizer"),
    (r".*/(?:biased|local_step)", "what an average without bias is computed from"),
    (r".*/renorm_(?:mean|stddev)(?:_weight)?", "what a batch renormalization trains with; inference has no use for it"),
    (r".*/moving_stddev", "what a batch renormalization trains with; inference has no use for it"),
    (r"(?:save_counter|_CHECKPOINTABLE_OBJECT_GRAPH)", "what tf.train.Checkpoint keeps for itself"),
    (
        rf"{_KERAS}/(?:decay|lr|learning_rate(?:_power)?|beta_[12]|momentum|rho|epsilon|l[12]_regularization_strength)",
        "a setting of Keras's optimizer, of which the target's has its own",
    ),
    (rf"{_KERAS}/momentum_cache", "what Nadam of Keras counts"),
    (rf"{_KERAS}/Variable(?:_\d+)?", "a slot that Keras gave no name before TF 1.14"),
    (r"(?:.*/)?(?:current_loss_scale|good_steps)", "the state of a loss scale"),
)
_COMPILED = tuple((re.compile(pattern), purpose) for pattern, purpose in _BOOKKEEPING)


class Slot(NamedTuple):
    """A slot of an optimizer."""

    variable: str
    name: str
    """The name in the file: "Momentum", "Adam_1", or the program's own; "tf.keras Adam/m" for Keras."""


def slot_of(name: str, names: Collection[str]) -> Slot | None:
    """Returns the slot that a tensor of a file is, or None.

    The slot of an optimizer that was made in a scope has the scope before the name of the variable. If a program named
    the optimizer, the slot is recognized by its variable and, if `names` maps to shapes, by its shape.

    Args:
        name: the name of the tensor.
        names: the names of all tensors of the file, or a mapping of names to shapes or TensorInfos.
    """
    if (match := _KERAS_SLOT.fullmatch(name)) and match["variable"] in names:
        return Slot(match["variable"], f"tf.keras {match['optimizer']}/{match['slot']}")
    if match := _SLOT.fullmatch(name):
        return Slot(_existing(match["variable"], names) or match["variable"], match["slot"])
    match = _NAMED.fullmatch(name)
    if not match or role(name) or match["slot"].startswith(AVERAGE):
        return None
    variable = _existing(match["variable"], names)
    if not variable or not _same_shape(name, variable, names):
        return None
    scope = name[: len(match["variable"]) - len(variable)]
    return Slot(variable, match["slot"]) if not scope or f"{scope}beta1_power" in names else None


def shadow_of(name: str, names: Collection[str] = ()) -> str | None:
    """Returns the variable whose moving average a tensor is, or None if it is no average.

    An average that was made in a scope has the scope before the name of the variable. The variable is the one of
    `names` that fits; otherwise it is the name without its ending.
    """
    variable, _, ending = name.rpartition("/")
    if not re.fullmatch(rf"{AVERAGE}(?:_\d+)?", ending) or not variable:
        return None
    return _existing(variable, names) or variable


def power_of(name: str) -> tuple[str, str] | None:
    """Returns the name of a power of Adam or AdaMax and a key of its optimizer, or None for another tensor.

    For "gen/beta2_power_1" it is ("beta2_power", "gen/_1"). The powers of one optimizer have the same key.
    """
    match = _POWER.fullmatch(name)
    return (match["power"], f"{match['scope'] or ''}/{match['number'] or ''}") if match else None


def counts_steps(name: str) -> bool:
    """Returns whether a scalar counts steps: global_step, or the iterations of a Keras optimizer."""
    return name.rpartition("/")[2] == "global_step" or _KERAS_STEPS.fullmatch(name) is not None


def bookkeeping(name: str) -> str:
    """Returns the purpose of a tensor that belongs to no layer, or "" if its name does not tell."""
    return next((purpose for pattern, purpose in _COMPILED if pattern.fullmatch(name)), "")


def _existing(variable: str, names: Collection[str]) -> str | None:
    """Returns the variable of the file, without the scope in which the optimizer was made, or None."""
    rest = variable
    while rest and rest not in names:
        rest = rest.partition("/")[2]
    return rest or None


def _same_shape(name: str, other: str, names: Collection[str]) -> bool:
    if not isinstance(names, Mapping):
        return True
    return bool(name in names and _shape(names[name]) == _shape(names[other]))


def _shape(value: object) -> tuple[int, ...]:
    """Returns a shape, or the shape of a TensorInfo."""
    return tuple(getattr(value, "shape", value))  # type: ignore[arg-type]
