"""Selecting operations and tensors by regular expressions, by lists, or by both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.select.filters import (
    can_be_regex,
    filter_ops_from_regex,
    filter_ts_from_regex,
    make_regex,
)
from tf2bridge.contrib.graph_editor.util.elements import make_list_of_op, make_list_of_t

OPS, TENSORS = "(?#ops)", "(?#ts)"
"""The prefixes of regular expressions that apply to operations only, or to tensors only."""

OPTIONS = frozenset(("graph", "positive_filter", "restrict_ops_regex", "restrict_ts_regex"))


def select_ops(*args: Any, **kwargs: Any) -> list[Any]:
    """Returns the operations that the arguments select, without duplicates.

    Args:
        *args: regular expressions, operations, or lists of operations. Tensors are left out.
        **kwargs: `graph`, which regular expressions need; `positive_filter`, a function that is true of what is
            selected; `restrict_ops_regex`, whether only regular expressions with "(?#ops)" at their beginning count.

    Raises TypeError for an argument of another type, ValueError for another keyword or a missing graph.
    """
    return _select(args, kwargs, "restrict_ops_regex", (OPS, TENSORS), filter_ops_from_regex, _ops)


def select_ts(*args: Any, **kwargs: Any) -> list[Any]:
    """Returns the tensors that the arguments select, without duplicates.

    Args:
        *args: regular expressions, tensors, or lists of tensors. Operations are left out.
        **kwargs: `graph`, which regular expressions need; `positive_filter`, a function that is true of what is
            selected; `restrict_ts_regex`, whether only regular expressions with "(?#ts)" at their beginning count.

    Raises TypeError for an argument of another type, ValueError for another keyword or a missing graph.
    """
    return _select(args, kwargs, "restrict_ts_regex", (TENSORS, OPS), filter_ts_from_regex, _tensors)


def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Any], list[Any]]:
    """Returns the operations and the tensors that the arguments choose.

    The arguments are those of `select_ops` and `select_ts`. Tensors are chosen by lists, and by regular expressions
    with "(?#ts)" at their beginning.
    """
    ops = select_ops(*args, restrict_ops_regex=False, **kwargs)
    return ops, select_ts(*args, restrict_ts_regex=True, **kwargs)


def _ops(given: Any) -> list[Any]:
    return make_list_of_op(given, ignore_ts=True)


def _tensors(given: Any) -> list[Any]:
    return make_list_of_t(given, ignore_ops=True)


def _select(
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    restriction: str,
    marks: tuple[str, str],
    by_regex: Callable[[Any, Any], list[Any]],
    by_list: Callable[[Any], list[Any]],
) -> list[Any]:
    """Selects elements. `marks` are the prefixes of expressions to use, and of expressions to skip."""
    graph = _graph(kwargs)
    is_wanted = kwargs.get("positive_filter") or (lambda _: True)
    selected: list[Any] = []
    for given in args:
        if not can_be_regex(given):
            parts = by_list(given)
        elif graph is None:
            raise ValueError("Use the keyword argument 'graph' to use regex.")
        else:
            regex = make_regex(given)
            has_other_mark = regex.pattern.startswith(marks[1])
            unmarked = kwargs.get(restriction, False) and not regex.pattern.startswith(marks[0])
            parts = [] if has_other_mark or unmarked else by_regex(graph, regex)
        known = frozenset(selected)
        selected += [part for part in parts if part not in known and is_wanted(part)]
    return selected


def _graph(kwargs: dict[str, Any]) -> Any:
    """Checks the keywords, and returns the graph among them."""
    for name in kwargs:
        if name not in OPTIONS:
            raise ValueError(f"Wrong keywords argument: {name}.")
    graph = kwargs.get("graph")
    if graph is not None and not isinstance(graph, tf.Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    return graph
