"""Feature columns: `_get_config` and `_from_config`, which are public in TensorFlow 2."""

from __future__ import annotations

import importlib
from typing import Any


def install() -> None:
    """Gives feature columns both names; twice is harmless.

    In 2.21 the base class has them still, as errors (python/feature_column/feature_column_v2_types.py).
    """
    column: Any = importlib.import_module("tensorflow.python.feature_column.feature_column_v2_types").FeatureColumn
    column._get_config, column._from_config = _get_config, classmethod(_from_config)


def _get_config(column: Any) -> Any:
    return column.get_config()


def _from_config(cls: Any, config: Any, custom_objects: Any = None, columns_by_name: Any = None) -> Any:
    return cls.from_config(config, custom_objects, columns_by_name)
