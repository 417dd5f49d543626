"""What a file of TensorFlow 1.x holds of a graph, before anything is made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tf2bridge.formats.kinds import Kind
from tf2bridge.formats.messages import own

TRAINABLE = "trainable_variables"
"""The collection of these (tf.GraphKeys.TRAINABLE_VARIABLES)."""


@dataclass(frozen=True)
class Signature:
    """A signature: argument -> endpoint, and result -> endpoint.

    method: what it is for, as "tensorflow/serving/predict". tensors: endpoint -> the TensorInfo that it is said with.
    """

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    method: str = ""
    tensors: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LegacyGraph:
    """A graph as it was written.

    path: the file it was read from. collections: name -> CollectionDef. signatures: by key. checkpoint: the prefix of
    the variables that lie beside it, or None. assets: endpoint of the file name's tensor -> the file. attachments: what
    a hub module was given with `hub.attach_message`, by key, as the bytes of a message. release: the
    TensorFlow that wrote it, "" where that is not said. tags: of the SavedModel.
    """

    path: Path
    kind: Kind
    graph_def: Any
    collections: Mapping[str, Any] = field(default_factory=dict)
    signatures: Mapping[str, Signature] = field(default_factory=dict)
    checkpoint: Path | None = None
    assets: Mapping[str, Path] = field(default_factory=dict)
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    release: str = ""
    tags: Sequence[str] = ()

    def names(self, collection: str) -> list[str]:
        """The names in a collection: of nodes, or of the tensors of its variables."""
        if collection not in self.collections:
            return []
        held = self.collections[collection]
        if held.WhichOneof("kind") == "bytes_list":
            return [str(own("VariableDef").FromString(each).variable_name) for each in held.bytes_list.value]
        return list(held.node_list.value)
