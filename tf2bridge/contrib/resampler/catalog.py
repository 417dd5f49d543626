"""`tf.contrib.resampler`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

OWN = names("contrib.resampler", "tf2bridge.contrib.resampler.resampler_ops", "resampler")
