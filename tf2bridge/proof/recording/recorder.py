"""The recorder, which writes each call and, when the program ends, the trace."""

import collections
import os
import re
import sys
import threading
import weakref

import numpy as np

from tf2bridge.proof.recording.archive import pack
from tf2bridge.proof.recording.encoding import TEXTS, as_text, describe
from tf2bridge.proof.recording.folder import Folder, LimitError
from tf2bridge.proof.recording.folding import FORMAT, VERSION
from tf2bridge.proof.recording.graphs import Graph
from tf2bridge.proof.recording.hooks import Call, Hooks
from tf2bridge.proof.recording.inner_seeds import InnerSeeds
from tf2bridge.proof.recording.places import Places
from tf2bridge.proof.recording.printed import Printed
from tf2bridge.proof.recording.selection import Plan, Tally, form_of, inner_tensors, key_of, leaves
from tf2bridge.proof.recording.states import States

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable

RECORDER = "2"
MAX_CALLS, MAX_BYTES = 10000, 1 << 30
_MARK = "_tf2bridge_record"  # an attribute of sessions and graphs: what this recorder knows of them
_PLANS = 1000  # of one graph; a program that makes new fetches for every call must not fill the memory


class Recorder(object):
    """Records all sessions of this process from `install` to `close`. Raises EnvironmentError if it cannot write.

    Args:
        output: path of the trace, replaced when `close` has written it whole.
        program_dir: directory of the program; frames of files below it are the program's.
        max_calls, max_bytes: limits; what comes later is run and not recorded.
        on_call: called with the index of each call when it is recorded.
        every: of the calls with the same fetches, which are recorded after the first ten.
        intermediate: regular expressions; inner tensors whose names they find are recorded too.
        draws: whether what random ops without a seed draw is recorded too.
        argv: the program's command line.
    """

    def __init__(
        self,
        output,  # type: str
        program_dir,  # type: str
        max_calls=MAX_CALLS,  # type: int
        max_bytes=MAX_BYTES,  # type: int
        on_call=None,  # type: Callable[[int], object] | None
        every=1,  # type: int
        intermediate=(),  # type: Any
        argv=None,  # type: list[str] | None
        draws=True,  # type: bool
    ):
        # type: (...) -> None
        self._limits = collections.OrderedDict([("calls", max_calls), ("bytes", max_bytes), ("every", every)])
        self._patterns = [re.compile(pattern) for pattern in intermediate]
        self._draws = draws
        self._argv = sys.argv if argv is None else argv
        self._on_call = on_call
        self._lock, self._busy, self._pid = threading.RLock(), False, os.getpid()
        self._after = []  # type: list[Callable[[], object]]
        self._stopped = False
        self._calls = self._own = self._graphs = 0
        self._sessions = []  # type: list[weakref.ref[Any]]
        self._tallies = {}  # type: dict[Any, Tally]
        self._handles = {}  # type: dict[Any, int]
        self._places = Places(program_dir)
        self._folder = Folder(output, max_bytes)
        self._hooks = Hooks(self)
        self._printed = Printed()
        self._inner_seeds = InnerSeeds() if draws else None
        self._states = States(lambda fields: self.attempt(self._folder.event, "random", fields))

    def install(self):
        # type: () -> None
        """Imports TensorFlow and hooks its sessions."""
        try:
            self._hooks.install()
        except ImportError:
            self._folder.remove()
            raise
        fields = [
            ("format", FORMAT),
            ("version", VERSION),
            ("recorder", RECORDER),
            ("tensorflow", as_text(sys.modules["tensorflow"].__version__)),
            ("python", "%d.%d.%d" % sys.version_info[:3]),
            ("numpy", np.__version__),
            ("argv", [as_text(argument) for argument in self._argv]),
            ("limits", self._limits),
            ("intermediate", [as_text(pattern.pattern) for pattern in self._patterns]),
        ]  # type: list[tuple[str, Any]]
        self._folder.event("header", fields)
        if self._inner_seeds is not None:
            self.attempt(self._inner_seeds.install)
        self._states.install()
        self._folder.flush()
        self._printed.install()

    def close(self, status=0, error=None):
        # type: (int, str | None) -> None
        """Unhooks TensorFlow and writes the trace; does nothing in a forked process."""
        if os.getpid() != self._pid:
            return
        for session in [reference() for reference in self._sessions]:
            self.attempt(self.closing, session)
        self._hooks.remove()
        if self._inner_seeds is not None:
            self._inner_seeds.remove()
        self._states.remove()
        self._printed.remove()
        with self._lock:
            self._busy = True  # for good: a thread may still be in a call
            for (graph, names), tally in sorted(self._tallies.items()):
                self._write_left_out(graph, names, tally)
            self._printed.write_to(self._folder)
            self._folder.event("end", [("status", status), ("error", error)])
            self._folder.flush()
            pack(self._folder.path, self._folder.output)
            self._folder.remove()

    def attempt(self, step, *arguments):
        # type: (Callable[..., Any], *Any) -> Any
        """Does one step of the recording. Its failures do not reach the program."""
        if os.getpid() != self._pid:
            return None  # before the lock, which another thread may have held when this process was forked
        with self._lock:
            if self._busy:
                return None  # closed, or the garbage collector closes a session during a step
            self._busy = True
            try:
                return step(*arguments)
            except (LimitError, EnvironmentError) as problem:
                self._stop(str(problem))
            except Exception as problem:
                self._note(describe(problem))
                self._flush_at_last()
            finally:
                self._busy = False
                while self._after:
                    self._after.pop()()

    def when_idle(self, action):
        # type: (Callable[[], object]) -> None
        """Runs an action now, or as soon as the current step of this thread is done."""
        with self._lock:
            if self._busy:
                self._after.append(action)
            else:
                action()

    def begin(self, session, kind, fetches, feed_dict, frame):
        # type: (Any, str, Any, Any, Any) -> Call
        """Returns a call that the code of a frame is about to make."""
        graph = self._graph(session)
        fed = ()  # type: tuple[str, ...]
        if kind == "run" and (self._patterns or (self._draws and graph.draws())):
            fed = self._fed_names(session, feed_dict)
        key = kind == "partial", key_of(fetches), fed
        if key not in graph.plans:
            if len(graph.plans) >= _PLANS:
                graph.plans.clear()
            graph.plans[key] = self._plan(graph, session, kind, fetches, fed)
        call = Call(session, kind, graph.plans[key], feed_dict)
        self.steer(call, frame)
        return call

    def steer(self, call, frame):
        # type: (Call, Any) -> None
        """Does nothing. A subclass may change the feeds of a call that the code of a frame makes."""

    def begin_named(self, session, options):
        # type: (Any, Any) -> Call
        """Returns the template of the calls of a callable, whose CallableOptions name tensors and operations."""
        named = list(options.fetch) + list(options.target)
        fed = tuple(options.feed) + tuple([row.to_tensor for row in options.tensor_connection])
        return Call(session, "callable", self._plan(self._graph(session), session, "callable", named, fed))

    def record(self, call, frame):
        # type: (Call, Any) -> None
        """Records a call that has ended, and the values of variables that it initialised."""
        via, where = self._places.origin(frame)
        thread = threading.current_thread().name
        position = self.position(via)
        self._own += position is not None
        if self._stopped:
            return
        graph = self._graph(call.session)
        tally = call.plan.tally if call.plan else Tally()
        taken = tally.takes(self._limits["every"]) or call.error is not None
        graph.look()
        if taken:
            self._write(
                call, graph, tally, [("position", position), ("thread", thread), ("via", via), ("where", where)]
            )
        else:
            tally.left_out += 1
        if graph.pending() and tally.is_time_to_look():
            graph.initial_values(call.session, self._calls - 1)
        try:
            self._folder.flush()
        except EnvironmentError:
            self._calls -= taken  # it is lost
            raise
        if taken and self._on_call:
            self._on_call(self._calls - 1)

    def position(self, via):
        # type: (str) -> int | None
        """Returns how many calls the program itself has made so far, or None if this call is not its own."""
        return None if via or threading.current_thread().name != "MainThread" else self._own

    def handle(self, session, handle):
        # type: (Any, Any) -> int
        """Returns the number of a partial run."""
        return self._handles.setdefault((self._number(session), as_text(handle)), len(self._handles))

    def closing(self, session):
        # type: (Any) -> None
        """Records the graph and the current values of the variables of a session that closes."""
        if session is not None and getattr(session, _MARK, (None,))[0] is self:
            graph = self._graph(session)
            graph.write()
            graph.final_values(session)
            self._folder.flush()

    def _write(self, call, graph, tally, origin):
        # type: (Call, Graph, Tally, list[tuple[str, Any]]) -> None
        if self._calls >= self._limits["calls"]:
            raise LimitError("calls")
        names, inner, refs = [], [], []  # type: list[str], list[str], list[Any]
        if call.plan:
            names, inner = call.plan.names, call.plan.inner
            refs = [self._ref(value) for value in call.results or [None] * len(call.plan.elements)]
        fields = [("index", self._calls), ("kind", call.kind), ("graph", graph.number)]  # type: list[tuple[str, Any]]
        fields += [("session", self._number(call.session))] + origin + [("error", call.error)]
        fields += [("feeds", [_leaf(name, self._ref(value)) for name, value in self._feeds(call)])]
        fields += [("fetches", [_leaf(name, ref) for name, ref in zip(names, refs)])]
        if inner:
            fields += [("intermediate", [_leaf(name, ref) for name, ref in zip(inner, refs[len(names) :])])]
        if call.handle is not None:
            fields += [("handle", call.handle)]
        self._write_left_out(graph.number, names, tally)
        self._folder.event("call", fields)
        self._calls += 1

    def _write_left_out(self, graph, names, tally):
        # type: (int, Any, Tally) -> None
        if tally.left_out:
            self._folder.event("left_out", [("graph", graph), ("fetches", names), ("calls", tally.left_out)])
            tally.left_out = 0

    def _ref(self, value):
        # type: (Any) -> int | None
        try:
            return None if value is None else self._folder.store(value)
        except TypeError as problem:
            self._note(describe(problem))
            return None

    def _feeds(self, call):
        # type: (Call) -> list[tuple[str, Any]]
        """Returns the feeds as (name, array), sorted by name."""
        if call.fed is None:
            rows = self._given(call.session, call.feed_dict)
        else:
            rows = [(_name(key), value) for key, value in call.fed.items()]
        return sorted([row for row in rows if row[0] not in call.steered], key=lambda row: row[0])

    def _fed_names(self, session, feed_dict):
        # type: (Any, Any) -> tuple[str, ...]
        """Returns the names of the tensors that the program feeds, without a look at the values."""
        try:
            return tuple(sorted([_name(tensor) for tensor, _ in self._hooks.given(session.graph, feed_dict)]))
        except Exception:
            return ()  # TensorFlow will say what is wrong with it

    def _given(self, session, feed_dict):
        # type: (Any, Any) -> list[tuple[str, Any]]
        """Returns the feeds of the program that TensorFlow accepts."""
        try:
            rows = self._hooks.given(session.graph, feed_dict)
            return [(_name(tensor), np.asarray(value, tensor.dtype.as_numpy_dtype)) for tensor, value in rows]
        except Exception:
            return []  # TensorFlow will say what is wrong with it

    def _plan(self, graph, session, kind, fetches, fed):
        # type: (Graph, Any, str, Any, Any) -> Plan | None
        try:
            fetched = list(leaves(session.graph, self._hooks.expansion, fetches))
        except Exception:
            return None  # as above
        names = tuple([as_text(item.name) for item in fetched])
        tally = self._tallies.setdefault((graph.number, names), Tally())
        draws = graph.draws() if self._draws else set()  # type: set[str]
        is_looked_into = kind != "partial" and (self._patterns or draws)
        inner = inner_tensors(fetched, fed, self._patterns, draws) if is_looked_into else []
        return Plan(fetched, inner, tally, fetches, form_of(fetches, self._hooks.expansion))

    def _number(self, session):
        # type: (Any) -> int
        """Returns the number of a session."""
        if getattr(session, _MARK, (None,))[0] is not self:
            setattr(session, _MARK, (self, len(self._sessions)))
            self._sessions.append(weakref.ref(session))
        return int(getattr(session, _MARK)[1])

    def _graph(self, session):
        # type: (Any) -> Graph
        """Returns the record of a session's graph, and numbers the session."""
        self._number(session)
        graph = session.graph
        if getattr(graph, _MARK, (None,))[0] is not self:
            given = () if self._inner_seeds is None else self._inner_seeds.given
            new = Graph(graph, self._graphs, self._folder, self._places, self._hooks.originals["run"], given)
            setattr(graph, _MARK, (self, new))  # kept on the graph itself, because the program may drop the graph
            self._graphs += 1
        return getattr(graph, _MARK)[1]  # type: ignore[no-any-return]

    def _stop(self, reason):
        # type: (str) -> None
        if not self._stopped:
            self._stopped = True
            self._folder.event("stop", [("reason", reason), ("call", self._calls)])
            self._flush_at_last()

    def _flush_at_last(self):
        # type: () -> None
        """Writes pending data, before the program can change the arrays that it got."""
        try:
            self._folder.flush()
        except EnvironmentError:
            pass  # the disk is full: the folder ends here

    def _note(self, text):
        # type: (str) -> None
        self._folder.event("note", [("text", "call %d: %s" % (self._calls, text))])


def _leaf(name, ref):
    # type: (str, int | None) -> dict[str, Any]
    return {"name": name, "value": ref}


def _name(key):
    # type: (Any) -> str
    """Returns the name of a tensor, which a release gives as a name, the tensor, or a reference to it."""
    return as_text(key if isinstance(key, TEXTS) else (key.deref() if hasattr(key, "deref") else key).name)
