"""What a plan asks of a person, with the likely cause where one is seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import prod

import numpy as np

from tf2bridge.checkpoint.moves import Shape, TargetVariable
from tf2bridge.checkpoint.planning.likeness import likeness
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.planning.words import Word, words
from tf2bridge.formats.checkpoints.names import twins

_MOST = 8
"""So many candidates are listed."""

Tensors = Mapping[str, tuple[str, Shape]]
"""Tensor -> what it is called, its shape."""


def questions(
    variables: Sequence[TargetVariable], tensors: Tensors, called: set[str], refused: Mapping[str, str]
) -> Iterator[Question]:
    """Yields a question for each variable without a value, then one for each tensor without a place.

    called: what all tensors of the checkpoint are called. refused: variable -> why the cell that is there for it does
    not go into its layer.
    """
    wanted, held = defaultdict(list), defaultdict(list)
    for variable in variables:
        wanted[variable.shape].append(variable.name)
    for name, (_, shape) in tensors.items():
        held[shape].append(name)
    near: dict[str, tuple[str, ...]] = {}
    for shape in wanted.keys() & held.keys():
        near |= _nearest(wanted[shape], {name: tensors[name][0] for name in held[shape]})
    by_end: dict[Word, list[str]] = defaultdict(list)
    for name, (each, _) in tensors.items():
        by_end[words(each)[-1:][0] if words(each) else Word("")].append(name)
    asked_for: dict[str, str] = {}
    for variable in variables:
        if variable.name in refused:
            yield Question(variable.name, "variable", refused[variable.name])
            continue
        found = _of_variable(variable, near.get(variable.name, ()), len(held[variable.shape]), by_end, tensors)
        asked_for |= dict.fromkeys(found.candidates, variable.name) if variable.name not in near else {}
        yield found
    for name, (each, shape) in tensors.items():
        if name in asked_for and name not in near:
            yield Question(name, "tensor", f"{asked_for[name]} is called so, and has another shape")
        else:
            yield _of_tensor(name, each, near.get(name, ()), len(wanted[shape]), called)


def _nearest(variables: Sequence[str], tensors: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Each name of one side -> those of the other side, the most alike first."""
    names = list(tensors)
    alike = likeness([words(each) for each in tensors.values()], [words(each) for each in variables])
    found = {}
    for at, variable in enumerate(variables):
        found[variable] = tuple(names[row] for row in np.argsort(-alike[:, at], kind="stable")[:_MOST])
    for at, name in enumerate(names):
        found[name] = tuple(variables[column] for column in np.argsort(-alike[at], kind="stable")[:_MOST])
    return found


def _of_variable(
    variable: TargetVariable, near: tuple[str, ...], count: int, by_end: Mapping[Word, list[str]], tensors: Tensors
) -> Question:
    if near:
        why = f"{count} of its shape {list(variable.shape)} are left, and neither names nor order settle which"
        return Question(variable.name, "variable", why, near)
    mine = words(variable.name)
    same = [name for name in by_end.get(mine[-1], ()) if _alike(words(tensors[name][0]), mine)] if mine else []
    if same:
        found = tensors[same[0]][1]
        why = f"{same[0]!r} is called so, and has the shape {list(found)}, not {list(variable.shape)}"
        return Question(variable.name, "variable", f"{why}: {cause(found, variable.shape)}", tuple(same[:_MOST]))
    why = f"no tensor of the shape {list(variable.shape)} is left in the checkpoint"
    if variable.role == "gamma":
        why += "; slim and tf.contrib.layers make none (scale=False), and the layer may be built so"
    return Question(variable.name, "variable", why)


def _of_tensor(name: str, called: str, near: tuple[str, ...], count: int, others: set[str]) -> Question:
    if near:
        return Question(
            name, "tensor", f"{count} variables of its shape have no value, and nothing settles which", near
        )
    why = "the target has no variable for it"
    for twin in twins(called):
        if twin in others:
            why += f"; its twin {twin!r} was made before it: a program that builds its model twice makes both"
            break
    return Question(name, "tensor", why)


def _alike(one: Sequence[Word], other: Sequence[Word]) -> bool:
    return bool(one) and (one == other[-len(one) :] or other == one[-len(other) :])


def cause(found: Shape, wanted: Shape) -> str:
    """What two shapes that do not fit are likely to come from."""
    if sorted(found) == sorted(wanted):
        return "transposed; give the move a step of kind 'transpose'"
    if prod(found) == prod(wanted):
        return "the same number of values in another shape; give the move a step of kind 'reshape' if that is all"
    if len(found) == len(wanted):
        unlike = [axis for axis, (one, other) in enumerate(zip(found, wanted, strict=True)) if one != other]
        if unlike == [len(found) - 1]:
            return "another number of outputs (classes, units)"
        if unlike == [0]:
            return "another number of inputs (words of a vocabulary, features)"
    return "another architecture"
