"""Describes a trace for `tf2bridge inspect`, as plain JSON values and as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tf2bridge.proof.recording.folding import JOURNAL
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord
from tf2bridge.regular_files import opened

# The local header of a zip: 30 bytes, then the name of the first member (APPNOTE.TXT 4.3.7).
_ZIP, _NAME = b"PK\x03\x04", 30
_MEMBERS = (b"arrays/", b"graphs/", b"printed.txt", b"manifest.json")
_NAMED = 3
_SHOWN = 40


def is_trace(path: Path) -> bool:
    """Returns whether a path is a trace, or what is left of one, by its content."""
    if path.is_dir():
        return (path / JOURNAL).is_file()
    if not path.is_file():
        return False
    with opened(path) as file:
        head = file.read(_NAME + 16)
    return head.startswith(_ZIP) and head[_NAME:].startswith(_MEMBERS)


def described(path: Path) -> dict[str, Any]:
    """Returns who recorded a trace, what of, how it ended, and its graphs, calls and sizes.

    Calls that fetch the same, from the same line, are one row: their number, and the indices of the first and last.

    Raises:
        NoSuchFileError, DamagedTraceError: as opening a `Trace` does.
    """
    trace = Trace(path)
    manifest = trace.manifest
    facts = {key: manifest[key] for key in ("tensorflow", "python", "numpy", "argv", "exit", "stopped", "notes")}
    sizes = {row["name"]: row["bytes"] for row in manifest["members"]}
    printed = (trace.printed or "").splitlines()
    trace.close()
    return {
        "path": str(path),
        "kind": "trace" if path.is_file() else "folder of a recording that did not end",
        "version": manifest["version"],
        **facts,
        "limits": manifest["limits"],
        "intermediate": manifest["intermediate"],
        "left_out": manifest["left_out"],
        "printed_lines": len(printed),
        "graphs": [_graph(trace, number) for number in range(len(trace.graphs))],
        "calls": len(trace.calls),
        "calls_of_the_program": len(trace.program_calls),
        "groups": _groups(trace.calls),
        "values": len(manifest["values"]),
        "bytes": sum(sizes.values()),
        "bytes_of_arrays": sum(size for name, size in sizes.items() if name.startswith("arrays/")),
    }


def _graph(trace: Trace, number: int) -> dict[str, Any]:
    graph = trace.graphs[number]
    return {
        "nodes": graph.nodes,
        "seed": graph.seed,
        "random_ops": len(graph.random_ops),
        "variables": len(graph.variables),
        "initial_values": sum(variable.initial is not None for variable in graph.variables),
        "final_values": sum(variable.final is not None for variable in graph.variables),
        "calls": sum(call.graph == number for call in trace.calls),
    }


def _groups(calls: tuple[CallRecord, ...]) -> list[dict[str, Any]]:
    rows: dict[object, dict[str, Any]] = {}
    for call in calls:
        fetches = tuple(leaf.name for leaf in call.fetches)
        key = (call.graph, call.kind, call.via, call.where, call.by_program, fetches)
        row: dict[str, Any] = {
            "first": call.index,
            "last": call.index,
            "calls": 0,
            "failed": 0,
            "graph": call.graph,
            "kind": call.kind,
            "via": call.via,
            "where": call.where,
            "thread": call.thread,
            "feeds": [leaf.name for leaf in call.feeds],
            "fetches": list(fetches),
            "intermediate": len(call.intermediate),
        }
        row = rows.setdefault(key, row)
        row["last"] = call.index
        row["calls"] += 1
        row["failed"] += call.error is not None
    return list(rows.values())


def lines(facts: dict[str, Any]) -> Iterator[str]:
    """Yields what `described` returned as lines for people."""
    yield f"{facts['path']}: {facts['kind']}, version {facts['version']}"
    yield f"program: {' '.join(facts['argv'])}"
    yield f"TensorFlow {facts['tensorflow']}, Python {facts['python']}, NumPy {facts['numpy']}"
    yield _ended(facts["exit"])
    if facts["stopped"]:
        yield f"recording was stopped at call {facts['stopped']['call']}: {facts['stopped']['reason']}"
    yield from (f"note: {text}" for text in facts["notes"])
    for row in facts["left_out"]:
        yield f"left out by --every {facts['limits']['every']}: {row['calls']:,} calls of {_names(row['fetches'])}"
    yield f"{facts['bytes']:,} bytes, {facts['bytes_of_arrays']:,} of them {facts['values']:,} different values"
    for number, graph in enumerate(facts["graphs"]):
        yield (
            f"graph {number}: {graph['nodes']:,} nodes, {graph['variables']:,} variables "
            f"({graph['initial_values']:,} initial and {graph['final_values']:,} final values), "
            f"{graph['random_ops']:,} random operations, seed {graph['seed']}, {graph['calls']:,} calls"
        )
    if facts["printed_lines"]:
        yield f"{facts['printed_lines']:,} lines on standard output"
    yield f"{facts['calls']:,} calls, {facts['calls_of_the_program']:,} of them the program's own"
    yield from (_line(row) for row in facts["groups"][:_SHOWN])
    if len(facts["groups"]) > _SHOWN:
        yield f"  and {len(facts['groups']) - _SHOWN:,} more kinds of calls: --output-format json lists all"


def _ended(end: dict[str, Any] | None) -> str:
    if end is None:
        return "the program did not end by itself: what it had recorded until it was killed is here"
    return f"exit status {end['status']}" + (f": {end['error']}" if end["error"] else "")


def _line(row: dict[str, Any]) -> str:
    span = f"{row['first']}" if row["calls"] == 1 else f"{row['first']}-{row['last']} ({row['calls']:,})"
    parts = [_names(row["fetches"]) or "nothing"]
    if row["feeds"]:
        parts.append(f"fed {_names(row['feeds'])}")
    if row["intermediate"]:
        parts.append(f"with {row['intermediate']} inner tensors")
    made = [row["where"], f"by {row['via']}" if row["via"] else "", "" if row["kind"] == "run" else row["kind"]]
    made += [row["thread"] if row["thread"] != "MainThread" else "", f"{row['failed']} failed" if row["failed"] else ""]
    description = ", ".join(part for part in made if part)
    return f"  {span}: {', '.join(parts)}" + (f"  [{description}]" if description else "")


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
