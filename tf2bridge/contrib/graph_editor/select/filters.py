"""The operations and the tensors of a list that a function or a regular expression chooses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tf2bridge.contrib.graph_editor.util.elements import make_list_of_op
from tf2bridge.contrib.graph_editor.util.trees import concatenate_unique


def can_be_regex(obj: Any) -> bool:
    """Returns whether `obj` is a string or a compiled regular expression."""
    return isinstance(obj, (str, re.Pattern))


def make_regex(obj: Any) -> re.Pattern[str]:
    """Returns the compiled regular expression. Raises ValueError for anything that cannot be one."""
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj)


def input_tensors(ops: Any) -> list[Any]:
    """Returns the input tensors of the operations, without duplicates."""
    return concatenate_unique([], (tensor for op in make_list_of_op(ops) for tensor in op.inputs))


def output_tensors(ops: Any) -> list[Any]:
    """Returns the output tensors of the operations."""
    return [tensor for op in make_list_of_op(ops) for tensor in op.outputs]


def filter_ts(ops: Any, positive_filter: Any) -> list[Any]:
    """Returns the inputs and outputs of the operations for which `positive_filter` is true; if it is True, all."""
    ops = make_list_of_op(ops)
    tensors = concatenate_unique(input_tensors(ops), output_tensors(ops))
    return _chosen(tensors, positive_filter)


def filter_ts_from_regex(ops: Any, regex: Any) -> list[Any]:
    """Returns the inputs and outputs of the operations whose names the regular expression is found in."""
    return filter_ts(ops, _named(regex))


def filter_ops(ops: Any, positive_filter: Any) -> list[Any]:
    """Returns the operations for which `positive_filter` is true; if it is True itself, all."""
    return _chosen(make_list_of_op(ops), positive_filter)


def filter_ops_from_regex(ops: Any, regex: Any) -> list[Any]:
    """Returns the operations whose names the regular expression is found in."""
    return filter_ops(ops, _named(regex))


def get_name_scope_ops(ops: Any, scope: str) -> list[Any]:
    """Returns the operations below a scope, and the one that has its name."""
    return filter_ops_from_regex(ops, f"^{scope.removesuffix('/')}(/.*)?$")


def _chosen(parts: list[Any], positive_filter: Any) -> list[Any]:
    return parts if positive_filter is True else [part for part in parts if positive_filter(part)]


def _named(regex: Any) -> Callable[[Any], Any]:
    pattern = make_regex(regex)
    return lambda part: pattern.search(part.name)
