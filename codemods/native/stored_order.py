"""The order in which functions are traced that get variables of the store, and what must hold for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from codemods.native.functions import Function
from codemods.native.items import Body, Item
from codemods.native.kinds import COLLECTIONS, calls_of, v1_name
from codemods.native.meanings import Meanings
from codemods.native.refusals import NotNativeError
from codemods.native.slices import Slice, slice_of
from codemods.native.variable_store import PART, STORED
from codemods.tree import walk

_UNUSED = "nothing that the program runs uses the variables of this statement, which TensorFlow 1 made all the same"
_NUMBERED = "the name of a layer here has a number that counts statements which this call does not need; name the layer"
_LATER = "the list of these variables depends on the order in which functions are traced; name the variables"


def storing(body: Body) -> list[Item]:
    """Returns the statements that get variables of the store."""
    return [item for item in body.items if item.effects.stores and not isinstance(item.node, ast.FunctionDef)]


def traced_for_store(functions: Sequence[Function], body: Body, meanings: Meanings) -> list[Function]:
    """Returns the functions that make the variables of the store, in the order in which they must be traced.

    The first statement that names a variable makes it, so that functions with earlier statements come first.

    Raises:
        NotNativeError: The program would have other variables than TensorFlow 1, or others in a list of them.
    """
    _require_in_functions(body, meanings)
    made = storing(body)
    using = [function for function in functions if any(item.effects.stores for item in function.slice.ordered)]
    using.sort(key=lambda function: (min(_numbers(function)), -len(_numbers(function))))
    ordered = list(dict.fromkeys(number for function in using for number in sorted(_numbers(function))))
    unused = next((item for item in made if item.index not in ordered), None)
    if unused is not None:
        raise NotNativeError(unused.node, "NAT005", _UNUSED)
    counting = [item for item in made if item.effects.counts]
    _require_one_statement(counting, made, meanings)
    for function in using:
        last = max((item.index for item in counting if item.index in function.slice.items), default=-1)
        if any(item.index < last and item.index not in function.slice.items for item in counting):
            raise NotNativeError(function.runs[0].node, "NAT005", _NUMBERED)
    collecting = [item for item in body.items if made and any(calls_of(walk(item.node), meanings.names, COLLECTIONS))]
    for item in collecting:
        if ordered != sorted(ordered) or ordered[-1] > item.index or not _is_complete(item, functions, using):
            raise NotNativeError(item.node, "NAT005", _LATER)
    return using


def _require_in_functions(body: Body, meanings: Meanings) -> None:
    """Refuses a statement that opens or changes a scope for later ones: each function begins its scopes anew."""
    for item in body.items:
        if not item.moves and not isinstance(item.node, (ast.FunctionDef, ast.ClassDef)):
            calls = (node for node in walk(item.node) if isinstance(node, ast.Call))
            if any((v1_name(meanings.names, call.func) or "").startswith(STORED) for call in calls):
                message = "this changes the scope of later statements; give them the scope, or reuse=True"
                raise NotNativeError(item.node, "NAT005", message)


def _require_one_statement(counting: Sequence[Item], made: Sequence[Item], meanings: Meanings) -> None:
    """Refuses layers without a name in a scope that stands round several statements, each by itself: it counts anew."""
    parts = {item.index: ast.unparse(call) for item in made for call in _parts(item, meanings)}
    for item in counting:
        if item.index in parts and list(parts.values()).count(parts[item.index]) > 1:
            raise NotNativeError(item.node, "NAT005", _NUMBERED)


def _parts(item: Item, meanings: Meanings) -> list[ast.Call]:
    return list(calls_of(walk(item.node), meanings.names, (f"{STORED}{PART}",)))[:1]


def _numbers(function: Function) -> list[int]:
    return [item.index for item in function.slice.ordered if item.effects.stores]


def _is_complete(item: Item, functions: Sequence[Function], using: Sequence[Function]) -> bool:
    """Returns whether all variables are there when a function with a statement is traced."""
    everything = {number for function in using for number in _numbers(function)}
    for function in (function for function in functions if item.index in function.slice.items):
        before = using[: using.index(function) + 1] if function in using else using
        if {number for other in before for number in _numbers(other)} != everything:
            return False
    return True


def between(function: Function, taped: Slice, body: Body) -> dict[int, Item]:
    """Returns what gets variables of the store before the last statement in the tape of a function that does so.

    The first of these statements makes a variable, and the others use it again, so that their order must stay.
    """
    last = max((number for number, item in taped.items.items() if item.effects.stores), default=-1)
    made: dict[int, Item] = {}
    for item in function.slice.ordered:
        if item.effects.stores and item.index < last and item.index not in taped.items:
            made |= slice_of(body, item.reads, item.index, fed=function.feeds).items | {item.index: item}
    return made


def variables_of_store(call: ast.Call, name: str, scope: str | None, body: Body, store: str) -> str:
    """Returns the expression for the variables that a call collects, where a store has variables.

    Args:
        call: The call.
        name: The name that it calls.
        scope: The scope that it gives.
        body: All statements.
        store: The name of the store.

    Raises:
        NotNativeError: Other variables may be among them, which the store has not.
    """
    plain = [made for item in body.items for made in item.effects.variables]
    kept = [made for made in plain if not any(k.arg == "trainable" and _is_false(k.value) for k in made.keywords)]
    trainable = name == "trainable_variables" or "TRAINABLE" in ast.unparse(call)
    if not trainable or kept:
        message = "other variables may be among these, or those of optimizers; name the variables"
        raise NotNativeError(call, "NAT008", message)
    return f"{store}.trainable({scope!r})" if scope else f"{store}.trainable()"


def saved_of_store(call: ast.Call, saver: Item, body: Body, store: str, trained: bool) -> Iterator[str]:
    """Yields the variables of the store that a saver has; `trained`: the trainable ones alone.

    Raises:
        NotNativeError: A statement behind the saver makes more of them.
    """
    stored = storing(body)
    if stored and stored[-1].index > saver.index:
        raise NotNativeError(call, "NAT008", "variables are made after this saver; make the saver after them")
    if stored:
        yield f"*{store}.{'trainable()' if trained else 'by_name.values()'}"


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
