"""A part of a legacy graph as TensorFlow 2 can run it inside a function: all passes, in the order that they need."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tf2bridge.behaviour.old_ops import cast_nodes
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.lookup_operations import FILLED_FROM_FILE
from tf2bridge.formats.graphs.nodes import Nodes, by_name
from tf2bridge.graph.function_gradients import register
from tf2bridge.graph.live import check_known, check_permitted
from tf2bridge.graph.passes.bands import BANDS
from tf2bridge.graph.passes.calls import with_calls_inlined
from tf2bridge.graph.passes.chosen_gradients import without_numbered_gradients
from tf2bridge.graph.passes.conditions import functional_conditions
from tf2bridge.graph.passes.cudnn_rnn import CUDNN
from tf2bridge.graph.passes.expanded import Expansion, with_expansions
from tf2bridge.graph.passes.fed import pruned, stand_in
from tf2bridge.graph.passes.function_gradients import with_function_gradients
from tf2bridge.graph.passes.functions import Library
from tf2bridge.graph.passes.fused_cells import CELLS
from tf2bridge.graph.passes.handles import with_resource_handles
from tf2bridge.graph.passes.layer_norms import with_their_epsilon
from tf2bridge.graph.passes.lookup import with_resource_tables
from tf2bridge.graph.passes.loops import functional_loops
from tf2bridge.graph.passes.output_shapes import with_output_shapes
from tf2bridge.graph.passes.own_functions import with_own_functions, without_unused
from tf2bridge.graph.passes.python_functions import PYTHON, with_tokens
from tf2bridge.graph.passes.quantized import QUANTIZED, with_whole_ranges
from tf2bridge.graph.passes.removed_ops import REMOVED, UNKNOWN
from tf2bridge.graph.passes.symbolic_gradients import symbolic_gradients
from tf2bridge.graph.passes.tensor_lists import with_tensor_lists
from tf2bridge.graph.passes.variables import with_resource_variables
from tf2bridge.internals.protos import graph_pb2

if TYPE_CHECKING:
    from tf2bridge.graph.python_functions import PythonFunctions

_NO_OLD_ARRAYS = 26
"""From this GraphDef version on TensorFlow knows no array handles of text (core/public/version.h)."""


@dataclass
class Prepared:
    """`graph_def`: what the fetches need. `fetches`: an endpoint, or the name of an operation, for each."""

    graph_def: Any
    fetches: Sequence[str]

    def taken(self) -> Any:
        """The graph, which is not here any more: it holds all constants, and nobody needs it when it is imported."""
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
    """Returns the part of `graph_def` that computes `fetches` from `feeds`, endpoint -> `Placeholder` in its stead.

    Fetches are endpoints ("y:0") or names of operations ("train"). `python` gives the tokens of Python functions; None
    leaves those of a graph that was made in this process. `expansions`: further operations to be put into others.
    Raises UnsupportedOpsError, for what `allow_ops` does not permit before anything is imported.
    """
    part = pruned(by_name(graph_def.node), feeds, fetches)
    own = graph_def.library if python is None else with_tokens(part.values(), graph_def.library, python.token)
    check_permitted(part.values(), own, (*allow_ops, *FILLED_FROM_FILE), python)  # a live table is full already
    permitted = allow_ops if python is None else (*allow_ops, *PYTHON)  # with these tokens
    part, own = with_own_functions(part, own)
    part, found = with_calls_inlined(part, [stand_in(each, feeds) for each in fetches], own)
    own = own if python is None else without_numbered_gradients(part.values(), own)
    library = Library()
    asked = symbolic_gradients(part, graph_def.versions, own, partial(prepared, allow_ops=permitted))
    part, found = with_expansions(part, found, library, asked | UNKNOWN)
    own = without_unused(part, own)
    if with_function_gradients(part, own):
        register()
    library.functions |= functions_of(own)
    check_known(itertools.chain(part.values(), *(each.node_def for each in own.function)), library.functions)
    part = with_whole_ranges(with_their_epsilon(part))
    part |= by_name(cast_nodes.split(part.values()))
    cast_nodes.split_in_functions(own)
    part = with_resource_handles(part)
    part = with_resource_tables(part)
    part, found = with_resource_variables(part, found)
    part, found = with_expansions(part, found, library, BANDS | CELLS | QUANTIZED | REMOVED)
    part, found = with_expansions(part, found, library, {**CUDNN, **expansions}, shaped=True)
    part = with_tensor_lists(part)
    part = functional_loops(part, library)
    part = functional_conditions(part, found, library, {})
    return Prepared(_graph_def(graph_def.versions, part, own, library), found)


def _graph_def(versions: Any, nodes: Nodes, own: Any, library: Library) -> Any:
    made = graph_pb2.GraphDef(versions=versions, library=own)
    made.versions.producer = max(made.versions.producer, _NO_OLD_ARRAYS)
    for name in list(nodes):
        made.node.add().CopyFrom(nodes.pop(name))  # so that of large constants no more than one copy is there
    known = functions_of(own)
    made.library.function.extend(each for name, each in library.functions.items() if name not in known)
    return with_output_shapes(made)
