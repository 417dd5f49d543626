"""Gives errors in functions of data sets the class and the first words that they had in 1.x.

2.21 turns an error in a function of `group_by_window` into an InternalError whose text names the class. Programs catch
the original class. Other transformations keep the class, but put a sentence before the text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put

_WRAPPED = re.compile(
    r"Got error code (\w+) and message: \{\n(.*?)\n?\} ?\nfrom running user-defined function \S+: ?", re.DOTALL
)
_SENTENCE = re.compile(r"Error in user-defined function passed to \S+ transformation with iterator: \S+: ")


def install() -> None:
    """Makes sessions and eager calls raise such errors, in this process."""
    session: Any = internals.sessions.session.BaseSession
    put(session, "_do_call", _of_sessions(session._do_call))
    core: Any = internals.eager.core
    put(core, "_status_to_exception", _of_eager_calls(core._status_to_exception))


def as_in_1_x(message: str, code: int) -> tuple[str, int]:
    """Returns the text and the code that the error had in the function."""
    wrapped = _WRAPPED.search(message)
    if wrapped is not None:
        code = getattr(tensorflow().compat.v1.errors, wrapped[1], code)
        message = message[: wrapped.start()] + wrapped[2] + message[wrapped.end() :]
    return _SENTENCE.sub("", message), code


def _of_sessions(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `BaseSession._do_call(fn, ...)`, which raises errors of `fn` again with the operation."""

    @functools.wraps(original)
    def do_call(session: Any, function: Callable[..., Any], *arguments: Any) -> Any:
        def called(*given: Any) -> Any:
            try:
                return function(*given)
            except tensorflow().errors.OpError as error:
                message, code = as_in_1_x(error.message, error.error_code)
                if message == error.message:
                    raise
                made = tensorflow().compat.v1.errors.exception_type_from_error_code(code)
                raise made(error.node_def, error.op, message) from error

        return original(session, called, *arguments)

    return do_call


def _of_eager_calls(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns `core._status_to_exception(status)`, which returns the error to raise."""

    @functools.wraps(original)
    def to_exception(status: Any) -> Any:
        message, code = as_in_1_x(status.message, status.code)
        return original(type(status)(message, code, status.payloads) if message != status.message else status)

    return to_exception
