"""Makes the objects of layers: their names, the statements that make them, and the variables of a scope."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.batch_norm import is_update_ops
from codemods.native.functions import Function, Planner
from codemods.native.items import Body, Item
from codemods.native.kinds import COLLECTIONS, Kind, calls_of, v1_name
from codemods.native.layers import LayerCall, layer_call, scope_name
from codemods.native.meanings import Meanings
from codemods.native.native_map import Variable
from codemods.native.places import place_of, uses
from codemods.native.refusals import NotNativeError
from codemods.native.stored_order import variables_of_store
from codemods.native.variables import chosen_by_place, trainable_before
from codemods.tree import walk


@dataclass
class LayerObjects:
    """The layers of a body.

    Attributes:
        objects: Call -> the name of its object.
        calls: Name of an object -> the call that makes it first.
        homes: Name of an object -> the statement that it is made at, or the function that it is made before.
        legacy: Name of an object -> what its variables begin with in TensorFlow 1.
        has_slots: Tells of a scope whether optimizers may have variables in it.
        of_several: Another graph may have made layers before: Keras would go on to number theirs.
    """

    objects: dict[ast.Call, str] = field(default_factory=dict)
    calls: dict[str, LayerCall] = field(default_factory=dict)
    homes: dict[str, Item] = field(default_factory=dict)
    legacy: dict[str, str] = field(default_factory=dict)
    has_slots: Callable[[str], bool] = lambda _: True
    of_several: bool = False

    @property
    def renamed(self) -> dict[str, str]:
        """The objects of layers that need a name in Keras, in a scope or with a number, and these names.

        TensorFlow would give a layer `dense_1` the name that the second call of a layer `dense` has.
        """
        numbered = re.compile(r"_(\d+)$")
        return {
            name: numbered.sub(r"\1", name)
            for name, legacy in self.legacy.items()
            if self.calls[name].normalization is None
            and (
                "/" in legacy
                or self.calls[name].of_contrib
                or (self.calls[name].name is None and (self.of_several or numbered.search(legacy)))
            )
        }

    def rows(self) -> Iterator[Variable]:
        """Yields the rows of the map for the variables of these layers."""
        for name, renamed in sorted(self.renamed.items()):
            if self.calls[name].variables == ("kernel", "bias") and renamed == self.legacy[name]:
                continue
            has_bias = "use_bias" not in self.calls[name].given
            pairs = list(zip(self.calls[name].variables, ("kernel", "bias"), strict=True))
            for legacy, variable in pairs if has_bias else pairs[:1]:
                yield Variable(f"{self.legacy[name]}/{legacy}", f"{renamed}/{variable}")


def layer_objects(body: Body, meanings: Meanings, planner: Planner) -> LayerObjects:
    """Returns the objects of the layers of a body.

    Raises:
        NotNativeError: A layer cannot be made before the functions that use it.
    """
    made = LayerObjects()
    by_key: dict[str, str] = {}
    holders = {id(node): item for item in body.items for node in walk(item.node)}
    local = {place for item in body.items for place in item.writes}  # a function may bind these names itself
    for call, key in meanings.scopes.names.items():
        item = holders.get(id(call))
        known = layer_call(call, meanings.names)
        if item is None or known is None:
            raise NotNativeError(call, "NAT005", "this layer is made outside the body of the program")
        if key not in by_key:
            wished = re.sub(r"\W", "_", key)
            by_key[key] = name = planner.free(f"{wished}_layer" if wished in local else wished)
            made.calls[name], made.homes[name], made.legacy[name] = known, item, key
            _require_outside(call, known, item, body)
        made.objects[call] = by_key[key]
    return made


def _require_outside(call: ast.Call, known: LayerCall, item: Item, body: Body) -> None:
    """Refuses a layer in a function whose options are the function's own names."""
    if not isinstance(item.node, ast.FunctionDef):
        return
    outside = {place for place, _ in uses(item.node)}
    for place in {place for value in known.given.values() for place, _ in uses(value)}:
        definition = body.definition(place, item.index)
        if place not in outside or (definition is None and body.definition(place, len(body.items)) is not None):
            message = (
                f"the options of this layer read {place}, which the function {item.node.name} gets or makes itself"
            )
            raise NotNativeError(call, "NAT005", f"{message}; make the layer outside the function")


def collected_calls(meanings: Meanings) -> list[ast.Call]:
    """Returns the calls that ask for variables of the graph, and not for a collection of the program's own.

    What a saver gets is not among them: the saver lists it.
    """
    names = meanings.names
    savers = list(calls_of(names.nodes.get(ast.Call, []), names, ("train.Saver",)))
    saved = {id(part) for saver in savers for part in (*saver.args, *(keyword.value for keyword in saver.keywords))}
    return [
        call
        for call in calls_of(names.nodes.get(ast.Call, []), names, COLLECTIONS)
        if not is_update_ops(call, names)
        and id(call) not in saved
        and (v1_name(names, call.func) != "get_collection" or not isinstance((*call.args, None)[0], ast.Constant))
    ]


