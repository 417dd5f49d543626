"""Feature columns."""

from tf2bridge.internals.loading import loader

NAMES = {
    "NumericColumn": "tensorflow.python.feature_column.feature_column_v2:NumericColumn",
    "StateManager": "tensorflow.python.feature_column.feature_column_v2:StateManager",
    "_LazyBuilder": "tensorflow.python.feature_column.feature_column:_LazyBuilder",
    "_NumericColumn": "tensorflow.python.feature_column.feature_column:_NumericColumn",
    "feature_column": "tensorflow.python.feature_column.feature_column",
    "feature_column_v2": "tensorflow.python.feature_column.feature_column_v2",
    "feature_column_v2_types": "tensorflow.python.feature_column.feature_column_v2_types",
    "serialization": "tensorflow.python.feature_column.serialization",
    "utils": "tensorflow.python.feature_column.utils",
}

__getattr__ = loader(NAMES, globals())
