"""Runs a written package in a process of its own, without tf2bridge, and measures how far it is from the old graph."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.refusals import UncheckedPackageError, UnequalPackageError
from tf2bridge.systems import HARD

_CODE = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
measured = importlib.import_module(sys.argv[2] + ".test_model").differences()
steps = importlib.import_module(sys.argv[2] + ".test_train").step_differences() if sys.argv[3:] else {}
print("\\n" + json.dumps([measured, steps]))
"""
SECONDS = 600
_SMALLER = "give smaller inputs with --examples, or name fewer outputs with --outputs"
_NO_MEMORY = ("MemoryError", "ResourceExhausted", "bad_alloc", "annot allocate memory")
"""Texts of the errors of Python, TensorFlow, C++ and the system."""


def measured(
    folder: Path, with_steps: bool = False, backend: str = "tensorflow"
) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """Returns the differences of a package, as its own tests measure them.

    Args:
        folder: The package.
        with_steps: Take training steps, too.
        backend: The backend of Keras that it runs on.

    Returns:
        Recorded array -> its largest difference, and the limit of it, as parts of its largest number; variable after a
        training step -> its largest difference, as a part of its largest move.

    Raises:
        UnequalPackageError: The package does not run.
        UncheckedPackageError: It takes too long, or too much memory.
    """
    steps = ["steps"] if with_steps else []
    command = [sys.executable, "-I", "-B", "-c", _CODE, str(folder.parent), folder.name, *steps]
    environment = {**os.environ, "KERAS_BACKEND": backend}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise UncheckedPackageError(f"it takes more than {SECONDS} s", _SMALLER) from None
    last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it ended"
    if done.returncode == -HARD or (done.returncode and any(text in last for text in _NO_MEMORY)):
        raise UncheckedPackageError("there is not enough memory", f"give it more, or {_SMALLER}")
    if done.returncode:
        raise UnequalPackageError(last)
    lines, of_steps = json.loads(done.stdout.strip().splitlines()[-1])
    return {name: (difference, limit) for name, (difference, limit) in lines.items()}, of_steps


def unequal(measured: Mapping[str, tuple[float, float]]) -> list[str]:
    """Returns the arrays whose difference is above its limit, the worst first."""
    above = {name: difference / limit for name, (difference, limit) in measured.items() if not difference <= limit}
    return sorted(above, key=lambda name: above[name] if above[name] > 0 else math.inf, reverse=True)


def places_that_fail(places: Sequence[Place], fault: Callable[[frozenset[Place]], str]) -> dict[Place, str]:
    """Returns the places where a rule makes the model unequal -> how. At all others together, rules may apply.

    Halves of the places are tried, then halves of those that fail, so that few places are found in few trials.

    Args:
        places: The places where rules applied.
        fault: Says how the model is unequal if rules apply at these places alone; "" if it is equal.
    """
    kept: frozenset[Place] = frozenset()
    failing: dict[Place, str] = {}
    pending = [list(dict.fromkeys(places))]
    while pending:
        group = pending.pop()
        why = fault(kept | set(group))
        if not why:
            kept |= set(group)
        elif len(group) > 1:
            middle = len(group) // 2
            pending += [group[middle:], group[:middle]]
        else:
            failing[group[0]] = why
    return failing
