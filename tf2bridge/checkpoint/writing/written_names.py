"""The names under which tensors are written: a Saver's, or keys of objects together with the graph of objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tf2bridge.checkpoint.writing.object_graph import SAVE_COUNTER, key_of, object_graph
from tf2bridge.checkpoint.writing.outgoing import Outgoing, of_number, of_text
from tf2bridge.checkpoint.writing.refusals import NameClashError
from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.objects import OBJECT_GRAPH, VARIABLE
from tf2bridge.formats.checkpoints.stored import Checkpoint

if TYPE_CHECKING:
    from tf2bridge.checkpoint.mapping import Plan

_NUMBER = re.compile(r".*-(\d{1,18})")
_COUNTER = key_of(SAVE_COUNTER)
BOOKKEEPING = (OBJECT_GRAPH, _COUNTER)
"""What `tf.train.Checkpoint` stores for itself."""


def for_objects(
    tensors: Sequence[Outgoing], source: Checkpoint, destination: Path, plan: Plan | None
) -> dict[str, Outgoing]:
    """Returns key -> tensor, including the graph of objects and the counter of `tf.train.Checkpoint`.

    Raises:
        NameClashError: Two tensors would get the same key.
    """
    by_key = _called(tensors, lambda tensor: tensor.key, destination)
    if plan is None and isinstance(source, Bundle) and source.object_graph:
        by_key[OBJECT_GRAPH] = replace(of_text(OBJECT_GRAPH, source.object_graph), origin=OBJECT_GRAPH)
        return by_key
    _called(tensors, lambda tensor: tensor.info.full_name, destination)
    if _COUNTER not in by_key:
        by_key[_COUNTER] = of_number(SAVE_COUNTER, _number(destination))
    graph = object_graph((key, tensor.info.full_name) for key, tensor in by_key.items())
    by_key[OBJECT_GRAPH] = of_text(OBJECT_GRAPH, graph)
    return by_key


def for_saver(tensors: Sequence[Outgoing], destination: Path, plan: Plan | None) -> dict[str, Outgoing]:
    """Returns name -> tensor: the plan's names, or without a plan the variables' names in TF 1.x.

    Objects' data other than the values of variables is left out.

    Raises:
        NameClashError: Two tensors would get the same name.
    """
    variables = [tensor for tensor in tensors if tensor.key.endswith(VARIABLE) and tensor.key != _COUNTER]
    return _called(variables, lambda tensor: tensor.info.name if plan else tensor.info.full_name, destination)


def by_names(tensors: Sequence[Outgoing], destination: Path) -> dict[str, Outgoing]:
    """Returns name -> tensor; tensors of objects are named by their attributes. Raises NameClashError."""
    return _called(tensors, lambda tensor: tensor.info.name, destination)


def _called(tensors: Sequence[Outgoing], name_of: Callable[[Outgoing], str], destination: Path) -> dict[str, Outgoing]:
    by_name: dict[str, Outgoing] = {}
    for tensor in tensors:
        name = name_of(tensor)
        if name in by_name:
            raise NameClashError(
                destination, name, by_name[name].origin or by_name[name].key, tensor.origin or tensor.key
            )
        by_name[name] = tensor
    return by_name


def _number(destination: Path) -> int:
    """Returns the value of the counter: the number at the end of a name, so that the next checkpoint follows it."""
    match = _NUMBER.fullmatch(destination.name)
    return int(match[1]) if match else 1
