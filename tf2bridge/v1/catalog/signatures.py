"""Functions of the core whose parameters TensorFlow 2 changed in a way that a 1.15 call would not notice."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_CROSS_ENTROPIES = (
    "nn.softmax_cross_entropy_with_logits nn.sparse_softmax_cross_entropy_with_logits "
    "nn.sigmoid_cross_entropy_with_logits"
)
_SHIFTED = (
    "tensor_scatter_add tensor_scatter_nd_add tensor_scatter_sub tensor_scatter_nd_sub "
    "config.experimental.set_virtual_device_configuration"
)

OWN = {
    **names("", "tf2bridge.behaviour.old_ops.cross_entropies", _CROSS_ENTROPIES),
    **names("", "tf2bridge.behaviour.old_ops.shifted", _SHIFTED),
    **names("", "tf2bridge.behaviour.old_ops.plain", "ones zeros fill shape size"),
    **names("", "tf2bridge.behaviour.old_ops.devices", "config.experimental_list_devices"),
}