def require_no_names(made: LayerObjects, body: Body, meanings: Meanings) -> None:
    """Refuses to choose variables by their names, where layers are among them: Keras names these otherwise.

    Raises:
        NotNativeError: The program does that.
    """
    if not made.calls or not collected_calls(meanings):
        return
    for item in body.items:
        for node in walk(item.node) if item.moves or isinstance(item.node, ast.FunctionDef) else ():
            if isinstance(node, ast.Attribute) and node.attr == "name" and v1_name(meanings.names, node) is None:
                message = "Keras gives the variables of layers other names; choose them by their scope, or name them"
                raise NotNativeError(node, "NAT008", message)


def variables_of(call: ast.Call, made: LayerObjects, body: Body, meanings: Meanings, store: str = "store") -> str:
    """Returns the expression for the variables that a call collects.

    Raises:
        NotNativeError: The source does not say which they are.
    """
    name = v1_name(meanings.names, call.func) or ""
    scope = _scope(call, name)
    if any(item.effects.stores for item in body.items):
        return variables_of_store(call, name, scope, body, store)
    holder = next((item for item in body.items if any(below is call for below in walk(item.node))), None)
    if scope is None and name == "trainable_variables":
        all_count = holder is not None and (holder.kind is Kind.TENSOR or chosen_by_place(call, holder, body))
        return (
            trainable_before(holder, body, meanings.names, lambda item: _trained_of(made, item))
            if all_count and holder is not None
            else "tape.watched_variables()"
        )
    if scope is None:
        raise NotNativeError(call, "NAT008", "all variables of the graph, with those of optimizers; name the variables")
    at = holder.index if holder is not None else len(body.items)
    trainable = name == "trainable_variables" or "TRAINABLE" in ast.unparse(call)
    if not trainable and any(item.kind in (Kind.TRAIN, Kind.OPTIMIZER) for item in body.items[:at]):
        _require_no_slots(call, made, scope, body.items[:at], meanings.names)
    plain = _plain_variables(call, scope, trainable, body, at, meanings)
    layers = [
        (made.homes[known].index, f"{known}.variables")
        for known, key in made.legacy.items()
        if made.calls[known].normalization is None
        and re.match(scope, f"{key}/{made.calls[known].variables[0]}") and _made_before(made, known, body, at)
        and not (trainable and _is_frozen(made.calls[known]))
    ]  # fmt: skip
    plain += _of_normalizations(scope, made, body, at, trainable)
    if not layers and not plain:
        raise NotNativeError(call, "NAT008", f"the source has no variable in the scope {scope}")
    if not plain:
        return f"[v.value for v in {' + '.join(text for _, text in layers)}]"
    parts = plain + [(index, f"*[v.value for v in {text}]") for index, text in layers]
    return f"[{', '.join(text for _, text in sorted(parts, key=lambda part: part[0]))}]"


def _trained_of(made: LayerObjects, item: Item) -> Iterator[str]:
    """Yields the trainable variables of the layers that a statement makes.

    Raises:
        NotNativeError: The source does not say whether a layer is trained.
    """
    for call in item.effects.layers:
        name, known = made.objects[call], made.calls[made.objects[call]]
        if made.homes[name] is not item or known.call is not call or _is_frozen(known):
            continue
        if known.normalization is not None:
            yield f"*{name}.variables[:-2]"  # the last two are averages
        elif isinstance(known.given.get("trainable", ast.Constant(True)), ast.Constant):
            yield f"*[v.value for v in {name}.variables]"
        else:
            raise NotNativeError(call, "NAT008", "the source does not say whether this layer is trained")


def _require_no_slots(call: ast.Call, made: LayerObjects, scope: str, items: Sequence[Item], names: Names) -> None:
    steps = (item for item in items if item.kind is Kind.TRAIN)
    if all(_is_elsewhere(item, scope, names) for item in steps):
        return
    if made.has_slots(scope):
        raise NotNativeError(call, "NAT008", "the variables of optimizers may be among these; name the variables")


