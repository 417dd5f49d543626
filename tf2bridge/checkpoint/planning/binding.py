"""Binds a plan from a file to live variables: those of the plan, or those of the same code built again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tf2bridge.checkpoint.moves import Target, TargetVariable
from tf2bridge.checkpoint.planning.name_words import words
from tf2bridge.checkpoint.planning.named_targets import target_of
from tf2bridge.checkpoint.planning.plan_data import AnyPlan, PlanData
from tf2bridge.checkpoint.planning.refusals import OtherTargetError


def onto(plan: AnyPlan, given: Any) -> AnyPlan:
    """Returns the plan for the variables of a target; see `Plan.onto`. Raises OtherTargetError."""
    return bound(plan, target_of(given))


def bound(plan: AnyPlan, target: Target) -> AnyPlan:
    """Returns the plan for the variables of a target."""
    names = _names(plan, target)
    theirs = {variable.name: variable for variable in target.variables}
    return replace(
        plan,
        target=target.name,
        moves=tuple(replace(move, target=names[move.target]) for move in plan.moves),
        keeps={names[name]: why for name, why in plan.keeps.items()},
        questions=tuple(replace(question, name=names.get(question.name, question.name)) for question in plan.questions),
        variables={name: theirs[name] for name in names.values()},
        live=target.live,
    )


def _names(plan: PlanData, target: Target) -> dict[str, str]:
    """Returns the name in the target for each variable of the plan.

    The names are equal, or equal except for their numbers; then the order counts. Keras numbers the objects of a
    process, so that the model of a second call is "sequential_1".
    """
    mine, theirs = list(plan.variables.values()), list(target.variables)
    if {variable.name for variable in mine} == {variable.name for variable in theirs}:
        pairs = {variable.name: variable.name for variable in mine}
    elif len(mine) == len(theirs) and all(map(_alike, mine, theirs)):
        pairs = {variable.name: counterpart.name for variable, counterpart in zip(mine, theirs, strict=True)}
    else:
        raise OtherTargetError(target.name, _difference(plan.variables, target))
    shapes = {variable.name: (variable.shape, variable.dtype) for variable in theirs}
    for variable in mine:
        if shapes[pairs[variable.name]] != (variable.shape, variable.dtype):
            shape, dtype = shapes[pairs[variable.name]]
            why = f"{pairs[variable.name]!r} is {dtype} {list(shape)}, and was {variable.dtype} {list(variable.shape)}"
            raise OtherTargetError(target.name, why)
    return pairs


def _alike(variable: TargetVariable, counterpart: TargetVariable) -> bool:
    own_words, other_words = ([word.text for word in words(named.name)] for named in (variable, counterpart))
    return own_words == other_words and (variable.shape, variable.dtype) == (counterpart.shape, counterpart.dtype)


def _difference(variables: Mapping[str, TargetVariable], target: Target) -> str:
    names = {variable.name for variable in target.variables}
    gone = next((name for name in variables if name not in names), "")
    new = next((name for name in names if name not in variables), "")
    return f"it has no variable {gone!r}" if gone else f"the plan does not mention its variable {new!r}"
