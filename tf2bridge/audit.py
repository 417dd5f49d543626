"""Which operations of a graph touch files, other processes or Python: none of these runs unless it is permitted.

The list is made from what an imported graph was seen to do; a graph that reads a file at load, or calls the host's own
`py_func` of the same number, does so without asking.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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


def audit(graph_def: Any, names: Collection[str] | None = None) -> list[Touch]:
    """Returns the operations of a graph that touch files, processes or Python, also in the functions it calls.

    `names`: only these nodes, with the functions they call.
    """
    return [
        Touch(node.name, node.op, does)
        for node in with_functions(graph_def, names)
        for does, patterns in TOUCHING.items()
        if any(fnmatch.fnmatchcase(node.op, pattern) for pattern in patterns)
    ]


def with_functions(graph_def: Any, names: Collection[str] | None = None) -> Iterator[Any]:
    """The nodes of a graph, or those named, and then the nodes of all functions that they call."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    pending = [node for node in graph_def.node if names is None or node.name in names]
    seen: set[str] = set()
    while pending:
        node = pending.pop()
        yield node
        for name in _called(node) & functions.keys() - seen:
            seen.add(name)
            pending += functions[name].node_def


def _called(node: Any) -> set[str]:
    found = {node.op}
    for value in node.attr.values():
        if value.HasField("func"):
            found.add(value.func.name)
        found |= {each.name for each in value.list.func}
    return found


def refused(touches: Iterable[Touch], allowed: Iterable[str]) -> list[Touch]:
    """Those that no pattern of operation types in `allowed` permits."""
    patterns = tuple(allowed)
    return [each for each in touches if not any(fnmatch.fnmatchcase(each.op, pattern) for pattern in patterns)]
