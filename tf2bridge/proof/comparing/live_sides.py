"""Sides that are live objects: Keras models, modules, graphs, SavedModels that were loaded, and lists of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from tf2bridge.checkpoint.moves import Target
from tf2bridge.checkpoint.planning.named_targets import target_of
from tf2bridge.errors import BridgeError
from tf2bridge.proof.comparing.sides import Runnable, Side, Value
from tf2bridge.proof.numbers.pieces import Array


def of_object(given: Any) -> Side | None:
    """Returns the side of a live object; None where it has neither variables nor inputs and outputs."""
    runner = _runner(given)
    target = _target(given)
    if target is None and runner is None:
        return None
    name = f"{type(given).__module__}.{type(given).__name__}"
    values = _values(target) if target is not None and target.variables else _constants(given)
    return Side(name, _kind(given), values, ordered=target is None or target.ordered, runner=runner)


def _target(given: Any) -> Target | None:
    try:
        return target_of(given)
    except BridgeError:
        pass
    variables = list(getattr(given, "variables", None) or ())
    return target_of(variables) if variables else None


def _values(target: Target) -> dict[str, Value]:
    keys = {variable.name: (variable.key,) if variable.key else () for variable in target.variables}
    return {name: Value(name, partial(_array, variable), keys.get(name, ())) for name, variable in target.live.items()}


def _constants(given: Any) -> dict[str, Value] | None:
    """Returns the constants of a live graph that was frozen."""
    if "GraphModule" not in _kinds(given):
        return None
    from tf2bridge.proof.comparing.constants import constants_of

    return constants_of(given.graph)


def _array(variable: Any) -> Array:
    return np.asarray(variable.numpy() if hasattr(variable, "numpy") else variable)


def _kinds(given: Any) -> set[str]:
    return {base.__name__ for base in type(given).__mro__}


def _kind(given: Any) -> str:
    kinds = _kinds(given)
    if "GraphModule" in kinds:
        return "live graph"
    if "Layer" in kinds:
        return "Keras model"
    return "module" if "Module" in kinds else "live object"


def _runner(given: Any) -> Callable[[], Runnable] | None:
    """Returns the runner of an object; None if its inputs are unknown."""
    if "GraphModule" in _kinds(given):
        from tf2bridge.proof.comparing.graph_runs import GraphRunner

        return partial(GraphRunner, given)
    if getattr(given, "inputs", None) and getattr(given, "outputs", None) and "Layer" in _kinds(given):
        from tf2bridge.proof.comparing.keras_runs import KerasRunner

        return partial(KerasRunner, given)
    concrete = _function(given)
    if concrete is None:
        return None
    from tf2bridge.proof.comparing.function_runs import FunctionRunner

    return partial(FunctionRunner, concrete)


def _function(given: Any) -> Any:
    """Returns the serving signature of a loaded SavedModel, or `__call__` where its signature is known."""
    signatures = getattr(given, "signatures", None)
    if isinstance(signatures, Mapping) and signatures:
        return signatures.get("serving_default") or next(iter(signatures.values()))
    call = vars(type(given)).get("__call__")
    return given.__call__.get_concrete_function() if getattr(call, "input_signature", None) is not None else None
