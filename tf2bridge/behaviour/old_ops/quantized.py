"""A notice for programs that quantize, whose numbers depend on the processor by more than rounding.

With oneDNN, TensorFlow 2 rounds otherwise in QuantizeV2: a number may come out one whole step away.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tf2bridge import kernels

_NOTICE = (
    "tf2bridge: the program quantizes (QuantizeV2), and with oneDNN some processors give values one step away: "
    "TF_ENABLE_ONEDNN_OPTS=0 in the environment makes all of them compute as TensorFlow 1.x did"
)
_said: list[str] = []
"""What was said on standard error: one notice for a whole process."""


def look(types: Iterable[str]) -> None:
    """Says on standard error, once, that operations of these types depend on the processor, if they do."""
    if not _said and "QuantizeV2" in types and kernels.quantizes_by_processor():
        _said.append(_NOTICE)
        print(_NOTICE, file=sys.stderr)
