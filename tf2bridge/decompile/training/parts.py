"""Two graphs of a graph that trains: from the inputs to the loss, and from the gradients to the new variables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tf2bridge.decompile.refusals import GradientCutError
from tf2bridge.decompile.training.gradients import Backward, Cut, Cuts, backward_of, start_that_is_not_one
from tf2bridge.decompile.training.train_op import CHANGING, end_of, train_op_of, updates_of
from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.interface import PLACEHOLDERS, Interface, interface
from tf2bridge.formats.graphs.nodes import by_name, data_inputs, dependents, needed, node_of
from tf2bridge.graph.endpoint_spec import spec_of
from tf2bridge.graph.graph_module import GraphModule

_RUN = "tf2bridge_updates"
"""The name of an operation that runs others."""


@dataclass(frozen=True)
class Parts:
    """A training step in two parts.

    Attributes:
        train_op: The name of the node that trains.
        forward: The module from the inputs to the outputs and losses. It runs the updates that need no gradient.
        update: The module from gradients and inputs to new values of variables.
        losses: The numbers of the outputs of `forward` that are added up to each loss.
        cuts: The name of an input of `update` -> the gradient that it is.
        further: The inputs of `update` that `forward` does not have, such as a learning rate.
        taken: The name of an input of `update` -> the number of the output of `forward` that it is.
    """

    train_op: str
    forward: GraphModule
    update: GraphModule
    losses: tuple[tuple[int, ...], ...]
    cuts: Mapping[str, Cut]
    further: tuple[str, ...]
    taken: Mapping[str, int]


def parts_of(module: GraphModule, name: str | None = None) -> Parts:
    """Returns the training step of a graph.

    Args:
        module: The graph.
        name: The train op; None for the only one.

    Raises:
        TrainOpError: There is no train op, or there are several.
        GradientCutError: What the train op does is no step with the gradients of losses.
    """
    nodes = by_name(module.graph.graph_def.node)
    path = module.graph.path
    train_op = train_op_of(module, nodes, name)
    backward = backward_of(nodes, train_op)
    if not backward.scopes:
        raise GradientCutError(path, train_op, "tf.gradients has not made what it takes")
    if start := start_that_is_not_one(nodes, backward):
        why = f"its gradients begin with {start}, which is computed, as grad_ys of tf.gradients"
        raise GradientCutError(path, train_op, why)
    updates = updates_of(nodes, train_op)
    early = _early(nodes, backward, updates)
    late = [update for update in updates if update not in early]
    _check_order(path, nodes, train_op, backward, late)
    ends = _outputs(module, nodes, backward, updates, late)
    used = needed(nodes, [train_op])
    apart = {update: end_of(nodes, update, used) for update in early}
    forward = _forward(module, ends, _not_needed(nodes, backward, apart), late)
    users = needed(_without(nodes, apart.values()), late, backward.inside)
    cuts = Cuts(path, nodes, train_op, backward).all(
        sorted(users), lambda source: spec_of(module.graph.graph_def, nodes, source).dtype
    )
    named = {f"gradient {number}": cut for number, cut in enumerate(cuts)}
    inputs = forward.ends.inputs
    others = interface(module.graph, None, late).inputs if late else {}
    further = {key: source for key, source in others.items() if source not in inputs.values()}
    numbers = {source: number for number, source in enumerate(ends.values())}
    losses = tuple(tuple(numbers[source] for source in sources) for sources in backward.losses)
    taken = {f"output {number}": number for numbers in losses for number in numbers}
    sources = list(ends.values())
    given = {
        **{key: cut.source for key, cut in named.items()},
        **{key: sources[number] for key, number in taken.items()},
        **inputs,
        **further,
    }
    update = _module(
        module,
        _running(module.graph.graph_def, late, [*apart, *apart.values()]),
        Interface(given, {_RUN: _RUN}, "training"),
    )
    return Parts(train_op, forward, update, losses, named, tuple(further), taken)


def _early(nodes: Mapping[str, Any], backward: Backward, updates: Sequence[str]) -> list[str]:
    """Returns the updates that use what the forward pass computes, and no gradient: such as moving averages."""
    losses = needed(nodes, [node_of(source) for sources in backward.losses for source in sources])
    fed = [
        name for name in losses if nodes[name].op in PLACEHOLDERS or (not nodes[name].input and _is_source(nodes[name]))
    ]
    fed_nodes = dependents(nodes.values(), fed, lambda node: node.input) & losses
    inside = backward.inside

    def computed_from(names: Collection[str]) -> set[str]:
        return dependents(nodes.values(), names, lambda node: [] if node.name in inside else data_inputs(node))

    without_gradients = losses | (computed_from(fed_nodes) - computed_from(inside))
    return [update for update in updates if update in without_gradients]


def _not_needed(nodes: Mapping[str, Any], backward: Backward, ends: Mapping[str, str]) -> list[str]:
    """Returns the ends of the updates that no loss needs, so that something else must run them."""
    losses = needed(nodes, [node_of(source) for sources in backward.losses for source in sources])
    return list(dict.fromkeys(end for update, end in ends.items() if update not in losses))


def _is_source(node: Any) -> bool:
    """Returns True for a node without inputs that is neither a constant nor a variable: a queue, a random number."""
    return node.op not in ("Const", "Variable", "VariableV2", "VarHandleOp", "NoOp")


def _check_order(path: Any, nodes: Mapping[str, Any], train_op: str, backward: Backward, late: Sequence[str]) -> None:
    """Raises GradientCutError if gradients are computed after an update that takes others."""
    before = needed(nodes, backward.inside)
    if behind := [update for update in late if update in before]:
        raise GradientCutError(path, train_op, f"gradients are computed after {behind[0]}")


def _outputs(
    module: GraphModule, nodes: Mapping[str, Any], backward: Backward, updates: Sequence[str], late: Sequence[str]
) -> dict[str, str]:
    """Returns the outputs of the forward pass, and the losses.

    Outputs are those of the module that need neither a gradient, as its norm for a summary, nor a late update, nor one
    that the train op does not run: a step would run it, too.
    """
    trained = dependents(nodes.values(), [*late, *backward.inside], lambda node: node.input)
    foreign = {name for name, node in nodes.items() if fits(node.op, CHANGING)}.difference(updates)
    outputs = {
        key: source
        for key, source in module.ends.outputs.items()
        if node_of(source) not in trained and foreign.isdisjoint(needed(nodes, [node_of(source)]))
    }
    for source in (source for sources in backward.losses for source in sources):
        if source not in outputs.values():
            outputs[source.removesuffix(":0")] = source
    return outputs


def _forward(module: GraphModule, outputs: Mapping[str, str], early: Sequence[str], late: Sequence[str]) -> GraphModule:
    """Returns the module that computes outputs, and runs `early` updates, which wait for no `late` ones."""
    wanted = interface(module.graph, None, [*outputs.values(), *early])
    needs = needed(by_name(module.graph.graph_def.node), [*map(node_of, outputs.values()), *early])
    inputs = {key: source for key, source in module.ends.inputs.items() if node_of(source) in needs}
    inputs |= {key: source for key, source in wanted.inputs.items() if source not in inputs.values()}
    graph_def = _running(module.graph.graph_def, early, late) if early else module.graph.graph_def
    ends = {**outputs, **({_RUN: _RUN} if early else {})}
    return _module(module, graph_def, Interface(inputs, ends, "training", module.ends.names))


def _module(module: GraphModule, graph_def: Any, ends: Interface) -> GraphModule:
    """Returns a module of another graph on the variables of a module."""
    graph = replace(module.graph, graph_def=graph_def)
    return module.with_graph(graph, ends)


def _without(nodes: Mapping[str, Any], left_out: Iterable[str]) -> dict[str, Any]:
    names = set(left_out)
    return {name: node for name, node in nodes.items() if name not in names}


def _running(graph_def: Any, run: Sequence[str], without: Iterable[str] = ()) -> Any:
    """Returns a copy of a graph with an operation that runs others.

    Args:
        graph_def: The graph.
        run: What it runs.
        without: Operations that nothing waits for any more.
    """
    copy = type(graph_def)()
    copy.CopyFrom(graph_def)
    waits = {f"^{name}" for name in without}
    if waits:
        for node in copy.node:
            if not waits.isdisjoint(node.input):
                node.input[:] = [source for source in node.input if source not in waits]
    copy.node.add(name=_RUN, op="NoOp", input=[f"^{name}" for name in run])
    return copy
