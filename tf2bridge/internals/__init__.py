"""Private names of TensorFlow that we use, by subject: no other code of ours imports `tensorflow.python` or `.core`.

A release of TensorFlow may move or drop them. A name that has moved is then changed in one of these modules only;
`tf2bridge doctor` lists such names. Importing these modules imports nothing of TensorFlow.
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
