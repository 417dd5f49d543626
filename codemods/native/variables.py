"""The trainable variables that a program has made before a statement, as an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import OF_VARIABLES, Kind, v1_name
from codemods.native.places import changed_by, place_of
from codemods.native.recurrent import cell_class
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_BY_PLACE = frozenset(("enumerate", "len", "reversed", "iter"))
_METHODS = frozenset(("index", "pop", "insert"))


def trainable_before(reader: Item, body: Body, names: Names, of_layers: Callable[[Item], Iterable[str]]) -> str:
    """Returns the list of the trainable variables made before a statement, in their order.

    A tape knows only those that were read. A loss that sums over all variables needs the others too.

    Args:
        reader: The statement.
        body: All statements.
        names: The meanings of names.
        of_layers: Returns the variables of the layers that a statement makes.

    Raises:
        NotNativeError: The source does not say which they are.
    """
    parts: list[str] = []
    for item in body.items[: reader.index]:
        if item.effects.layers and isinstance(item.node, ast.FunctionDef):
            raise _unknown(reader, item)
        parts += of_layers(item)
        if item.effects.variables:
            parts += variables_of(item, reader, body, names)
    return f"[{', '.join(parts)}]"


def chosen_by_place(call: ast.Call, holder: Item, body: Body) -> bool:
    """Returns whether the place of a variable among all matters, as in `tf.trainable_variables()[-2:]`.

    A tape knows only those that were read, and the variables of layers in the order in which they were called first.

    Args:
        call: The call that gives all trainable variables.
        holder: The statement that it is in.
        body: All statements.
    """
    node = holder.node
    names = (
        {place_of(target) for target in node.targets} if isinstance(node, ast.Assign) and node.value is call else set()
    )
    for below in (below for item in body.items for below in walk(item.node)):
        listed = below.value if isinstance(below, ast.Subscript) else None
        if isinstance(below, ast.Call) and isinstance(below.func, ast.Name) and below.func.id in _BY_PLACE:
            listed = below.args[0] if below.args else None
        elif isinstance(below, ast.Call) and isinstance(below.func, ast.Attribute) and below.func.attr in _METHODS:
            listed = below.func.value
        if listed is not None and (listed is call or (names and place_of(listed) in names)):
            return True
    return False


def variables_of(item: Item, reader: Item, body: Body, names: Names, trained: bool = True) -> list[str]:
    """Returns the variables of one statement, such as "w" or "*weights.values()".

    Args:
        item: The statement.
        reader: The statement that reads them.
        body: All statements.
        names: The meanings of names.
        trained: Leave out those that are not trained.

    Raises:
        NotNativeError: The source does not say which they are.
    """
    if any(cell_class(v1_name(names, call.func) or "") for call in item.effects.variables):
        raise _unknown(reader, item)
    kinds = {_is_trained(call) for call in item.effects.variables} if trained else {True}
    if kinds == {False}:
        return []
    if isinstance(item.node, ast.For) and kinds == {True}:
        return _of_loop(item, reader, body)
    place = next(iter(item.writes), None)
    reachable = place is not None and (place.startswith("self.") or item.home in (None, reader.home))
    if kinds != {True} or place is None or len(item.writes) != 1 or not reachable:
        raise _unknown(reader, item)
    if item.kind not in OF_VARIABLES or body.definition(place, len(body.items), item.home) is not item:
        raise _unknown(reader, item)
    value = item.node.value if isinstance(item.node, ast.Assign) else None
    count = len(item.effects.variables)
    if item.kind is Kind.VARIABLE and count == 1:
        return [place]
    parts = value.values if isinstance(value, ast.Dict) else value.elts if isinstance(value, ast.List) else []
    if not parts or len(parts) != count or not all(isinstance(part, ast.Call) for part in parts):
        raise _unknown(reader, item)
    return [f"*{place}.values()" if isinstance(value, ast.Dict) else f"*{place}"]


def _of_loop(item: Item, reader: Item, body: Body) -> list[str]:
    """Returns the variables of a loop that puts each into a list: `ws.append(tf.Variable(0.0))`.

    Raises:
        NotNativeError: It does not, or something else changes such a list.
    """
    lists: list[str] = []
    todo: list[ast.stmt] = [item.node]
    while todo:
        statement = todo.pop(0)
        if isinstance(statement, ast.With) or statement is item.node:
            todo = [*getattr(statement, "body", []), *todo]
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and changed_by(statement) is not None and len(call.args) == 1:
            is_made = call.args[0] in item.effects.variables
            lists += [changed_by(statement) or ""] if is_made and ast.unparse(call.func).endswith(".append") else []
    changed = [other for place in lists for other in body.definitions(place) if other is not item]
    known = all(isinstance(other.node, ast.Assign) and other.index < item.index for other in changed)
    is_complete = len(lists) == len({*lists}) == len(item.effects.variables) == len(changed)
    if not lists or not known or not is_complete or item.home not in (None, reader.home):
        raise _unknown(reader, item)
    return [f"*{lists[0]}" if len(lists) == 1 else f"*sum(zip({', '.join(lists)}), ())"]


def _is_trained(call: ast.Call) -> bool | None:
    """Returns whether a variable is trainable; None if the source does not say it."""
    name = ast.unparse(call.func).rpartition(".")[2]
    if "global_step" in name:
        return False
    before = 5 if name == "get_variable" else 1  # how many parameters stand before `trainable`
    if len(call.args) > before or any(keyword.arg is None for keyword in call.keywords):
        return None
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "trainable"), None)
    stated = given.value if isinstance(given, ast.Constant) else None
    return True if given is None else stated if isinstance(stated, bool) else None


def _unknown(reader: Item, item: Item) -> NotNativeError:
    message = f"the source does not say which variables line {item.node.lineno} makes, and in which order"
    return NotNativeError(reader.node, "NAT008", f"{message}; name the variables")
