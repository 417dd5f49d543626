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
    """Returns the tensors that a function (a `Defun`) gives; the operation of the call where it gives none.

    args: what the function is given, with what it captured (`f.captured_inputs`). tout: the types of its results, if
    they are other than its definition says. executing_eagerly changes nothing: the call is one of the default context.
    """
    del executing_eagerly
    types = tuple(each.type for each in f.definition.signature.output_arg) if tout is None else tout
    call = gen_functional_ops.stateful_partitioned_call if f.stateful_ops else gen_functional_ops.partitioned_call
    made = call(
        args=args,
        Tout=types,
        f=f,
        config_proto=function_utils.get_disabled_rewriter_config() if config is None else config,
        executor_type=executor_type or "",
    )
    return None if isinstance(made, list) and not made else made
