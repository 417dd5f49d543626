"""Makes TensorFlow's functions show the parameters that they had in 1.15, and no annotations.

Libraries of 2019 compare `inspect.getfullargspec` of a function of TensorFlow with that of their own function, and
raise an error where the two differ (tensorflow_probability 0.8, `internal/prefer_static.py`). Only what `inspect` shows
changes: the functions go on to take their new parameters.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tf2bridge.behaviour.arguments import TODAY, signature_of_today
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put

_OPS = "tensorflow.python.ops."

_LATER = Path(__file__).with_name("later_parameters.json")
""""module:function" -> its parameters that are later than 1.15.5, written by fixtures/later_parameters.py."""


def install() -> None:
    """Changes the visible signature of the functions in all loaded modules of TensorFlow."""
    for function in _functions():
        if function.__annotations__:
            put(function, "__annotations__", {})
        signature = function.__dict__.get("__signature__")
        if isinstance(signature, inspect.Signature):
            put(function, "__signature__", _then(signature, {}))
    for place, change in json.loads(_LATER.read_text(encoding="utf-8")).items():
        module, _, function_name = place.partition(":")
        for function in _with_wrapped(getattr(sys.modules.get(module), function_name, None)):
            today = signature_of_today(function)
            put(function, TODAY, today)
            put(function, "__signature__", _then(today, change))


def _functions() -> Iterator[Any]:
    modules = [module for name, module in sys.modules.items() if name.startswith(_OPS)]
    for module in modules:
        for member in list(vars(module).values()):
            if inspect.isfunction(member) and member.__module__.startswith(_OPS):
                yield member


def _with_wrapped(function: Any) -> Iterator[Any]:
    """Yields the function and the functions that its decorators wrap. `tf_inspect` reads the innermost one."""
    while inspect.isfunction(function):
        yield function
        function = function.__dict__.get("__wrapped__")


def _then(signature: inspect.Signature, change: dict[str, Any]) -> inspect.Signature:
    """Returns the signature of 1.15.5: without later parameters and annotations, with the old defaults."""
    defaults = {name: _default(value) for name, value in change.get("defaults", {}).items()}
    parameters = [
        parameter.replace(annotation=parameter.empty, default=defaults.get(name, parameter.default))
        for name, parameter in signature.parameters.items()
        if name not in change.get("later", ())
    ]
    return signature.replace(parameters=parameters, return_annotation=signature.empty)


def _default(value: Any) -> Any:
    return getattr(tensorflow(), value["dtype"]) if isinstance(value, dict) else value
