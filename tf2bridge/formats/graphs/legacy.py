"""`LegacyGraph`, the content of a graph file of TensorFlow 1.x."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tf2bridge.formats.kinds import Kind
from tf2bridge.formats.messages import own

TRAINABLE = "trainable_variables"
"""The collection of trainable variables (tf.GraphKeys.TRAINABLE_VARIABLES)."""


@dataclass(frozen=True)
class Signature:
    """A signature of a metagraph.

    Attributes:
        inputs: argument -> endpoint.
        outputs: result -> endpoint.
        method: its purpose, such as "tensorflow/serving/predict".
        tensors: endpoint -> its TensorInfo in the signature.
    """

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    method: str = ""
    tensors: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LegacyGraph:
    """A graph as it was written.

    Attributes:
        path: the file.
        kind: the format of the file.
        graph_def: the GraphDef.
        collections: name -> CollectionDef.
        signatures: key -> signature.
        checkpoint: the prefix of the checkpoint beside the file, or None.
        assets: endpoint of the tensor that holds a file name -> the file.
        attachments: key -> the bytes of a message that `hub.attach_message` added to a hub module.
        release: the release of TensorFlow that wrote the file, or "" if the file does not name it.
        tags: the tags of the graph in a SavedModel.
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
        """Returns the names in a collection: of nodes, or of the tensors of its variables."""
        if collection not in self.collections:
            return []
        content = self.collections[collection]
        if content.WhichOneof("kind") == "bytes_list":
            return [str(own("VariableDef").FromString(stored).variable_name) for stored in content.bytes_list.value]
        return list(content.node_list.value)
