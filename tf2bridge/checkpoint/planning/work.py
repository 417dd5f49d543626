"""A plan in the making: the tensors and variables without a place, and the steps that give them one."""

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
from tf2bridge.checkpoint.planning.graph_file_targets import created_by
from tf2bridge.checkpoint.planning.groups import keras_like, of_tensors, of_variables, single
from tf2bridge.checkpoint.planning.pairing import pair
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.planning.plan_options import PlanOptions, compiled, named_by
from tf2bridge.checkpoint.planning.pools import Pool
from tf2bridge.checkpoint.planning.questions import cause, questions
from tf2bridge.checkpoint.planning.refusals import RuleError, ShapeClashError
from tf2bridge.checkpoint.planning.sorting import Sorted, called_in
from tf2bridge.checkpoint.steps import Cast, shape_after, sliced
from tf2bridge.formats.checkpoints.names import role
from tf2bridge.formats.checkpoints.stored import Checkpoint


@dataclass
class Work:
    """A plan in the making.

    Attributes:
        checkpoint: The checkpoint.
        target: The target.
        sorted: The tensors of the checkpoint by their purpose.
        options: The user's options.
        moves: Variable -> its move.
        used: Tensors that a move takes.
        drops: Tensor -> why it is dropped.
        keeps: Variable -> why it keeps its value.
        notes: What a person should know.
        questions: Open questions of the optimizer and of forget biases.
        lacking: Moves without sources.
        owners: Slots and averages of a target that is a TF 1.x graph -> their variable and kind.
        counters: Counters of steps of a target that is a TF 1.x graph.
        recurrent: Layers made from whole cells; a single weight of theirs would have its gates in another order.
        forget_biases: The forget biases of the graph's cells, or the user's.
    """

    checkpoint: Checkpoint
    target: Target
    sorted: Sorted
    options: PlanOptions
    moves: dict[str, Move] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    drops: dict[str, str] = field(default_factory=dict)
    keeps: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    lacking: list[Move] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.variables = {variable.name: variable for variable in self.target.variables}
        self.drops |= self.sorted.drops
        self.keeps |= self.target.keeps
        created = self.options.created or created_by(self.checkpoint.path)
        self.order = {name: place for place, name in enumerate(created)}
        self.owners = {} if self.target.optimizer else owners_in(self.variables)
        self.counters = [] if self.target.optimizer else counters_in(self.variables)
        self.recurrent = {variable.layer for variable in self.target.variables if variable.role == "recurrent_kernel"}
        self.forget_biases = _forget_biases(self.options.forget_bias, self.checkpoint)
        forget_bias = next(iter(self.forget_biases)) if len(self.forget_biases) == 1 else forget_biases.DEFAULT
        self.fitting = Fitting(self.variables, forget_bias)
        self.drops |= named_by(self.options.drop, self.checkpoint.tensors, "dropped as asked")
        self.keeps |= named_by(self.options.keep, self.variables, "kept as asked")

    def apply_rules(self, rules: Sequence[Rule]) -> None:
        """Moves the tensors that rules rename to variables, and renames other tensors for the later matching."""
        renamed: dict[str, Rule] = {}
        for rule in rules:
            pattern = compiled(rule.pattern)
            for name, called in list(self._sources().items()):
                if not (match := pattern.fullmatch(called) or pattern.fullmatch(name)):
                    continue
                new = match.expand(rule.replacement)
                if new in self.variables:
                    self._move_by_rule(Move(new, (name,), tuple(rule.steps)), rule)
                elif name in self.sorted.weights:
                    self.sorted.weights[name] = new
                    renamed[name] = rule
        self._require_one_of_a_name(renamed)

    def _require_one_of_a_name(self, renamed: Mapping[str, Rule]) -> None:
        """Raises RuleError if a rule gives a tensor the name of another tensor: neither could be matched by name."""
        sources = self._sources()
        holders = {called: name for name, called in sources.items() if name not in renamed}
        for name, rule in renamed.items():
            if name in sources and holders.setdefault(sources[name], name) != name:
                both = f"{holders[sources[name]]!r} and {name!r}"
                raise RuleError(rule.pattern, f"{both} would both be called {sources[name]!r}")

    def _move_by_rule(self, move: Move, rule: Rule) -> None:
        reason = f"rule {rule.pattern} -> {rule.replacement}"
        before = self.moves.get(move.target)
        if before is not None:
            both = f"{before.sources[0]!r} and {move.sources[0]!r}"
            raise RuleError(rule.pattern, f"{both} would both become {move.target!r}")
        wanted, given = self.variables[move.target].shape, shape_after(move, self.checkpoint)
        if given != wanted:
            stored = self.checkpoint.tensors[move.sources[0]].shape
            raise ShapeClashError(move.sources[0], given or stored, move.target, wanted, cause(given or stored, wanted))
        self._move(replace(move, reason=reason))

    def follow_saver(self) -> None:
        """Moves what the graph's own Saver would restore; parts of partitioned variables as slices."""
        tensor_of = {called: name for name, called in called_in(self.checkpoint.tensors).items()}
        for name, (key, spec) in self.target.saved_as.items():
            tensor = tensor_of.get(key)
            if tensor is None or name not in self.variables or name in self.moves or name in self.keeps:
                continue
            move = Move(name, (tensor,), sliced(spec), "as the graph's Saver restores it")
            if shape_after(move, self.checkpoint) == self.variables[name].shape:
                self._move(move)

    def choose_averages(self) -> None:
        """Drops the variables if their averages are taken; otherwise drops the averages."""
        for variable, average in self.sorted.averages.items():
            taken, left = (average, variable) if self.options.averages else (variable, average)
            if self.options.averages and variable in self.sorted.weights:
                self.sorted.weights[average] = self.sorted.weights.pop(variable)
            why = "its moving average is taken" if self.options.averages else f"the moving average of {taken}"
            self.drops.setdefault(left, why)

    def match(self, of_tensors_and_variables: bool) -> None:
        """Pairs scopes with layers, or with False single tensors with single variables, and adds the moves."""
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
                single(variable.name, keras_like(variable.name), variable.shape, at if self.target.ordered else None)
                for at, variable in enumerate(variables)
                if variable.layer not in self.recurrent
            ]
        matched = pools(sources, targets, self.fitting)
        pair(matched)
        for pool in matched:
            self._take(pool)

    def match_opaque(self) -> None:
        """Makes the remaining recurrent layers from the one vector in which cuDNN keeps all weights."""
        groups = [group for group in of_variables(self._open_variables(), self.target.ordered) if group.kind]
        layers = [[self.variables[name] for name in group.names.values()] for group in groups]
        layers = [layer for layer in layers if layer[0].layer in self.recurrent]
        shapes = {name: self.checkpoint.tensors[name].shape for name in self._sources()}
        vectors = [name for name, shape in shapes.items() if len(shape) == 1]
        candidates = [moves for name in vectors if (moves := opaque_moves(name, shapes[name][0], layers))]
        for move in candidates[0] if len(candidates) == 1 else ():
            self._move(replace(move, certain="opaque" in move.sources[0]))

    def _take(self, pool: Pool) -> None:
        for match in pool.pairs:
            moves = self.fitting.moves(match.source, match.target) or ()
            if any(name in self.used for move in moves for name in move.sources):
                continue  # these tensors are used already: as a cell, or as a scope of one
            for move in moves:
                reasons = (match.why, _renamed(move), move.reason)
                certain = match.certain and move.certain
                made = replace(move, reason="; ".join(filter(None, reasons)), certain=certain)
                if made.sources:
                    self._move(made)
                else:  # after all tensors have been tried: a bias may be outside its scope
                    self.lacking.append(made)

    def fill_lacking(self) -> None:
        """Gives variables that the checkpoint lacks their neutral value, such as scale 1."""
        for move in self.lacking:
            if move.target not in self.moves and move.target not in self.keeps:
                self._move(move)

    def _move(self, move: Move) -> None:
        self.moves[move.target] = move
        self.used.update(move.sources)

    def _sources(self) -> dict[str, str]:
        """Returns the weights of the checkpoint without a place -> their names."""
        return {
            name: called_name
            for name, called_name in self.sorted.weights.items()
            if name not in self.used and name not in self.drops
        }

    def _open_variables(self) -> list[TargetVariable]:
        """Returns the weights of the target without a value."""
        optimizer = self.target.optimizer
        other = {slot.name for slot in optimizer.slots} | {optimizer.iteration} if optimizer else set()
        other |= self.owners.keys() | set(self.counters)
        return [
            variable
            for variable in self.target.variables
            if variable.name not in self.moves and variable.name not in self.keeps and variable.name not in other
        ]

    def match_slots(self) -> None:
        """Maps the optimizer's slots and counters together with their variables; drops them if the target has none."""
        for move in companion_moves(self.sorted, self.owners, self.counters, self.moves):
            if move.target not in self.keeps and move.target not in self.moves:
                self._move(move)
        gone = self.drops.keys() | self.used
        slots = slot_moves(
            {name: fact for name, fact in self.sorted.slots.items() if name not in gone},
            {name: fact for name, fact in self.sorted.counters.items() if name not in gone},
            self.checkpoint,
            self.moves,
            self.target.optimizer,
            self.options.learning_rate,
            self.options.iterations,
        )
        for move in slots.moves:
            if move.target not in self.keeps:
                self._move(move)
        self.drops |= slots.drops
        self.keeps = slots.keeps | self.keeps
        self.questions += [question for question in slots.questions if question.name not in self.keeps]
        self.notes += slots.notes

    def settle_forget_bias(self) -> None:
        """Notes that a forget bias was assumed; asks for it if the cells of the graph have several."""
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
        """Returns the plan, with a question for each variable and tensor without a place."""
        asked = {question.name for question in self.questions}
        sources = self._sources()
        shapes = {name: (called, self.checkpoint.tensors[name].shape) for name, called in sources.items()}
        gone = asked | self.moves.keys() | self.keeps.keys()
        variables = [variable for variable in self.target.variables if variable.name not in gone]
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
        """Returns variable of a recurrent layer -> why a cell of the checkpoint does not go into the layer."""
        layers = [group for group in of_variables(self._open_variables()) if group.name in self.recurrent]
        cells = of_tensors({name: self.checkpoint.tensors[name].shape for name in sources}, sources, self.order)
        refused: dict[str, str] = {}
        for layer in layers:
            variables = [self.variables[name] for name in layer.names.values()]
            why = [reason for cell in cells if (reason := why_not(cell.name, cell.shapes, variables))]
            refused |= dict.fromkeys(layer.names.values(), why[0]) if why else {}
        return refused

    def _cast(self, move: Move) -> Move:
        """Returns the move, with a step to the variable's dtype if the tensor has another dtype."""
        wanted = self.variables[move.target].dtype
        if not move.sources:
            return move
        if self.checkpoint.tensors[move.sources[0]].dtype == wanted or any(step.kind == "cast" for step in move.steps):
            return move
        return replace(move, steps=(*move.steps, Cast(wanted, self.options.lossy)))


def _forget_biases(given: float | None, checkpoint: Checkpoint) -> set[float]:
    return forget_biases.said_by(checkpoint.path) if given is None else {given}


def _renamed(move: Move) -> str:
    """Returns, for example, "weights is kernel" if a TF 1.x program only called the tensor otherwise.

    "" in other cases.
    """
    if len(move.sources) != 1:
        return ""
    theirs, mine = (name.rpartition("/")[2] for name in (move.sources[0], move.target))
    return f"{theirs} is {mine}" if not move.steps and role(theirs) == mine != theirs else ""
