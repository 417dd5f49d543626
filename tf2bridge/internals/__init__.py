"""Private names of TensorFlow that we use, by subject: no other code of ours imports `tensorflow.python` or `.core`.

They are a debt: a release of TensorFlow may move or drop them. Where one has moved, it is mended in one of these
modules; `tf2bridge doctor` tells which ones have. Importing these modules imports nothing of TensorFlow.
"""

from tf2bridge.internals import (
    columns,
    data,
    distribution,
    eager,
    framework,
    ops,
    protos,
    saving,
    sessions,
    support,
    training,
)

__all__ = [
    "columns",
    "data",
    "distribution",
    "eager",
    "framework",
    "ops",
    "protos",
    "saving",
    "sessions",
    "support",
    "training",
]
