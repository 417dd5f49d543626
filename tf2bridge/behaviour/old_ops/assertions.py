"""`tf.assert_less` and similar functions raise at the same time as in 1.x.

If both values are known when the graph is built, they raise at once. TensorFlow 2 knows more values: it looks through
`tf.identity` and the other ops below (`tensor_util._ConstantValue`). A program may expect the error from `session.run`,
like the heads of Estimators for labels that are out of range. With TensorFlow 2 such a program fails before it has a
session. The messages are shown as given; TensorFlow 2 adds a full stop.
"""

from __future__ import annotations

import functools
import inspect
from types import ModuleType
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put, rebind

_LOOKED_THROUGH = ("Identity", "StopGradient", "CheckNumericsV2", "DebugIdentityV2", "Unpack", "Split")
"""Ops of whose result 1.15 knew no value."""


_AS_GIVEN = ("assert_negative", "assert_positive", "assert_non_negative", "assert_non_positive", "assert_near")


class _Given(str):
    """A message to which no full stop is added."""

    __slots__ = ()


class _Util(ModuleType):
    """The module `tensor_util` for `check_ops`, with the `constant_value` of 1.15."""

    def __init__(self, original: ModuleType) -> None:
        super().__init__(original.__name__)
        self.__dict__["original"] = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def constant_value(self, tensor: Any, partial: bool = False) -> Any:
        """Returns the value of a tensor, or None if 1.15 did not know it."""
        return self.original.constant_value(tensor, partial) if _known(tensor) else None


def install() -> None:
    """Installs the change in this process."""
    checks: Any = internals.ops.check_ops
    put(checks, "tensor_util", _Util(checks.tensor_util))
    put(checks, "_message_prefix", _prefix_of(checks._message_prefix))
    functions = [getattr(checks, name) for name in _AS_GIVEN]
    rebind({id(function): (function, _as_given(function)) for function in functions})


def _prefix_of(original: Any) -> Any:
    def prefix(message: Any) -> Any:
        return str(message) if isinstance(message, _Given) else original(message)

    return prefix


def _as_given(function: Any) -> Any:
    """Returns the assertion with the given message, or "" for none."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def changed(*args: Any, **kwargs: Any) -> Any:
        call = signature.bind(*args, **kwargs)
        call.arguments["message"] = _Given(call.arguments.get("message") or "")
        return function(*call.args, **call.kwargs)

    return changed


def _known(tensor: Any) -> bool:
    """Returns False if 1.15 did not know the value of a tensor, even if TensorFlow 2 does."""
    if not hasattr(tensor, "graph"):
        return True
    while tensor.op.type == "Cast":
        tensor = tensor.op.inputs[0]
    return tensor.op.type not in _LOOKED_THROUGH
