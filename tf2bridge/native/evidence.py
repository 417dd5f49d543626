"""What a trace tells the rewriter of a program, as plain JSON: `python -m tf2bridge.native.evidence TRACE`.

TensorFlow is imported for `--shapes` alone. The form:

    version      1
    tensorflow   the release that recorded, "1.4.1"
    argv         [program, argument, ...]
    complete     whether the program ended by itself and every call was recorded
    graphs       [{seed: null | int, ops, variables}] in the order of their first calls
      ops        [{name, type, inputs, dtypes, shapes, line, function, seeds}] in the order in which they were made
        inputs   ["a:0", "b:1", "^c"]: endpoints, and operations that only run before
        dtypes   ["float32"] of each output; shapes: [[null, 10]], null for an unknown rank. Without `--shapes` only
                 what placeholders and variables state
        line     "model.py:45" of the program that made it, or ""; function: "Model.build" around it, where --source
                 DIRECTORY gives the program's files, else ""
        seeds    [seed, seed2] of a random op; left out for others
      variables  [{name, line, function, shape, dtype, trainable, initializer, constant, first_call}] in the order in
                 which they were made. `initializer` is the endpoint that gives the first value, or "". `constant`:
                 the first value, where all its elements are one number. `first_call`: the call that gave it, or null
    runs         [{line, graph, kind, via, feeds, fetches, operations, leaves, count, calls, failed, changes, settled,
                 reads, values_of, stands_for}] one for each line, and what it feeds and fetches, in the order of first
                 calls
      via        "" for the program's own call, else the module of TensorFlow that made it
      feeds      [{name, dtype, shapes, values}]: the shapes that occurred, and the values of a scalar; at most 8 of
                 each, and null for values if there were more or they are no scalars
      fetches    [{name, dtype, shapes}] tensors in the order of the flattened fetches; operations: names, as well
      leaves     [names of all flattened fetches, tensors and operations, in their order]
      count      how often; calls: [index of the first, of the last]; failed: how often it ended with an error
      changes    [names of the variables that it may change, sorted]
      settled    whether each change waits for the reads behind all other changes, so that their order is no matter
      reads      [{fetch, variable, order}] for fetches that depend on a variable that the same call changes: "before",
                 "after", or "undecided" where nothing in the graph says; several reads give several rows
      values_of  [{fetch, variable, observed}] for fetches that are the value of a variable that the same call changes:
                 "before" or "after", by the recorded values, or "" where they do not say
      stands_for {name: first name} of fetches that compute what an earlier call of this line fetched under another
                 name, of the same variables and placeholders
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from codemods.errors import CodemodsError
from tf2bridge.errors import BridgeError, NoSuchFileError
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.interface import sizes, stated_shape
from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, by_name, endpoint, is_control, node_of
from tf2bridge.formats.graphs.operations import output_types
from tf2bridge.formats.messages import own, type_name
from tf2bridge.native.alike import Alike
from tf2bridge.native.estimator_calls import ProgramTrace
from tf2bridge.native.functions_of_source import Functions
from tf2bridge.native.observed_order import orders
from tf2bridge.native.refusals import TooMuchEvidenceError
from tf2bridge.proof.comparing.unordered import BEFORE, Unordered
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf

_SEEN = 8
"""The most shapes and values of a feed or fetch."""
_WORK = 50_000_000
"""The most (kind of call, its fetches) times nodes; the greatest public program of the census has 2 million."""
_GIVING = ("Assign", "AssignVariableOp")


def evidence(trace: Trace, source: Path | None = None, with_shapes: bool = False) -> dict[str, Any]:
    """Returns the evidence of a trace, in the form that this module documents.

    Args:
        trace: The trace.
        source: The directory of the legacy program, for the names of functions; None leaves them out.
        with_shapes: Whether TensorFlow infers the shapes of all ops.

    Raises:
        TooMuchEvidenceError: The trace has more kinds of calls, for its graphs, than any program.
        DamagedTraceError: The trace is damaged.
    """
    trace = ProgramTrace(trace.path)
    functions = Functions(source)
    kinds = _kinds(trace)
    work = sum(len(calls[0].fetches) * trace.graphs[calls[0].graph].nodes for calls in kinds)
    if work > _WORK:
        raise TooMuchEvidenceError(trace.path, len(kinds), work)
    unordered = Unordered(trace)
    nodes = [by_name(own("GraphDef").FromString(trace.graph_def(number)).node) for number in range(len(trace.graphs))]
    alike = Alike(nodes)

    return {
        "version": 1,
        "tensorflow": trace.release,
        "argv": list(trace.manifest["argv"]),
        "complete": trace.ended and trace.stopped is None and not trace.manifest["left_out"],
        "graphs": [_graph(trace, number, functions, with_shapes) for number in range(len(trace.graphs))],
        "runs": [_run(trace, calls, unordered, nodes[calls[0].graph], alike) for calls in kinds],
    }


def _graph(trace: Trace, number: int, functions: Functions, with_shapes: bool) -> dict[str, Any]:
    record, lines = trace.graphs[number], trace.lines(number)
    graph = own("GraphDef").FromString(trace.graph_def(number))
    library = functions_of(graph.library)
    seeds = {op.name: [op.seed, op.seed2] for op in record.random_ops}
    inferred: Mapping[str, list[Any]] = {}
    if with_shapes:
        from tf2bridge.native.shapes import inferred_shapes

        inferred = inferred_shapes(trace, number)
    ops = []
    for node in graph.node:
        dtypes = [type_name(dtype) for dtype in output_types(node, library)]
        row = {
            "name": node.name,
            "type": node.op,
            "inputs": [source if is_control(source) else endpoint(source) for source in node.input],
            "dtypes": dtypes,
            "shapes": inferred.get(node.name) or [_shape(graph, node, port) for port in range(len(dtypes))],
            "line": lines.get(node.name, ""),
            "function": functions.at(lines.get(node.name, "")),
        }
        ops.append(row | ({"seeds": seeds[node.name]} if node.name in seeds else {}))
    initializers = {node_of(node.input[0]): node.input[1] for node in reversed(graph.node) if node.op in _GIVING}
    variables = []
    known = {stored["name"]: stored for stored in trace.manifest["graphs"][number]["variables"]}
    for variable in record.variables:
        stored = known[variable.name]
        line = lines.get(variable.name, "")
        variables.append(
            {
                "name": variable.name,
                "line": line,
                "function": functions.at(line),
                "shape": stored["shape"],
                "dtype": variable.dtype,
                "trainable": variable.trainable,
                "initializer": endpoint(initializers[variable.name]) if variable.name in initializers else "",
                "constant": None if variable.initial is None else _constant(trace.value(variable.initial)),
                "first_call": variable.initial_after_call,
            }
        )
    return {"seed": record.seed, "ops": ops, "variables": variables}


def _shape(graph: Any, node: Any, port: int) -> list[int | None] | None:
    if node.op in HANDLES and "shape" in node.attr:
        return sizes(node.attr["shape"].shape)
    return stated_shape(graph, node, port)


def _constant(value: np.ndarray[Any, Any]) -> Any:
    """Returns the number that all elements are, or None."""
    if value.dtype.kind not in "fiub" or not value.size or not (value == value.flat[0]).all():
        return None
    return value.flat[0].item()


def _kinds(trace: Trace) -> list[list[CallRecord]]:
    """Returns the calls of each line with the same feeds and fetches."""
    kinds: dict[object, list[CallRecord]] = {}
    for call in trace.calls:
        names = (tuple(leaf.name for leaf in leaves) for leaves in (call.feeds, call.fetches))
        kinds.setdefault((call.graph, call.kind, call.via, call.where, *names), []).append(call)
    return list(kinds.values())


def _run(trace: Trace, calls: Sequence[CallRecord], unordered: Unordered, nodes: Nodes, alike: Alike) -> dict[str, Any]:
    first = calls[0]
    tensors = [place for place, leaf in enumerate(first.fetches) if ":" in leaf.name]
    return {
        "line": first.where,
        "graph": first.graph,
        "kind": first.kind,
        "via": first.via,
        "feeds": [_seen(trace, [call.feeds[place] for call in calls], True) for place in range(len(first.feeds))],
        "fetches": [_seen(trace, [call.fetches[place] for call in calls], False) for place in tensors],
        "operations": [leaf.name for leaf in first.fetches if ":" not in leaf.name],
        "leaves": [leaf.name for leaf in first.fetches],
        "count": len(calls),
        "calls": [first.index, calls[-1].index],
        "failed": sum(call.error is not None for call in calls),
        "changes": sorted(unordered.changes(first)),
        "settled": _is_settled(first, unordered),
        "reads": list(_reads(first, unordered)),
        "values_of": [
            {"fetch": fetch, "variable": variable, "observed": order}
            for fetch, (variable, order) in orders(trace, calls, unordered, nodes).items()
        ],
        "stands_for": dict(alike.stands_for(first)),
    }


def _seen(trace: Trace, leaves: Sequence[Leaf], with_values: bool) -> dict[str, Any]:
    rows = {leaf.value: trace.manifest["values"][leaf.value] for leaf in leaves if leaf.value is not None}
    shapes = {tuple(row["shape"]): None for row in rows.values()}
    fields: dict[str, Any] = {
        "name": leaves[0].name,
        "dtype": next((row["dtype"] for row in rows.values()), ""),
        "shapes": [list(shape) for shape in shapes][:_SEEN],
    }
    if with_values:
        is_scalar = 0 < len(rows) <= _SEEN and set(shapes) == {()}
        fields["values"] = [_plain(trace.value(ref)) for ref in rows] if is_scalar else None
    return fields


def _plain(value: np.ndarray[Any, Any]) -> Any:
    item = value.item()
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else item


def _is_settled(call: CallRecord, unordered: Unordered) -> bool:
    changing = {op for ops in unordered.changes(call).values() for op in ops}
    return all(order == BEFORE for op in sorted(changing) for _, order in set(unordered.reads(call, op)))


def _reads(call: CallRecord, unordered: Unordered) -> Iterator[dict[str, str]]:
    for leaf in call.fetches:
        if ":" in leaf.name:
            for variable, order in dict.fromkeys(unordered.reads(call, leaf.name)):
                yield {"fetch": leaf.name, "variable": variable, "order": order}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the evidence of a trace; returns the exit status."""
    parser = argparse.ArgumentParser("python -m tf2bridge.native.evidence", description="Prints what a trace tells.")
    parser.add_argument("trace", type=Path)
    parser.add_argument("--source", type=Path, help="the directory of the legacy program")
    parser.add_argument("--shapes", action="store_true", help="infer the shapes of all ops, with TensorFlow")
    options = parser.parse_args(arguments)
    try:
        if options.source is not None and not options.source.is_dir():
            raise NoSuchFileError(options.source, "directory")
        facts = evidence(Trace(options.trace), options.source, options.shapes)
    except (BridgeError, CodemodsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    json.dump(facts, sys.stdout, default=str)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
