"""Differences that a number cannot say: what this TensorFlow does and an older release does not do at all.

A rule is a function that takes the original and returns its replacement. What runs `counter.uncounted` adds nothing to
the virtual count, however many operations it creates.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tf2bridge.v1.seeds import counter
from tf2bridge.v1.seeds.rebind import Function


@dataclass(frozen=True)
class Rule:
    """A replacement for the function at `where` ("module:name" or "module:Class.method") in these releases."""

    where: str
    releases: tuple[str, ...]
    replace: Callable[[Function], Function]


def _default_graph() -> Any:
    from tensorflow.python.framework import ops

    return ops.get_default_graph()


def _skip(original: Function) -> Function:
    """0.12 takes a variable's initial value as it is; later ones copy what depends on other variables."""

    @functools.wraps(original)
    def uncounted(*args: Any, **kwargs: Any) -> Any:
        with counter.uncounted(_default_graph()):
            return original(*args, **kwargs)

    return uncounted


def _regularize_once(original: Function) -> Function:
    """This TensorFlow calls a regularizer twice, first only to see whether it returns None."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def get_variable(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        if bound.arguments.get("regularizer"):  # programs pass {} for none
            bound.arguments["regularizer"] = _second_call_only(bound.arguments["regularizer"])
        return original(*bound.args, **bound.kwargs)

    return get_variable


def _second_call_only(regularizer: Function) -> Function:
    calls = []

    def counted_once(value: Any) -> Any:
        calls.append(value)
        if len(calls) > 1:
            return regularizer(value)
        with counter.uncounted(_default_graph()):
            return regularizer(value)

    return counted_once


def _no_idle_seed(original: Function) -> Function:
    """This TensorFlow takes a seed for nothing where dropout keeps everything."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def dropout(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.arguments["dummy_rng_step"] = lambda: None
        return original(*bound.args, **bound.kwargs)

    return dropout


_ALL = ("0.12.1", "1.4.1", "1.12.3", "1.15.5")

RULES = (
    Rule("tensorflow.python.ops.variables:_try_guard_against_uninitialized_dependencies", ("0.12.1",), _skip),
    Rule("tensorflow.python.ops.variable_scope:_VariableStore._get_single_variable", _ALL, _regularize_once),
    Rule("tensorflow.python.ops.nn_ops:_dropout", _ALL, _no_idle_seed),
)
