"""Draws in graphs for sessions: seeds are fed at each run, for the ops that the run reaches."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tf2bridge.proof.randomness.counting import Site
from tf2bridge.proof.randomness.keys import of_variable
from tf2bridge.proof.randomness.refusals import DrawInLoopError, UncontrolledCallError, UncontrolledDrawError

PLACEHOLDER = "seeds_that_controlled_random_feeds_in_sessions"

UNCONTROLLED = (
    *("RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal", "ParameterizedTruncatedNormal"),
    *("RandomShuffle", "Multinomial", "RandomGamma", "RandomPoisson", "RandomPoissonV2", "RandomCrop"),
    *("RandomShuffleQueue", "RandomShuffleQueueV2", "SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2"),
    *("UniformCandidateSampler", "LogUniformCandidateSampler", "LearnedUnigramCandidateSampler"),
    *("FixedUnigramCandidateSampler", "ThreadUnsafeUnigramCandidateSampler", "AllCandidateSampler"),
    *("FractionalMaxPool", "FractionalAvgPool"),
)
"""Types of stateful random ops (core/ops/*.cc, those that draw from `seed` and `seed2`)."""


@dataclass
class GraphDraws:
    """The draws of one graph: the placeholder of their seeds, and each one's op that takes its own out of it."""

    placeholder: Any
    sites: list[Site] = field(default_factory=list)
    by_op: dict[Any, int] = field(default_factory=dict)
    reached: dict[Any, tuple[int, ...]] = field(default_factory=dict)
    version: int = -1
    names: dict[int, str] = field(default_factory=dict)


_of_graphs: weakref.WeakKeyDictionary[Any, dict[int, GraphDraws]] = weakref.WeakKeyDictionary()


def fed_seeds(control: Any, site: Site) -> Any:
    """Returns the seeds of a new op of the default graph, or of a function in it: a row of what each run is fed."""
    from tf2bridge.internals.framework import ops

    _refuse_loops(ops.get_default_graph(), site)
    with ops.init_scope():
        graph = ops.get_default_graph()
        with graph.name_scope(None), graph.device(None):
            draws = _draws(control, graph)
            row = draws.placeholder[len(draws.sites)]
    draws.by_op[row.op] = len(draws.sites)
    if site.slot is None:
        site.slot = control.counting.slot(site)
    draws.sites.append(site)
    return row


def feeds(control: Any, graph: Any, fetches: Iterable[Any], fed: Collection[Any]) -> tuple[Any, Any] | None:
    """Counts the draws of one run, which fetches tensors and operations, and returns (placeholder, its value).

    None where the run draws nothing. Raises UncontrolledDrawError, DrawInThreadError.
    """
    known = draws_of(control, graph, fetches, fed)
    if known is None:
        return None
    draws, numbers = known
    if control.by == "name":
        _name(control, draws, graph)
    control.check_thread(draws.sites[numbers[0]].where)
    value = [(0, 0)] * len(draws.sites)
    for number in numbers:
        value[number] = control.counting.take(draws.sites[number])
    return draws.placeholder, np.asarray(value, np.int32)


def draws_of(
    control: Any, graph: Any, fetches: Iterable[Any], fed: Collection[Any]
) -> tuple[GraphDraws, tuple[int, ...]] | None:
    """Returns the numbers of the draws that a run reaches; None if it draws nothing.

    Raises UncontrolledDrawError.
    """
    draws = _of_graphs.get(graph, {}).get(id(control)) or GraphDraws(None)
    key = (graph.version, tuple(map(_ref, fetches)), frozenset(tensor.ref() for tensor in fed))
    if key not in draws.reached:
        draws.reached[key] = _reached(draws, fetches, key[2], control.allow_ops)
    return (draws, draws.reached[key]) if draws.reached[key] else None


def _draws(control: Any, graph: Any) -> GraphDraws:
    from tf2bridge.internals.ops import array_ops

    of_graph = _of_graphs.setdefault(graph, {})
    if id(control) not in of_graph:
        of_graph[id(control)] = GraphDraws(array_ops.placeholder("int32", [None, 2], name=PLACEHOLDER))
    return of_graph[id(control)]


def _refuse_loops(graph: Any, site: Site) -> None:
    from tf2bridge.internals.ops import WhileBodyFuncGraph, WhileCondFuncGraph, control_flow_util

    inner = graph
    while graph is not None:
        looped = isinstance(graph, WhileBodyFuncGraph | WhileCondFuncGraph)
        if looped or control_flow_util.GetContainingWhileContext(graph._get_control_flow_context()) is not None:
            raise DrawInLoopError(site.name or inner.name, site.where)
        graph = getattr(graph, "outer_graph", None)


def refuse_xla(graph: Any, site: Site) -> None:
    """Raises UncontrolledCallError in a function for XLA, whose kernels make other floats of the same seed (2.21)."""
    from tf2bridge.internals.ops import control_flow_util

    if control_flow_util.GraphOrParentsInXlaContext(graph):
        raise UncontrolledCallError(f"{site.where}: a draw compiled by XLA", "say jit_compile=False")


def _reached(
    draws: GraphDraws, fetches: Iterable[Any], fed: Collection[Any], allowed: Collection[str]
) -> tuple[int, ...]:
    ops = _behind([getattr(fetch, "op", fetch) for fetch in fetches if _ref(fetch) not in fed], fed)
    wild = [f"{op.name} ({op.type})" for op in ops if op.type in UNCONTROLLED and op.type not in allowed]
    if wild:
        raise UncontrolledDrawError(sorted(wild))
    return tuple(sorted(draws.by_op[op] for op in ops if op in draws.by_op))


def _behind(ends: Iterable[Any], fed: Collection[Any] = ()) -> set[Any]:
    """Returns the operations that must run for others to run, those included."""
    ops = set(ends)
    waiting = list(ops)
    while waiting:
        op = waiting.pop()
        above = {tensor.op for tensor in op.inputs if tensor.ref() not in fed} | set(op.control_inputs)
        waiting.extend(above - ops)
        ops |= above
    return ops


def _ref(tensor: Any) -> Any:
    return tensor.ref() if hasattr(tensor, "ref") else tensor


def _name(control: Any, draws: GraphDraws, graph: Any) -> None:
    """Names the draws: by the first variable that each initializes, else by its scope; a second of a name is "x:1"."""
    if draws.version == graph.version:
        return
    for variable in (*graph.get_collection("variables"), *graph.get_collection("local_variables")):
        for op in _behind([variable.initializer]) & draws.by_op.keys():
            draws.names.setdefault(draws.by_op[op], of_variable(variable.op.name))
    seen: dict[str, int] = {}
    for number, site in enumerate(draws.sites):
        key = draws.names.get(number, site.key)
        seen[key] = seen.get(key, -1) + 1
        control.counting.name_site(site, f"{key}:{seen[key]}" if seen[key] else key)
    draws.version = graph.version
