"""Sessions: the warning that a second InteractiveSession is open, which TensorFlow 2 logs as an error instead."""

from __future__ import annotations

import functools
import warnings
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import put

_WARNING = (
    "An interactive session is already active. This can cause out-of-memory errors in some cases. You must explicitly "
    "call `InteractiveSession.close()` to release resources held by the other session(s)."
)


def install() -> None:
    """Makes a second InteractiveSession warn."""
    interactive: Any = internals.sessions.session.InteractiveSession
    original = interactive.__init__

    @functools.wraps(original)
    def begin(self: Any, *arguments: Any, **keywords: Any) -> None:
        before = interactive._active_session_count
        original(self, *arguments, **keywords)
        if before > 0:
            warnings.warn(_WARNING, stacklevel=2)

    put(interactive, "__init__", begin)
