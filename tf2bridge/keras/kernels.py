"""`tf.keras.utils.convert_all_kernels_in_model`: kernels that Theano trained.

Theano flips the kernel of a convolution. Keras dropped the function with TensorFlow 2.4 (its release notes). Facts are
those of TensorFlow 1.15.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)
_CLASSES = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose")


def convert_kernel(kernel: Any) -> Any:
    """Returns a kernel [..., inputs, outputs] with its spatial axes reversed: from Theano's to TensorFlow's, or back.

    Raises:
        ValueError: The kernel has not three to five dimensions.
    """
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.flip(kernel, tuple(range(kernel.ndim - 2))).copy()


def convert_all_kernels_in_model(model: Any) -> None:
    """Reverses the kernels of all convolutions of a model. Separable convolutions stay: Theano has none."""
    backend = _keras.backend
    kernels = [layer.kernel for layer in model.layers if type(layer).__name__ in _CLASSES]
    backend.batch_set_value([(kernel, convert_kernel(backend.get_value(kernel))) for kernel in kernels])
