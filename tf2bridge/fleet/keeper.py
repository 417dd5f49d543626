"""The warm process of a run: it has everything imported, forks a worker, watches it, and replaces it.

A worker that crashes, hangs, or is killed costs one item its attempt. The keeper reports it, and forks another worker,
which takes some milliseconds, because nothing is imported again.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import time
from collections import deque
from dataclasses import replace

from tf2bridge import systems
from tf2bridge.fleet import child, judging, store
from tf2bridge.fleet.forked import Forked
from tf2bridge.fleet.outcome import Cause, Outcome, Verdict
from tf2bridge.fleet.tasks import Answer, Setup, Task, answer_of, setup_of, task_of
from tf2bridge.systems import forks
from tf2bridge.systems.memory import tells_out_of_memory

_PIECE = 1 << 16
_TOGETHER_S = 0.05
"""How long answers wait for others, so that neither the run nor the keeper is woken for each small item."""


class Keeper:
    """Passes tasks on to a worker, and its answers back."""

    def __init__(self, setup: Setup, perform: child.Perform, tasks: int, answers: int) -> None:
        self._setup, self._perform = setup, perform
        self._shop = store.Workshop(setup.out)
        self._tasks, self._answers = tasks, answers
        self._waiting: deque[bytes] = deque()
        self._given: deque[bytes] = deque()
        self._attempt = 1
        self._start = 0.0
        self._unsent, self._first_unsent = b"", 0.0
        self._worker: Forked | None = None
        self._quiet = 0.0
        """Until when answers are left where they are, unless the worker waits or has ended."""

    def run(self) -> None:
        """Works until the other end closes the connection."""
        rest = b""
        os.chdir(self._shop.path)
        signal.signal(signal.SIGTERM, _end)
        try:
            while True:
                self._give()
                if self._unsent and not (self._given and time.monotonic() < self._first_unsent + _TOGETHER_S):
                    self._flush()
                ready = self._ready()
                if self._tasks in ready:
                    piece = os.read(self._tasks, _PIECE)
                    if not piece:
                        return
                    *lines, rest = (rest + piece).split(b"\n")
                    self._waiting.extend(lines)
                if self._worker is not None:
                    self._hear(self._worker, ready)
        finally:
            if self._worker is not None:
                self._worker.end()
            with contextlib.suppress(BrokenPipeError):  # the run has ended
                self._flush()
            os.chdir(self._setup.out)
            self._shop.close()

    def _give(self) -> None:
        """Gives the waiting tasks to the worker, if it has none, and starts a worker if there is none."""
        if self._given or not self._waiting:
            return
        if self._worker is None:
            self._worker, self._received = (
                Forked(self._setup, self._shop, self._perform, (self._tasks, self._answers)),
                b"",
            )
        self._given, self._waiting = self._waiting, deque()
        self._start = time.monotonic()
        self._quiet = self._start + _TOGETHER_S
        self._worker.give(self._given)

    def _ready(self) -> set[int]:
        """Waits for tasks, answers, or the end of the time; returns the descriptors that can be read."""
        readable, ending = [self._tasks], []
        end = math.inf
        if self._worker is not None:
            line = self._worker.line.fileno()
            readable += [self._worker.errors, self._worker.turn]
            if self._given and time.monotonic() < self._quiet:
                ending, end = [line], self._quiet
            else:
                readable.append(line)
        if self._given:
            end = min(end, self._start + self._setup.seconds)
            if self._unsent:
                end = min(end, self._first_unsent + _TOGETHER_S)
        return forks.wait(end - time.monotonic(), readable, ending)

    def _hear(self, worker: Forked, ready: set[int]) -> None:
        if worker.errors in ready:
            worker.read_errors()
        if worker.turn in ready:
            worker.take_turn()
        now = time.monotonic()
        is_late = bool(self._given) and now >= self._start + self._setup.seconds
        if not (is_late or worker.turn in ready or worker.line.fileno() in ready):
            return
        piece = worker.read_answers()
        self._quiet = now + _TOGETHER_S
        if piece == b"":
            self._worker = None
            self._lost(worker.ended(), worker.last_lines())
        elif piece is not None:
            *lines, self._received = (self._received + piece).split(b"\n")
            for line in lines:
                self._answered(worker, line)
        elif is_late:
            self._worker = None
            worker.end()
            self._failed(Cause.TIME, f"it took more than {self._setup.seconds:g} s", worker.last_lines())

    def _answered(self, worker: Forked, line: bytes) -> None:
        answer = answer_of(line)
        self._given.popleft()
        if self._attempt > 1:
            line = replace(answer, attempt=self._attempt).dumps()[:-1]
        self._send(line + b"\n")
        self._attempt, self._start = 1, time.monotonic()
        worker.forget_errors()
        if answer.leaves:
            self._worker = None
            worker.ended()
            self._give_back()

    def _lost(self, status: int, lines: str) -> None:
        """Reports the item of a worker that has ended by itself, or was killed."""
        if not self._given:
            return
        if tells_out_of_memory(lines):
            self._failed(Cause.MEMORY, judging.too_little_memory(self._setup.megabytes), lines)
        elif status == -systems.HARD:
            self._failed(Cause.KILLED, "its process was killed, perhaps because memory was short", lines)
        else:
            how = f"status {status}" if status >= 0 else systems.signal_name(-status)
            self._failed(Cause.CRASHED, f"its process ended with {how}", lines)

    def _failed(self, cause: Cause, why: str, lines: str) -> None:
        task = task_of(self._given[0])
        seconds = round(time.monotonic() - self._start, 6)
        self._shop.discard(task.key)
        if cause.may_pass and self._attempt <= self._setup.retries:
            retried = Answer(task.key, task.item.path, None, cause.value, why, seconds, self._attempt, lines or None)
            self._send(retried.dumps())
            self._attempt += 1
        else:
            self._given.popleft()
            answer = self._committed(task, cause, why, seconds)
            self._send(replace(answer, attempt=self._attempt, stderr=lines or None).dumps())
            self._attempt = 1
        self._give_back()

    def _committed(self, task: Task, cause: Cause, why: str, seconds: float) -> Answer:
        limit = {Cause.TIME: self._setup.seconds, Cause.MEMORY: self._setup.megabytes}.get(cause)
        try:
            self._shop.begin(task.key)
            outcome = self._shop.commit(task.key, Outcome(Verdict.FAILED, task.item.path, cause, why, limit))
        except OSError as error:
            return Answer(task.key, task.item.path, stop=f"{self._setup.out}: {error.strerror or error}")
        stands = outcome.cause and outcome.cause.value
        return Answer(task.key, task.item.path, outcome.verdict.value, stands, outcome.error, seconds)

    def _give_back(self) -> None:
        """Puts the tasks that the ended worker did not begin before those that wait."""
        self._given.extend(self._waiting)
        self._waiting, self._given = self._given, deque()

    def _send(self, line: bytes) -> None:
        if not self._unsent:
            self._first_unsent = time.monotonic()
        self._unsent += line

    def _flush(self) -> None:
        data, self._unsent = self._unsent, b""
        while data:
            data = data[os.write(self._answers, data) :]


def _end(_number: int, _frame: object) -> None:
    raise SystemExit  # blocks that this leaves remove what is under way


def setup_from(tasks: int) -> Setup:
    """Returns the set-up of the run, its first line. It is read a byte at a time, so that no task waits in a buffer."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(tasks, 1)
        if not byte:
            raise SystemExit  # the run has ended
        line += byte
    return setup_of(line)
