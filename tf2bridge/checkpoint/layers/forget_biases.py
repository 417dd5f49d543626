"""Finds what LSTM cells of a program add to their forget gates: the graph has this number, checkpoints do not."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.moves import Move
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.checkpoint.steps import AddToBlock
from tf2bridge.formats.graphs.nodes import by_name, data_inputs, node_of
from tf2bridge.formats.graphs.reader import read

DEFAULT = 1.0
"""The default of BasicLSTMCell, LSTMCell, LSTMBlockCell and LSTMBlockFusedCell in all releases from 0.12 to 1.15."""
_CELL = re.compile(r"(?i)lstm")
_PASSED = ("Identity", "Enter", "Cast")
_BLOCKS = ("LSTMBlockCell", "BlockLSTM")
"""Cells that are one operation, with the forget bias as an attribute."""
ASSUMED = (
    "a forget bias of 1 was assumed, the default of TF 1.x; if the program gave its LSTM cells another (that of the "
    "tutorial on Penn Treebank gives 0), say forget_bias="
)


def said_by(prefix: Path) -> set[float]:
    """Returns the forget biases of the cells in the .meta beside a checkpoint; none without a .meta."""
    meta = Path(f"{prefix}.meta")
    if not meta.is_file():
        return set()
    graph_def = read(meta).graph_def
    nodes = by_name(graph_def.node)
    blocks = {round(node.attr["forget_bias"].f, 6) for node in nodes.values() if node.op in _BLOCKS}
    return blocks | set(_added(nodes))


def _added(nodes: Mapping[str, Any]) -> Iterator[float]:
    """Yields the constants that cells add before a sigmoid."""
    for node in nodes.values():
        if node.op != "Sigmoid" or not _CELL.search(node.name):
            continue
        for source in _summands(nodes, data_inputs(node)[0]):
            if (value := _constant(nodes, source)) is not None:
                yield value


def _summands(nodes: Mapping[str, Any], source: str) -> Iterator[str]:
    """Yields the tensors whose sum a tensor is. A cell with peepholes adds those, too."""
    node = nodes.get(node_of(source))
    if node is not None and node.op in ("Add", "AddV2"):
        for source_below in data_inputs(node):
            yield from _summands(nodes, source_below)
    else:
        yield source


def _constant(nodes: Mapping[str, Any], source: str) -> float | None:
    node = nodes.get(node_of(source))
    while node is not None and node.op in _PASSED:
        node = nodes.get(node_of(data_inputs(node)[0]))
    if node is None or node.op != "Const" or node.attr["value"].tensor.tensor_shape.dim:
        return None
    value = node.attr["value"].tensor
    if value.float_val:
        return round(float(value.float_val[0]), 6)
    return round(struct.unpack("<f", value.tensor_content)[0], 6) if len(value.tensor_content) == 4 else None


def uses_one(moves: Mapping[str, Move]) -> bool:
    """Returns whether any move adds a forget bias."""
    return any(isinstance(step, AddToBlock) for move in moves.values() for step in move.steps)


def asked(moves: Mapping[str, Move], biases: set[float]) -> list[Question]:
    """Returns a question for each bias, if the cells of a graph have several forget biases."""
    shown = ", ".join(f"{bias:g}" for bias in sorted(biases))
    why = f"the LSTM cells of the graph have the forget biases {shown}: add the fitting one by a step add_to_block"
    return [
        Question(name, "variable", why, move.sources)
        for name, move in moves.items()
        if any(isinstance(step, AddToBlock) for step in move.steps)
    ]


def assumed(move: Move) -> Move:
    """Returns the move as uncertain if it adds a forget bias that nobody named."""
    return replace(move, certain=False) if any(isinstance(step, AddToBlock) for step in move.steps) else move
