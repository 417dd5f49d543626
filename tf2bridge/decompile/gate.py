"""Runs written packages in a process without tf2bridge, and measures how far they are from the old graph."""

from __future__ import annotations

import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tf2bridge.decompile.refusals import UncheckedPackageError, UnequalPackageError
from tf2bridge.systems import HARD

_PROCESS = Path(__file__).with_name("gate_process.py")
SECONDS = 600
Work = Callable[[Callable[[], bool]], object]
_SMALLER = "give smaller inputs with --examples, or name fewer outputs with --outputs"
_NO_MEMORY = ("MemoryError", "ResourceExhausted", "bad_alloc", "annot allocate memory")
"""Texts of the errors of Python, TensorFlow, C++ and the system."""


class Gate:
    """Runs packages in a process of its own, which starts before there is a package, and serves all of them."""

    def __init__(self) -> None:
        """Starts the process, unless `started_early` has."""
        self._process: _Process | None = _early.pop() if _early else _Process("tensorflow")

    def __enter__(self) -> Gate:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.end()

    def load(self, folder: Path) -> None:
        """Lets the process load a package, and does not wait for it."""
        self._of_tensorflow().tell("load", folder=str(folder))

    def compute(self, folder: Path, inputs: Path) -> None:
        """Lets the process compute the arrays of a loaded package, and does not wait for them.

        Args:
            folder: The package.
            inputs: A file of the inputs that the package is likely to be measured on: `in NAME` holds one.
        """
        self._of_tensorflow().tell("compute", folder=str(folder), inputs=str(inputs))

    def measured(
        self,
        folder: Path,
        with_steps: bool = False,
        backend: str = "tensorflow",
        meanwhile: Work | None = None,
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Returns the differences of a package, as its own tests measure them.

        Args:
            folder: The package.
            with_steps: Take training steps, too.
            backend: The backend of Keras that it runs on.
            meanwhile: Work of this process. It gets a function that says whether the answer is not there yet.

        Returns:
            Recorded array -> its largest difference, as a part of its largest number; variable after a training step ->
            its largest difference, as a part of its largest move.

        Raises:
            UnequalPackageError: The package does not run.
            UncheckedPackageError: It takes too long, or too much memory.
        """
        if backend == "tensorflow":
            measured, steps = self._asked("measure", meanwhile, folder=str(folder), with_steps=with_steps)
        else:
            process = _Process(backend)
            try:
                measured, steps = process.ask("measure", folder=str(folder), with_steps=with_steps)
            finally:
                process.end()
        return measured, steps

    def run(self, inputs: Path, results: Path) -> None:
        """Runs the package that was measured last on the arrays of a file; see `gate_process.py`. Raises as above."""
        self._asked("run", inputs=str(inputs), results=str(results))

    def _of_tensorflow(self) -> _Process:
        if self._process is None:
            self._process = _Process("tensorflow")
        return self._process

    def _asked(self, request: str, meanwhile: Work | None = None, **arguments: Any) -> Any:
        process = self._of_tensorflow()
        try:
            return process.ask(request, meanwhile, **arguments)
        finally:
            if not process.runs:
                self._process = None


class _Process:
    """A process that answers requests about packages."""

    def __init__(self, backend: str) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(_PROCESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "KERAS_BACKEND": backend},
        )

    @property
    def runs(self) -> bool:
        """True if the process has not ended."""
        return self._process.poll() is None

    def end(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def tell(self, request: str, **arguments: Any) -> None:
        """Sends a request that has no answer."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # the next answer says why the process has ended
            self._process.stdin.write(f"{json.dumps([request, arguments])}\n")
            self._process.stdin.flush()

    def ask(self, request: str, meanwhile: Work | None = None, **arguments: Any) -> Any:
        """Returns the answer to a request. Raises UnequalPackageError and UncheckedPackageError.

        `meanwhile` is as for `Gate.measured`.
        """
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(SECONDS, stop)
        timer.start()
        try:
            self.tell(request, **arguments)
            line = self._line(meanwhile)
        finally:
            timer.cancel()
        if late.is_set():
            self.end()
            raise UncheckedPackageError(f"it takes more than {SECONDS} s", _SMALLER)
        answer = json.loads(line) if line else {"error": self._last_words()}
        if "error" in answer:
            if not line or any(text in answer["error"] for text in _NO_MEMORY):
                self._raise_of_memory(answer["error"])
            raise UnequalPackageError(answer["error"])
        return answer["result"]

    def _line(self, meanwhile: Work | None) -> str:
        """Returns the next line that the process writes; "" if it ends."""
        assert self._process.stdout is not None
        read = self._process.stdout.readline
        if meanwhile is None:
            return read()
        lines: list[str] = []
        reader = threading.Thread(target=lambda: lines.append(read()), daemon=True)
        reader.start()
        try:
            meanwhile(reader.is_alive)
        finally:
            reader.join()
        return lines[0]

    def _last_words(self) -> str:
        """Returns the last line that a process that ended has written about it."""
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it ended"

    def _raise_of_memory(self, error: str) -> None:
        """Raises UncheckedPackageError if a process had not enough memory."""
        if self._process.poll() == -HARD or any(text in error for text in _NO_MEMORY):
            raise UncheckedPackageError("there is not enough memory", f"give it more, or {_SMALLER}")


_early: list[_Process] = []
"""The process of the next gate, if it is started already."""


@contextlib.contextmanager
def started_early() -> Iterator[None]:
    """Starts the process of the next gate: it imports TensorFlow while this process does, and loads a graph."""
    _early.append(_Process("tensorflow"))
    try:
        yield
    finally:
        for process in _early:
            process.end()
        _early.clear()


def unequal(differences: Mapping[str, float], limits: Mapping[str, float]) -> list[str]:
    """Returns the arrays whose difference is above its limit, the worst first."""
    pairs = ((name, difference, limits[name]) for name, difference in differences.items())
    above = {name: difference / limit for name, difference, limit in pairs if not difference <= limit}
    return sorted(above, key=lambda name: above[name] if above[name] > 0 else math.inf, reverse=True)
