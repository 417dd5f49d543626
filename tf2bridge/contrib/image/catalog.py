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
    **names(_PATH, f"{_HERE}.image_ops", _PROJECTIVE),
    **names(_PATH, f"{_HERE}.dense_image_warp", "dense_image_warp"),
    **names(
        "contrib.image.python.ops.distort_image_ops",
        f"{_HERE}.distort_image_ops",
        "adjust_hsv_in_yiq random_hsv_in_yiq",
    ),
    **names(_PATH, f"{_HERE}.interpolate_spline", "interpolate_spline"),
    **names(_PATH, f"{_HERE}.sparse_image_warp", "sparse_image_warp"),
    **names(_PATH, f"{_HERE}.image_ops", "connected_components"),
    f"{_PATH}.python.ops.dense_image_warp._interpolate_bilinear": f"{_HERE}.dense_image_warp:interpolate_bilinear",
    f"{_PATH}.python.ops.sparse_image_warp._get_grid_locations": f"{_HERE}.sparse_image_warp:grid_locations",
    f"{_PATH}.python.ops.sparse_image_warp._get_boundary_locations": f"{_HERE}.sparse_image_warp:boundary_locations",
    f"{_PATH}.ops.gen_image_ops.image_projective_transform": f"{_HERE}.image_ops:image_projective_transform",
}
