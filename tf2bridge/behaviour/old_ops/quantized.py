"""Prints a notice for programs that quantize: their numbers depend on the processor.

With oneDNN, QuantizeV2 of TensorFlow 2 rounds differently: a number may be off by one quantization step.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from tf2bridge import kernels

_NOTICE = (
    "tf2bridge: the program quantizes (QuantizeV2), and with oneDNN some processors give values one step away: "
    "TF_ENABLE_ONEDNN_OPTS=0 in the environment makes all of them compute as TensorFlow 1.x did"
)
_notices: list[str] = []
"""Notices that were printed on standard error: each is printed once in a process."""


def look(types: Iterable[str]) -> None:
    """Prints the notice on standard error, once, if one of these types of operation depends on the processor."""
    if not _notices and "QuantizeV2" in types and kernels.quantizes_by_processor():
        _notices.append(_NOTICE)
        print(_NOTICE, file=sys.stderr)
