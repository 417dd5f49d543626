"""Resource variables in older releases: when they were read, and which variables optimizers made.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import Function


def read_at_once(original: Function) -> Function:
    """Up to 1.4 the assignment of a resource variable returns its new value; now the result reads it later."""

    @functools.wraps(original)
    def lazy_read(variable: Any, op: Any) -> Any:
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import ops

        if context.executing_eagerly():
            return original(variable, op)
        with ops.control_dependencies([op]):
            return variable.read_value()

    return lazy_read


def read_to_save(original: Function) -> Function:
    """Up to 1.4 a saver with a list of variables, or without one, reads each by two operations: a read and its copy."""

    @functools.wraps(original)
    def op_list_to_dict(op_list: Any, *args: Any, **kwargs: Any) -> Any:
        for variable in op_list or ():
            if hasattr(variable, "handle") and hasattr(variable, "initializer"):
                counter.of(variable.graph).correction += 2
        return original(op_list, *args, **kwargs)

    return op_list_to_dict


def placed_together(original: Function) -> Function:
    """Up to 1.4 an optimizer places all its own variables with the first variable that it trains."""

    @functools.wraps(original)
    def create_non_slot_variable(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        before = len(optimizer._non_slot_dict)
        made = original(optimizer, *args, **kwargs)
        first = kwargs.get("colocate_with", args[2] if len(args) > 2 else None)
        if before and len(optimizer._non_slot_dict) > before and hasattr(first, "handle"):
            counter.of(made.graph).correction -= 2  # the reading and a copy of it: see read_where_placed
        return made

    return create_non_slot_variable


def read_where_placed(original: Function) -> Function:
    """Up to 1.12 placing an operation with a resource variable reads the variable: a read and its copy."""

    @functools.wraps(original)
    def op_to_colocate_with(v: Any, graph: Any) -> Any:
        if hasattr(v, "handle") and hasattr(v, "initializer"):
            counter.of(graph).correction += 2
        return original(v, graph)

    return op_to_colocate_with


def plain_variables(original: Function) -> Function:
    """Up to 1.12 an optimizer's own variables are never resources."""

    @functools.wraps(original)
    def create_non_slot_variable(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.ops import variable_scope

        def plain(made: Function, **given: Any) -> Any:
            return made(**{**given, "use_resource": False})

        with variable_scope.variable_creator_scope_v1(plain):
            return original(*args, **kwargs)

    return create_non_slot_variable
