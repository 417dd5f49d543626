"""Finds how many steps an optimizer took: from the powers of beta that Adam keeps, and from global_step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.checkpoint.moves import Move, Step, TargetOptimizer
from tf2bridge.checkpoint.optimizers.optimizers import OptimizerRule
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.steps import Constant, StepsFromPower, steps_from_power
from tf2bridge.formats.checkpoints.companions import power_of
from tf2bridge.formats.checkpoints.stored import Checkpoint

_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class _Count:
    """The number of steps according to one tensor."""

    tensor: str
    steps: int
    step: Step | None = None
    """The step that computes the number from the tensor."""

    def move(self, target: str) -> Move:
        reason = f"{self.steps} steps, by {self.tensor}"
        return Move(target, (self.tensor,), (self.step,) if self.step else (), reason)


def iteration_move(
    counters: Mapping[str, str],
    checkpoint: Checkpoint,
    optimizer: TargetOptimizer,
    rule: OptimizerRule | None,
    given: int | None,
) -> Move | Question | str:
    """Returns the move of the optimizer's step counter, a question, or a reason to keep its value.

    It is a question if tensors disagree, or if none has the number. The powers of beta are computed bit for bit: either
    they give the number of steps exactly, or they give nothing. global_step must agree with them. It is used alone if
    the powers have vanished (0.9^830 is no normal float, nor is 0.999^87300).
    """
    target = optimizer.iteration
    counts, troubles = _of_powers(counters, checkpoint, optimizer, rule)
    if given is not None:
        said_so = "; ".join((f"{given} steps, as given", *troubles))
        return Move(target, (), (Constant(given, (), "int64"),), said_so)
    counts += [
        _Count(name, int(checkpoint[name])) for name, called_name in counters.items() if not power_of(called_name)
    ]
    numbers = sorted({count.steps for count in counts})
    shown = tuple(f"iterations={count.steps} ({count.tensor})" for count in counts)
    if troubles:
        return Question(
            target, "variable", "; ".join(troubles) + "; make the optimizer with that, or say iterations=", shown
        )
    if len(numbers) == 1:
        return counts[0].move(target)
    if numbers:
        why = "the tensors that count the steps disagree; say iterations="
        return Question(target, "variable", why, shown)
    if rule is not None and not rule.powers and not isinstance(optimizer.config.get("learning_rate"), Mapping):
        return "no tensor counts the steps, and only a schedule would read them"
    return Question(target, "variable", "no tensor tells how many steps were made; say iterations=")


def _of_powers(
    counters: Mapping[str, str], checkpoint: Checkpoint, optimizer: TargetOptimizer, rule: OptimizerRule | None
) -> tuple[list[_Count], list[str]]:
    """Returns the numbers of steps from the powers, and what contradicts the target's betas."""
    counts, troubles = [], []
    for power, argument in rule.powers if rule else ():
        beta = optimizer.config.get(argument)
        for name, called in counters.items():
            if beta is None or (power_of(called) or ("",))[0] != power:
                continue
            value = float(np.asarray(checkpoint[name]).reshape(()))
            steps = steps_from_power(value, beta)
            if steps is not None:
                counts.append(_Count(name, steps, StepsFromPower(float(beta))))
            elif value >= _TINY:
                troubles.append(
                    f"{name} is {value:g}, no power of {argument}={beta:g}: {_instead(value, counters, checkpoint)}"
                )
    return counts, troubles


def _instead(value: float, counters: Mapping[str, str], checkpoint: Checkpoint) -> str:
    """Returns the beta that the program may have had, computed from global_step."""
    steps = [int(checkpoint[name]) for name, called_name in counters.items() if not power_of(called_name)]
    if len(steps) == 1 and steps[0] >= 0 and 0 < value < 1:
        return f"the program may have had {value ** (1 / (steps[0] + 1)):.6g}, by global_step {steps[0]}"
    return "the program had another"


def unused_counters(counters: Mapping[str, str], used: Sequence[Any]) -> dict[str, str]:
    """Returns the counters that no move takes, with the reason."""
    taken = {name for move in used for name in move.sources}
    why = "it counts the steps in another way" if taken else "it counts steps"
    return {name: why for name in counters if name not in taken}