def _is_elsewhere(item: Item, scope: str, names: Names) -> bool:
    """Returns whether the variables of a step's optimizer begin with another scope.

    `slot_creator.py` of 1.15.5 makes them in the variable scope that is open there: `train/eval_net/w/RMSProp`.
    """
    blocks = (block for block in item.blocks if isinstance(block, ast.With))
    opened = [scope_name(part.context_expr, names) for block in blocks for part in block.items]
    first = next((name for name in opened if name), None)
    if first is None or not re.fullmatch(r"[\w/]+", scope):
        return False
    return first.split("/")[0] != scope.split("/")[0] and not re.match(scope, first + "/")


def _of_normalizations(scope: str, made: LayerObjects, body: Body, at: int, trainable: bool) -> list[tuple[int, str]]:
    """Returns the variables of a scope that normalizations have; the last two of each are averages."""
    return [
        (made.homes[name].index, f"*{name}.variables{'[:-2]' if trainable else ''}")
        for name, key in made.legacy.items()
        if made.calls[name].normalization is not None
        and re.match(scope, f"{key}/beta") and _made_before(made, name, body, at)
    ]  # fmt: skip


def _plain_variables(
    call: ast.Call, scope: str, trainable: bool, body: Body, at: int, meanings: Meanings
) -> list[tuple[int, str]]:
    """Returns the variables of a scope that belong to no layer, each with the number of its statement.

    Raises:
        NotNativeError: The source does not say which they are.
    """
    plain: list[tuple[int, str]] = []
    for item in body.items[:at]:
        for made in item.effects.variables:
            name = made.args[0].value if made.args and isinstance(made.args[0], ast.Constant) else None
            place = place_of(item.node.targets[0]) if isinstance(item.node, ast.Assign) else None
            if v1_name(meanings.names, made.func) != "get_variable" or not isinstance(name, str) or place is None:
                raise NotNativeError(call, "NAT008", "the scope may have variables without a name; name the variables")
            frozen = any(k.arg == "trainable" and ast.unparse(k.value) == "False" for k in made.keywords)
            if re.match(scope, meanings.scopes.prefixes[made] + name) and not (trainable and frozen):
                if len(body.definitions(place)) > 1 or len(item.effects.variables) > 1:
                    raise NotNativeError(call, "NAT008", f"{place} is several variables; give each a name")
                plain.append((item.index, place))
    return plain


def _scope(call: ast.Call, name: str) -> str | None:
    position = 1 if name == "get_collection" else 0
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "scope"), None)
    given = given or (call.args[position] if len(call.args) > position else None)
    if name == "get_collection" and not (call.args and ast.unparse(call.args[0]).endswith("_VARIABLES")):
        raise NotNativeError(call, "NAT008", "the source does not say what is in this collection")
    if given is None:
        return None
    if not (isinstance(given, ast.Constant) and isinstance(given.value, str)):
        raise NotNativeError(call, "NAT008", "the source does not say which scope this is")
    return given.value


def _is_frozen(known: LayerCall) -> bool:
    value = known.given.get("trainable")
    return isinstance(value, ast.Constant) and not value.value


def _made_before(made: LayerObjects, name: str, body: Body, at: int) -> bool:
    calls = {call for call, known in made.objects.items() if known == name}
    return any(call in item.effects.layers for item in body.items[:at] for call in calls)


def first_calls(made: LayerObjects, functions: Sequence[Function], scoped: Mapping[int, str]) -> list[Function]:
    """Returns functions that must be traced before the first run, so that all layers have their variables.

    Args:
        made: The layers.
        functions: The functions of the program.
        scoped: Number of a statement -> the variables that it collects.

    Raises:
        NotNativeError: No function uses a layer.
    """
    if not any(_read_ahead(made, function, scoped) for function in functions):
        return []
    missing = set(made.calls)
    chosen: list[Function] = []
    for function in sorted(functions, key=lambda f: (bool(_read_ahead(made, f, scoped)), -len(f.slice.items))):
        used = {made.objects[call] for item in function.slice.ordered for call in item.effects.layers}
        if used & missing:
            if early := sorted(_read_ahead(made, function, scoped) & missing):
                message = "a function reads the variables of this layer, and may run before the layer has any"
                raise NotNativeError(made.calls[early[0]].call, "NAT008", f"{message}; name the variables")
            chosen.append(function)
            missing -= used
    if missing:
        name = sorted(missing)[0]
        raise NotNativeError(made.calls[name].call, "NAT008", "nothing that the program runs uses this layer")
    return chosen


def _read_ahead(made: LayerObjects, function: Function, scoped: Mapping[int, str]) -> set[str]:
    """Returns the layers whose variables a function reads, and which it does not call."""
    used = {made.objects[call] for item in function.slice.ordered for call in item.effects.layers}
    read = {
        name
        for index, text in scoped.items()
        if index in function.slice.items
        for name in made.calls
        if re.search(rf"\b{re.escape(name)}\.variables\b", text)
    }
    return read - used
