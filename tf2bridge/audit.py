"""Which operations of a graph touch files, other processes or Python: none of these runs unless it is permitted.

The list is made from what an imported graph was seen to do; a graph that reads a file at load, or calls the host's own
`py_func` of the same number, does so without asking.
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tf2bridge.graph.called import all_called, functions_of
from tf2bridge.graph.nodes import dependents

FILES, PYTHON, NETWORK = "reads or writes files", "calls Python", "talks to another process"

TOUCHING = {
    FILES: (
        "ReadFile", "WriteFile", "MatchingFiles", "Save", "SaveSlices", "SaveV2", "Restore", "RestoreSlice",
        "RestoreV2", "MergeV2Checkpoints", "ShardedFilename", "ShardedFilespec", "*Reader", "*ReaderV2", "ReaderRead*",
        "TextLineDataset*", "TFRecordDataset*", "FixedLengthRecordDataset*", "SqlDataset", "*CacheDataset*",
        "SnapshotDataset*", "LMDBDataset", "CSVDataset*", "MatchingFilesDataset", "SaveDataset*", "LoadDataset",
        "InitializeTableFromTextFile*", "CreateSummaryFileWriter", "*SummaryWriter*", "WriteGraphSummary",
        "PrintV2", "DebugNumericSummary*", "DumpTensor", "DecodeProto*", "EncodeProto*", "LoadAndRemap*",
    ),
    PYTHON: ("PyFunc*", "EagerPyFunc", "GeneratorDataset"),
    NETWORK: (
        "*Rpc*", "Send", "Recv", "_Send", "_Recv", "_HostSend", "_HostRecv", "XlaHost*", "RemoteCall", "Collective*",
        "CreateSummaryDbWriter", "Bigtable*", "RegisterDataset*", "DataServiceDataset*", "CloudBigtable*",
    ),
}  # fmt: skip
"""What an operation does -> patterns of operation types."""


@dataclass(frozen=True)
class Touch:
    """An operation that is not only arithmetic: its node, its type, and what it does."""

    node: str
    op: str
    does: str

    def __str__(self) -> str:
        return f"{self.node} ({self.op}) {self.does}"


def audit(graph_def: Any) -> list[Touch]:
    """Returns the operations of a graph that touch files, processes or Python, also in the functions it calls."""
    return touches(with_functions(graph_def))


def touches(nodes: Iterable[Any]) -> list[Touch]:
    """Returns those of the nodes that touch files, processes or Python."""
    return [Touch(node.name, node.op, does) for node in nodes for does in _touches(node.op)]


def refused(found: Iterable[Touch], allowed: Iterable[str]) -> list[Touch]:
    """Those that no pattern of operation types in `allowed` permits."""
    patterns = tuple(allowed)
    return [each for each in found if not fits(each.op, patterns)]


def harmless_part(graph_def: Any, allowed: Iterable[str]) -> Any:
    """Returns a copy of a graph without what is not permitted and all that depends on it, as a Saver's operations."""
    functions, permitted = functions_of(graph_def.library), tuple(allowed)
    harmful = [
        node.name
        for node in graph_def.node
        if any(_touches(each.op) and not fits(each.op, permitted) for each in _with_called([node], functions))
    ]
    part = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    left_out = dependents(graph_def.node, harmful, lambda node: node.input)
    part.node.extend(node for node in graph_def.node if node.name not in left_out)
    return part


def with_functions(graph_def: Any) -> Iterator[Any]:
    """The nodes of a graph, and then the nodes of all functions that they call."""
    return _with_called(graph_def.node, functions_of(graph_def.library))


def _with_called(nodes: Iterable[Any], functions: dict[str, Any]) -> Iterator[Any]:
    yield from nodes
    for name in all_called(nodes, functions):
        yield from functions[name].node_def


@functools.cache
def _touches(op: str) -> tuple[str, ...]:
    return tuple(does for does, patterns in TOUCHING.items() if fits(op, patterns))


def fits(op: str, patterns: Iterable[str]) -> bool:
    """Whether an operation type fits one of the patterns."""
    return any(fnmatch.fnmatchcase(op, pattern) for pattern in patterns)
