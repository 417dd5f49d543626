"""The questions that a plan asks a person, with the likely cause if one is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np

from tf2bridge.checkpoint.moves import Shape, TargetVariable
from tf2bridge.checkpoint.planning.likeness import likeness
from tf2bridge.checkpoint.planning.name_words import Word, words
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.formats.checkpoints.names import twins

_MOST = 8
"""The most candidates that are listed."""

Tensors = Mapping[str, tuple[str, Shape]]
"""Tensor -> its name in today's TensorFlow, its shape."""


def questions(
    variables: Sequence[TargetVariable], tensors: Tensors, called: set[str], refused: Mapping[str, str]
) -> Iterator[Question]:
    """Yields a question for each variable without a value, then one for each tensor without a place.

    Args:
        variables: The variables without a value.
        tensors: The tensors without a place.
        called: The names of all tensors of the checkpoint.
        refused: Variable -> why a cell of the checkpoint does not go into the variable's layer.
    """
    wanted, named = defaultdict(list), defaultdict(list)
    for variable in variables:
        wanted[variable.shape].append(variable.name)
    for name, (_, shape) in tensors.items():
        named[shape].append(name)
    near: dict[str, tuple[str, ...]] = {}
    for shape in wanted.keys() & named.keys():
        near |= _nearest(wanted[shape], {name: tensors[name][0] for name in named[shape]})
    by_end: dict[Word, list[str]] = defaultdict(list)
    for name, (called_name, _) in tensors.items():
        by_end[words(called_name)[-1:][0] if words(called_name) else Word("")].append(name)
    asked_for: dict[str, str] = {}
    for variable in variables:
        if variable.name in refused:
            yield Question(variable.name, "variable", refused[variable.name])
            continue
        question = _of_variable(variable, near.get(variable.name, ()), len(named[variable.shape]), by_end, tensors)
        asked_for |= dict.fromkeys(question.candidates, variable.name) if variable.name not in near else {}
        yield question
    for name, (called_name, shape) in tensors.items():
        if name in asked_for and name not in near:
            yield Question(name, "tensor", f"{asked_for[name]} has the same name and another shape")
        else:
            yield _of_tensor(name, called_name, near.get(name, ()), len(wanted[shape]), called)


def _nearest(variables: Sequence[str], tensors: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Returns each name of one side -> names of the other side, most similar first."""
    names = list(tensors)
    alike = likeness([words(name) for name in tensors.values()], [words(name) for name in variables])
    nearest = {}
    for at, variable in enumerate(variables):
        nearest[variable] = tuple(names[row] for row in np.argsort(-alike[:, at], kind="stable")[:_MOST])
    for at, name in enumerate(names):
        nearest[name] = tuple(variables[column] for column in np.argsort(-alike[at], kind="stable")[:_MOST])
    return nearest


def _of_variable(
    variable: TargetVariable, near: tuple[str, ...], count: int, by_end: Mapping[Word, list[str]], tensors: Tensors
) -> Question:
    if near:
        why = f"{count} tensors of its shape {list(variable.shape)} are left; neither names nor order settle which"
        return Question(variable.name, "variable", why, near)
    mine = words(variable.name)
    same = [name for name in by_end.get(mine[-1], ()) if _alike(words(tensors[name][0]), mine)] if mine else []
    if same:
        shape = tensors[same[0]][1]
        why = f"{same[0]!r} has the same name, and the shape {list(shape)}, not {list(variable.shape)}"
        return Question(variable.name, "variable", f"{why}: {cause(shape, variable.shape)}", tuple(same[:_MOST]))
    why = f"no tensor of the shape {list(variable.shape)} is left in the checkpoint"
    if variable.role == "gamma":
        why += "; slim and tf.contrib.layers make none (scale=False), and the layer can be built so"
    return Question(variable.name, "variable", why)


def _of_tensor(name: str, called: str, near: tuple[str, ...], count: int, stored_names: set[str]) -> Question:
    if near:
        return Question(
            name, "tensor", f"{count} variables of its shape have no value; neither names nor order settle which", near
        )
    why = "the target has no variable for it"
    for twin in twins(called):
        if twin in stored_names:
            why += f"; its twin {twin!r} was made before it: a program that builds its model twice makes both"
            break
    return Question(name, "tensor", why)


def _alike(words_of_source: Sequence[Word], words_of_target: Sequence[Word]) -> bool:
    return bool(words_of_source) and (
        words_of_source == words_of_target[-len(words_of_source) :]
        or words_of_target == words_of_source[-len(words_of_target) :]
    )


def cause(shape: Shape, wanted: Shape) -> str:
    """Returns the likely reason why two shapes differ."""
    if sorted(shape) == sorted(wanted):
        return "transposed; give the move a step of kind 'transpose'"
    if prod(shape) == prod(wanted):
        return "the same number of values in another shape; give the move a step of kind 'reshape' if that is all"
    if len(shape) == len(wanted):
        unlike = [
            axis for axis, (size, wanted_size) in enumerate(zip(shape, wanted, strict=True)) if size != wanted_size
        ]
        if unlike == [len(shape) - 1]:
            return "another number of outputs (classes, units)"
        if unlike == [0]:
            return "another number of inputs (words of a vocabulary, features)"
    return "another architecture"
