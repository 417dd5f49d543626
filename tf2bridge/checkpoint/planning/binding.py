"""A plan from a file for live variables: those it was made for, or those of the same code that were made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tf2bridge.checkpoint.moves import Target, TargetVariable
from tf2bridge.checkpoint.planning.plan_data import AnyPlan, PlanData
from tf2bridge.checkpoint.planning.refusals import OtherTargetError
from tf2bridge.checkpoint.planning.targets import target_of
from tf2bridge.checkpoint.planning.words import words


def onto(plan: AnyPlan, given: Any) -> AnyPlan:
    """Returns the plan for the variables of a target: see `Plan.onto`. Raises OtherTargetError."""
    return bound(plan, target_of(given))


def bound(plan: AnyPlan, target: Target) -> AnyPlan:
    """The same for a target that is known."""
    names = _names(plan, target)
    theirs = {each.name: each for each in target.variables}
    return replace(
        plan,
        target=target.name,
        moves=tuple(replace(move, target=names[move.target]) for move in plan.moves),
        keeps={names[name]: why for name, why in plan.keeps.items()},
        questions=tuple(replace(each, name=names.get(each.name, each.name)) for each in plan.questions),
        variables={name: theirs[name] for name in names.values()},
        live=target.live,
    )


def _names(plan: PlanData, target: Target) -> dict[str, str]:
    """What each variable of the plan is called in the target: the same, or the same with other numbers, in order.

    Keras numbers what a process makes, so that the model of the second call is "sequential_1".
    """
    mine, theirs = list(plan.variables.values()), list(target.variables)
    if {each.name for each in mine} == {each.name for each in theirs}:
        pairs = {each.name: each.name for each in mine}
    elif len(mine) == len(theirs) and all(map(_alike, mine, theirs)):
        pairs = {one.name: other.name for one, other in zip(mine, theirs, strict=True)}
    else:
        raise OtherTargetError(target.name, _difference(plan.variables, target))
    shapes = {each.name: (each.shape, each.dtype) for each in theirs}
    for each in mine:
        if shapes[pairs[each.name]] != (each.shape, each.dtype):
            shape, dtype = shapes[pairs[each.name]]
            why = f"{pairs[each.name]!r} is {dtype} {list(shape)}, and was {each.dtype} {list(each.shape)}"
            raise OtherTargetError(target.name, why)
    return pairs


def _alike(one: TargetVariable, other: TargetVariable) -> bool:
    said, theirs = ([word.text for word in words(each.name)] for each in (one, other))
    return said == theirs and (one.shape, one.dtype) == (other.shape, other.dtype)


def _difference(variables: Mapping[str, TargetVariable], target: Target) -> str:
    held = {each.name for each in target.variables}
    gone = next((name for name in variables if name not in held), "")
    new = next((name for name in held if name not in variables), "")
    return f"it has no variable {gone!r}" if gone else f"the plan says nothing of its variable {new!r}"
