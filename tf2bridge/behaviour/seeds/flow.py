"""Conditions and loops of 0.12 that were built in another form.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import Function
from tf2bridge.patching.during import during


def without_enters(original: Function) -> Function:
    """In 0.12 an initial value of a loop has no gradient if it depends on no variable."""

    @functools.wraps(original)
    def process_unused_loop_exits(state: Any, pending: Any, to_ops: Any) -> Any:
        contexts = [loop.forward_context for loop in state._map.values()]
        unreached = [y.op for context in contexts for y in context.loop_enters if not pending[y.op]]
        exits = original(state, pending, to_ops)
        for op in unreached:
            pending[op] = 0
        return exits

    return process_unused_loop_exits


def kept_constants(original: Function) -> Function:
    """In 0.12 a loop keeps each value for its gradient; later releases make constants again."""

    return during(original, _keeping, lambda *_, **__: True)


_keeping: ContextVar[bool] = ContextVar("keeping", default=False)


def no_constant(original: Function) -> Function:
    """Returns `is_constant` for `kept_constants`, which is False there."""

    @functools.wraps(original)
    def is_constant(tensor: Any) -> bool:
        return not _keeping.get() and bool(original(tensor))

    return is_constant


def switched_variables(original: Function) -> Function:
    """In 0.12 a variable that a branch of a condition returns is captured twice: before it is read, and after."""

    @functools.wraps(original)
    def build_branch(context: Any, fn: Any) -> Any:
        returned: list[Any] = []

        def call() -> Any:
            result = fn()
            returned.extend(result if isinstance(result, (list, tuple)) else [result])
            return result

        built = original(context, call)
        variables = {id(value): value for value in returned if hasattr(value, "initializer") and hasattr(value, "op")}
        for variable in variables.values():
            counter.of(variable.graph).correction += 1
        return built

    return build_branch


def size_of_session(original: Function) -> Function:
    """In 0.12 the batch size of the initial state of `dynamic_rnn` is computed in the session, even if it is known."""

    @functools.wraps(original)
    def batch_size(*args: Any, **kwargs: Any) -> Any:
        from tf2bridge.internals.framework import constant_op, dtypes, ops
        from tf2bridge.internals.ops import gen_array_ops

        size = original(*args, **kwargs)
        if not isinstance(size, int):
            return size
        with counter.uncounted(ops.get_default_graph()):
            number = constant_op.constant(size, dtypes.int32)
            return gen_array_ops.placeholder_with_default(number, [])

    return batch_size
