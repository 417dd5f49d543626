"""The run's side of a warm process: starts it, gives it tasks, and reads its answers."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import IO

from tf2bridge import systems
from tf2bridge.fleet import store
from tf2bridge.fleet.outcome import Cause, Outcome, Verdict
from tf2bridge.fleet.refusals import FleetError
from tf2bridge.fleet.tasks import Answer, Setup, Task, answer_of
from tf2bridge.systems import groups

_TRIES = 2
_PIECE = 1 << 16


class Warm:
    """A warm process and the connection with it. It is replaced if it ends before the run.

    It imports at once what all commands need. The run's folder has to be there only when it gets its first task.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._is_stopped = False
        self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        if not systems.FORKS:
            raise FleetError("fleet run forks its workers, which this system cannot do: run it on Linux, macOS or WSL")
        pipe = subprocess.PIPE
        self._untold, self._rest = self._setup.dumps(), b""
        return subprocess.Popen(self._setup.keeper, stdin=pipe, stdout=pipe, **groups.options())

    @staticmethod
    def _to(process: subprocess.Popen[bytes], data: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended, and so have its answers
            _pipe(process.stdin).write(data)
            _pipe(process.stdin).flush()

    def work(self, tasks: Sequence[Task]) -> Iterator[list[Answer]]:
        """Yields the answers to tasks, some at a time; of a task that is tried again, there are several.

        A warm process that ends is replaced. A task during which that happens twice has failed. After `stop` no more
        answers come.
        """
        left = list(tasks)
        deaths = 0
        while left:
            self._to(self._process, self._untold + b"".join(task.line for task in left))
            self._untold = b""
            while left and (lines := self._read_lines()):
                answers = [answer_of(line) for line in lines]
                ended = sum(answer.is_last for answer in answers)
                if ended:
                    del left[:ended]
                    deaths = 0
                yield answers
            if left:
                deaths += 1
                status = self.close()
                if self._is_stopped:
                    return
                if deaths == _TRIES:
                    yield [self._given_up(left.pop(0), status)]
                    deaths = 0
                self._process = self._started()

    def _read_lines(self) -> list[bytes]:
        """Waits for answers, and returns all that are there; none if the process has ended."""
        file = _pipe(self._process.stdout)
        while piece := os.read(file.fileno(), _PIECE):
            *lines, self._rest = (self._rest + piece).split(b"\n")
            if lines:
                return lines
        return []

    def _given_up(self, task: Task, status: int) -> Answer:
        why = "the process that watches the workers was ended twice during this item"
        shop = store.Workshop(self._setup.out)
        try:
            shop.begin(task.key)
            outcome = shop.commit(task.key, Outcome(Verdict.FAILED, task.item.path, Cause.KILLED, why))
        finally:
            shop.close()
        stands = outcome.cause and outcome.cause.value
        told = f"the watching process ended with status {status}"
        return Answer(task.key, task.item.path, outcome.verdict.value, stands, outcome.error, stderr=told)

    def stop(self) -> None:
        """Ends the item under way, from another thread than the one in `work`, which returns then."""
        self._is_stopped = True
        self._process.terminate()

    def close(self) -> int:
        """Ends the warm process and its worker, and returns its status."""
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                _pipe(pipe).close()
        return self._process.wait()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
