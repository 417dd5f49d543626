"""The file `projector_config.pbtxt` beside a checkpoint, which TensorBoard's projector reads.

The messages are those of tensorboard/plugins/projector/projector_config.proto, built here, for TensorBoard need not be
installed to write them.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    text_format,
)

PROJECTOR_FILENAME = "projector_config.pbtxt"

_PACKAGE = "tensorflow"
_MESSAGES = {
    "SpriteMetadata": "image_path:string single_image_dim:uint32*",
    "EmbeddingInfo": "tensor_name:string metadata_path:string bookmarks_path:string tensor_shape:uint32* "
    "sprite:SpriteMetadata tensor_path:string",
    "ProjectorConfig": "model_checkpoint_path:string embeddings:EmbeddingInfo* model_checkpoint_dir:string",
}
"""Message -> its fields in the order of their numbers, "*" for a repeated one."""


def _described() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="projector_config.proto", package=_PACKAGE, syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, text in enumerate(fields.split(), 1):
            field, kind = text.rstrip("*").split(":")
            added = message.field.add(name=field, number=number, label=3 if text.endswith("*") else 1)
            if kind in _MESSAGES:
                added.type, added.type_name = added.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"
            else:
                added.type = added.TYPE_STRING if kind == "string" else added.TYPE_UINT32
    pool = descriptor_pool.DescriptorPool()  # of its own: TensorBoard declares the same messages in the common one
    pool.Add(file)
    return pool.FindFileByName(file.name)


DESCRIPTOR: Any = _described()
SpriteMetadata: Any = message_factory.GetMessageClass(DESCRIPTOR.message_types_by_name["SpriteMetadata"])
EmbeddingInfo: Any = message_factory.GetMessageClass(DESCRIPTOR.message_types_by_name["EmbeddingInfo"])
ProjectorConfig: Any = message_factory.GetMessageClass(DESCRIPTOR.message_types_by_name["ProjectorConfig"])


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes `config`, a ProjectorConfig, into the directory of a FileWriter. Raises ValueError if it has none."""
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("the summary writer has no directory (logdir) to write the projector's configuration to")
    path = f"{tf.compat.as_text(folder).rstrip('/')}/{PROJECTOR_FILENAME}"
    with tf.io.gfile.GFile(path, "w") as file:
        file.write(text_format.MessageToString(config))
