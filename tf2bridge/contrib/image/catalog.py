"""`tf.contrib.image`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.image"
_HERE = "tf2bridge.contrib.image"

_PROJECTIVE = (
    "rotate translate transform compose_transforms angles_to_projective_transforms "
    "translations_to_projective_transforms flat_transforms_to_matrices matrices_to_flat_transforms"
)

OWN = {
    **names(_PATH, f"{_HERE}.projective", _PROJECTIVE),
    **names(_PATH, f"{_HERE}.dense_warp", "dense_image_warp"),
    **names("contrib.image.python.ops.distort_image_ops", f"{_HERE}.yiq", "adjust_hsv_in_yiq random_hsv_in_yiq"),
    **names(_PATH, f"{_HERE}.splines", "interpolate_spline sparse_image_warp"),
    **names(_PATH, f"{_HERE}.components", "connected_components"),
    f"{_PATH}.python.ops.dense_image_warp._interpolate_bilinear": f"{_HERE}.dense_warp:interpolate_bilinear",
    f"{_PATH}.python.ops.sparse_image_warp._get_grid_locations": f"{_HERE}.splines:grid_locations",
    f"{_PATH}.python.ops.sparse_image_warp._get_boundary_locations": f"{_HERE}.splines:boundary_locations",
    f"{_PATH}.ops.gen_image_ops.image_projective_transform": f"{_HERE}.projective:image_projective_transform",
}
