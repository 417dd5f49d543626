"""What private modules told of TensorFlow: the parameters of its functions, and its ops."""

from __future__ import annotations

import functools
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


@functools.cache
def get_registered_ops() -> dict[str, Any]:
    """The definition (`OpDef`) of each op of TensorFlow by its name."""
    session = supplier("tensorflow.python.client.pywrap_tf_session")
    listed = supplier("tensorflow.core.framework.op_def_pb2").OpList()
    listed.ParseFromString(session.TF_GetBuffer(session.TF_GetAllOpList()))
    return {op.name: op for op in listed.op}
