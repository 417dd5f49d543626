"""Feature columns: `_get_config` and `_from_config`, which are public in TensorFlow 2."""

from __future__ import annotations

from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put

NEWER = {"use_safe_embedding_lookup": True, "file_format": None}
"""Fields that 1.15 lacked: with the value that means what 1.15 did, a configuration does not say them."""


def install() -> None:
    """Gives feature columns both names.

    In 2.21 the base class has them still, as errors (python/feature_column/feature_column_v2_types.py).
    """
    column: Any = internals.columns.feature_column_v2_types.FeatureColumn
    put(column, "_get_config", _get_config)
    put(column, "_from_config", classmethod(_from_config))


def _get_config(column: Any) -> Any:
    config = column.get_config()
    return {name: value for name, value in config.items() if name not in NEWER or value != NEWER[name]}


def _from_config(cls: Any, config: Any, custom_objects: Any = None, columns_by_name: Any = None) -> Any:
    newer = {name: value for name, value in NEWER.items() if name in getattr(cls, "_fields", ())}
    return cls.from_config({**newer, **config}, custom_objects, columns_by_name)
