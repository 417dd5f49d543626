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
import keras, numpy
if keras.backend.backend() == "tensorflow":
    import tensorflow
parent, name, with_steps = json.loads(sys.stdin.readline() or sys.exit())
sys.path.insert(0, parent)
measured = importlib.import_module(name + ".test_model").differences()
steps = importlib.import_module(name + ".test_train").step_differences() if with_steps else {}
print("\\n" + json.dumps([measured, steps]))
"""
"""Imports what takes long before it knows the package."""
SECONDS = 600
_SMALLER = "give smaller inputs with --examples, or name fewer outputs with --outputs"
_NO_MEMORY = ("MemoryError", "ResourceExhausted", "bad_alloc", "annot allocate memory")
"""Texts of the errors of Python, TensorFlow, C++ and the system."""


class Gate:
    """Runs packages in processes of their own. The first one starts before there is a package."""

    def __init__(self) -> None:
        """Starts a process."""
        self._waiting: subprocess.Popen[str] | None = _started("tensorflow")

    def __enter__(self) -> Gate:
        return self

    def __exit__(self, *_: object) -> None:
        if self._waiting is not None:
            self._waiting.kill()
            self._waiting.communicate()

    def measured(
        self, folder: Path, with_steps: bool = False, backend: str = "tensorflow"
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Returns the differences of a package, as its own tests measure them.

        Args:
            folder: The package.
            with_steps: Take training steps, too.
            backend: The backend of Keras that it runs on.

        Returns:
            Recorded array -> its largest difference, as a part of its largest number; variable after a training step ->
            its largest difference, as a part of its largest move.

        Raises:
            UnequalPackageError: The package does not run.
            UncheckedPackageError: It takes too long, or too much memory.
        """
        process = self._waiting if backend == "tensorflow" else None
        if process is None:
            process = _started(backend)
        else:
            self._waiting = None
        try:
            asked = json.dumps([str(folder.parent), folder.name, with_steps])
            output, errors = process.communicate(f"{asked}\n", timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise UncheckedPackageError(f"it takes more than {SECONDS} s", _SMALLER) from None
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        last = errors.strip().splitlines()[-1] if errors.strip() else "it ended"
        if process.returncode == -HARD or (process.returncode and any(text in last for text in _NO_MEMORY)):
            raise UncheckedPackageError("there is not enough memory", f"give it more, or {_SMALLER}")
        if process.returncode:
            raise UnequalPackageError(last)
        measured: tuple[dict[str, float], dict[str, float]] = tuple(json.loads(output.strip().splitlines()[-1]))
        return measured


def _started(backend: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", _CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "KERAS_BACKEND": backend},
    )


def unequal(differences: Mapping[str, float], limits: Mapping[str, float]) -> list[str]:
    """Returns the arrays whose difference is above its limit, the worst first."""
    pairs = ((name, difference, limits[name]) for name, difference in differences.items())
    above = {name: difference / limit for name, difference, limit in pairs if not difference <= limit}
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
