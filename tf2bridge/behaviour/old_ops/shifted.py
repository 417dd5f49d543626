"""Functions with the order of parameters of 1.15; 2.21 has a new parameter in the middle."""

from __future__ import annotations

from tf2bridge.behaviour.arguments import Old, function

_MATMUL = Old("a b transpose_a transpose_b adjoint_a adjoint_b a_is_sparse b_is_sparse name")

matmul = linalg_matmul = function("matmul", _MATMUL)
nn_top_k = math_top_k = function("nn.top_k", Old("input k sorted name"))
scatter_nd = manip_scatter_nd = function("scatter_nd", Old("indices updates shape name"))
image_adjust_jpeg_quality = function("image.adjust_jpeg_quality", Old("image jpeg_quality name"))
numpy_function = function("numpy_function", Old("func inp Tout name"))
tensor_scatter_add = tensor_scatter_nd_add = function("tensor_scatter_nd_add", Old("tensor indices updates name"))
tensor_scatter_sub = tensor_scatter_nd_sub = function("tensor_scatter_nd_sub", Old("tensor indices updates name"))
config_experimental_set_virtual_device_configuration = function(
    "config.experimental.set_virtual_device_configuration",
    Old("device virtual_devices", "virtual_devices=logical_devices"),
)
