"""Which statements of a body a fetch needs: the slice backward from what is fetched to what is fed."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from codemods.native.items import Body, Item
from codemods.native.kinds import OF_VARIABLES, Kind
from codemods.native.places import uses
from codemods.native.refusals import NotNativeError
from codemods.tree import walk


@dataclass
class Slice:
    """The statements behind some expressions, by number; the placeholders and variables they read."""

    items: dict[int, Item] = field(default_factory=dict)
    placeholders: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)

    @property
    def ordered(self) -> list[Item]:
        """The statements in the order of the text."""
        return [self.items[number] for number in sorted(self.items)]


def places_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Returns the places that expressions read."""
    return {place for node in nodes for place, _ in uses(node)}


def slice_of(
    body: Body,
    places: Iterable[str],
    before: int,
    rates: dict[int, ast.expr] | None = None,
    fed: Container[str] = (),
) -> Slice:
    """Returns the slice behind places that are read at a statement.

    Args:
        body: The statements.
        places: The places.
        before: The number of the statement that reads them.
        rates: Number of an optimizer's statement -> its learning rate, where that is a tensor.
        fed: Tensors that are fed, where the slice ends.

    Raises:
        NotNativeError: A place that the slice reads changes later.
    """
    made = Slice()
    todo = [(place, before) for place in sorted(places)]
    seen: set[tuple[str, int]] = set()
    while todo:
        place, at = todo.pop()
        item = body.definition(place, at)
        if item is None or (place, item.index) in seen:
            continue
        seen.add((place, item.index))
        if item.kind is Kind.PLACEHOLDER:
            made.placeholders.add(place)
        if place in fed:
            continue
        if item.moves:
            made.items[item.index] = item
            todo += [(read, item.index) for read in sorted(item.reads)]
            continue
        if item.kind in OF_VARIABLES:
            made.variables.add(place)
        if rates and item.index in rates:
            todo += [(read, item.index) for read in sorted(places_in([rates[item.index]]))]
        _require_stable(body, place, item)
        if isinstance(item.node, ast.FunctionDef):
            todo += [(read, len(body.items)) for read in sorted(places_in([item.node])) if read != place]
    _require_one_owner(body, made)
    return made


def _require_one_owner(body: Body, made: Slice) -> None:
    """Refuses a name that a statement of a function binds, and a statement outside later: the first would be read.

    Raises:
        NotNativeError: There is such a name.
    """
    bound: dict[str, Item] = {}
    for item in made.ordered:
        for place in sorted(item.reads & bound.keys()):
            known = body.definition(place, item.index)
            if known is not None and not known.moves and known.index > bound[place].index:
                message = f"{place} gets another value here than in line {bound[place].node.lineno}"
                raise NotNativeError(known.node, "NAT006", f"{message}; give one of them another name", place)
        bound |= dict.fromkeys(item.writes, item)


def _require_stable(body: Body, place: str, item: Item) -> None:
    later = body.definition(place, len(body.items), item.home)
    if (
        later is None
        or later is item
        or (item.kind is Kind.PYTHON and isinstance(item.node, (ast.Import, ast.ImportFrom)))
        or _is_bound_before_main(body, place)
    ):
        return
    raise NotNativeError(
        later.node,
        "NAT006",
        f"{place} gets another value here, and the graph was built with the one of line {item.node.lineno}; "
        "give one of them another name",
        place,
    )


def _is_bound_before_main(body: Body, place: str) -> bool:
    """Returns whether the module gives a name all its values before it calls the function that builds and runs.

    `args = None` at the top, and `args = parser.parse_args()` before `main()`, are two values; the function sees one.
    """
    function = body.main.function
    if function is None or body.main.owner is not None:
        return False
    nodes = [node for statement in body.statements for node in walk(statement)]
    call = _only_use(function, body)
    shared = any(isinstance(node, ast.Global) and place in node.names for node in nodes)
    made = body.definitions(place)
    return (
        call is not None
        and not shared
        and all(item.home is None and item.kind is Kind.PYTHON for item in made)
        and max(item.node.end_lineno or 0 for item in made) < call.lineno
    )


def _only_use(function: ast.FunctionDef, body: Body) -> ast.Name | None:
    """Returns the only place outside functions that uses a function, by other functions that are used once too.

    What stands in a function itself runs after the first call of it.
    """
    left = [statement for statement in body.statements if isinstance(statement, ast.FunctionDef)]
    while True:
        others = (statement for statement in body.statements if statement is not function)
        nodes = (node for statement in others for node in walk(statement))
        used = [node for node in nodes if isinstance(node, ast.Name) and node.id == function.name]
        if len(used) != 1:
            return None
        holder = next((other for other in left if any(node is used[0] for node in walk(other))), None)
        if holder is None:
            return used[0]
        left.remove(holder)
        function = holder
