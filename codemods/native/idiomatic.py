"""Optimizers of Keras in place of the exact classes: `--idiomatic`.

`choose` decides for each optimizer of a program whether Keras has it. What Keras lacks stays exact, with the reason.
"""

from __future__ import annotations

import ast

from codemods.native import keras_schedules, machinery
from codemods.native.choices import KerasChoice
from codemods.native.keras_optimizers import COUNTERPARTS
from codemods.native.kinds import Kind
from codemods.native.legacy_optimizers import LEGACY, KerasOptimizer
from codemods.native.state import Rewriting


def choose(state: Rewriting) -> None:
    """Decides for each optimizer whether it becomes one of Keras, and notes the choices; if `--idiomatic` is given."""
    if not state.is_idiomatic:
        return
    for index, name in state.planner.classes.items():
        item = state.body.items[index]
        calls = machinery.optimizer_calls(item.node, state.names)
        made = _optimizer(state, index, name, calls)
        line = getattr(calls[0] if calls else item.node, "lineno", 1)
        where = f"{state.file(line)}:{state.line(line)}"
        if isinstance(made, str):
            state.choices.append(KerasChoice("optimizer", "", made, legacy=where))
            continue
        state.planner.keras[index] = made
        state.planner.rates.pop(index, None)
        if made.schedule is not None and isinstance(made.given["learning_rate"], ast.Name):
            item.reads -= {made.given["learning_rate"].id}  # the functions need not compute it
        if made.rate is not None:
            state.planner.rates[index] = made.rate
        why = "; ".join(filter(None, (made.counterpart.differs, made.counterpart.first)))
        keras = f"keras.optimizers.{made.counterpart.kind}"
        state.choices.append(KerasChoice("optimizer", keras, why, legacy=where, slots=made.slots()))
        state.translation.imports.add("keras")


def _optimizer(state: Rewriting, index: int, name: str, calls: list[ast.Call]) -> KerasOptimizer | str:
    """Returns what stands for an optimizer; or why Keras has nothing that does."""
    if len(calls) != 1:
        return "the statement makes several optimizers"
    if name not in LEGACY:
        return f"Keras has no {name}"
    (call,) = calls
    legacy = LEGACY[name]
    given: dict[str, ast.expr] = dict(zip(legacy.parameters, call.args, strict=False))
    given |= {keyword.arg or "**": keyword.value for keyword in call.keywords}
    unknown = sorted(given.keys() - legacy.parameters.keys())
    if unknown or any(isinstance(argument, ast.Starred) for argument in call.args):
        return f"the source does not say what the argument {(unknown or ['*'])[0]} is"
    centered = given.get("centered")
    if centered is not None and not (isinstance(centered, ast.Constant) and not centered.value):
        return "centered RMSProp is not supported"
    if _uses(state, index) > 1:
        return "several training ops share it, and an optimizer of Keras keeps to the variables of the first"
    if legacy.slots and any(item.effects.taken for item in state.body.items):
        return "the step waits for an element of a dataset, and Keras makes its slots in the step"
    item = state.body.items[index]
    scratch = state.meanings.at(item.places)
    rate = given.get("learning_rate")
    schedule = keras_schedules.schedule_of(state, index, rate)
    if schedule is not None:
        return KerasOptimizer(COUNTERPARTS[name], legacy, given, None, schedule)
    is_variable = rate is not None and scratch.kind(rate) is Kind.VARIABLE
    return KerasOptimizer(COUNTERPARTS[name], legacy, given, rate if is_variable else state.planner.rates.get(index))


def _uses(state: Rewriting, index: int) -> int:
    """Returns how many training ops use the optimizer that a statement makes."""
    count = 0
    for at, steps in state.planner.steps.items():
        for step in steps:
            if step.method not in ("minimize", "apply_gradients") or step.optimizer is None:
                continue
            count += keras_schedules.maker(state, at, step) == index
    return count


def constructed(state: Rewriting, made: KerasOptimizer) -> str:
    """Returns the call that makes an optimizer of Keras."""
    text = state.source.text_of
    rate = made.given.get("learning_rate")
    parts = []
    if made.rate is not None:
        parts.append("0.0")  # the rate comes before each step
    elif made.schedule is not None:
        parts.append(state.schedules[made.schedule])
    elif isinstance(rate, ast.Constant) and isinstance(rate.value, float):
        parts.append(text(rate))
    elif isinstance(rate, ast.Constant) and isinstance(rate.value, int):
        parts.append(repr(float(rate.value)))
    elif rate is not None:
        parts.append(f"float({text(rate)})")  # Keras takes no other number
    for name, value in made.arguments():
        parts.append(f"{name}={text(value) if isinstance(value, ast.expr) else repr(value)}")
    return f"keras.optimizers.{made.counterpart.kind}({', '.join(parts)})"
