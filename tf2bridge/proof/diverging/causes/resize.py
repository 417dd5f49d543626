"""An image is resized by another rule: align_corners, half_pixel_centers, or another kernel.

TensorFlow 2's tf.image.resize has half_pixel_centers=True always, as Keras' Resizing; tf.compat.v1.image.resize has
neither unless told.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 15


def likely(evidence: Evidence) -> str | None:
    """Speaks where both ops resize, and their rules or kinds differ."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not theirs.type.startswith("Resize"):
        return None
    if not ours.type.startswith(("Resize", "ScaleAndTranslate")):
        return None
    if theirs.type != ours.type:
        return f"{theirs.type} there, {ours.type} here"
    rules = ("align_corners", "half_pixel_centers")  # the second is of 1.14 and later: absent is False
    told = [[bool(op.attributes.get(rule, False)) for rule in rules] for op in (theirs, ours)]
    if told[0] == told[1]:
        return None
    said = [f"{rule} is {a} there and {b} here" for rule, a, b in zip(rules, *told, strict=True) if a != b]
    return ", ".join(said)
