"""Compares the checkpoints that a native program writes with the recorded ones, by their number and steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tf2bridge.errors import some
from tf2bridge.native.estimator_calls import ProgramTrace
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_SAVER = "saver"
_STEP = re.compile(r"-(\d+)$")
_NAMED = 3


def unlike_checkpoints(written: Sequence[str], recorded: Trace) -> Iterator[str]:
    """Yields a line if other checkpoints were written than recorded: more, fewer, or of other steps."""
    names = list(_recorded(recorded))
    if len(names) != len(written):
        yield (
            f"the recorded program wrote {_shown(names)}, and this one wrote {_shown(written)}: "
            "what is saved is compared by number and step"
        )
        return
    for old, new in zip(names, written, strict=True):
        steps = _STEP.search(old), _STEP.search(new)
        if steps[0] is not None and (steps[1] is None or steps[0][1] != steps[1][1]):
            yield f"the checkpoint {old} of the recorded program is {new} here"
            return


def _recorded(recorded: Trace) -> Iterator[str]:
    """Yields the names of the recorded checkpoints: what a Saver is fed when it saves.

    An Estimator also saves before its first step, or after it, and by the clock. What counts is the last of a session.
    """
    if isinstance(recorded, ProgramTrace) and recorded.has_estimator:
        last = {call.session: name for call, name in _saves(recorded)}
        yield from (last[session] for session in sorted(last))
    else:
        yield from (name for _, name in _saves(recorded))


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
