"""What the layers with weights do last: normalizer, activation, end point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tf2bridge.contrib.layers.endpoints import collect_named_outputs


def finished(
    outputs: Any,
    normalizer_fn: Callable[..., Any] | None,
    normalizer_params: Mapping[str, Any] | None,
    activation_fn: Callable[[Any], Any] | None,
    outputs_collections: Any,
    name: str,
) -> Any:
    """Returns `outputs` normalized and activated, and collects them as `name`."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, name, outputs)
