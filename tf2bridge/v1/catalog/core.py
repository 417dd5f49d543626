"""The core of the namespace: what TensorFlow 2 changed, lost, or holds only for Keras 3."""

from __future__ import annotations

from tf2bridge.behaviour.installed import KERAS, LEGACY
from tf2bridge.v1.listing import names, same

_SUMMARIES = "scalar_summary image_summary audio_summary histogram_summary merge_summary merge_all_summaries"
_RENAMED = "mul sub pack unpack select batch_matmul complex_abs concat_v2 split_v"
_SHIFTED = (
    "matmul linalg.matmul nn.top_k math.top_k scatter_nd manip.scatter_nd image.adjust_jpeg_quality numpy_function"
)
_DATES = "forward_compatible forward_compatibility_horizon"
_DIAGONALS = "matrix_diag matrix_diag_part matrix_set_diag"

OWN = {
    **names("", "tf2bridge.behaviour.switch", "enable __version__ VERSION"),
    **names("", "tf2bridge.v1.refusals", "unavailable"),
    **names("", "tf2bridge.behaviour.old_ops.summaries", _SUMMARIES),
    **names("train", "tf2bridge.behaviour.old_ops.summaries", "SummaryWriter"),
    **names("", "tf2bridge.behaviour.old_ops.renamed", _RENAMED),
    **names("", "tf2bridge.behaviour.old_ops.shifted", _SHIFTED),
    **names("", "tf2bridge.behaviour.old_ops.diagonals", _DIAGONALS),
    **names("python.ops.array_ops", "tf2bridge.behaviour.old_ops.diagonals", _DIAGONALS),
    **names("compat", "tf2bridge.behaviour.old_ops.forward", _DATES),
    **names("python.compat.compat", "tf2bridge.behaviour.old_ops.forward", _DATES),
    **names("flags", "tf2bridge.behaviour.program_flags", "FLAGS _FlagValues"),
    **names("app", "tf2bridge.behaviour.program_flags", "run"),
    **names("keras.initializers", "tf2bridge.behaviour.old_keras.initializers", "Initializer"),
    **names("core.protobuf.config_pb2", "tensorflow.core.protobuf.rpc_options_pb2", "RPCOptions"),
    **names("core.protobuf.graph_debug_info_pb2", "tensorflow.core.framework.graph_debug_info_pb2", "GraphDebugInfo"),
    **names("nn", "tf2bridge.behaviour.old_ops.unrolled", "rnn bidirectional_rnn state_saving_rnn"),
}

ALIASES = {
    "neg": "negative",
    "linalg.diag": "matrix_diag",
    "linalg.diag_part": "matrix_diag_part",
    "linalg.set_diag": "matrix_set_diag",
    "inv": "reciprocal",
    "app.flags": "flags",
    "train.SyncReplicasOptimizerV2": "train.SyncReplicasOptimizer",
    "train.SummaryWriterCache": "summary.FileWriterCache",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "contrib.keras": "keras",
    "keras.api.keras": "keras",  # contrib.keras.api.keras
    "keras.python.keras": "python.keras._impl.keras",  # contrib.keras.python.keras, up to 1.3
    "_api.v1": "",  # where the public modules of 1.12 and later lay, whose paths editors wrote into imports
    **same("contrib.util", "", "make_ndarray make_tensor_proto"),
    "contrib.util.constant_value": "get_static_value",
}

SOURCES = {
    "layers": f"{LEGACY}.layers",
    "nn.rnn_cell": f"{LEGACY}.rnn_cell",
    "keras": KERAS,
    **{f"keras.{part}": f"{KERAS}.{part}" for part in ("initializers", "models", "utils", "experimental")},
}
"""TensorFlow 2.21 refuses these with Keras 3."""
