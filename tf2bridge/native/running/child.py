"""The process of a native program, which `tf2bridge.native.proving` starts: it runs the program and logs its calls."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from codemods.native.map_reading import read
from tf2bridge import systems
from tf2bridge.native.counterparts import Counterparts, counterparts, function_named, program_of
from tf2bridge.native.estimator_calls import ProgramTrace
from tf2bridge.native.running.given import GivenVariables
from tf2bridge.native.running.graphs import FunctionGraphs
from tf2bridge.native.running.keras_seeds import KerasSeeds
from tf2bridge.native.running.logged import FunctionLog, Logged, module_of
from tf2bridge.native.running.op_seeds import OpSeeds
from tf2bridge.native.running.writing import Writing
from tf2bridge.native.running.written_files import WrittenFiles
from tf2bridge.native.wanted import wanted
from tf2bridge.proof.recording.places import Places
from tf2bridge.proof.recording.printed import Printed
from tf2bridge.proof.replaying import child
from tf2bridge.proof.replaying.random_states import RandomStates
from tf2bridge.proof.replaying.seeding import FROM_TRACE
from tf2bridge.systems import lines


def main() -> int:
    """Performs the task of the arguments: the path of the map, and the JSON of a `Task`. Returns the exit status."""
    return _Run(child.task_of_process(), Path(sys.argv[1])).perform()


class _Run:
    def __init__(self, task: child.Task, map_path: Path) -> None:
        self._task = task
        self._trace = ProgramTrace(Path(task.reference))
        native_map = read(map_path).of_program(program_of(task.command))
        self._known: Counterparts = counterparts(self._trace, native_map)
        self._line = lines.taken_up(task.progress)
        systems.after_fork(self._line.close)  # the parent would wait for a process that the program forked
        self._beat = child.beat_of(self._line)
        self._places = Places(str(Path.cwd()))
        self._seeds = OpSeeds(self._trace, self._known)
        self._variables = GivenVariables(list(wanted(self._trace, native_map, map_path)), self._object)
        self._log = FunctionLog(
            self._places,
            self._begin,
            self._variables.settle,
            self._variables.before_first_call,
            self._write,
            self._given if task.feeds == FROM_TRACE else None,
        )
        self._graphs = FunctionGraphs(self._places)
        self._written = WrittenFiles()
        self._printed = Printed()
        self._left = task.limits[0]
        self._called: Counter[str] = Counter()
        self._fed: set[str] = set()

    def perform(self) -> int:
        """Runs the program and writes its trace."""
        process = os.getpid()
        states = RandomStates(self._trace)
        self._writing = Writing(Path(self._task.record_to), self._task.command, self._task.limits)
        self._log.install()
        self._written.install()
        KerasSeeds().install()
        if self._task.seeds == FROM_TRACE:
            self._seeds.install()
        with self._variables.noticed():
            if self._task.seeds == FROM_TRACE:
                states.install()  # after all else that may draw
            self._printed.install()
            status, error = child.run_program(self._task, _no_old_program)
            self._printed.remove()
        sys.stdout.flush()
        if os.getpid() == process:  # and not in one that the program forked and that came to its own end
            self._end(status, error, states.taken)
        return status

    def _begin(self, function: str) -> None:
        self._seeds.begin(function_named(function, list(self._known.by_function)))

    def _write(self, logged: Logged) -> None:
        name = function_named(logged.function, list(self._known.by_function))
        self._seeds.ended(name)
        rows = [row for _, row in self._known.by_function.get(name, ())]
        row = rows[min(self._called[name], len(rows) - 1)] if rows else None
        self._called[name] += 1
        if self._left > 0:
            self._left -= 1
            self._writing.call(logged, self._graphs.body(logged, row))
        self._beat()

    def _given(self, function: str, feeds: Sequence[np.ndarray[Any, Any] | None]) -> list[np.ndarray[Any, Any] | None]:
        """Returns what was fed in the recorded call, for each argument of its shape."""
        name = function_named(function, list(self._known.by_function))
        pairs = self._known.by_function.get(name, ())
        call, row = pairs[self._called[name]] if self._called[name] < len(pairs) else (None, None)
        if call is None or row is None:
            return [None] * len(feeds)
        recorded = {leaf.name: leaf.value for leaf in call.feeds}
        given: list[np.ndarray[Any, Any] | None] = []
        for own, place in zip_longest(feeds, row.feeds[: len(feeds)], fillvalue=None):
            ref = recorded.get(place) if place else None
            value = None if ref is None or own is None else self._trace.value(ref)
            is_alike = value is not None and own is not None and value.shape == own.shape
            given.append(value if is_alike else None)
            self._fed |= {place} if is_alike and place else set()
        return given

    def _object(self, path: str) -> Any:
        """Returns what "train:Model.cell.kernel" or "train:weights" names; None if it is not there yet."""
        module, _, names = path.partition(":")
        parts = names.split(".")
        value = next((value for key, value in self._log.instances.items() if _is(key, module, parts[0])), None)
        if value is None:
            value = next((m for m in list(sys.modules.values()) if self._is_module(m, module)), None)
            parts = ["", *parts]
        for part in parts[1:]:
            value = _inside(value, part)
        return value

    def _is_module(self, module: Any, name: str) -> bool:
        file = self._places.relative(getattr(module, "__file__", None) or "")
        return bool(file) and f".{module_of(file)}".endswith(f".{name}")

    def _end(self, status: int, error: str | None, states: int) -> None:
        made, seeds = self._variables.made, self._seeds
        graph, op_lines = self._graphs.merged(made)
        bodies = [{"feeds": body.feeds, "fetches": body.fetches, "run": body.run} for body in self._graphs.bodies]
        more = {"bodies": bodies, "elsewhere": self._log.elsewhere, "draws": self._graphs.draws(seeds.made)}
        more |= {"summaries": self._written.summaries(self._writing.stored), "checkpoints": self._written.checkpoints}
        self._writing.end(graph.SerializeToString(), op_lines, made, more)
        self._writing.close(status, error, self._printed)
        account: dict[str, Any] = {"agree": seeds.agree, "unseeded": seeds.unseeded, "taken": seeds.taken, "differ": 0}
        account |= {"unmatched": sorted(set(seeds.unmatched)), "others": seeds.others, "values": []}
        account |= {"draws": sorted(seeds.draws), "feeds": sorted(self._fed), "states": states}
        Path(self._task.seeds_to).write_bytes(json.dumps(account).encode())


def _is(instance: str, module: str, name: str) -> bool:
    known, _, kind = instance.partition(":")
    return kind == name and f".{known}".endswith(f".{module}")


def _inside(value: Any, part: str) -> Any:
    if part.isdecimal() and hasattr(value, "__getitem__"):
        return value[int(part)] if int(part) < len(value) else None
    return value.get(part) if isinstance(value, dict) else getattr(value, part, None)


def _no_old_program(*_: object) -> int:
    raise AssertionError("a native program is of no old release")
