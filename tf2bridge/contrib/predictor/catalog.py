"""`tf.contrib.predictor`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.predictor"
_FACTORIES = "from_saved_model from_estimator"

OWN = names(_PATH, "tf2bridge.contrib.predictor.predictor_factories", _FACTORIES)

ALIASES = same(f"{_PATH}.predictor_factories", _PATH, _FACTORIES)
