"""The kind of what is computed from values of some kinds, and of what contains them."""

from __future__ import annotations

from collections.abc import Iterable

from codemods.native.kinds import OF_VARIABLES, Kind

TENSORS = frozenset({Kind.TENSOR, Kind.PLACEHOLDER, Kind.VARIABLE, Kind.VARIABLES, Kind.GRADIENTS, Kind.COLLECTED})
WHOLE = (
    Kind.UPDATES,  # first: what has updates among other ops is refused
    Kind.TRAIN,
    Kind.ASSIGN,
    Kind.START,
    Kind.INIT,
    Kind.SUMMARY,
    Kind.SESSION,
    Kind.SAVER,
    Kind.WRITER,
    Kind.OPTIMIZER,
    Kind.CONFIG,
    Kind.GRAPH,
    Kind.ITERATOR,
    Kind.FED_DATASET,
    Kind.DATASET,
)
"""Kinds that a container or a group of several kinds has, the first that is in it."""


def joined(kinds: Iterable[Kind]) -> Kind:
    """Returns the kind of a value that is computed from values of these kinds."""
    present = set(kinds)
    for kind in WHOLE:
        if kind in present:
            return kind
    if present & {Kind.GRADIENTS}:
        return Kind.GRADIENTS
    if present & TENSORS:
        return Kind.TENSOR
    return Kind.CONSTANT if Kind.CONSTANT in present else Kind.PYTHON


def container(kinds: Iterable[Kind]) -> Kind:
    """Returns the kind of a list, tuple or dict with parts of these kinds."""
    present = set(kinds)
    if present and present <= OF_VARIABLES | {Kind.PYTHON} and present & OF_VARIABLES:
        return Kind.VARIABLES
    return joined(present)


def chosen(test: Kind, first: Kind, second: Kind) -> Kind:
    """Returns the kind of `first if test else second`. A choice of variables, made once, is one too."""
    kinds = {first, second}
    if test is Kind.PYTHON and kinds == {Kind.VARIABLE}:
        return Kind.VARIABLE
    return container(kinds) if test is Kind.PYTHON and Kind.VARIABLES in kinds else joined((test, *kinds))


def element(kind: Kind) -> Kind:
    """Returns the kind of one part of a container."""
    return Kind.VARIABLE if kind is Kind.VARIABLES else kind
