"""`tf.assert_less` and its like find a false condition as early, or as late, as in 1.x.

If both values are known as the graph is built, they raise at once. TensorFlow 2 knows more of them: it looks through
`tf.identity` and the other ops below (`tensor_util._ConstantValue`). Then a program that counts on the error of
`session.run`, like the heads of Estimators for labels that are out of range, fails before it has a session.

Messages of the conditions below are shown as they are given; TensorFlow 2 puts a full stop behind them.
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
    """A message that gets no full stop."""

    __slots__ = ()


class _Util(ModuleType):
    """The module `tensor_util` as `check_ops` sees it."""

    def __init__(self, original: ModuleType) -> None:
        super().__init__(original.__name__)
        self.__dict__["original"] = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def constant_value(self, tensor: Any, partial: bool = False) -> Any:
        """The value of a tensor, or None where 1.15 did not know it."""
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
    """An assertion with the message that was given, or "" for none."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def changed(*args: Any, **kwargs: Any) -> Any:
        call = signature.bind(*args, **kwargs)
        call.arguments["message"] = _Given(call.arguments.get("message") or "")
        return function(*call.args, **call.kwargs)

    return changed


def _known(tensor: Any) -> bool:
    """False if 1.15 knew no value, whatever TensorFlow 2 knows."""
    if not hasattr(tensor, "graph"):
        return True
    while tensor.op.type == "Cast":
        tensor = tensor.op.inputs[0]
    return tensor.op.type not in _LOOKED_THROUGH
