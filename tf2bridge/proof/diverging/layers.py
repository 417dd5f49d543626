"""A Keras 3 model beside a legacy graph: the first layer none of whose outputs the graph computes.

There is no graph on the new side; what a layer gives is sought among all tensors of the old one, by value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.checkpoint.planning.legacy_run import run
from tf2bridge.checkpoint.planning.verifying import Called, calls_of, counterpart, inputs_of
from tf2bridge.formats.graphs.nodes import by_name, data_inputs, node_of
from tf2bridge.formats.graphs.reader import read


@dataclass(frozen=True)
class LayerDivergence:
    """The first layer whose output no tensor of the graph is.

    Attributes:
        layer, type: its name and class.
        agreeing: the layer before it that agrees, "" for none.
        tensor: the tensor of the graph which that one's output is, "" for none.
        following: the tensors of the graph that are computed of it: what the layer would have to give.
    """

    layer: str
    type: str
    agreeing: str
    tensor: str
    following: tuple[str, ...]

    @property
    def text(self) -> str:
        """One line for people."""
        following = ", ".join(self.following) or "nothing"
        before = "no layer before it gives a tensor of the graph either"
        if self.agreeing:
            before = f"{self.agreeing} still gives {self.tensor}, of which the graph makes {following}"
        return f"the first layer that computes no tensor of the graph is {self.layer} ({self.type}); {before}"


def first_layer(model: Any, meta: Path, checkpoint: str) -> LayerDivergence | None:
    """Runs both on the same random input; returns None where each layer gives a tensor of the graph.

    model: a Keras model that has the checkpoint's values. Layers whose outputs are all one number are passed over: many
    tensors are that. Raises NotComparableError where the inputs do not correspond, and what `tf2bridge.load` raises.
    """
    legacy = run(meta, checkpoint, inputs_of(model))
    agreeing, tensor = "", ""
    for call in _distinct(calls_of(model, legacy.inputs)):
        match = counterpart(call.results, legacy)
        if match is None:
            following = _following(meta, tensor, legacy.tensors) if tensor else ()
            return LayerDivergence(call.layer.name, type(call.layer).__name__, agreeing, tensor, following)
        agreeing, tensor = call.layer.name, match[0]
    return None


def _distinct(calls: Sequence[Called]) -> list[Called]:
    """Those whose first output says something."""
    return [call for call in calls if call.results[0].size > 1 and np.ptp(call.results[0])]


def _following(meta: Path, tensor: str, known: Mapping[str, Any]) -> tuple[str, ...]:
    nodes = by_name(read(meta).graph_def.node)
    takers = [node.name for node in nodes.values() if tensor in data_inputs(node)]
    return tuple(name for name in known if node_of(name) in takers)
