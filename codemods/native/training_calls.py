"""Writes the optimizers of a native program, and the calls that take gradients."""

from __future__ import annotations

import ast

from codemods.native import idiomatic, keras_schedules, machinery
from codemods.native.items import Item
from codemods.native.kinds import Kind
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.state import Rewriting
from codemods.native.training import Step


def name_optimizers(state: Rewriting) -> None:
    """Gives a name to optimizers that a training op makes in place."""
    for item in state.body.items:
        if item.kind is Kind.TRAIN and item.index in state.planner.classes:
            place = next(iter(item.writes), "")
            wished = place if "optim" in place.lower() or place == "opt" else "optimizer"
            if wished in state.planner.taken and wished != place:
                wished = state.planner.free(f"{place.removeprefix('self.')}_optimizer")
            state.planner.taken.add(wished)
            state.made_optimizers[item.index] = wished


def write_training(state: Rewriting) -> None:
    """Writes the constructors of optimizers, and the calls that take gradients."""
    keras_schedules.read_schedules(state)
    for index, chosen in state.planner.exact_classes.items():
        for call in machinery.optimizer_calls(state.body.items[index].node, state.names):
            state.source.replace(state.source.span(call.func), chosen)
    for index, steps in state.planner.steps.items():
        for step in steps:
            _gradients(state, state.body.items[index], step)


def _gradients(state: Rewriting, item: Item, step: Step) -> None:
    text = state.source.text_of
    of_what = step.differentiated
    if step.method in ("compute_gradients", "gradients") and (of_what is None or place_of(of_what) is None):
        raise NotNativeError(step.call, "NAT008", "give what the gradients are of a name, in a statement of its own")
    if step.method == "compute_gradients":
        loss, chosen = step.given["loss"], step.given.get("var_list")
        variables = text(chosen) if chosen is not None else "tape.watched_variables()"
        new = f"list(zip(tape.gradient({text(loss)}, {variables}), {variables}))"
        state.source.replace(state.source.span(step.call), new)
    elif step.method == "gradients":
        loss, of = step.given["ys"], step.given["xs"]
        kind = state.meanings.at(item.places).kind(of)
        if kind is Kind.VARIABLE:
            new = f"[tape.gradient({text(loss)}, {text(of)})]"
        elif kind in (Kind.VARIABLES, Kind.COLLECTED):
            new = f"tape.gradient({text(loss)}, {text(of)})"
        else:
            raise NotNativeError(step.call, "NAT008", "gradients of tensors that are not variables are not supported")
        state.source.replace(state.source.span(step.call), new)


def write_optimizers(state: Rewriting) -> None:
    """Leaves the optimizer of `train_op = Adam(rate).minimize(loss)` where it was made."""
    for index, name in state.made_optimizers.items():
        node = state.body.items[index].node
        call = machinery.optimizer_calls(node, state.names)[0]
        state.source.replace(state.source.span(node), f"{name} = {_constructed(state, index, call)}")
    for item in state.body.items:
        if item.kind is Kind.OPTIMIZER:
            for call in machinery.optimizer_calls(item.node, state.names):
                state.source.replace(state.source.span(call), _constructed(state, item.index, call))


def _constructed(state: Rewriting, index: int, call: ast.Call) -> str:
    """Returns the call that makes an optimizer; a learning rate that is a tensor comes with each step instead."""
    if index in state.planner.keras:
        return idiomatic.constructed(state, state.planner.keras[index])
    rate = state.planner.rates.get(index)
    if rate is not None:
        state.source.replace(state.source.span(rate), "None")
    return state.source.text_of(call)
