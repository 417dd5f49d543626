"""`functional_ops.partitioned_call` of 1.12 to 1.15: a call of a function whose operations keep their devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf2bridge.internals.ops import gen_functional_ops
from tf2bridge.internals.support import function_utils


def partitioned_call(
    args: Sequence[Any],
    f: Any,
    tout: Sequence[Any] | None = None,
    executing_eagerly: bool | None = None,
    config: Any = None,
    executor_type: str | None = None,
) -> Any:
    """Calls a function (a `Defun`) and returns its result tensors, or the operation of the call if it has no results.

    Args:
        args: The arguments, followed by the captured tensors (`f.captured_inputs`).
        f: The function.
        tout: The types of the results, if they differ from the function's definition.
        executing_eagerly: Ignored: the default context decides.
        config: The serialized ConfigProto of the call.
        executor_type: The name of the executor.
    """
    del executing_eagerly
    types = tuple(argument.type for argument in f.definition.signature.output_arg) if tout is None else tout
    call = gen_functional_ops.stateful_partitioned_call if f.stateful_ops else gen_functional_ops.partitioned_call
    made = call(
        args=args,
        Tout=types,
        f=f,
        config_proto=function_utils.get_disabled_rewriter_config() if config is None else config,
        executor_type=executor_type or "",
    )
    return None if isinstance(made, list) and not made else made
