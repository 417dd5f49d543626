"""Conditions and loops of 0.12, where they were built in another form than now.

Each function takes the original and returns its replacement, as those of `rules` do.
"""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import Function
from tf2bridge.patching.during import during


def without_enters(original: Function) -> Function:
    """In 0.12 the first values of a loop had no gradient where no variable reaches them."""

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
    """In 0.12 a loop kept each value for its gradient; later ones make its constants anew."""

    return during(original, _keeping, lambda *_, **__: True)


_keeping: ContextVar[bool] = ContextVar("keeping", default=False)


def no_constant(original: Function) -> Function:
    """Replaces `is_constant` for `kept_constants`."""

    @functools.wraps(original)
    def is_constant(tensor: Any) -> bool:
        return not _keeping.get() and bool(original(tensor))

    return is_constant


def switched_variables(original: Function) -> Function:
    """In 0.12 a variable that a branch of a condition returned was brought in twice: before it was read, and after."""

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
    """In 0.12 the first state of `dynamic_rnn` had as many rows as the input has in a session, known before or not."""

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
