"""Matches the patterns of a trace within a time limit, because some patterns take very long."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Sequence

from tf2bridge.proof.traces.known import UnknownContentError

_SECONDS = 10
_SCRIPT = """
import json, re, sys
patterns, names = json.load(sys.stdin)
compiled = [re.compile(pattern) for pattern in patterns]
json.dump([name for name in names if any(pattern.search(name) for pattern in compiled)], sys.stdout)
"""


def fitting(patterns: Sequence[str], names: Collection[str]) -> frozenset[str]:
    """Returns the names in which a pattern is found. Raises UnknownContentError if it takes too long."""
    if not patterns or not names:
        return frozenset()
    command = [sys.executable, "-I", "-c", _SCRIPT]
    asked = json.dumps([list(patterns), sorted(names)])
    try:
        done = subprocess.run(command, input=asked, capture_output=True, encoding="ascii", timeout=_SECONDS, check=True)
    except subprocess.TimeoutExpired:
        raise UnknownContentError(f"its patterns {list(patterns)} take more than {_SECONDS} seconds to match") from None
    except subprocess.CalledProcessError:
        raise UnknownContentError(f"its patterns {list(patterns)} are not regular expressions") from None
    return frozenset(json.loads(done.stdout))
