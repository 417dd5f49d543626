"""Functions whose graphs run as they are written: no rewriting that changes a number's last bits, or more."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tf2bridge.internals.eager import ConcreteFunction, context
from tf2bridge.internals.protos import config_pb2


def exactly(concrete: Any) -> Callable[..., Any]:
    """Returns a function of the same graph that TensorFlow neither rewrites nor inlines into its caller.

    Grappler fuses, reorders and folds operations, and takes some for others; the same options stand in the call where
    it is part of another function. What remains are the kernels: `TF_ENABLE_ONEDNN_OPTS=0`, set before TensorFlow is
    imported, leaves those of oneDNN out.
    """
    kept = ConcreteFunction.from_func_graph(concrete.graph, concrete.function_type, {"_noinline": True})

    def call(*tensors: Any) -> Any:
        with _as_written():
            return kept(*tensors)

    return call


@contextlib.contextmanager
def _as_written() -> Iterator[None]:
    """Calls of functions by this thread ask for no rewriting."""
    current = context.context()
    before = current.function_call_options
    options = config_pb2.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    current.function_call_options = context.FunctionCallOptions(before.executor_type, options)
    try:
        yield
    finally:
        current.function_call_options = before
