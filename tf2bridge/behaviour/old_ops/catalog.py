"""Functions of the core with other parameters, names or results in TensorFlow 2."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_HERE = "tf2bridge.behaviour.old_ops"

_CROSS_ENTROPIES = (
    "nn.softmax_cross_entropy_with_logits nn.sparse_softmax_cross_entropy_with_logits "
    "nn.sigmoid_cross_entropy_with_logits"
)
_SHIFTED = (
    "matmul linalg.matmul nn.top_k math.top_k scatter_nd manip.scatter_nd image.adjust_jpeg_quality numpy_function "
    "tensor_scatter_add tensor_scatter_nd_add tensor_scatter_sub tensor_scatter_nd_sub "
    "config.experimental.set_virtual_device_configuration"
)
_SUMMARIES = "scalar_summary image_summary audio_summary histogram_summary merge_summary merge_all_summaries"
_RENAMED = "mul sub pack unpack select batch_matmul complex_abs concat_v2 split_v"
_DATES = "forward_compatible forward_compatibility_horizon"
_DIAGONALS = "matrix_diag matrix_diag_part matrix_set_diag"

OWN = {
    **names("", f"{_HERE}.cross_entropies", _CROSS_ENTROPIES),
    **names("", f"{_HERE}.shifted", _SHIFTED),
    **names("", f"{_HERE}.plain", "ones zeros fill shape size"),
    **names("", f"{_HERE}.devices", "config.experimental_list_devices"),
    **names("", f"{_HERE}.summaries", _SUMMARIES),
    **names("train", f"{_HERE}.summaries", "SummaryWriter"),
    **names("", f"{_HERE}.renamed", _RENAMED),
    **names("", f"{_HERE}.diagonals", _DIAGONALS),
    **names("python.ops.array_ops", f"{_HERE}.diagonals", _DIAGONALS),
    **names("compat", f"{_HERE}.forward", _DATES),
    **names("python.compat.compat", f"{_HERE}.forward", _DATES),
    **names("nn", f"{_HERE}.unrolled", "rnn bidirectional_rnn state_saving_rnn"),
    **names("nn", f"{_HERE}.output_shapes", "conv2d_transpose"),
    **names("python.ops.math_ops", f"{_HERE}.bits", "compare_and_bitpack"),
    **names("python.ops.gen_math_ops", f"{_HERE}.bits", "compare_and_bitpack"),
    "python.framework.ops._NodeDef": f"{_HERE}.nodes:node_def",
}

ALIASES = {
    "linalg.diag": "matrix_diag",
    "linalg.diag_part": "matrix_diag_part",
    "linalg.set_diag": "matrix_set_diag",
}
