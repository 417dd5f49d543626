"""A plan in the making: which tensors and variables have no place yet, and the steps by which they get one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tf2bridge.checkpoint.layers import forget_biases
from tf2bridge.checkpoint.layers.cells import why_not
from tf2bridge.checkpoint.layers.cudnn_cells import opaque_moves
from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Move, Rule, Target, TargetVariable
from tf2bridge.checkpoint.optimizers.legacy_companions import companion_moves, counters_in, owners_in
from tf2bridge.checkpoint.optimizers.slots import slot_moves
from tf2bridge.checkpoint.planning.fitting import Fitting, pools
from tf2bridge.checkpoint.planning.graph_targets import created_by
from tf2bridge.checkpoint.planning.groups import keras_like, of_tensors, of_variables, single
from tf2bridge.checkpoint.planning.pairing import pair
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.planning.pools import Pool
from tf2bridge.checkpoint.planning.questions import cause, questions
from tf2bridge.checkpoint.planning.refusals import RuleError, ShapeClashError
from tf2bridge.checkpoint.planning.sorting import Sorted, called_in
from tf2bridge.checkpoint.planning.wishes import Wishes, compiled, named_by
from tf2bridge.checkpoint.steps import Cast, shape_after, sliced
from tf2bridge.formats.checkpoints.names import role
from tf2bridge.formats.checkpoints.stored import Checkpoint


@dataclass
class Work:
    """A plan in the making."""

    checkpoint: Checkpoint
    target: Target
    sorted: Sorted
    said: Wishes
    moves: dict[str, Move] = field(default_factory=dict)
    """By variable."""
    used: set[str] = field(default_factory=set)
    """Tensors that a move takes."""
    drops: dict[str, str] = field(default_factory=dict)
    keeps: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    lacking: list[Move] = field(default_factory=list)
    """Moves without sources."""

    def __post_init__(self) -> None:
        self.variables = {each.name: each for each in self.target.variables}
        self.drops |= self.sorted.drops
        self.keeps |= self.target.keeps
        created = self.said.created or created_by(self.checkpoint.path)
        self.order = {name: place for place, name in enumerate(created)}
        self.owners = {} if self.target.optimizer else owners_in(self.variables)
        self.counters = [] if self.target.optimizer else counters_in(self.variables)
        """Slots and averages, and counters, of a target that is itself of TF 1.x."""
        self.recurrent = {each.layer for each in self.target.variables if each.role == "recurrent_kernel"}
        """Layers whose variables are made of whole cells: one on its own has its gates in another order."""
        self.forget_biases = _forget_biases(self.said.forget_bias, self.checkpoint)
        """Those that the graph's cells have, or that the user says."""
        one = next(iter(self.forget_biases)) if len(self.forget_biases) == 1 else forget_biases.DEFAULT
        self.fitting = Fitting(self.variables, one)
        self.drops |= named_by(self.said.drop, self.checkpoint.tensors, "dropped as asked")
        self.keeps |= named_by(self.said.keep, self.variables, "kept as asked")

    def apply_rules(self, rules: Sequence[Rule]) -> None:
        """Moves what rules name, and renames what they rename to no variable, for the rest to match."""
        renamed: dict[str, Rule] = {}
        for rule in rules:
            pattern = compiled(rule.pattern)
            for name, called in list(self._sources().items()):
                if not (found := pattern.fullmatch(called) or pattern.fullmatch(name)):
                    continue
                new = found.expand(rule.replacement)
                if new in self.variables:
                    self._move_by_rule(Move(new, (name,), tuple(rule.steps)), rule)
                elif name in self.sorted.weights:
                    self.sorted.weights[name] = new
                    renamed[name] = rule
        self._require_one_of_a_name(renamed)

    def _require_one_of_a_name(self, renamed: Mapping[str, Rule]) -> None:
        """Raises RuleError where a rule gives a tensor the name that another has: neither could be matched by it."""
        sources = self._sources()
        holders = {called: name for name, called in sources.items() if name not in renamed}
        for name, rule in renamed.items():
            if name in sources and holders.setdefault(sources[name], name) != name:
                both = f"{holders[sources[name]]!r} and {name!r}"
                raise RuleError(rule.pattern, f"{both} would both be called {sources[name]!r}")

    def _move_by_rule(self, move: Move, rule: Rule) -> None:
        said = f"rule {rule.pattern} -> {rule.replacement}"
        before = self.moves.get(move.target)
        if before is not None:
            both = f"{before.sources[0]!r} and {move.sources[0]!r}"
            raise RuleError(rule.pattern, f"{both} would both become {move.target!r}")
        wanted, found = self.variables[move.target].shape, shape_after(move, self.checkpoint)
        if found != wanted:
            held = self.checkpoint.tensors[move.sources[0]].shape
            raise ShapeClashError(move.sources[0], found or held, move.target, wanted, cause(found or held, wanted))
        self._move(replace(move, reason=said))

    def follow_saver(self) -> None:
        """Moves what the graph's own Saver would restore, parts of partitioned variables as the slices they are."""
        tensor_of = {called: name for name, called in called_in(self.checkpoint.tensors).items()}
        for name, (key, spec) in self.target.saved_as.items():
            tensor = tensor_of.get(key)
            if tensor is None or name not in self.variables or name in self.moves or name in self.keeps:
                continue
            move = Move(name, (tensor,), sliced(spec), "as the graph's Saver restores it")
            if shape_after(move, self.checkpoint) == self.variables[name].shape:
                self._move(move)

    def choose_averages(self) -> None:
        """Drops the variables whose averages are taken, or the averages."""
        for variable, average in self.sorted.averages.items():
            taken, left = (average, variable) if self.said.averages else (variable, average)
            if self.said.averages and variable in self.sorted.weights:
                self.sorted.weights[average] = self.sorted.weights.pop(variable)
            why = "its moving average is taken" if self.said.averages else f"the moving average of {taken}"
            self.drops.setdefault(left, why)

    def match(self, of_tensors_and_variables: bool) -> None:
        """Pairs layers with scopes, or what is left with what is left, one by one."""
        weights, variables = self._sources(), self._open_variables()
        order = self.order
        if of_tensors_and_variables:
            shapes = {name: self.checkpoint.tensors[name].shape for name in weights}
            sources, targets = of_tensors(shapes, weights, order), of_variables(variables, self.target.ordered)
        else:
            sources = [
                single(name, keras_like(called), self.checkpoint.tensors[name].shape, order.get(name))
                for name, called in weights.items()
            ]
            targets = [
                single(each.name, keras_like(each.name), each.shape, at if self.target.ordered else None)
                for at, each in enumerate(variables)
                if each.layer not in self.recurrent
            ]
        found = pools(sources, targets, self.fitting)
        pair(found)
        for pool in found:
            self._take(pool)

    def match_opaque(self) -> None:
        """Makes the recurrent layers that are left of the one vector in which cuDNN keeps all weights."""
        groups = [each for each in of_variables(self._open_variables(), self.target.ordered) if each.kind]
        layers = [[self.variables[name] for name in each.names.values()] for each in groups]
        layers = [each for each in layers if each[0].layer in self.recurrent]
        shapes = {name: self.checkpoint.tensors[name].shape for name in self._sources()}
        vectors = [name for name, shape in shapes.items() if len(shape) == 1]
        found = [moves for name in vectors if (moves := opaque_moves(name, shapes[name][0], layers))]
        for move in found[0] if len(found) == 1 else ():
            self._move(replace(move, certain="opaque" in move.sources[0]))

    def _take(self, pool: Pool) -> None:
        for each in pool.found:
            moves = self.fitting.moves(each.source, each.target) or ()
            if any(name in self.used for move in moves for name in move.sources):
                continue  # as a cell, or as a scope of one
            for move in moves:
                reasons = (each.why, _renamed(move), move.reason)
                certain = each.certain and move.certain
                made = replace(move, reason="; ".join(filter(None, reasons)), certain=certain)
                if made.sources:
                    self._move(made)
                else:  # once all tensors have been tried: a bias may lie beside its scope
                    self.lacking.append(made)

    def fill_lacking(self) -> None:
        """Fills what the checkpoint has no tensor for with what that amounts to, as a scale of 1."""
        for move in self.lacking:
            if move.target not in self.moves and move.target not in self.keeps:
                self._move(move)

    def _move(self, move: Move) -> None:
        self.moves[move.target] = move
        self.used.update(move.sources)

    def _sources(self) -> dict[str, str]:
        """Tensors that are weights and have no place yet, by what they are called."""
        return {
            name: each for name, each in self.sorted.weights.items() if name not in self.used and name not in self.drops
        }

    def _open_variables(self) -> list[TargetVariable]:
        """Variables that are weights and have no value yet."""
        optimizer = self.target.optimizer
        other = {each.name for each in optimizer.slots} | {optimizer.iteration} if optimizer else set()
        other |= self.owners.keys() | set(self.counters)
        return [
            each
            for each in self.target.variables
            if each.name not in self.moves and each.name not in self.keeps and each.name not in other
        ]

    def match_slots(self) -> None:
        """Maps the optimizer's slots and counters after their variables; drops them where the target has none."""
        for move in companion_moves(self.sorted, self.owners, self.counters, self.moves):
            if move.target not in self.keeps and move.target not in self.moves:
                self._move(move)
        gone = self.drops.keys() | self.used
        found = slot_moves(
            {name: each for name, each in self.sorted.slots.items() if name not in gone},
            {name: each for name, each in self.sorted.counters.items() if name not in gone},
            self.checkpoint,
            self.moves,
            self.target.optimizer,
            self.said.learning_rate,
            self.said.iterations,
        )
        for move in found.moves:
            if move.target not in self.keeps:
                self._move(move)
        self.drops |= found.drops
        self.keeps = found.keeps | self.keeps
        self.questions += [each for each in found.questions if each.name not in self.keeps]
        self.notes += found.notes

    def settle_forget_bias(self) -> None:
        """Notes that a forget bias was assumed, or asks which one it is where the graph has several."""
        if not forget_biases.uses_one(self.moves):
            return
        if not self.forget_biases:
            self.notes.append(forget_biases.ASSUMED)
            self.moves = {name: forget_biases.assumed(move) for name, move in self.moves.items()}
        elif len(self.forget_biases) > 1:
            self.questions += forget_biases.asked(self.moves, self.forget_biases)
            for question in self.questions:
                self.moves.pop(question.name, None)
            self.used = {name for move in self.moves.values() for name in move.sources}

    def plan(self) -> Plan:
        """What was made, with a question for each variable and tensor that has no place."""
        asked = {each.name for each in self.questions}
        sources = self._sources()
        shapes = {name: (called, self.checkpoint.tensors[name].shape) for name, called in sources.items()}
        gone = asked | self.moves.keys() | self.keeps.keys()
        variables = [each for each in self.target.variables if each.name not in gone]
        left = {name: (keras_like(called), shape) for name, (called, shape) in shapes.items() if name not in asked}
        self.questions += questions(variables, left, set(self.sorted.weights.values()), self._refused(sources))
        used, infos = self.used, self.checkpoint.tensors
        self.drops = {name: why for name, why in self.drops.items() if name not in used}
        return Plan(
            str(self.checkpoint.path),
            self.target.name,
            tuple(self._cast(self.moves[name]) for name in self.variables if name in self.moves),
            self.drops,
            {name: why for name, why in self.keeps.items() if name not in self.moves},
            tuple(self.questions),
            tuple(self.notes),
            self.variables,
            {name: (infos[name].shape, infos[name].dtype) for name in infos if name in used},
            self.checkpoint,
            self.target.live,
        )

    def _refused(self, sources: dict[str, str]) -> dict[str, str]:
        """Variable of a recurrent layer without values -> why a cell that is left does not go into it."""
        layers = [each for each in of_variables(self._open_variables()) if each.name in self.recurrent]
        cells = of_tensors({name: self.checkpoint.tensors[name].shape for name in sources}, sources, self.order)
        found: dict[str, str] = {}
        for layer in layers:
            variables = [self.variables[name] for name in layer.names.values()]
            why = [said for cell in cells if (said := why_not(cell.name, cell.shapes, variables))]
            found |= dict.fromkeys(layer.names.values(), why[0]) if why else {}
        return found

    def _cast(self, move: Move) -> Move:
        """With a step that gives the dtype of the variable, where that is another."""
        wanted = self.variables[move.target].dtype
        if not move.sources:
            return move
        if self.checkpoint.tensors[move.sources[0]].dtype == wanted or any(each.kind == "cast" for each in move.steps):
            return move
        return replace(move, steps=(*move.steps, Cast(wanted, self.said.lossy)))


def _forget_biases(given: float | None, checkpoint: Checkpoint) -> set[float]:
    return forget_biases.said_by(checkpoint.path) if given is None else {given}


def _renamed(move: Move) -> str:
    """That a program of TF 1.x called a kernel weights, where that is all there is to it."""
    if len(move.sources) != 1:
        return ""
    theirs, mine = (name.rpartition("/")[2] for name in (move.sources[0], move.target))
    return f"{theirs} is {mine}" if not move.steps and role(theirs) == mine != theirs else ""
