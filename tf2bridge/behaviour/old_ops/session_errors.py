"""Errors of sessions in the form of 1.x: first the error, then the operation and the line that made it.

2.21 begins each text with "Graph execution error:" and the whole stack of the operation, which `str(error)` repeats.
Programs and tests of 1.x compare the beginning of `error.message`. The order is that of
python/framework/error_interpolation.py of 1.15. The line is in the program's own code, as in 1.12.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put

_TAG = re.compile(r"\{\{node (\S+)\}\}")
_LIBRARIES = ("tensorflow", "keras", "tf_keras", "tf2bridge")
"""Packages whose lines are not part of the program."""


def install() -> None:
    """Gives errors of sessions the form of 1.x in this process."""
    put(internals.framework.error_interpolation, "interpolate_graph", with_lines)
    session: Any = internals.sessions.session
    fetches: Any = session._ElementFetchMapper
    put(fetches, "__init__", _of_fetches(fetches.__init__))
    put(session._FetchMapper, "for_fetch", staticmethod(_of_a_fetch(session._FetchMapper.for_fetch)))


def with_lines(message: str, graph: Any) -> str:
    """Returns an error's message with the line that made each operation: `[[node x (defined at train.py:12) ]]`."""
    return _TAG.sub(lambda tag: _described(tag[1], graph), message)


def _described(name: str, graph: Any) -> str:
    try:
        frames = list(graph.get_operation_by_name(name).traceback or ())
    except (KeyError, ValueError):  # a node that the runtime made, or one of a function
        return f"{{{{node {name}}}}}"
    own = [frame for frame in frames if not frame.filename.startswith(_folders())] or frames
    return f"node {name} (defined at {own[-1].filename}:{own[-1].lineno}) " if own else f"node {name}"


@functools.cache
def _folders() -> tuple[str, ...]:
    """Returns the beginnings of paths that are not part of the program."""
    specs = [importlib.util.find_spec(name) for name in _LIBRARIES]
    return ("<", *(str(Path(spec.origin).parent) + os.sep for spec in specs if spec is not None and spec.origin))


def _of_fetches(original: Callable[..., None]) -> Callable[..., None]:
    """Returns `_ElementFetchMapper(fetches, ...)` whose error about the first invalid fetch has the text of 1.x."""

    @functools.wraps(original)
    def made(self: Any, fetches: Any, contraction_fn: Any) -> None:
        try:
            original(self, fetches, contraction_fn)
        except (TypeError, ValueError) as error:
            for fetch in fetches:
                _reword(error, fetch)
            raise

    return made


def _of_a_fetch(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(original)
    def mapper(fetch: Any) -> Any:
        try:
            return original(fetch)
        except (TypeError, ValueError) as error:
            _reword(error, fetch)
            raise

    return mapper


def _reword(error: Exception, fetch: Any) -> None:
    """Gives an error about `fetch` the text of 1.x. Errors about other fetches stay as they are."""
    start, text = f"Argument `fetch` = {fetch} ", str(error)
    if not text.startswith(start):
        return
    rest = text.removeprefix(start).replace('". Cannot be None', '"').replace('" must be', '", must be')
    rest = rest.replace(f'"{type(fetch).__name__}"', repr(type(fetch)))
    error.args = (f"Fetch argument {fetch!r} {rest}", *error.args[1:])
