"""Adds the value and the update op of a metric to collections."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def collected(value: Any, update: Any, metrics_collections: Any, updates_collections: Any) -> tuple[Any, Any]:
    """Adds `value` and `update` to the collections, and returns (value, update)."""
    if metrics_collections:
        v1.add_to_collections(metrics_collections, value)
    if updates_collections:
        v1.add_to_collections(updates_collections, update)
    return value, update


def aggregate_metrics(*value_update_tuples: tuple[Any, Any]) -> tuple[list[Any], list[Any]]:
    """Returns (values, update ops) of pairs. Raises ValueError if there are no pairs."""
    if not value_update_tuples:
        raise ValueError("give at least one pair (value, update op)")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: dict[str, tuple[Any, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns ({name: value}, {name: update op}) of {name: pair}. Raises ValueError if there are no pairs."""
    values, updates = zip(*names_to_tuples.values(), strict=True)
    return dict(zip(names_to_tuples, values, strict=True)), dict(zip(names_to_tuples, updates, strict=True))
