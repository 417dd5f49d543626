"""Variables that are there for others: the slots of optimizers, averages, and what TensorFlow counts for itself.

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
"""What optimizers call their slots unless a program names them; a second slot of a variable is Adam_1."""
_SLOT = re.compile(rf"(?P<variable>.+)/(?P<slot>(?:{'|'.join(OPTIMIZERS)})(?:_\d+)?)")
_NAMED = re.compile(r"(?P<variable>.+)/(?P<slot>[A-Za-z0-9.][\w.\\-]*)")
_KERAS = r"(?:training(?:_\d+)?/)?(?P<optimizer>SGD|Adam|RMSprop|Adagrad|Adadelta|Adamax|Nadam|Ftrl)(?:_\d+)?"
"""What the Keras of TF 1.14, 1.15 and 2.0 to 2.10 writes before the variables of an optimizer."""
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
_COMPILED = tuple((re.compile(pattern), said) for pattern, said in _BOOKKEEPING)


class Slot(NamedTuple):
    """A slot of an optimizer."""

    variable: str
    name: str
    """As the file calls it: "Momentum", "Adam_1", or as the program named the optimizer; of Keras "tf.keras Adam/m"."""


def slot_of(name: str, names: Collection[str]) -> Slot | None:
    """Returns whose slot a tensor is among the tensors of a file, None where it is none.

    An optimizer that was made in a scope has it before the name of the variable. The slots of one that a program named
    are told by the variable that they are named after and, where `names` says shapes, by their shape.
    """
    if (found := _KERAS_SLOT.fullmatch(name)) and found["variable"] in names:
        return Slot(found["variable"], f"tf.keras {found['optimizer']}/{found['slot']}")
    if found := _SLOT.fullmatch(name):
        return Slot(_existing(found["variable"], names) or found["variable"], found["slot"])
    found = _NAMED.fullmatch(name)
    if not found or role(name) or found["slot"].startswith(AVERAGE):
        return None
    variable = _existing(found["variable"], names)
    if not variable or not _same_shape(name, variable, names):
        return None
    scope = name[: len(found["variable"]) - len(variable)]
    return Slot(variable, found["slot"]) if not scope or f"{scope}beta1_power" in names else None


def shadow_of(name: str, names: Collection[str] = ()) -> str | None:
    """Returns the variable whose average over the steps a tensor is, None where it is no average.

    One that was made in a scope has it before the variable's name; so the variable is told by `names` where they have
    it, and else is what stands before the ending.
    """
    variable, _, ending = name.rpartition("/")
    if not re.fullmatch(rf"{AVERAGE}(?:_\d+)?", ending) or not variable:
        return None
    return _existing(variable, names) or variable


def power_of(name: str) -> tuple[str, str] | None:
    """Returns ("beta2_power", what is beside the scope and number of its optimizer): the powers of one have one.

    Of "gen/beta2_power_1" that is ("beta2_power", "gen/_1"). None for what is no power of Adam or AdaMax.
    """
    found = _POWER.fullmatch(name)
    return (found["power"], f"{found['scope'] or ''}/{found['number'] or ''}") if found else None


def counts_steps(name: str) -> bool:
    """Whether a scalar counts steps: global_step, or what Keras's optimizers count."""
    return name.rpartition("/")[2] == "global_step" or _KERAS_STEPS.fullmatch(name) is not None


def bookkeeping(name: str) -> str:
    """Returns what a tensor that is of no layer was for, "" where its name tells not."""
    return next((said for pattern, said in _COMPILED if pattern.fullmatch(name)), "")


def _existing(variable: str, names: Collection[str]) -> str | None:
    """The variable of the file that this is, without the scope in which an optimizer was made."""
    rest = variable
    while rest and rest not in names:
        rest = rest.partition("/")[2]
    return rest or None


def _same_shape(name: str, other: str, names: Collection[str]) -> bool:
    if not isinstance(names, Mapping):
        return True
    return bool(name in names and _shape(names[name]) == _shape(names[other]))


def _shape(value: object) -> tuple[int, ...]:
    """The shape that a mapping says, or that of the TensorInfo that it holds."""
    return tuple(getattr(value, "shape", value))  # type: ignore[arg-type]
