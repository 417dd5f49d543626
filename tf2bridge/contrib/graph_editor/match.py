"""Patterns of operations: `OpMatcher` checks whether an operation and its neighbours match a description."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.select.filters import can_be_regex, make_regex


def op_type(op_types: Any, op: Any = None) -> Any:
    """Returns True if an operation has one of the types. Without an operation, returns a function that checks this."""
    if op is None:
        return lambda op: op_type(op_types, op)
    return op.type in op_types


class OpMatcher:
    """A function of an operation that returns True if the operation matches a description."""

    def __init__(self, positive_filter: Any) -> None:
        """Describes the operation itself.

        Args:
            positive_filter: a regular expression that is found in the name, the operation itself, a function that
                returns True for the operation, or True for any operation.

        Raises:
            ValueError: `positive_filter` is something else.
        """
        self.positive_filters: list[Callable[[Any], Any]] = [_filter(positive_filter)]
        self.input_op_matches: list[OpMatcher | None] | None = None
        self.control_input_op_matches: list[OpMatcher | None] | None = None
        self.output_op_matches: list[list[OpMatcher | None] | None] | None = None

    def __call__(self, op: Any) -> bool:
        """Returns True if `op` matches the description. Raises TypeError if `op` is not an operation."""
        if not isinstance(op, tf.Operation):
            raise TypeError(f"Expect tf.Operation, got: {type(op)}")
        return (
            all(is_right(op) for is_right in self.positive_filters)
            and _all_match([tensor.op for tensor in op.inputs], self.input_op_matches)
            and _all_match(op.control_inputs, self.control_input_op_matches)
            and self._outputs_match(op)
        )

    def _outputs_match(self, op: Any) -> bool:
        described = self.output_op_matches
        if described is None:
            return True
        readers = [tensor.consumers() for tensor in op.outputs]
        return len(readers) == len(described) and all(map(_all_match, readers, described))

    def input_ops(self, *args: Any) -> OpMatcher:
        """Describes the operations that compute the inputs, in order. None matches any. Returns `self`."""
        if self.input_op_matches is not None:
            raise ValueError("input_op_matches is already set.")
        self.input_op_matches = [_matcher(given) for given in args]
        return self

    def control_input_ops(self, *args: Any) -> OpMatcher:
        """Describes the control inputs, in order. None matches any. Returns `self`."""
        if self.control_input_op_matches is not None:
            raise ValueError("control_input_op_matches is already set.")
        self.control_input_op_matches = [_matcher(given) for given in args]
        return self

    def output_ops(self, *args: Any) -> OpMatcher:
        """Describes the reader of each output, or the list of its readers, in order. Returns `self`."""
        if self.output_op_matches is not None:
            raise ValueError("output_op_matches is already set.")
        lists = (given if isinstance(given, list) else [given] for given in args)
        self.output_op_matches = [[_matcher(reader) for reader in readers] for readers in lists]
        return self


def _matcher(given: Any) -> OpMatcher | None:
    return given if given is None or isinstance(given, OpMatcher) else OpMatcher(given)


def _filter(given: Any) -> Callable[[Any], Any]:
    if can_be_regex(given):
        regex = make_regex(given)
        return lambda op: regex.search(op.name) is not None
    if isinstance(given, tf.Operation):
        return lambda op: op is given
    if given is True:
        return lambda _: True
    if callable(given):
        function: Callable[[Any], Any] = given
        return function
    raise ValueError(f"Cannot finalize the positive filter: {given}")


def _all_match(ops: Iterable[Any], matchers: list[OpMatcher | None] | None) -> bool:
    """Returns True if each operation matches its description. Without descriptions returns True."""
    if matchers is None:
        return True
    ops = list(ops)
    pairs = zip(ops, matchers, strict=False)
    return len(ops) == len(matchers) and all(matcher is None or matcher(op) for op, matcher in pairs)
