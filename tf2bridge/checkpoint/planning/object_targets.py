"""The variables of live objects: Keras 3 and Keras 2 models, modules, and lists of variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tf2bridge.checkpoint.moves import Target, TargetOptimizer, TargetVariable
from tf2bridge.checkpoint.planning.object_keys import keys_of

_RANDOM = "seed_generator_state"


def of_object(given: Any) -> Target | None:
    """Returns the target of a live object; None if it has no variables that can be filled."""
    kinds = {base.__name__ for base in type(given).__mro__}
    name = f"{type(given).__module__}.{type(given).__name__}"
    if {"Layer", "Operation"} <= kinds or ("Layer" in kinds and hasattr(given, "_flatten_layers")):
        return _of_keras(given, name)
    if "GraphModule" in kinds:
        return _of_graph(given, name)
    if hasattr(given, "_flatten") and hasattr(given, "variables"):
        return _of_module(given, name)
    if isinstance(given, Sequence) and given and all(hasattr(item, "assign") for item in given):
        return _of_list(given, f"{len(given)} variables", given)
    return None


def _of_keras(model: Any, name: str) -> Target:
    optimizer = _built_optimizer(model)
    owners = {id(variable): layer for layer in _layers(model) for variable in _own(layer)}
    places = _unique([_path(variable) for variable in model.variables])
    keys = keys_of(model)
    variables, keeps, live = [], {}, dict(zip(places, model.variables, strict=True))
    for place, variable in live.items():
        layer = owners.get(id(variable))
        role = _path(variable).rpartition("/")[2]
        if role == _RANDOM:
            keeps[place] = "the state of a random generator, which TF 1.x kept in no variable"
        variables.append(
            TargetVariable(
                place,
                tuple(variable.shape),
                _dtype(variable),
                place.rpartition("/")[0],
                type(layer).__name__ if layer is not None else "",
                role,
                bool(variable.trainable),
                key=keys.get(id(variable), ""),
            )
        )
    ordered = _is_chain(model)
    if optimizer is None:
        return Target(name, tuple(variables), keeps, live=live, made=model, ordered=ordered)
    facts, more, more_live, own = _of_optimizer(
        optimizer, {id(variable): place for place, variable in live.items()}, keys
    )
    return Target(name, (*variables, *more), keeps | own, facts, live | more_live, model, ordered=ordered)


def _is_chain(model: Any) -> bool:
    """Returns whether the layers of a functional model follow each other.

    Otherwise their order is that of their depth.
    """
    levels = getattr(model, "_operations_by_depth", {}).values()
    return all(sum(bool(getattr(layer, "variables", ())) for layer in level) <= 1 for level in levels)


def _layers(model: Any) -> Iterable[Any]:
    layers: Iterable[Any] = model._flatten_layers(include_self=True, recursive=True)
    return layers


def _own(layer: Any) -> Iterator[Any]:
    """Yields the variables that a layer itself made; Keras 2 calls them weights."""
    for attribute in ("_trainable_variables", "_non_trainable_variables", "_trainable_weights"):
        yield from getattr(layer, attribute, ())
    yield from getattr(layer, "_non_trainable_weights", ())


def _built_optimizer(model: Any) -> Any:
    """Returns the optimizer of a compiled Keras 3 model, with its slots; None if there is none."""
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None or not hasattr(optimizer, "_trainable_variables"):
        return None
    if not optimizer.built:
        optimizer.build(model.trainable_variables)
    return optimizer


def _of_optimizer(
    optimizer: Any, names: dict[int, str], keys: dict[int, str]
) -> tuple[TargetOptimizer, list[TargetVariable], dict[str, Any], dict[str, str]]:
    """Returns the optimizer's facts, its variables, name -> live variable, and name -> why it keeps its value."""
    owned = _slots(optimizer, names)
    places = _unique([_path(variable) for variable in optimizer.variables])
    live = dict(zip(places, optimizer.variables, strict=True))
    variables, slots, keeps, iteration = [], [], {}, ""
    for place, variable in live.items():
        owner, role = owned.get(id(variable), ("", place.rpartition("/")[2]))
        made = TargetVariable(
            place, tuple(variable.shape), _dtype(variable), "", "", role, False, owner, keys.get(id(variable), "")
        )
        variables.append(made)
        if owner:
            slots.append(made)
        elif variable is optimizer.iterations:
            iteration = place
        else:
            keeps[place] = "the optimizer's own setting"
    facts = TargetOptimizer(type(optimizer).__name__, optimizer.get_config(), iteration, tuple(slots))
    return facts, variables, live, keeps


def _slots(optimizer: Any, names: dict[int, str]) -> dict[int, tuple[str, str]]:
    """Returns id of a slot -> (its variable, its role), from the lists that are parallel to the trainable variables."""
    owners = list(optimizer._trainable_variables)
    mine = {id(variable) for variable in optimizer.variables}
    slots = {}
    for attribute in vars(optimizer).values():
        if attribute is owners or not isinstance(attribute, list) or len(attribute) != len(owners):
            continue
        for owner, slot in zip(owners, attribute, strict=True):
            if id(slot) in mine and id(owner) in names:
                begin = f"{_path(owner).replace('/', '_')}_"
                role = _path(slot).rpartition("/")[2].removeprefix(begin)
                slots[id(slot)] = names[id(owner)], role
    return slots


def _of_module(module: Any, name: str) -> Target:
    """Returns the target of a `tf.Module`, with names such as "encoder/layers/0/w": paths of attributes."""
    variables = {id(variable) for variable in module.variables}
    paths: dict[int, tuple[str, Any]] = {}
    for path, variable in module._flatten(predicate=lambda variable: id(variable) in variables, with_path=True):
        paths.setdefault(id(variable), ("/".join(map(str, path)), variable))
    named = [paths[id(variable)] for variable in module.variables]
    keys = keys_of(module)
    return Target(
        name,
        tuple(_plain(place, variable, keys.get(id(variable), "")) for place, variable in named),
        live=dict(named),
        made=module,
    )


def _of_graph(module: Any, name: str) -> Target:
    from tf2bridge.graph.variable_values import saved_as

    return replace(_of_list(module.variables, name, module), saved_as=saved_as(module.graph))


def _of_list(variables: Sequence[Any], name: str, made: Any) -> Target:
    places = _unique([_path(variable) for variable in variables])
    live = dict(zip(places, variables, strict=True))
    return Target(name, tuple(_plain(place, variable) for place, variable in live.items()), live=live, made=made)


def _plain(name: str, variable: Any, key: str = "") -> TargetVariable:
    layer, _, role = name.rpartition("/")
    return TargetVariable(
        name, tuple(variable.shape), _dtype(variable), layer, "", role, bool(variable.trainable), key=key
    )


def _path(variable: Any) -> str:
    return str(getattr(variable, "path", None) or variable.name.removesuffix(":0"))


def _dtype(variable: Any) -> str:
    return str(getattr(variable.dtype, "name", variable.dtype))


def _unique(names: Sequence[str]) -> list[str]:
    """Returns the names with #2, #3 and so on after all but the first of equal names, in the order of creation."""
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return unique
