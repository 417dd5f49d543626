"""Writes what a native program did as a trace, in the recorder's form.

Call 0 is no call of the program: after it, all variables have their first values.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.native.running.given import Made
from tf2bridge.native.running.logged import Logged
from tf2bridge.proof.recording.archive import pack
from tf2bridge.proof.recording.folder import Folder
from tf2bridge.proof.recording.folding import FORMAT, VERSION
from tf2bridge.proof.recording.printed import Printed
from tf2bridge.proof.recording.recorder import RECORDER

MARK = "native: "
"""The beginning of the note in the trace that says what only native programs have."""


class Writing:
    """One trace that is being written.

    Args:
        output: Its path.
        argv: The program's command line.
        limits: The largest number of calls and of bytes.
    """

    def __init__(self, output: Path, argv: Sequence[str], limits: tuple[int, int]) -> None:
        import tensorflow as tf

        self._folder = Folder(str(output), limits[1])
        self._functions: list[str] = []
        self._bodies: list[int | None] = []
        python = ".".join(map(str, sys.version_info[:3]))
        header = {"format": FORMAT, "version": VERSION, "recorder": RECORDER, "tensorflow": tf.__version__}
        header |= {"python": python, "numpy": np.__version__, "argv": list(argv), "intermediate": []}
        header |= {"limits": {"calls": limits[0], "bytes": limits[1], "every": 1}}
        self._event("header", header)
        self._call(None, [], [], None)

    def call(self, logged: Logged, body: int | None) -> None:
        """Adds a call, whose traced function is the body of this number in the graph."""
        feeds, fetches = (
            [{"name": str(place), "value": self._ref(value)} for place, value in enumerate(values)]
            for values in (logged.feeds, logged.results)
        )
        self._call(len(self._functions), feeds, fetches, logged.error)
        self._functions.append(logged.function)
        self._bodies.append(body)
        self._folder.flush()

    def end(
        self, graph: bytes, lines: Mapping[str, list[str]], variables: Sequence[Made], more: Mapping[str, Any]
    ) -> None:
        """Adds the graph, the variables with their values, and all that only native programs have."""
        self._folder.member("graphs/0.pb", [graph])
        self._folder.member("graphs/0.lines.json", [json.dumps(lines).encode()])
        fields = {"graph": 0, "member": "graphs/0.pb", "lines": "graphs/0.lines.json", "nodes": 0}
        self._event("graph", {**fields, "seed": None, "random_ops": []})
        owns = {}
        for number, made in enumerate(variables):
            owns[made.name] = [self._ref(made.own), self._ref(made.later)]
            self._variable(number, made)
        facts = {"functions": self._functions, "body_of": self._bodies, "own": owns, **more}
        self._event("note", {"text": MARK + json.dumps(facts)})

    def close(self, status: int, error: str | None, printed: Printed) -> None:
        """Writes the trace, with what the program printed, and removes the folder."""
        printed.write_to(self._folder)
        self._event("end", {"status": status, "error": error})
        self._folder.flush()
        pack(self._folder.path, self._folder.output)
        self._folder.remove()

    def _variable(self, number: int, made: Made) -> None:
        variable = made.variable
        first = made.own if made.later is None else made.later
        fields = {"name": made.name, "dtype": variable.dtype.name, "trainable": bool(variable.trainable)}
        fields |= {"shape": variable.shape.as_list() if variable.shape.rank is not None else None}
        fields |= {"initial": self._ref(first), "initial_after_call": 0}
        fields |= {"final": None if made.own is None else self._ref(variable.numpy())}
        self._event("variable", {"graph": 0, "variable": number, **fields})

    def _call(self, position: int | None, feeds: Sequence[Any], fetches: Sequence[Any], error: str | None) -> None:
        index = 0 if position is None else position + 1
        fields = {"index": index, "position": position, "kind": "run", "graph": 0, "session": 0}
        fields |= {"thread": "MainThread", "via": "", "where": None, "error": error}
        self._event("call", {**fields, "feeds": feeds, "fetches": fetches})

    def stored(self, value: np.ndarray[Any, Any]) -> int:
        """Stores a value, and returns its number."""
        return int(self._folder.store(value))

    def _ref(self, value: np.ndarray[Any, Any] | None) -> int | None:
        return None if value is None else self.stored(value)

    def _event(self, kind: str, fields: Mapping[str, Any]) -> None:
        self._folder.event(kind, list(fields.items()))
