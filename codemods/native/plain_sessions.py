"""Finds the sessions that TensorFlow 1 managed for a program, and makes plain ones of them."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, replace

from codemods.native.inlining import Inlined, unchanged
from codemods.native.kinds import calls_of, v1_name
from codemods.native.machinery import MANAGING, SUPERVISOR
from codemods.native.managed_sessions import Edited
from codemods.native.monitored_sessions import write_monitored
from codemods.native.places import method_of
from codemods.native.queue_ends import with_ends
from codemods.native.refusals import NotNativeError
from codemods.native.rewritten import Native, Program
from codemods.native.supervisors import write_supervisor

_CALLS = ("run", "eval")
_EARLY = ("0.", "1.0.", "1.1.", "1.2.", "1.3.", "1.4.")
"""Releases whose monitored sessions wrote the first checkpoint behind the first run."""


@dataclass(frozen=True)
class Plain:
    """A text whose managed sessions are plain ones, and (line of the old text, what a person should know of it)."""

    made: Inlined
    notes: tuple[tuple[int, str], ...]


def with_plain_sessions(text: str, release: str = "") -> Plain | None:
    """Returns a text whose managed sessions are plain ones; None if it has none.

    Args:
        text: The text.
        release: The release of TensorFlow 1 that a trace is of; "" if none is known.

    Raises:
        NotNativeError: One of them is used in a way that has no counterpart.
    """
    if not any(name.rpartition(".")[2] in text for name in MANAGING):
        return None
    now = unchanged(text)
    now = now.then(with_ends(text))
    edited = Edited(now.text)
    calls = list(calls_of(edited.names.nodes.get(ast.Call, []), edited.names, MANAGING))
    try:
        for call in calls:
            if v1_name(edited.names, call.func) == SUPERVISOR:
                write_supervisor(edited, call)
            else:
                write_monitored(edited, call, release.startswith(_EARLY))
    except NotNativeError as error:
        raise moved_error(error, now) from error
    notes = tuple((now.line(number), why) for number, why in edited.notes)
    return Plain(now.then(edited.result()), notes) if calls else None


def moved_error(error: NotNativeError, made: Inlined) -> NotNativeError:
    """Returns an error at the line that a text was made of."""
    where = ast.Pass(lineno=made.line(getattr(error.node, "lineno", 1)), col_offset=0)
    return NotNativeError(where, error.code, error.message, error.place)


def completed(native: Native, plain: Plain, text: str, program: Program) -> Native:
    """Returns a result with the notes of its sessions, and without the rows of calls that the author did not write.

    These read the number of the step, and stand at the line of the author's call, whose row is another one.

    Args:
        native: The result.
        plain: What it was made of.
        text: The author's text.
        program: What is known of it.
    """
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and method_of(node) in _CALLS)
    written = Counter(f"{program.file(call.lineno)}:{program.line(call.lineno)}" for call in calls)
    single = {row.legacy for row in native.calls if written[row.legacy] <= 1}
    notes = ((program.line(number), why) for number, why in plain.notes)
    dropped = tuple(row for row in native.dropped if row.legacy not in single)
    return replace(native, dropped=dropped, notes=tuple(dict.fromkeys((*native.notes, *notes))))
