"""`tf.train.ExponentialMovingAverage` of variables: variables for the averages, and assignments that move them.

`ema.apply([w])` is `w_average = tf.Variable(w.initialized_value(), ...)` and an assignment; `ema.average(w)` is
`w_average`. These are parts of TensorFlow 1 that become native as all others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import Kind, kind_of_call, v1_alias, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.places import method_of, named_arguments, place_of
from codemods.native.recurrent import function_of
from codemods.tree import walk

NAME = "train.ExponentialMovingAverage"
_PARAMETERS = ("decay", "num_updates", "zero_debias", "name")
DECAY = "decay_of_averages"
FORMULA = f'''\
def {DECAY}(decay, num_updates=None):
    """Returns by how much averages keep their value; less in the first steps, if there is a count of steps."""
    decay = tf.constant(decay)
    if num_updates is None:
        return decay
    count = tf.cast(num_updates, tf.float32)
    return tf.minimum(decay, (1.0 + count) / (10.0 + count))
'''
"""The function that a program with averages gets once (`moving_averages.py` of 1.15.5)."""
_LISTED = ("trainable_variables", "global_variables", "all_variables")


@dataclass(frozen=True)
class _Averages:
    """An object that averages: the statement that makes it, its place, and its arguments."""

    statement: ast.Assign
    place: str
    given: Mapping[str, ast.expr]

    @property
    def suffix(self) -> str:
        """What the names of averages end with."""
        name = self.given.get("name")
        return f"/{name.value!s}" if isinstance(name, ast.Constant) else "/ExponentialMovingAverage"

    @property
    def settings(self) -> list[ast.expr]:
        """The decay, and the count of steps if there is one."""
        return [self.given[key] for key in ("decay", "num_updates") if key in self.given]

    @property
    def is_known(self) -> bool:
        """Whether the arguments are a decay, a count of steps and a name that the source says."""
        name = self.given.get("name")
        is_named = name is None or (isinstance(name, ast.Constant) and isinstance(name.value, str))
        return is_named and "decay" in self.given and self.given.keys() <= {"decay", "num_updates", "name"}


def with_averages(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose averages are variables, and the old number of each line; None if it has none.

    Averages of other tensors than variables, or of variables that the source does not list, stay and are refused.
    """
    if "ExponentialMovingAverage" not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    lines = EditedLines(text, tree)
    made = list(_made(tree, names))
    if not made or not all(_write(averages, tree, names, lines) for averages in made):
        return None
    lines.lines = lines.source.result().splitlines(keepends=True)  # no line moved
    return lines.result()


def written(names: Names) -> list[str]:
    """Returns the function, if a text calls it and has none of this name."""
    nodes = names.nodes.get(ast.Name, [])
    return [FORMULA] if any(isinstance(n, ast.Name) and n.id == DECAY and names.is_unbound(n) for n in nodes) else []


def _made(tree: ast.Module, names: Names) -> Iterator[_Averages]:
    for node in walk(tree):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.value, ast.Call):
            continue
        place = place_of(node.targets[0])
        if v1_name(names, node.value.func) == NAME and place is not None:
            yield _Averages(node, place, named_arguments(node.value, _PARAMETERS))


def _write(averages: _Averages, tree: ast.Module, names: Names, lines: EditedLines) -> bool:
    """Writes what uses an object. Returns False if that is not known."""
    calls = [
        node for node in walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and place_of(node.func.value) == averages.place
    ]  # fmt: skip
    calls.sort(key=lambda call: method_of(call) != "apply")  # which says the variables
    used = [node for node in walk(tree) if place_of(node) == averages.place and _is_read(node)]
    if len(used) != len(calls) or not lines.fits([averages.statement]):
        return False
    if not averages.is_known or not all(_is_stable(setting, tree) for setting in averages.settings):
        return False
    held: dict[str, str] = {}
    if not all(_write_call(averages, call, tree, names, lines, held) for call in calls):
        return False
    lines.remove(averages.statement)
    return True


def _write_call(
    averages: _Averages, call: ast.Call, tree: ast.Module, names: Names, lines: EditedLines, held: dict[str, str]
) -> bool:
    """Writes the call of a method. Returns False if it is not known."""
    method = method_of(call)
    place = place_of(call.args[0]) if len(call.args) == 1 and not call.keywords else None
    if method == "apply":
        return _apply(averages, call, tree, names, lines, held)
    if method == "average" and place in held:
        lines.source.replace(lines.source.span(call), held[place])
    elif method == "average_name" and place is not None:
        lines.source.replace(lines.source.span(call), f"({_name_of(place, averages)})")
    elif method == "variables_to_restore" and not call.args and not call.keywords:
        return _restore(averages, call, tree, names, lines)
    else:
        return False
    return True


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _is_stable(setting: ast.expr, tree: ast.Module) -> bool:
    """Returns whether an argument is a number, or a place that is bound once in the file."""
    if isinstance(setting, ast.Constant):
        return True
    name = setting.attr if isinstance(setting, ast.Attribute) else getattr(setting, "id", None)
    stores = [
        node for node in walk(tree)
        if name is not None and isinstance(getattr(node, "ctx", None), ast.Store)
        and name in (getattr(node, "attr", None), getattr(node, "id", None))
    ]  # fmt: skip
    return name is not None and len(stores) <= 1


