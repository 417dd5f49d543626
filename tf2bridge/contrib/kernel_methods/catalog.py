"""`tf.contrib.kernel_methods`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.kernel_methods"
_HERE = "tf2bridge.contrib.kernel_methods"
_PRIVATE = f"{_PATH}.python"
_MAPPERS = f"{_PRIVATE}.mappers"

OWN = {
    **names(_PATH, f"{_HERE}.random_fourier_features", "RandomFourierFeatureMapper"),
    **names(_PATH, f"{_HERE}.losses", "sparse_multiclass_hinge_loss"),
    **names(_PATH, f"{_HERE}.kernel_estimators", "KernelLinearClassifier"),
    **names(f"{_MAPPERS}.dense_kernel_mapper", f"{_HERE}.dense_kernel_mapper", "DenseKernelMapper InvalidShapeError"),
}

ALIASES = {
    **same(f"{_MAPPERS}.random_fourier_features", _PATH, "RandomFourierFeatureMapper"),
    **same(f"{_PRIVATE}.losses", _PATH, "sparse_multiclass_hinge_loss"),
    **same(f"{_PRIVATE}.kernel_estimators", _PATH, "KernelLinearClassifier"),
}
