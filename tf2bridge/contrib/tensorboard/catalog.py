"""`tf.contrib.tensorboard`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.tensorboard.plugins.projector"
_NAMES = "DESCRIPTOR PROJECTOR_FILENAME EmbeddingInfo ProjectorConfig SpriteMetadata visualize_embeddings"

OWN = names(_PATH, "tf2bridge.contrib.tensorboard.projector", _NAMES)

ALIASES = {f"{_PATH}.projector_config_pb2": _PATH}
