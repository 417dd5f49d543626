"""Records what the sessions of a test run, and compares it with the stored trace of that test."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.testing.refusals import GenuineKeptError, NoCallsError, NothingStoredError

_BY_RECORDER = (
    "record the test's program under TensorFlow 1.x (tf2bridge recorder > recorder.py; "
    "python recorder.py --output {name} -- program.py)"
)


class TestTrace:
    """The recording of one test; `tolerance` may be set by the test.

    Attributes:
        path: where the stored trace lies.
    """

    __test__ = False  # pytest takes it for no test

    def __init__(self, path: Path, program_dir: Path, test: str, update: str) -> None:
        from tf2bridge.behaviour.installed import tensorflow
        from tf2bridge.proof.recording.recorder import Recorder

        self.path, self._test, self._update = path, test, update
        self.rtol: float | None = None
        self.atol: float | None = None
        tensorflow()
        self._scratch = tempfile.TemporaryDirectory(prefix="tf2bridge-")
        self._new = Path(self._scratch.name, "test.trace")
        self._recorder: Any = Recorder(str(self._new), str(program_dir), argv=[test])
        self._recorder.install()

    def finish(self) -> int:
        """Ends the recording and compares it, or stores it, and returns how many tensors.

        Raises NotEquivalentError, NothingStoredError, NoCallsError, GenuineKeptError.
        """
        __tracebackhide__ = True
        self.stop()
        from tf2bridge.proof.traces.reader import Trace

        actual = Trace(self._new)
        if not actual.program_calls:
            raise NoCallsError(self._test)
        if self._update:
            self._store()
            return sum(len(call.fetches) for call in actual.calls)
        if not self.path.is_file():
            raise NothingStoredError(self.path, _BY_RECORDER.format(name=self.path.name))
        return self._compare(actual, Trace(self.path))

    def stop(self) -> None:
        """Ends the recording."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None

    def discard(self) -> None:
        """Ends the recording and removes what was recorded."""
        self.stop()
        self._scratch.cleanup()

    def _store(self) -> None:
        from tf2bridge.proof.traces.reader import Trace

        if self.path.is_file() and self._update != "force":
            release = Trace(self.path).release
            if not release.startswith("2."):
                raise GenuineKeptError(self.path, release)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f"{self.path.name}.part")
        part.write_bytes(self._new.read_bytes())
        part.replace(self.path)

    def _compare(self, actual: Any, stored: Any) -> int:
        __tracebackhide__ = True
        from tf2bridge.proof.comparing.two_traces import compare, why_cut
        from tf2bridge.proof.testing.equivalence import check

        about = f"{self.path.name}, written by TensorFlow {stored.release}: "
        result = compare(actual, stored, Tolerance(self.rtol, self.atol))
        check(result.rows, about, why_cut(stored) or why_cut(actual) or result.unproven)
        return len(result.rows)
