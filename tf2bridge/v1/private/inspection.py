"""`tensorflow.python.util.tf_inspect`, where what it tells of TensorFlow's own functions has changed."""

from __future__ import annotations

import inspect
from typing import Any

from tf2bridge.v1.installed import supplier

_ANNOTATED = ("tensorflow", "tf_keras", "tf2bridge")


def getfullargspec(obj: Any) -> inspect.FullArgSpec:
    """The parameters of a callable, decorated or not; functions of TensorFlow, as in 1.x, have no annotations."""
    found: inspect.FullArgSpec = supplier("tensorflow.python.util.tf_inspect").getfullargspec(obj)
    if str(getattr(obj, "__module__", "")).partition(".")[0] in _ANNOTATED:
        return found._replace(annotations={})
    return found
