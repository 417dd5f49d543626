"""Turns what a program fetches together into functions: their names, parameters and statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from codemods.native.assignment_order import is_certain, is_settled
from codemods.native.assignments import assigned_by_all
from codemods.native.element_types import require_known_types
from codemods.native.items import Body, Item
from codemods.native.iterators import Iterators, require_one_element
from codemods.native.kinds import MACHINERY, OF_VARIABLES, Kind, v1_name
from codemods.native.legacy_optimizers import KerasOptimizer
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Fetch, Run
from codemods.native.slices import Slice, places_in, slice_of
from codemods.native.summaries import only_summarised
from codemods.native.training import Step, class_of_call, rate_of, steps_in
from codemods.native.update_ops import require_all_before
from codemods.tree import walk

_PLAIN = ("optimizer", "optim", "opt", "train", "trainer")
_OPTIMIZERS = ("optim", "adam", "sgd")
_LEAST_SHARED = 3
_RESOURCES = ("use_resource", "enable_resource_variables", "disable_eager_execution")
_OF_MEMORY = frozenset(name for name, kind in MACHINERY.items() if kind is Kind.VARIABLE)
"""Calls that make one variable."""


@dataclass(eq=False)
class Function:
    """What one set of fetches and feeds becomes.

    Attributes:
        fetches: What it computes, in the order of its results, ops last.
        feeds: The placeholders that are its parameters, in the order of the body.
        slice: The statements that it needs.
        at: The number of the statement that calls it first.
        runs: The calls of the session that it stands for.
    """

    fetches: tuple[Fetch, ...]
    feeds: tuple[str, ...]
    slice: Slice
    at: int
    name: str = ""
    runs: list[Run] = field(default_factory=list)

    @property
    def home(self) -> ast.FunctionDef | None:
        """The function that it stands in."""
        homes = [item.home for item in self.slice.ordered]
        return homes[-1] if homes else None

    @property
    def values(self) -> list[Fetch]:
        """The fetches that give a value."""
        return [fetch for fetch in self.fetches if fetch.gives]

    @property
    def operations(self) -> list[Fetch]:
        """The fetches that give none."""
        return [fetch for fetch in self.fetches if not fetch.gives]

    @property
    def key(self) -> tuple[object, ...]:
        """What tells functions apart."""
        return (
            tuple((fetch.place or ast.unparse(fetch.node), fetch.gives, fetch.order) for fetch in self.fetches),
            self.feeds,
            tuple(self.slice.items),
        )


@dataclass
class Planner:
    """Plans the functions of a body.

    Attributes:
        body: The body.
        meanings: The kinds of its places.
        iterators: Its iterators.
        taken: The names that functions cannot have.
        functions: The functions.
        steps: Number of a statement -> its steps.
        rates: Number of an optimizer's statement -> its learning rate, where that is a tensor.
        classes: Number of an optimizer's statement -> its class.
        lists: The names of lists that stand for collections.
        updates: The name of the list of updates.
        normalizing: Number of a statement that normalizes by batches -> whether its updates go to the list.
        makers: Place of a dataset of placeholders -> the function that makes it.
        keras: Number of an optimizer's statement -> the optimizer of Keras that stands for it.
    """

    body: Body
    meanings: Meanings
    iterators: Iterators
    taken: set[str]
    functions: list[Function] = field(default_factory=list)
    steps: dict[int, list[Step]] = field(default_factory=dict)
    rates: dict[int, ast.expr] = field(default_factory=dict)
    classes: dict[int, str] = field(default_factory=dict)
    lists: Set[str] = frozenset()
    updates: str = "updates"
    normalizing: Mapping[int, bool] = field(default_factory=dict)
    makers: dict[str, Function] = field(default_factory=dict)
    keras: dict[int, KerasOptimizer] = field(default_factory=dict)

    @property
    def exact_classes(self) -> dict[int, str]:
        """The classes that the program gets, without the optimizers of Keras."""
        return {index: name for index, name in self.classes.items() if index not in self.keras}

    def read_steps(self) -> None:
        """Reads the optimizers and training ops of the body."""
        for item in self.body.items:
            if item.kind in (Kind.TRAIN, Kind.GRADIENTS) and not item.effects.runs:
                self.steps[item.index] = steps_in(item, self.meanings)
            for call in _optimizer_calls(item, self.meanings):
                self.classes[item.index] = class_of_call(call, self.meanings)
                rate = rate_of(call, item, self.meanings)
                if rate is not None:
                    self.rates[item.index] = rate

    def add(self, run: Run, at: int) -> Function:
        """Returns the function for a call of a session.

        Raises:
            NotNativeError: The call cannot become a function.
        """
        fed = {place for place in run.feeds if self.is_tensor(place, at)}
        needed = slice_of(self.body, places_in(fetch.node for fetch in run.fetches), at, self.rates, fed)
        require_all_before(self.normalizing, needed.items)
        missing = sorted(needed.placeholders - run.feeds.keys())
        if missing:
            raise NotNativeError(run.node, "NAT002", f"{missing[0]} is not fed here, and what is fetched needs it")
        run = self._after_step(run, needed)
        fetched = [fetch.node for fetch in run.fetches]
        takes = require_one_element(run.node, needed.ordered, fetched, self.body, self.meanings.names)
        require_known_types(needed, takes, self.body, self.meanings)
        self._require_apart(run, needed, fed)
        if not is_settled(run, needed, self.body, at, self.meanings.names):
            _require_determined(run, lambda: is_certain(run, needed, self.body, self.meanings.names, fed))
        self._require_value(run, at)
        if len({item.home for item in needed.ordered} - {None}) > 1:
            raise NotNativeError(run.node, "NAT008", "what it fetches is built in several methods; build it in one")
        order = [place for item in self.body.items for place in sorted(item.writes) if item.kind is Kind.PLACEHOLDER]
        feeds = tuple(place for place in dict.fromkeys(order) if place in run.feeds) + tuple(sorted(fed))
        feeds += tuple(self.iterators.parameters(needed.ordered, fetched))
        values = sorted(dict.fromkeys(run.values), key=lambda fetch: fetch.kind is Kind.SUMMARY)
        fetches = (*values, *(fetch for fetch in run.fetches if not fetch.gives))
        function = Function(fetches, feeds, needed, at, runs=[run])
        known = next((other for other in self.functions if other.key == function.key), None)
        if known is not None:
            known.runs.append(run)
            return known
        self.functions.append(function)
        return function

    def _after_step(self, run: Run, needed: Slice) -> Run:
        """Returns a call whose step changes variables that it fetches: their values are those after the step.

        TensorFlow 1 left the order open, and gave the variable's own memory, which is read when the call has ended: on
        a CPU this is the value after the step, in 26,000 of 26,000 fetches of 0.12.1, 1.4.1, 1.12.3 and 1.15.5 (five
        optimizers, dense and sparse gradients, counted steps). An assignment may take other memory, and a variable with
        `use_resource` has other memory while it changes.
        """
        assigned = assigned_by_all(needed.ordered, self.meanings.names)
        if any(fetch.kind is Kind.ASSIGN for fetch in run.fetches) or assigned is None:
            return run
        if not any(self.steps.get(index) for index in needed.items) or self._has_resources():
            return run
        fetches = (
            replace(fetch, order="stepped")
            if self._is_stepped(fetch, needed) and not fetch.order and fetch.place not in assigned
            else fetch
            for fetch in run.fetches
        )
        return replace(run, fetches=tuple(fetches))

    def _is_stepped(self, fetch: Fetch, needed: Slice) -> bool:
        """Returns whether a fetch is a variable that TensorFlow 1 keeps in memory of its own."""
        if fetch.kind not in OF_VARIABLES or fetch.place is None:
            return False
        made = self.body.definition(fetch.place, max(needed.items))
        value = getattr(made.node, "value", None) if made is not None else None
        return (
            value is not None
            and fetch.kind is Kind.VARIABLE
            and v1_name(self.meanings.names, getattr(value, "func", value)) in _OF_MEMORY
        )

    def _has_resources(self) -> bool:
        """Returns whether the program makes variables of TensorFlow 2."""
        text = " ".join(ast.unparse(item.node) for item in self.body.items if item.kind in (*OF_VARIABLES, Kind.GRAPH))
        return any(word in text for word in _RESOURCES)

    def _require_apart(self, run: Run, needed: Slice, fed: Set[str]) -> None:
        """Refuses a call that feeds a tensor, and needs another one that the same statement makes.

        Raises:
            NotNativeError: This is one.
        """
        for item in needed.ordered:
            if item.writes & fed:
                place = min(item.writes & fed)
                message = f"it feeds {place}, and needs what the same statement makes; feed all of it"
                raise NotNativeError(run.node, "NAT002", message)

    def computing(self, place: str, run: Run) -> tuple[Function, str]:
        """Returns a function that computes a tensor, with which of its results it is: the result says what can be fed.

        Raises:
            NotNativeError: There is none.
        """
        for function in self.functions:
            places = [fetch.place for fetch in function.fetches]
            if place in function.feeds or place not in places:
                continue
            if len(places) == 1:
                return function, ""
            if all(fetch.kind is Kind.TENSOR for fetch in function.fetches) and not any(
                r.nested for r in function.runs
            ):
                return function, f"[{places.index(place)}]"
        message = f"it feeds {place}, of which the source does not say the type and shape; make it a placeholder"
        raise NotNativeError(run.node, "NAT002", message)

    def _require_value(self, run: Run, at: int) -> None:
        """Refuses the value of an assignment that is several: TensorFlow 1 gives None for a group, or a list.

        Raises:
            NotNativeError: The call uses such a value.
        """
        for fetch in run.values:
            made = self.body.definition(fetch.place, at) if fetch.place else None
            value = getattr(made.node, "value", None) if made is not None else fetch.node
            name = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
            if fetch.kind is Kind.ASSIGN and not name.startswith(("assign", "scatter_")):
                raise NotNativeError(run.node, "NAT002", "the source does not say which value this assignment gives")

    def name_all(self) -> None:
        """Gives every function a name that nothing else has."""
        for function in self.functions:
            function.name = self.free(_name(function))

    def free(self, name: str) -> str:
        """Returns a name that nothing in the program has, from a wished one."""
        for candidate in (name, f"{name}_step", f"run_{name}", *(f"{name}_{number}" for number in range(2, 99))):
            if candidate not in self.taken:
                self.taken.add(candidate)
                return candidate
        raise AssertionError(name)

    def _cut(self, function: Function) -> bool:
        """Returns whether a function gets a tensor that others compute."""
        feeds = (place for place in function.feeds if not self.iterators.is_parameter(place))
        return any(self.is_tensor(place, function.at) for place in feeds)

    def is_tensor(self, place: str, at: int) -> bool:
        """Returns whether a fed place is a tensor of the graph, which a function gets instead of computing it."""
        made = self.body.definition(place, at)
        return made is not None and made.kind is not Kind.PLACEHOLDER

    def shared(self) -> tuple[list[Function], list[Item]]:
        """Returns the functions that have most statements in common, and these statements."""
        best: tuple[list[Function], list[Item]] = ([], [])
        for function in self.functions:
            for other in self.functions:
                if other is function:
                    continue
                common = function.slice.items.keys() & other.slice.items.keys()
                items = [self.body.items[number] for number in sorted(common)]
                items = [item for item in items if item.kind is Kind.TENSOR and not item.reads & self.lists]
                taken = max((item.index for item in items if item.effects.taken), default=-1)
                items = [item for item in items if item.index > taken]
                same = function.home is other.home and not self._cut(function) and not self._cut(other)
                if same and len(items) >= _LEAST_SHARED and len(items) > len(best[1]):
                    users = [f for f in self.functions if common <= f.slice.items.keys() and f.home is function.home]
                    users = [f for f in users if not self._cut(f)]
                    best = users, items
        return best


def _optimizer_calls(item: Item, meanings: Meanings) -> Iterable[ast.Call]:
    if item.kind not in (Kind.OPTIMIZER, Kind.TRAIN):
        return
    for node in walk(item.node):
        if isinstance(node, ast.Call):
            scratch = Meanings(meanings.names)
            scratch.places, scratch.functions = dict(item.places), {}
            if scratch.kind(node.func) is Kind.PYTHON and scratch.kind(node) is Kind.OPTIMIZER:
                yield node


def _name(function: Function) -> str:
    operations = [fetch for fetch in function.operations if fetch.place]
    if operations:
        name = (operations[0].place or "").removeprefix("self.")
        if name in _PLAIN:
            name = "train_step"
        elif any(word in name.lower() for word in _OPTIMIZERS):
            name = f"{name}_step"
        return name if len(operations) == 1 else "train_step"
    values = [fetch.place.removeprefix("self.") for fetch in function.values if fetch.place]
    if len(function.values) == 1:
        return values[0] if values else "compute"
    return "_and_".join(values) if len(values) == 2 else "evaluate"


def _require_determined(run: Run, is_certain: Callable[[], bool]) -> None:
    """Refuses a fetch of a variable in a call that also changes variables: TensorFlow 1 left the order open.

    Args:
        run: The call.
        is_certain: Says whether its assignments have one result all the same.

    Raises:
        NotNativeError: The order matters.
    """
    alone = run.fetches[0].kind is Kind.ASSIGN if len(run.fetches) == 1 else False
    if all(fetch.gives for fetch in run.fetches) and not alone:
        return
    for fetch in run.fetches:
        if fetch.kind in OF_VARIABLES and not fetch.order:
            message = "TensorFlow 1 left open whether this variable is read before or after the step"
            raise NotNativeError(fetch.node, "NAT007", f"{message}; fetch it in a call of its own")
    changing = [fetch for fetch in run.fetches if fetch.kind is Kind.ASSIGN]
    if changing and not (run.read_before and run.settled) and not is_certain():
        raise NotNativeError(
            changing[0].node,
            "NAT007",
            "TensorFlow 1 left the order of this assignment open; run it in a call of its own",
        )


def tape_items(step: Step, body: Body, item: Item, fed: Sequence[str]) -> Slice:
    """Returns the statements that must be inside the tape of a step, without what is fed."""
    loss = step.differentiated
    return slice_of(body, places_in([loss]), item.index, fed=fed) if loss is not None else Slice()


def outside_tape(function: Function, taped: Sequence[Item], planner: Planner) -> None:
    """Refuses values that read variables outside the tape of the same call: their order was open.

    A value that only summaries have is noted elsewhere (NAT010).

    A learning rate is no such value. Its step waits for it, and counts global_step when all variables have changed
    (`optimizer.py` of 1.15.5, `apply_gradients`).

    Raises:
        NotNativeError: There is such a value.
    """
    body = planner.body
    inside = {item.index for item in taped}
    trains = [item for item in function.slice.ordered if item.kind is Kind.TRAIN]
    if not trains or all(run.read_before for run in function.runs):
        return
    used_by_train: set[int] = set()
    for train in trains:
        used_by_train |= slice_of(body, train.reads, train.index, planner.rates, function.feeds).items.keys()
    counted = [step.given.get("global_step") for train in trains for step in planner.steps[train.index]]
    places = [place_of(node) for node in counted if node is not None]
    twice = {place for place in places if place is not None and places.count(place) > 1}
    noted = only_summarised(function.slice.ordered, [fetch.place for fetch in function.fetches])
    for item in function.slice.ordered:
        if item.index in inside or item.kind is not Kind.TENSOR or item in noted:
            continue
        if item.index in used_by_train and not item.reads & twice:
            continue
        direct = slice_of(body, item.reads, item.index, fed=function.feeds)
        kept = {index for index in direct.items if index not in inside}
        variables = {
            place
            for index in (*kept, item.index)
            for place in body.items[index].reads
            if _is_variable(body, place, index)
        }
        variables |= {"a layer"} if any(body.items[index].effects.layers for index in (*kept, item.index)) else set()
        if variables:
            message = (
                f"TensorFlow 1 left open whether {sorted(variables)[0]} is read before or after the step of this call; "
                "fetch this value in a call of its own"
            )
            raise NotNativeError(item.node, "NAT007", message)


def _is_variable(body: Body, place: str, before: int) -> bool:
    item = body.definition(place, before)
    if item is None:
        return False
    if isinstance(item.node, ast.FunctionDef):
        return any(_is_variable(body, read, len(body.items)) for read in places_in([item.node]) if read != place)
    return item.kind in OF_VARIABLES
