"""Iterators in a native program: where each is started, and the functions that take its elements.

A function reads a one-shot iterator, which is there from its first line on. Any other iterator is a parameter of the
functions that take its elements, as each start makes another one: `sess.run(iterator.initializer)` is
`iterator = iter(dataset)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.datasets import FROM_STRUCTURE, ONE_SHOT
from codemods.native.items import Body, Item
from codemods.native.kinds import Kind, v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import place_of, stores, uses
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation
from codemods.tree import walk

_OPS_OF_VALUES = frozenset(("decode_csv", "io.decode_csv", "split", "unstack", "nn.top_k", "unique"))
"""Functions that make one op with several results."""


@dataclass(eq=False)
class DataIterator:
    """One iterator: its place, the statement and call that make it, and the dataset of its first start.

    `dataset` is None for one of a structure that nothing has started.
    """

    place: str
    item: Item
    call: ast.Call
    dataset: ast.expr | None
    is_one_shot: bool


@dataclass(frozen=True)
class Start:
    """A start of an iterator in a call of a session, and the dataset that it then has."""

    iterator: DataIterator
    dataset: ast.expr


@dataclass
class Iterators:
    """The iterators of a program.

    Attributes:
        body, meanings: The statements, and the kinds of their places.
        by_place: Place -> iterator.
    """

    body: Body
    meanings: Meanings
    by_place: dict[str, DataIterator] = field(default_factory=dict)

    def start_of(self, node: ast.expr, at: int) -> Start:
        """Returns what a fetched op starts.

        Raises:
            NotNativeError: The source does not say it.
        """
        place = place_of(node)
        made = self.body.definition(place, at) if place else None
        if made is not None and isinstance(made.node, ast.Assign):
            node = made.node.value
        owner = node.func if isinstance(node, ast.Call) else node
        of = self.by_place.get(place_of(owner.value) or "") if isinstance(owner, ast.Attribute) else None
        dataset = node.args[0] if isinstance(node, ast.Call) and node.args else of.dataset if of is not None else None
        if of is None or dataset is None:
            raise NotNativeError(node, "NAT002", "the source does not say which iterator this starts")
        name = place_of(dataset)
        if name is None:
            raise NotNativeError(node, "NAT008", "give the dataset of this iterator a name of its own")
        home = of.item.home
        before = made.index if made is not None and isinstance(node, ast.Call) else of.item.index
        if self.body.definition(name, before, home) is not self.body.definition(name, len(self.body.items), home):
            message = f"{name} gets another value after this iterator was made of it; give one of them another name"
            raise NotNativeError(of.item.node, "NAT006", message)
        if of.dataset is None:
            of.dataset = dataset
        return Start(of, dataset)

    def parameters(self, items: Sequence[Item], fetched: Sequence[ast.AST]) -> list[str]:
        """Returns the iterators that a function of these statements gets.

        Raises:
            NotNativeError: A function of the program reads one, which would be that of the first start for ever.
        """
        places = {place for item in items for place in item.reads}
        places |= {place for node in fetched for place, _ in uses(node)}
        wanted = [p for p, iterator in self.by_place.items() if p in places and not iterator.is_one_shot]
        for item in items:
            inside = item.reads - {place for place, _ in uses(item.node)}
            hidden = next((place for place in wanted if place in inside), None)
            if hidden is not None:
                raise NotNativeError(item.node, "NAT008", f"a function that this calls reads {hidden}; give it to it")
        return wanted

    def spec(self, place: str, makers: Mapping[str, str], tf: str) -> str | None:
        """Returns the specification of a parameter: an iterator, or an element of one; None for others."""
        iterator = self.by_place.get(place)
        if iterator is not None:
            return f"{tf}.data.IteratorSpec({self._element_spec(iterator, makers)})"
        made = self._taking(place)
        if made is None:
            return None
        iterator, index = made
        return self._element_spec(iterator, makers) + ("" if index is None else f"[{index}]")

    def is_parameter(self, place: str) -> bool:
        """Returns whether functions get the iterator of a place."""
        return place in self.by_place and not self.by_place[place].is_one_shot

    def _taking(self, place: str) -> tuple[DataIterator, int | None] | None:
        for item in self.body.definitions(place):
            value = item.node.value if isinstance(item.node, ast.Assign) else None
            if value not in item.effects.taken or not isinstance(item.node, ast.Assign):
                continue
            assert isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
            iterator = self.by_place.get(place_of(value.func.value) or "")
            target = item.node.targets[0]
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else None
            index = None if parts is None else next((i for i, p in enumerate(parts) if place_of(p) == place), None)
            if iterator is not None and (parts is None) is (index is None):
                return iterator, index
        return None

    def _element_spec(self, iterator: DataIterator, makers: Mapping[str, str]) -> str:
        if iterator.is_one_shot:
            return f"{iterator.place}.element_spec"
        if iterator.dataset is None:
            raise NotNativeError(iterator.item.node, "NAT008", "nothing starts this iterator")
        place = place_of(iterator.dataset) or ""
        if place in makers:
            return f"{makers[place]}.get_concrete_function().structured_outputs.element_spec"
        return f"{place}.element_spec"


def link(body: Body, meanings: Meanings) -> Iterators:
    """Returns the iterators of a body. The statements that make all but one-shot ones vanish.

    Raises:
        NotNativeError: One of them cannot become native.
    """
    made = Iterators(body, meanings)
    for item in body.items:
        _require_one(item)
        if item.kind is not Kind.ITERATOR:
            continue
        call = item.effects.iterators[0] if item.effects.iterators else None
        value = item.node.value if isinstance(item.node, ast.Assign) else None
        place = next(iter(item.writes), None)
        if call is None or value is not call or place is None or len(body.definitions(place)) > 1:
            raise NotNativeError(item.node, "NAT008", "make this iterator once, in a statement of its own")
        name = v1_name(meanings.names, call.func) or ""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        dataset = None if name == FROM_STRUCTURE else call.args[0] if name else getattr(call.func, "value", None)
        is_one_shot = ONE_SHOT in (method, name.removeprefix("data."))
        if is_one_shot and meanings.kind(dataset) is Kind.FED_DATASET:
            raise NotNativeError(item.node, "NAT008", "a one-shot iterator of placeholders has no values")
        made.by_place[place] = DataIterator(place, item, call, dataset, is_one_shot)
        if not is_one_shot:
            item.kind = Kind.START
    return made


def _require_one(item: Item) -> None:
    """Refuses statements that make an iterator, or take an element, and do something else too.

    Raises:
        NotNativeError: This is one.
    """
    if item.effects.iterators and item.kind is not Kind.ITERATOR and not isinstance(item.node, ast.FunctionDef):
        raise NotNativeError(
            item.node, "NAT005", "this makes an iterator and more; give the iterator its own statement"
        )
    if not item.effects.taken or item.effects.runs:
        return
    repeated = (ast.For, ast.While, ast.If, ast.IfExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if any(isinstance(below, (*repeated, ast.Lambda, ast.Try)) for below in walk(item.node)):
        raise NotNativeError(item.node, "NAT008", "take the element of an iterator in a statement of its own")


def require_one_element(
    run: ast.AST, items: Sequence[Item], fetched: Sequence[ast.expr], body: Body, names: Names
) -> bool:
    """Refuses a call that takes several elements of an iterator, or perhaps none. Returns whether it takes one.

    Raises:
        NotNativeError: This is such a call.
    """
    taking = [item for item in items if item.effects.taken]
    calls: list[ast.AST] = [call for item in taking for call in item.effects.taken]
    calls += [node for part in fetched for node in walk(part) if _takes(node)]
    sources = [ast.unparse(call.func) for call in calls if isinstance(call, ast.Call)]
    if len(set(sources)) < len(sources):
        message = "it takes several elements of an iterator, and TensorFlow 1 left their order open"
        raise NotNativeError(run, "NAT007", message)
    if taking:
        _require_needed([item for item in items if not _is_one_op(item, names)], taking, fetched, body)
    return bool(taking)


def first_taken(items: Sequence[Item]) -> str:
    """Returns the name that the first part of the last taken element has in a function; "" if none is taken."""
    for item in reversed(items):
        if item.effects.taken and isinstance(item.node, ast.Assign):
            target = item.node.targets[0]
            while isinstance(target, (ast.Tuple, ast.List)):
                target = target.elts[0]
            return (place_of(target) or "").removeprefix("self.")
    return ""


def _takes(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get_next"


def _require_needed(items: Sequence[Item], taking: Sequence[Item], fetched: Sequence[ast.expr], body: Body) -> None:
    """Refuses a statement that makes several values of which perhaps only one needs an element of an iterator."""
    dependent = {place for item in taking for place in item.writes}
    for item in items:
        if item in taking or not item.reads & dependent:
            continue
        dependent |= item.writes
        value = item.node.value if isinstance(item.node, ast.Assign) else None
        parts = list(_parts(value))
        if parts and all({place for place, _ in uses(part)} & dependent for part in parts):
            continue
        read = {place for other in body.items if other is not item for place in other.reads}
        read |= {place for node in fetched for place, _ in uses(node)}
        if parts or len(stores(item.node) & read) > 1:
            message = "this makes several values, of which perhaps not all need an element of an iterator"
            raise NotNativeError(item.node, "NAT008", f"{message}; make them in statements of their own")


def _is_one_op(item: Item, names: Names) -> bool:
    """Returns whether a statement makes several values by one op, each of which needs all that the op needs."""
    value = item.node.value if isinstance(item.node, ast.Assign) else None
    return isinstance(value, ast.Call) and v1_name(names, value.func) in _OPS_OF_VALUES


def _parts(value: ast.expr | None) -> Iterator[ast.expr]:
    if isinstance(value, (ast.Tuple, ast.List)):
        yield from value.elts
    elif isinstance(value, ast.Dict):
        yield from value.values


def write_calls(made: Iterators, translation: Translation) -> None:
    """Writes `iter(dataset)` for one-shot iterators; the statements of the others vanish."""
    for iterator in made.by_place.values():
        if iterator.is_one_shot and iterator.dataset is not None:
            translation.put(iterator.call, f"iter({translation.text(iterator.dataset)})")
