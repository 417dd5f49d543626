"""Prepares a part of a legacy graph for a function of TensorFlow 2, by a list of passes."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tf2bridge.behaviour.old_ops import cast_nodes
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.failures import named
from tf2bridge.formats.graphs.lookup_operations import FILLED_FROM_FILE
from tf2bridge.formats.graphs.nodes import by_name
from tf2bridge.graph.gradient_registration import register
from tf2bridge.graph.op_checks import check_known, check_permitted
from tf2bridge.graph.passes.array_handles import with_resource_handles
from tf2bridge.graph.passes.conditions import functional_conditions
from tf2bridge.graph.passes.cudnn_rnn import CUDNN
from tf2bridge.graph.passes.expansions import Expansion
from tf2bridge.graph.passes.function_gradients import with_function_gradients
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.function_names import with_own_functions, without_unused
from tf2bridge.graph.passes.fused_cells import CELLS
from tf2bridge.graph.passes.inline_calls import with_calls_inlined
from tf2bridge.graph.passes.layer_norms import with_their_epsilon
from tf2bridge.graph.passes.loops import functional_loops
from tf2bridge.graph.passes.matrix_diagonals import BANDS
from tf2bridge.graph.passes.numbered_gradients import without_numbered_gradients
from tf2bridge.graph.passes.output_shapes import with_output_shapes
from tf2bridge.graph.passes.part import Part, Pass, on_nodes
from tf2bridge.graph.passes.prune import pruned, stand_in
from tf2bridge.graph.passes.python_tokens import PYTHON, with_tokens
from tf2bridge.graph.passes.quantized import QUANTIZED, with_whole_ranges
from tf2bridge.graph.passes.removed_ops import REMOVED, UNKNOWN
from tf2bridge.graph.passes.resource_tables import with_resource_tables
from tf2bridge.graph.passes.settled_switches import without_settled_switches
from tf2bridge.graph.passes.symbolic_gradients import symbolic_gradients
from tf2bridge.graph.passes.tensor_lists import with_tensor_lists
from tf2bridge.graph.passes.variables import with_resource_variables
from tf2bridge.internals.protos import graph_pb2

if TYPE_CHECKING:
    from tf2bridge.graph.python_functions import PythonFunctions

_NO_OLD_ARRAYS = 26
"""TensorFlow has no TensorArray handles of strings from this GraphDef version on (core/public/version.h)."""


@dataclass
class Prepared:
    """A graph that TensorFlow 2 can run.

    Attributes:
        graph_def: the nodes that the fetches need.
        fetches: an endpoint or the name of an operation for each fetch.
    """

    graph_def: Any
    fetches: Sequence[str]

    def taken(self) -> Any:
        """Returns the graph and drops it here, to free the memory of its constants once it is imported."""
        graph_def, self.graph_def = self.graph_def, None
        return graph_def


def prepared(
    graph_def: Any,
    feeds: Mapping[str, Any],
    fetches: Sequence[str],
    python: PythonFunctions | None = None,
    expansions: Mapping[str, Expansion] = MappingProxyType({}),
    allow_ops: Collection[str] = (),
) -> Prepared:
    """Returns the part of a graph that computes the fetches from the feeds, in operations of TensorFlow 2.

    Args:
        graph_def: a GraphDef of TensorFlow 0.12 to 1.15; it is not changed.
        feeds: endpoint -> the `Placeholder` (a NodeDef) that replaces it.
        fetches: endpoints ("y:0") or names of operations ("train").
        python: the Python functions of a graph from a file; None leaves the tokens of a graph of this process.
        expansions: type of a further operation to replace -> the function that computes it.
        allow_ops: patterns of operation types that touch files, processes or Python and may run.

    Raises:
        UnsupportedOpsError: for what `allow_ops` does not permit, before anything is imported, and for what no pass
            understands.
        FailedPassError: a pass failed; `failures.explained` tells whether the graph is damaged or the pass has a bug.
    """
    part = Part(
        nodes=by_name(graph_def.node),
        results=fetches,
        functions=graph_def.library,
        added=Library(),
        versions=graph_def.versions,
        feeds=feeds,
        python=python,
        expansions=expansions,
        allow_ops=allow_ops,
    )
    for name, function in PASSES:
        with named(name):
            part = function(part)
    with named("output shapes"):
        return Prepared(with_output_shapes(_graph_def(part)), part.results)


def _pruned(part: Part) -> Part:
    nodes = pruned(part.nodes, part.feeds, part.results)
    return replace(part, nodes=nodes, results=[stand_in(source, part.feeds) for source in part.results])


def _with_tokens(part: Part) -> Part:
    if part.python is None:
        return part
    return replace(part, functions=with_tokens(part.nodes.values(), part.functions, part.python.token))


def _permitted(part: Part) -> Part:
    allowed = (*part.allow_ops, *FILLED_FROM_FILE)  # a live table is filled already, so this operation is removed
    check_permitted(part.nodes.values(), part.functions, allowed, part.python)
    return part


def _with_own_functions(part: Part) -> Part:
    nodes, functions = with_own_functions(part.nodes, part.functions)
    return replace(part, nodes=nodes, functions=functions)


def _with_calls_inlined(part: Part) -> Part:
    nodes, results = with_calls_inlined(part.nodes, part.results, part.functions)
    return replace(part, nodes=nodes, results=results)


def _without_numbered_gradients(part: Part) -> Part:
    if part.python is None:
        return part
    return replace(part, functions=without_numbered_gradients(part.nodes.values(), part.functions))


def _with_symbolic_gradients(part: Part) -> Part:
    allowed = part.allow_ops if part.python is None else (*part.allow_ops, *PYTHON)  # tokens were checked before
    prepare = partial(prepared, allow_ops=allowed)
    return part.expanded(symbolic_gradients(part.nodes, part.versions, part.functions, prepare) | UNKNOWN)


def _without_unused_functions(part: Part) -> Part:
    return replace(part, functions=without_unused(part.nodes, part.functions))


def _with_function_gradients(part: Part) -> Part:
    if with_function_gradients(part.nodes, part.functions):
        register()
    part.added.functions |= functions_of(part.functions)
    return part


def _known(part: Part) -> Part:
    bodies = (function.node_def for function in part.functions.function)
    check_known(itertools.chain(part.nodes.values(), *bodies), part.added.functions)
    return part


def _with_casts(part: Part) -> Part:
    cast_nodes.split_in_functions(part.functions)
    return part.with_nodes(part.nodes | by_name(cast_nodes.split(part.nodes.values())))


def _with_resource_variables(part: Part) -> Part:
    nodes, results = with_resource_variables(part.nodes, part.results)
    return replace(part, nodes=nodes, results=results)


def _with_functional_conditions(part: Part) -> Part:
    return part.with_nodes(functional_conditions(part.nodes, part.results, part.added, {}))


PASSES: tuple[Pass, ...] = (
    # What the fetches need, as copies: no later pass sees, changes or refuses anything else.
    Pass("prune", _pruned),
    # Tokens of Python functions before the check, which asks whether each token has a function.
    Pass("Python functions", _with_tokens),
    # The check sees the operations as the file has them, before TensorFlow is given any of them.
    Pass("permission", _permitted),
    # Own names before a function is traced or added: the process has one table of names.
    Pass("names of functions", _with_own_functions),
    # Bodies before all passes that look at nodes, so that these see what calls compute.
    Pass("calls", _with_calls_inlined),
    Pass("numbered gradients", _without_numbered_gradients),
    # Operations that TensorFlow 2 does not have go before the check for them.
    Pass("symbolic gradients and unknown operations", _with_symbolic_gradients),
    Pass("unused functions", _without_unused_functions),
    Pass("gradients of functions", _with_function_gradients),
    # From here on TensorFlow knows every operation, and passes may ask for its types.
    Pass("known operations", _known),
    Pass("epsilon of layer norms", on_nodes(with_their_epsilon)),
    Pass("quantized ranges", on_nodes(with_whole_ranges)),
    Pass("casts", _with_casts),
    # Handles are resources before variables, loops and lists, which know no handle that is text.
    Pass("array handles", on_nodes(with_resource_handles)),
    Pass("table handles", on_nodes(with_resource_tables)),
    Pass("resource variables", _with_resource_variables),
    # Old operations after variables: an expansion reads values and no references.
    Pass("removed operations", lambda part: part.expanded(BANDS | CELLS | QUANTIZED | REMOVED)),
    Pass("shaped expansions", lambda part: part.expanded({**CUDNN, **part.expansions}, shaped=True)),
    # Arrays before loops: a list is a loop variable like any other tensor.
    Pass("tensor lists", on_nodes(with_tensor_lists)),
    # Settled switches before loops, whose functions do not know what lies around them.
    Pass("settled switches", on_nodes(without_settled_switches)),
    # Loops before conditions: a loop has a `Switch` and a `Merge` for each variable, which belong to no condition.
    Pass("loops", lambda part: part.with_nodes(functional_loops(part.nodes, part.added))),
    Pass("conditions", _with_functional_conditions),
)
"""All passes, in their order. A comment says why a pass stands where it does; the others may stand elsewhere."""


def _graph_def(part: Part) -> Any:
    graph_def = graph_pb2.GraphDef(versions=part.versions, library=part.functions)
    graph_def.versions.producer = max(graph_def.versions.producer, _NO_OLD_ARRAYS)
    for name in list(part.nodes):
        graph_def.node.add().CopyFrom(part.nodes.pop(name))  # popped, so that there is only one copy of large constants
    known = functions_of(part.functions)
    graph_def.library.function.extend(function for name, function in part.added.functions.items() if name not in known)
    return graph_def
