"""Compares the checkpoints that a native program writes with the recorded ones, by their number and steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tf2bridge.errors import some
from tf2bridge.native.estimator_calls import ProgramTrace
from tf2bridge.proof.comparing.by_modules import MAIN_THREAD
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_SAVER = "saver"
_STEP = re.compile(r"-(\d+)$")
_NAMED = 3


def unlike_checkpoints(written: Sequence[str], recorded: Trace) -> Iterator[str]:
    """Yields a line if other checkpoints were written than recorded: more, fewer, or of other steps."""
    yield from unlike_names(written, list(_recorded(recorded)))


def unlike_names(written: Sequence[str], recorded: Sequence[tuple[str, bool]]) -> Iterator[str]:
    """Yields a line if a program wrote other checkpoints than the recorded one.

    Args:
        written: The names of its checkpoints, in their order.
        recorded: The recorded names, and whether the main thread wrote each. A thread of a supervisor wrote its
            checkpoints by time, so that there may be more or fewer of these now, of other steps.
    """
    names = [name for name, is_main in recorded if is_main]
    if len(names) < len(recorded):
        left = iter(written)
        missing = next((name for name in names if not any(_is_same_step(name, new) for new in left)), None)
        if missing is not None:
            yield f"the checkpoint {missing} of the recorded program is not among those of this one: {_shown(written)}"
        return
    if len(names) != len(written):
        yield (
            f"the recorded program wrote {_shown(names)}, and this one wrote {_shown(written)}: "
            "what is saved is compared by number and step"
        )
        return
    for old, new in zip(names, written, strict=True):
        if not _is_same_step(old, new):
            yield f"the checkpoint {old} of the recorded program is {new} here"
            return


def _is_same_step(old: str, new: str) -> bool:
    """Returns whether a checkpoint is of the step of a recorded one, or that one names no step."""
    steps = _STEP.search(old), _STEP.search(new)
    return steps[0] is None or (steps[1] is not None and steps[0][1] == steps[1][1])


def _recorded(recorded: Trace) -> Iterator[tuple[str, bool]]:
    """Yields the names of the recorded checkpoints, what a Saver is fed when it saves, and if the main thread did.

    An Estimator also saves before its first step, or after it, and by the clock. What counts is the last of a session.
    """
    saves = [(call, name, call.thread == MAIN_THREAD) for call, name in _saves(recorded)]
    if isinstance(recorded, ProgramTrace) and recorded.has_estimator:
        last = {call.session: (name, is_main) for call, name, is_main in saves}
        yield from (last[session] for session in sorted(last))
    else:
        yield from ((name, is_main) for _, name, is_main in saves)


def _saves(recorded: Trace) -> Iterator[tuple[CallRecord, str]]:
    for call in recorded.calls:
        is_save = any(":" in leaf.name for leaf in call.fetches)  # what restores is an operation
        if call.via == _SAVER and is_save and call.error is None:
            for leaf in call.feeds:
                value = None if leaf.value is None else recorded.value(leaf.value)
                if value is not None and value.shape == () and value.dtype.hasobject:
                    yield call, value.item().decode("utf-8", "replace").rpartition("/")[2]


def _shown(names: Sequence[str]) -> str:
    return f"{len(names)} checkpoints ({some(list(names), _NAMED)})" if names else "no checkpoint"
