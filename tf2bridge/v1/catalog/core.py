"""The core of the namespace: what TensorFlow 2 changed, lost, or holds only for Keras 3."""

from __future__ import annotations

from tf2bridge.behaviour.installed import KERAS, LEGACY
from tf2bridge.behaviour.listing import names

OWN = {
    **names("", "tf2bridge.behaviour.switch", "enable __version__ VERSION"),
    **names("", "tf2bridge.v1.refusals", "unavailable"),
    **names("flags", "tf2bridge.behaviour.program_flags", "FLAGS _FlagValues"),
    **names("app", "tf2bridge.behaviour.program_flags", "run"),
    **names("keras.initializers", "tf2bridge.behaviour.old_keras.initializers", "Initializer"),
    **names("core.protobuf.config_pb2", "tensorflow.core.protobuf.rpc_options_pb2", "RPCOptions"),
    **names("core.protobuf.graph_debug_info_pb2", "tensorflow.core.framework.graph_debug_info_pb2", "GraphDebugInfo"),
}

ALIASES = {
    "neg": "negative",
    "inv": "reciprocal",
    "app.flags": "flags",
    "train.SummaryWriterCache": "summary.FileWriterCache",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "keras.api.keras": "keras",  # contrib.keras.api.keras
    "keras.python.keras": "python.keras._impl.keras",  # contrib.keras.python.keras, up to 1.3
    "_api.v1": "",  # the place of the public modules since 1.12; editors wrote these paths into imports
}

SOURCES = {
    "layers": f"{LEGACY}.layers",
    "nn.rnn_cell": f"{LEGACY}.rnn_cell",
    "keras": KERAS,
    **{f"keras.{part}": f"{KERAS}.{part}" for part in ("initializers", "models", "utils", "experimental")},
}
"""TensorFlow 2.21 refuses these with Keras 3."""
