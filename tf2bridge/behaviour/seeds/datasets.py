"""What data sets of older releases drew otherwise: the seeds of `shuffle`, and of what their functions draw."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from tf2bridge.patching import Function


def functions_of(dataset: Any) -> Iterator[Any]:
    """The functions that a data set calls, and those it is made of: each data set once, however many read it."""
    pending, seen = [dataset], {}
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            yield from node._functions()
            pending += node._inputs()


def seed_twice(original: Function) -> Function:
    """Up to 1.12 `shuffle(reshuffle_each_iteration=False)` took its first seed for the second one, too."""

    @functools.wraps(original)
    def shuffle_dataset(input_dataset: Any, buffer_size: Any, seed: Any, seed2: Any, **kwargs: Any) -> Any:
        fixed = kwargs.get("reshuffle_each_iteration") is False
        return original(input_dataset, buffer_size, seed, seed if fixed else seed2, **kwargs)

    return shuffle_dataset


def without_graph_seed(original: Function) -> Function:
    """Up to 1.13 functions of data sets were graphs without a seed, whatever the seed of the graph around them.

    So an op's own seed goes with TensorFlow's default graph seed, and an op without one draws anew in each run.
    """

    @functools.wraps(original)
    def init(*args: Any, **kwargs: Any) -> None:
        from tf2bridge.internals.eager import context
        from tf2bridge.internals.framework import ops

        if context.executing_eagerly():
            original(*args, **kwargs)
            return
        graph = ops.get_default_graph()
        seed, graph.seed = graph.seed, None
        try:
            original(*args, **kwargs)
        finally:
            graph.seed = seed

    return init
