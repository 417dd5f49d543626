"""Runs functions exactly as their graphs are written, without rewriting that changes numbers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tf2bridge.internals.eager import ConcreteFunction, context
from tf2bridge.internals.protos import config_pb2


def exactly(concrete: Any) -> Callable[..., Any]:
    """Returns a function of the same graph that TensorFlow neither rewrites nor inlines into its caller.

    Without this, Grappler fuses, reorders, folds and replaces operations. The options also hold for a call inside
    another function. Kernels may still differ: set `TF_ENABLE_ONEDNN_OPTS=0` before TensorFlow is imported to avoid
    those of oneDNN.
    """
    function = ConcreteFunction.from_func_graph(concrete.graph, concrete.function_type, {"_noinline": True})

    def call(*tensors: Any) -> Any:
        with as_written():
            return function(*tensors)

    return call


@contextlib.contextmanager
def as_written() -> Iterator[None]:
    """Turns rewriting off for the function calls of this thread, in a with block."""
    current = context.context()
    before = current.function_call_options
    options = config_pb2.ConfigProto()
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    current.function_call_options = context.FunctionCallOptions(before.executor_type, options)
    try:
        yield
    finally:
        current.function_call_options = before
