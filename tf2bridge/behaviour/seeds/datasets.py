"""Seeds of data sets in older releases: those of `shuffle`, and those of ops in their functions."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from tf2bridge.patching import Function


def functions_of(dataset: Any) -> Iterator[Any]:
    """Yields the functions that a data set and its inputs call. Each data set counts once, even if several read it."""
    pending, seen = [dataset], {}
    while pending:
        node = pending.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            yield from node._functions()
            pending += node._inputs()


def seed_twice(original: Function) -> Function:
    """Up to 1.12 `shuffle(reshuffle_each_iteration=False)` uses its first seed as the second one, too."""

    @functools.wraps(original)
    def shuffle_dataset(input_dataset: Any, buffer_size: Any, seed: Any, seed2: Any, **kwargs: Any) -> Any:
        fixed = kwargs.get("reshuffle_each_iteration") is False
        return original(input_dataset, buffer_size, seed, seed if fixed else seed2, **kwargs)

    return shuffle_dataset


def without_graph_seed(original: Function) -> Function:
    """Up to 1.13 functions of data sets are graphs without a seed, even if the graph around them has one.

    So the seed of an op goes with TensorFlow's default graph seed, and an op without a seed draws other numbers in each
    run.
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