def _apply(
    averages: _Averages, call: ast.Call, tree: ast.Module, names: Names, lines: EditedLines, held: dict[str, str]
) -> bool:
    """Writes a call that moves the averages. Returns False if the source does not say of which variables."""
    statement = names.parents.get(call)
    known = _variables(call.args[0] if call.args else None, call, tree, names) if len(call.args) < 2 else None
    around = list(_around(call, names))
    if not isinstance(statement, ast.Assign) or known is None or not known or call.keywords or held:
        return False
    waits = [block for block in around if isinstance(block, ast.With)]
    opened = [v1_name(names, getattr(i.context_expr, "func", i.context_expr)) for b in waits for i in b.items]
    if {"variable_scope", "name_scope"} & {*opened} or any(
        isinstance(block, (ast.For, ast.While, ast.If)) for block in around
    ):
        return False
    if not lines.fits([statement]) or averages.statement.lineno > statement.lineno:
        return False
    tf = v1_alias(names)
    made, moves = [], []
    settings = [ast.unparse(setting) for setting in averages.settings]
    for place in known:
        new = lines.free(f"{place.rpartition('.')[2]}_average")
        held[place] = f"self.{new}" if place.startswith("self.") else new
        name = _name_of(place, averages)
        made.append(f"{held[place]} = {tf}.Variable({place}.initialized_value(), trainable=False, name={name})")
        change = f"({held[place]} - {place}) * (1.0 - {DECAY}({', '.join(settings)}))"
        moves.append(f"{lines.step}{tf}.assign_sub({held[place]}, {change}),")
    target = ast.unparse(statement.targets[0])
    moved = [f"{target} = {tf}.group(", *moves, ")"]
    outside = next((b for b, name in zip(waits, opened, strict=False) if name == "control_dependencies"), None)
    if outside is None:
        lines.put(statement, [*made, *moved])
        return True
    if outside.body[0] is not statement and outside.lineno == statement.lineno:
        return False
    lines.insert(outside, made)
    lines.put(statement, moved)
    return True


def _name_of(place: str, averages: _Averages) -> str:
    return f"{place}.name.split(':')[0] + '{averages.suffix}'"


def _restore(averages: _Averages, call: ast.Call, tree: ast.Module, names: Names, lines: EditedLines) -> bool:
    """Writes the dict of variables by the names of their averages. Returns False if the source does not list them."""
    trained = _made_before(call, tree, names, trained=True)
    every = _made_before(call, tree, names, trained=False)
    if not trained or every is None:
        return False
    pairs = [
        f"{_name_of(place, averages)}: {place}" if place in trained else f"{place}.name.split(':')[0]: {place}"
        for place in every
    ]
    lines.source.replace(lines.source.span(call), f"{{{', '.join(pairs)}}}")
    return True


def _variables(given: ast.expr | None, call: ast.Call, tree: ast.Module, names: Names) -> list[str] | None:
    """Returns the places of the variables that an argument lists; None if the source does not say them."""
    if given is None or (isinstance(given, ast.Call) and v1_name(names, given.func) == _LISTED[0]):
        if isinstance(given, ast.Call) and (given.args or given.keywords):
            return None
        return _made_before(call, tree, names, trained=True)
    every = _made_before(call, tree, names, trained=False)
    parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
    places = [place_of(part) or "" for part in parts]
    return places if every is not None and set(places) <= {*every} and len(set(places)) == len(places) else None


def _made_before(call: ast.Call, tree: ast.Module, names: Names, trained: bool) -> list[str] | None:
    """Returns the places of the variables that are made before a call, in their order; None if one is not certain."""
    home = _home(call, names)
    places: list[str] = []
    calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.lineno < call.lineno]
    for made in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = v1_name(names, made.func) or ""
        if name in LAYERS or function_of(name) or ".keras." in f".{name}.":
            return None
        if kind_of_call(name) is not Kind.VARIABLE:
            continue
        statement = names.parents.get(made)
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        place = place_of(target) if target is not None else None
        straight = all(isinstance(block, (ast.With, ast.FunctionDef, ast.Module)) for block in _around(made, names))
        trains = _trains(made, name)
        if place is None or place in places or not straight or trains is None or _home(made, names) not in (None, home):
            return None
        if trains or not trained:
            places.append(place)
    return places


def _trains(call: ast.Call, name: str) -> bool | None:
    """Returns whether a variable is trained; None if the source does not say it."""
    if "global_step" in name:
        return False
    keys = ("initial_value", "trainable") if name == "Variable" else ("name", "shape", "dtype", "initializer")
    given = named_arguments(call, keys)
    if "**" in given or len(call.args) > len(keys):
        return None
    value = given.get("trainable", ast.Constant(True))
    return bool(value.value) if isinstance(value, ast.Constant) else None


def _around(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """Yields the blocks round a node up to its function, or class, or the module."""
    parent = names.parents.get(node)
    while parent is not None:
        if isinstance(parent, ast.stmt) and not isinstance(parent, (ast.Assign, ast.Expr)):
            yield parent
        if isinstance(parent, (ast.FunctionDef, ast.ClassDef)):
            return
        parent = names.parents.get(parent)


def _home(node: ast.AST, names: Names) -> ast.AST | None:
    """Returns the function that a node is in; None in the module."""
    blocks: Sequence[ast.AST] = list(_around(node, names))
    return blocks[-1] if blocks and isinstance(blocks[-1], ast.FunctionDef) else None
