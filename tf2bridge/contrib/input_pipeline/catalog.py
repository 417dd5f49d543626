"""`tf.contrib.input_pipeline`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.input_pipeline"
_FUNCTIONS = "obtain_next seek_next"

OWN = names(_PATH, "tf2bridge.contrib.input_pipeline.input_pipeline_ops", _FUNCTIONS)

ALIASES = same(f"{_PATH}.python.ops.input_pipeline_ops", _PATH, _FUNCTIONS)
