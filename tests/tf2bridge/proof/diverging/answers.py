"""What the proof says of changed programs: each is run beside its trace by `trying.py`, in two processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Answer = dict[str, Any]


def answers_to(cases: Sequence[Answer]) -> list[Answer]:
    """Returns an answer for each case; see `trying.py` for both."""
    with ThreadPoolExecutor(2) as pool:
        halves = list(pool.map(_tried, (cases[::2], cases[1::2])))
    return [halves[number % 2][number // 2] for number in range(len(cases))]


def _tried(cases: Sequence[Answer]) -> list[Answer]:
    script = Path(__file__).parent / "trying.py"
    environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": "0"}  # the old releases had no kernels of oneDNN
    done = subprocess.run(
        [sys.executable, str(script)],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def named(answer: Answer) -> str:
    """The op that was named first; "+name" where only the new program has it."""
    return f"+{answer['added']}" if answer.get("added") else answer.get("op", "none")


def cause_of(answer: Answer) -> str:
    return (answer.get("cause") or "").partition(":")[0]
