"""Summaries named for the tensor that they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """Returns a histogram summary of `tensor`, called `name` or as the tensor is, below `prefix`."""
    return v1.summary.histogram(_title(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Returns an image summary of `tensor`, [batch, height, width, channels]; `print_summary` prints the values."""
    return _shown(v1.summary.image, tensor, _title(tensor, name, prefix), print_summary)


def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Returns a scalar summary of `tensor`; `print_summary` prints the value whenever it is written."""
    return _shown(v1.summary.scalar, tensor, _title(tensor, name, prefix), print_summary)


def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Returns a scalar summary of the share of zeros in `tensor`."""
    title = f"{_title(tensor, name, prefix)}/Fraction_of_Zero_Values"
    return add_scalar_summary(v1.nn.zero_fraction(tensor), title, print_summary=print_summary)


def add_histogram_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """Returns a histogram summary of each tensor."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """Returns an image summary of each tensor."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(tensors: Sequence[Any], prefix: str | None = None, print_summary: bool = False) -> list[Any]:
    """Returns a scalar summary of each tensor."""
    return [add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors]


def add_zero_fraction_summaries(tensors: Sequence[Any], prefix: str | None = None) -> list[Any]:
    """Returns a summary of the share of zeros of each tensor."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]


def _title(tensor: Any, name: str | None, prefix: str | None) -> str:
    title = name or tensor.op.name
    return f"{prefix}/{title}" if prefix else str(title)


def _shown(summary: Callable[..., Any], tensor: Any, title: str, print_summary: bool) -> Any:
    """Returns the summary. With `print_summary`, returns a string tensor that also prints `tensor`."""
    op = summary(title, tensor, collections=[] if print_summary else None)
    if print_summary:
        op = v1.Print(op, [tensor], title)
        v1.add_to_collection(v1.GraphKeys.SUMMARIES, op)
    return op
