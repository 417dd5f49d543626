"""Names that TensorFlow 2 has, but whose results know less than they did in 1.x."""

from __future__ import annotations

from tf2bridge.v1.listing import names

OWN = names("nn", "tf2bridge.behaviour.old_ops.output_shapes", "conv2d_transpose")
