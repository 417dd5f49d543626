"""Maps the slots of a TF 1.x optimizer to a Keras 3 optimizer: each slot takes the same steps as its variable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tf2bridge.checkpoint.moves import Move, Step, TargetOptimizer, TargetVariable
from tf2bridge.checkpoint.optimizers.iterations import iteration_move, unused_counters
from tf2bridge.checkpoint.optimizers.optimizers import (
    NO_COUNTERPART,
    OF_KERAS,
    OptimizerRule,
    base_of,
    is_named_by_program,
    rule_for,
    slots_by_role,
)
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.refusals import NoSlotsError
from tf2bridge.checkpoint.steps import Scale
from tf2bridge.formats.checkpoints.companions import power_of, shadow_of
from tf2bridge.formats.checkpoints.stored import Checkpoint


@dataclass
class SlotMoves:
    """The parts of a plan for slots and counters."""

    moves: list[Move] = field(default_factory=list)
    drops: dict[str, str] = field(default_factory=dict)
    keeps: dict[str, str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def slot_moves(
    slots: Mapping[str, tuple[str, str]],
    counters: Mapping[str, str],
    checkpoint: Checkpoint,
    moves: Mapping[str, Move],
    optimizer: TargetOptimizer | None,
    learning_rate: float | None = None,
    iterations: int | None = None,
) -> SlotMoves:
    """Returns the moves of an optimizer's slots and of its step counter, and what happens to other slots and counters.

    Args:
        slots: Slot -> (its variable, the slot's name in TF 1.x).
        counters: Tensor that counts steps -> its name.
        checkpoint: The checkpoint.
        moves: Variable of the target -> its move.
        optimizer: The target's optimizer, if it has one.
        learning_rate: The learning rate for Keras's momentum, which includes it; by default the optimizer's own.
        iterations: The number of steps, if no tensor is to give it.
    """
    result = SlotMoves()
    rule = rule_for(optimizer.class_name) if optimizer else None
    by_variable = _by_variable(slots)
    named = sorted({base for by_base in by_variable.values() for base in by_base if is_named_by_program(base)})
    base = _base(by_variable, rule, named, counters)
    if optimizer is None or not (base or (rule and (named or not optimizer.slots))):
        if optimizer and optimizer.iteration and iterations is not None:
            _count(result, counters, checkpoint, optimizer, rule, iterations)
        _leave(result, slots, counters, optimizer)
        return result
    made = _Making(result, by_variable, moves, optimizer, rule, base)
    of_keras = base.startswith(OF_KERAS)
    if rule and rule.by_rate and optimizer.slots and not of_keras:
        made.rate = _rate(result, optimizer, learning_rate)
    for variable in optimizer.slots:
        made.place(variable)
    _count(result, counters, checkpoint, optimizer, rule, iterations)
    _drop_rest(result, slots, optimizer)
    _note_dropped(result, slots, optimizer, base)
    if not of_keras:
        _note(result, optimizer, rule)
    return result


def _by_variable(slots: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Returns variable -> name of an optimizer -> number of the slot -> tensors."""
    by_variable: dict[str, dict[str, dict[str, list[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for tensor, (variable, slot) in slots.items():
        base, number = base_of(slot)
        by_variable[variable][base][number].append(tensor)
    return by_variable


def _base(
    by_variable: Mapping[str, Mapping[str, Mapping[str, list[str]]]],
    rule: OptimizerRule | None,
    named: Sequence[str],
    counters: Mapping[str, str],
) -> str:
    """Returns the name of the checkpoint's optimizer whose slots the target's optimizer takes; "" for none.

    If the program named the optimizer, it counts as Adam, or AdaMax, if there are the powers that these keep and if
    each variable has the right number of slots. Other optimizers leave only their name and the number of their slots.
    """
    bases = {base for by_base in by_variable.values() for base in by_base}
    if rule is None:
        return ""
    if known := [base for base in (*rule.legacy, OF_KERAS + rule.keras) if base in bases]:
        return known[0]
    powers = {power_name[0] for called_name in counters.values() if (power_name := power_of(called_name))}
    if not rule.powers or powers != {power for power, _ in rule.powers}:
        return ""
    fitting = [
        base
        for base in named
        if all(slots_by_role(rule, base, by_base[base]) for by_base in by_variable.values() if base in by_base)
    ]
    return fitting[0] if len(fitting) == 1 else ""


@dataclass
class _Making:
    """The slots of one optimizer while they get their places."""

    result: SlotMoves
    by_variable: Mapping[str, Mapping[str, Mapping[str, list[str]]]]
    moves: Mapping[str, Move]
    optimizer: TargetOptimizer
    rule: OptimizerRule | None
    base: str
    rate: float | None = None

    def place(self, variable: TargetVariable) -> None:
        """Adds the move of a slot, or the reason why there is none."""
        owner = self.moves.get(variable.slot_of)
        if owner is None or not owner.sources:
            return self._keep(variable, f"no tensor of the checkpoint was {variable.slot_of}")
        if all(shadow_of(source) and source not in self.by_variable for source in owner.sources):
            return self._keep(variable, "the moving average is taken, and the slots are of the variable itself")
        if not self.base:
            return self._ask(variable, _NAMED)
        try:
            steps = tuple(step for owner_step in owner.steps if (step := owner_step.of_slots()) is not None)
        except NoSlotsError as error:
            return self._ask(variable, str(error))
        slots = [self._slot(source, variable.role) for source in owner.sources]
        if several := [tensors for tensors in slots if len(tensors) > 1]:
            return self._ask(variable, f"there are several such slots ({', '.join(several[0])}); drop= all but one")
        if not all(slots):
            why = f"the checkpoint has no {variable.role} of {variable.slot_of}; keep= what it is made with"
            return self._ask(variable, why)
        return self._add(variable, tuple(tensors[0] for tensors in slots), steps)

    def _slot(self, source: str, role: str) -> list[str]:
        """Returns the tensors that are this slot of a variable of the checkpoint: none, one, or several."""
        numbered = self.by_variable.get(source, {}).get(self.base, {})
        own = slots_by_role(self.rule, self.base, numbered).get(role, "") if self.rule else ""
        return numbered.get(own, [])

    def _keep(self, variable: TargetVariable, why: str) -> None:
        self.result.keeps[variable.name] = why

    def _ask(self, variable: TargetVariable, why: str) -> None:
        self.result.questions.append(Question(variable.name, "variable", why))

    def _add(self, variable: TargetVariable, sources: tuple[str, ...], steps: tuple[Step, ...]) -> None:
        reason = f"{self.base} -> {self.optimizer.class_name} {variable.role}"
        if self.rule is not None and self.rule.by_rate and not self.base.startswith(OF_KERAS):
            if self.rate is None:
                return self._ask(variable, _NEEDS_RATE)
            steps, reason = (*steps, Scale(-self.rate)), f"{reason}, which has the learning rate {self.rate:g} in it"
        certain = not is_named_by_program(self.base)
        return self.result.moves.append(Move(variable.name, sources, steps, reason, certain))


_NAMED = "the program named its slots, so they do not tell the optimizer; map them by rules, or keep= and drop= them"
_NEEDS_RATE = "Keras's momentum has the learning rate in it, and the optimizer's is a schedule; say learning_rate="


def _rate(result: SlotMoves, optimizer: TargetOptimizer, given: float | None) -> float | None:
    """Returns the learning rate of the next step, and notes it."""
    own = optimizer.config.get("learning_rate")
    rate = given if given is not None else own if isinstance(own, int | float) else None
    if rate is not None:
        source = "as given" if given is not None else "the optimizer's"
        result.notes.append(f"momentum was scaled by the learning rate {rate:g}, {source}: that of the next step")
    return None if rate is None else float(rate)


def _leave(
    result: SlotMoves,
    slots: Mapping[str, tuple[str, str]],
    counters: Mapping[str, str],
    optimizer: TargetOptimizer | None,
) -> None:
    """Drops all slots; the optimizer keeps its initial values."""
    result.drops |= unused_counters(counters, ())
    _drop_rest(result, slots, optimizer)
    if optimizer is None:
        return
    bases = sorted({base_of(slot)[0] for _, slot in slots.values()})
    why = f"the checkpoint's slots are of {', '.join(bases)}" if bases else "the checkpoint has no slots"
    own = f"{why}, not of {optimizer.class_name}" if bases else why
    result.keeps |= dict.fromkeys((slot.name for slot in optimizer.slots), own)
    if optimizer.iteration and not any(move.target == optimizer.iteration for move in result.moves):
        result.keeps[optimizer.iteration] = f"{why}: {optimizer.class_name} begins anew"
    result.notes.append(f"{why}: {optimizer.class_name} of the target begins anew")


def _count(
    result: SlotMoves,
    counters: Mapping[str, str],
    checkpoint: Checkpoint,
    optimizer: TargetOptimizer,
    rule: OptimizerRule | None,
    iterations: int | None,
) -> None:
    if optimizer.iteration:
        made = iteration_move(counters, checkpoint, optimizer, rule, iterations)
        if isinstance(made, Move):
            result.moves.append(made)
        elif isinstance(made, Question):
            result.questions.append(made)
        else:
            result.keeps[optimizer.iteration] = made
    result.drops |= unused_counters(counters, result.moves)


def _drop_rest(result: SlotMoves, slots: Mapping[str, tuple[str, str]], optimizer: TargetOptimizer | None) -> None:
    taken = {source for move in result.moves for source in move.sources}
    other = f"{optimizer.class_name} of the target does not keep it" if optimizer else "the target has no optimizer"
    for tensor, (_, slot) in slots.items():
        if tensor not in taken:
            base = base_of(slot)[0]
            result.drops[tensor] = f"a slot of {base}: {NO_COUNTERPART.get(base, other) if optimizer else other}"


def _note_dropped(
    result: SlotMoves, slots: Mapping[str, tuple[str, str]], optimizer: TargetOptimizer, base: str
) -> None:
    """Notes that the program's optimizer had more slots than the target's, and therefore takes other steps."""
    own = {tensor: slot for tensor, (_, slot) in slots.items() if base and base_of(slot)[0] == base}
    dropped = set(own.values()) - {slot for tensor, slot in own.items() if tensor not in result.drops}
    if dropped:
        why = f"{optimizer.class_name} of the target is made without what they are for, as momentum or centered"
        result.notes.append(f"the slots {', '.join(sorted(dropped))} are dropped: {why}")


def _note(result: SlotMoves, optimizer: TargetOptimizer, rule: OptimizerRule | None) -> None:
    """Notes the settings of the optimizer that the checkpoint lacks and whose defaults differ."""
    if rule is None or not result.moves:
        return
    own = optimizer.config.get("epsilon")
    if rule.epsilon is not None and own is not None and own != rule.epsilon:
        habit = f"{rule.epsilon:g} is the default of TF 1.x" if rule.epsilon else "TF 1.x adds none"
        result.notes.append(f"{optimizer.class_name} has epsilon={own:g}; {habit}")
    if rule.note:
        result.notes.append(rule.note)
