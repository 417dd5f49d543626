"""Datasets and iterators of `tf.data`: which calls make them, and what their methods give.

A dataset stays where it is, since TensorFlow 2 has the same classes. One that is made of placeholders becomes a
function of them. An iterator becomes `iter(dataset)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from codemods.names import Names
from codemods.native.counterparts import DATASETS
from codemods.native.kinds import OF_VARIABLES, Kind, v1_name
from codemods.native.missing_names import message_of
from codemods.native.places import place_of, uses
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

if TYPE_CHECKING:
    from codemods.native.meanings import Meanings

OF_DATA = frozenset({Kind.DATASET, Kind.FED_DATASET, Kind.ITERATOR})
ONE_SHOT, INITIALIZABLE = "make_one_shot_iterator", "make_initializable_iterator"
FROM_STRUCTURE = "data.Iterator.from_structure"
_METHODS = frozenset(
    (
        "batch", "cache", "concatenate", "enumerate", "filter", "flat_map", "interleave", "map", "padded_batch",
        "prefetch", "repeat", "shard", "shuffle", "skip", "take",
    )
)  # fmt: skip
"""Methods that have the same parameters, in the same order, in TensorFlow 1.4 to 2.21."""
_CHANGING = frozenset({Kind.TENSOR, Kind.PLACEHOLDER, Kind.GRADIENTS, Kind.COLLECTED, *OF_VARIABLES})


def makes_iterator(call: ast.Call, names: Names) -> bool:
    """Returns whether a call makes an iterator of a dataset."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return name in (ONE_SHOT, INITIALIZABLE) or v1_name(names, call.func) == FROM_STRUCTURE


def kind_of_data(meanings: Meanings, node: ast.Call, name: str, kinds: Sequence[Kind]) -> Kind:
    """Returns the kind of a call of a name below `tf.data`.

    Raises:
        NotNativeError: It has no counterpart.
    """
    if name in (f"data.{ONE_SHOT}", f"data.{INITIALIZABLE}") and len(node.args) == 1:
        return _iterator(meanings, node, kinds[0])
    if name == FROM_STRUCTURE:
        return _iterator(meanings, node, Kind.DATASET)
    if name not in DATASETS:
        raise NotNativeError(node, "NAT001", message_of(node, name))
    return _made_of(node, [kind for part in node.args for kind in _kinds(meanings, part)] + [*kinds[len(node.args) :]])


def _kinds(meanings: Meanings, part: ast.expr) -> list[Kind]:
    """Returns the kinds of the parts of an argument."""
    if isinstance(part, (ast.Tuple, ast.List)):
        return [kind for below in part.elts for kind in _kinds(meanings, below)]
    if isinstance(part, ast.Dict):
        return [kind for below in part.values for kind in _kinds(meanings, below)]
    return [meanings.kind(part)]


def kind_of_method(meanings: Meanings, node: ast.Call, of: Kind, kinds: Sequence[Kind]) -> Kind:
    """Returns the kind of a call of a method of a dataset or an iterator.

    Raises:
        NotNativeError: It has no counterpart.
    """
    assert isinstance(node.func, ast.Attribute)
    method = node.func.attr
    if of is Kind.ITERATOR and method == "get_next" and place_of(node.func.value) is not None:
        meanings.effects.taken.append(node)
        return Kind.TENSOR
    if of is Kind.ITERATOR and method == "make_initializer" and len(node.args) == 1:
        return Kind.START
    if of is not Kind.ITERATOR and method in (ONE_SHOT, INITIALIZABLE):
        return _iterator(meanings, node, of)
    if of is Kind.ITERATOR or method not in _METHODS:
        what = "an iterator that has a name" if of is Kind.ITERATOR else of.value
        raise NotNativeError(node, "NAT001", f"the method {method} of {what} has no counterpart")
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    for part in given:
        _require_pure_function(meanings, part)
    functions = [isinstance(part, ast.Lambda) for part in given]
    return _made_of(node, [of, *(kind for kind, skip in zip(kinds, functions, strict=True) if not skip)])


def kind_of_attribute(meanings: Meanings, node: ast.Attribute, of: Kind) -> Kind:
    """Returns the kind of an attribute of a dataset or an iterator.

    Raises:
        NotNativeError: It has no counterpart.
    """
    if of is Kind.ITERATOR and node.attr == "initializer":
        return Kind.START
    reader = meanings.names.parents.get(node)
    if isinstance(reader, ast.keyword):
        reader = meanings.names.parents.get(reader)
    if isinstance(reader, ast.Call) and v1_name(meanings.names, reader.func) == FROM_STRUCTURE:
        return Kind.PYTHON  # the call vanishes
    raise NotNativeError(node, "NAT001", f"{node.attr} of {of.value} has no counterpart")


def require_no_print(node: ast.Call, kinds: Sequence[Kind]) -> None:
    """Refuses `print(dataset)`.

    Raises:
        NotNativeError: This is one.
    """
    if isinstance(node.func, ast.Name) and node.func.id == "print" and OF_DATA & {*kinds}:
        raise NotNativeError(node, "NAT003", "TensorFlow 1 prints a dataset in other words; remove it")


def _iterator(meanings: Meanings, node: ast.Call, of: Kind) -> Kind:
    if of not in (Kind.DATASET, Kind.FED_DATASET):
        raise NotNativeError(node, "NAT001", f"an iterator of {of.value} has no counterpart")
    meanings.effects.iterators.append(node)
    return Kind.ITERATOR


def _made_of(node: ast.Call, kinds: Iterable[Kind]) -> Kind:
    present = set(kinds)
    if present & {Kind.PLACEHOLDER, Kind.FED_DATASET}:
        present -= {Kind.PLACEHOLDER}
        wrong = present & _CHANGING
    else:
        wrong = present - {Kind.PYTHON, Kind.CONSTANT, Kind.DATASET}
    if wrong:
        what = min(kind.value for kind in wrong)
        raise NotNativeError(node, "NAT008", f"this dataset is made of {what}; make it of arrays")
    return Kind.FED_DATASET if present & {Kind.FED_DATASET} or {*kinds} & {Kind.PLACEHOLDER} else Kind.DATASET


def _require_pure_function(meanings: Meanings, part: ast.expr) -> None:
    """Refuses a function that a dataset calls, if it reads the graph, or makes variables.

    Raises:
        NotNativeError: It does.
    """
    place = place_of(part)
    function = part if isinstance(part, ast.Lambda) else meanings.functions.get(place or "")
    if function is None:
        return
    for read, _ in uses(function):
        if meanings.places.get(read) in _CHANGING:
            kind = meanings.places[read].value
            raise NotNativeError(part, "NAT008", f"this function of a dataset reads {read}, {kind} of the graph")
    names = (v1_name(meanings.names, call.func) for call in walk(function) if isinstance(call, ast.Call))
    if any(name in ("Variable", "get_variable") or (name or "").startswith(("layers.", "contrib.")) for name in names):
        raise NotNativeError(part, "NAT005", "this function of a dataset makes variables")
