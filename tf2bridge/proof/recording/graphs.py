"""Records a graph: its definition, its variables, its random ops, and the lines that made its ops."""

import json

from tf2bridge.proof.recording.encoding import as_text
from tf2bridge.proof.recording.folder import Folder
from tf2bridge.proof.recording.places import Places
from tf2bridge.proof.recording.selection import ops_behind

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable

_GROWN = 1.5  # a graph so many times as large as when it was written is written again: a crash must leave it


class Graph(object):
    """One graph of the program, and the part of it that is already written.

    Args:
        graph: the `tf.Graph`.
        number: in the order of their first calls.
        run: `Session.run` as TensorFlow has it.
        given: the pairs of seeds that the recorder gave.
    """

    def __init__(self, graph, number, folder, places, run, given=()):
        # type: (Any, int, Folder, Places, Callable[..., Any], Any) -> None
        self.number = number
        self.plans = {}  # type: dict[Any, Any]
        self._graph, self._folder, self._places, self._run = graph, folder, places, run
        self._given = given
        self._version = self._written = -1
        self._traced = 0
        self._lines = {}  # type: dict[str, list[str]]
        self._variables = []  # type: list[Any]
        self._pending = []  # type: list[int]
        self._draws = set()  # type: set[str]
        self._searched, self._takes_seeds = 0, {}  # type: int, dict[str, bool]

    def look(self):
        # type: () -> None
        """Notes the ops that were added to the graph since the last call."""
        version = self._graph.version
        if version != self._version:
            self._version = version
            if version > self._written * _GROWN:
                self.write()
            self._list_variables()

    def write(self):
        # type: () -> None
        """Writes the definition, the random ops and the lines, if they have changed since they were written."""
        if self._graph.version == self._written:
            return
        self._written = self._graph.version
        definition = self._graph.as_graph_def()
        seeded = [(node, node.attr) for node in definition.node if "seed" in node.attr and "seed2" in node.attr]
        ops = [{"name": n.name, "type": n.op, "seed": a["seed"].i, "seed2": a["seed2"].i} for n, a in seeded]
        for op in ops:
            if (op["seed"], op["seed2"]) in self._given:
                op["given"] = True
        member, lines = "graphs/%d.pb" % self.number, "graphs/%d.lines.json" % self.number
        self._folder.member(member, [definition.SerializeToString()])
        self._folder.member(lines, [self._lines_text()])
        fields = [("graph", self.number), ("member", member), ("lines", lines), ("nodes", len(definition.node))]
        self._folder.event("graph", fields + [("seed", self._graph.seed), ("random_ops", ops)])

    def draws(self):
        # type: () -> set[str]
        """Returns the names of the ops that draw other numbers in every run, without those of initial values."""
        if self._searched < self._graph.version:
            ops = self._graph.get_operations()
            new = [op for op in ops if op._id > self._searched and self._is_unseeded(op)]
            self._searched = self._graph.version
            if new:
                begins = [v.initializer for v in self._graph.get_collection("variables")]
                self._draws |= set([as_text(op.name) for op in new]) - ops_behind(begins)
        return self._draws

    def _is_unseeded(self, op):
        # type: (Any) -> bool
        if not self._takes_seeds.get(op.type, True):
            return False
        attributes = op.node_def.attr
        self._takes_seeds[op.type] = "seed" in attributes and "seed2" in attributes
        return self._takes_seeds[op.type] and not attributes["seed"].i and not attributes["seed2"].i

    def pending(self):
        # type: () -> bool
        """Returns whether a variable has not had a value yet."""
        return bool(self._pending)

    def initial_values(self, session, call):
        # type: (Any, int) -> None
        """Stores the values of variables that are initialised for the first time after the call of this number."""
        asked = self._pending
        values = self.peek(session, [self._variables[n] for n in asked])
        self._pending = [n for n, value in zip(asked, values) if value is None]
        for n, value in zip(asked, values):
            if value is not None:
                ref = self._folder.store(value)
                self._variable(n, [("initial", ref), ("initial_after_call", call)])

    def final_values(self, session):
        # type: (Any) -> None
        """Stores the current values of the variables."""
        self._list_variables()
        for n, value in enumerate(self.peek(session, self._variables)):
            if value is not None:
                self._variable(n, [("final", self._folder.store(value))])

    def peek(self, session, variables):
        # type: (Any, list[Any]) -> list[Any]
        """Returns the values of variables, with None for a variable that is not initialised."""
        try:
            elements = [session.graph.as_graph_element(variable) for variable in variables]
            return list(self._run(session, elements)) if elements else []
        except Exception:
            return [None] if len(variables) == 1 else [self.peek(session, [variable])[0] for variable in variables]

    def _list_variables(self):
        # type: () -> None
        listed = self._graph.get_collection("variables")
        if len(listed) == len(self._variables):
            return
        trainable = set([id(variable) for variable in self._graph.get_collection("trainable_variables")])
        for v in listed[len(self._variables) :]:
            shape = None if v.get_shape().ndims is None else v.get_shape().as_list()
            self._pending.append(len(self._variables))
            self._variables.append(v)
            row = [("name", as_text(v.op.name)), ("dtype", v.dtype.base_dtype.name), ("shape", shape)]
            row += [("trainable", id(v) in trainable), ("initial", None), ("initial_after_call", None), ("final", None)]
            self._variable(self._pending[-1], row)

    def _variable(self, number, fields):
        # type: (int, list[tuple[str, Any]]) -> None
        self._folder.event("variable", [("graph", self.number), ("variable", number)] + fields)

    def _lines_text(self):
        # type: () -> bytes
        ops = self._graph.get_operations()
        for op in ops[self._traced :]:
            line = self._places.creation(op)
            if line:
                self._lines.setdefault(line, []).append(as_text(op.name))
        self._traced = len(ops)
        return json.dumps(self._lines, separators=(",", ":"), sort_keys=True).encode("ascii")
