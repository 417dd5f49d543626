"""Records what a TensorFlow program feeds to its sessions and fetches from them.

This one file needs nothing but the TensorFlow it records (0.12 to 1.15 on Python 2.7 or 3, and the graph mode of
2.x): copy it to the machine that still has it, and run the program under it:

    python recorder.py --output train.trace [--max-calls 10000] [--max-bytes 1073741824] -- train.py ARGS

The program sees its own arguments and `__main__`, and its exit status or exception is passed on; the trace is written
in every case. TensorFlow is imported before the program starts. Hooked is `Session.run` with all that comes to it
(`eval`, `Operation.run`, `MonitoredSession`), not `partial_run` and what `make_callable` returned. Variables are read
by fetches of their own, which add no op to the graph and run no random one.

The trace is one zip: `manifest.json`, `graphs/N.pb` (a GraphDef as it stood at the end) and `arrays/NNNNN.npy`.
The zip's CRC is the checksum of the arrays; names of members say nothing of their content. The manifest is JSON:

    format, version   "tf2bridge-trace", 1
    recorder, tensorflow, python, numpy    versions: of this file and of what it ran on
    argv, exit        [program, argument, ...], {status, error: null | text}
    limits            {calls, bytes}: bytes of arrays before compression
    stopped           null, or {reason: "calls" | "bytes" | an error, call}: the first call not recorded, and why
    notes             [text]: what could not be recorded
    graphs            [{member, seed: null | int, random_ops, variables}] in order of their first call
      random_ops      [{name, type, seed, seed2}] every op with seeds as attributes, in creation order
      variables       [{name, dtype, shape, trainable, initial: ref, initial_after_call, final: ref}] the collection
                      GLOBAL_VARIABLES in its order, names without ":0". `initial` is the value after the first call
                      that left it initialised, `final` when the graph's last session or the program ended
    calls             [{index, graph, session, thread, via, where, feeds, fetches, error: null | text}] in the order in
                      which they ended; sessions are numbered by first call; a failed call has null results
      via             "" if the program made the call, else the module of TensorFlow that made it: "saver", ...
      where           null, or [path relative to the program's directory, line] of the nearest frame of the program
      feeds           [{name, value: ref}] by tensor, sorted by name
      fetches         [{name, value: ref}] the leaves of what was fetched, depth first, dicts in the order of their
                      keys as text; a SparseTensor and its like is its tensors; an Operation's value is null
    values            a ref is an index into this list, or null; equal values are stored once
                      {kind: "array", dtype, shape, member} an npy array
                      {kind: "string", dtype, shape, members: [bytes as uint8, offsets as int64]}: string i of the
                      flattened array is bytes[offsets[i]:offsets[i + 1]]
                      {kind: "raw", dtype, shape, member} the bytes (uint8) of what npy lacks: bfloat16, qint8
    members           [{name, bytes}] every other member of the zip
    sha256            hex digest of all bytes of the manifest before the text `,\\n "sha256": "`
"""

# ruff: noqa: B905, F401 - Python 2.7 has neither zip(strict=) nor annotations: the types stand in comments.
import os
import sys

if __name__ == "__main__" and os.path.realpath(sys.path[0]) == os.path.dirname(os.path.realpath(__file__)):
    sys.path.pop(0)  # where this file lies may be modules named as the standard library's

import argparse
import collections
import hashlib
import io
import json
import threading
import traceback
import types
import weakref
import zipfile

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable, Iterator

RECORDER = "1"
MAX_CALLS, MAX_BYTES = 10000, 1 << 30
LIBRARY = ("tensorflow", "tensorflow_core", "tensorflow_estimator", "tf_keras", "keras", "tf2bridge")
# Functions of TensorFlow by which a program itself runs ops: a call through these alone is the program's own.
PASSING = ("run", "eval", "_eval_using_default_session", "_run_using_default_session")


class Archive(object):
    """The zip while it is being written, under a temporary name; values are written as they come."""

    def __init__(self, output, max_bytes):
        # type: (str, int) -> None
        self.output = os.path.abspath(output)
        self.part = "%s.part-%d" % (self.output, os.getpid())
        self.left = max_bytes
        self.values = []  # type: list[dict[str, Any]]
        self.members = []  # type: list[dict[str, Any]]
        self._known = {}  # type: dict[Any, int]
        self._zip = zipfile.ZipFile(self.part, "w", zipfile.ZIP_DEFLATED, allowZip64=True)

    def write(self, name, data):
        # type: (str, bytes) -> str
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, data)
        self.members.append({"name": name, "bytes": len(data)})
        return name

    def store(self, value):
        # type: (Any) -> int
        """Returns the reference of a value, which is written if it is new."""
        kind, dtype, shape, parts = encode(value)
        key = (kind, dtype, shape) + tuple(hashlib.sha256(part.tobytes()).digest() for part in parts)
        if key not in self._known:
            self.left -= sum(part.nbytes for part in parts)
            if self.left < 0:
                raise EnvironmentError("bytes")
            names = []
            for part in parts:
                data = io.BytesIO()
                np.save(data, part, allow_pickle=False)
                names.append(self.write("arrays/%05d.npy" % len(self.members), data.getvalue()))
            member = {"members": names} if kind == "string" else {"member": names[0]}
            self._known[key] = len(self.values)
            self.values.append(dict(member, kind=kind, dtype=dtype, shape=shape))
        return self._known[key]

    def finish(self, fields):
        # type: (list[tuple[str, Any]]) -> None
        """Writes the manifest and gives the zip its name."""
        rows = collections.OrderedDict(fields + [("values", self.values), ("members", list(self.members))])
        body = json.dumps(rows, indent=1, separators=(",", ": "))[: -len("\n}")]
        digest = hashlib.sha256(body.encode("ascii")).hexdigest()
        self.write("manifest.json", (body + ',\n "sha256": "' + digest + '"\n}\n').encode("ascii"))
        self._zip.close()
        getattr(os, "replace", os.rename)(self.part, self.output)


class Recorder(object):
    """Records all sessions of this process from `install` to `close`; raises EnvironmentError if it cannot write.

    Args:
        output: path of the trace, replaced when `close` has written it whole.
        program_dir: directory of the program; frames of files below it are the program's.
        max_calls, max_bytes: limits; what comes later is run and not recorded.
        on_call: called with the index of each call when it is recorded.
    """

    def __init__(self, output, program_dir, max_calls=MAX_CALLS, max_bytes=MAX_BYTES, on_call=None):
        # type: (str, str, int, int, Callable[[int], object] | None) -> None
        self.program_dir = os.path.realpath(program_dir)
        self.limits = {"calls": max_calls, "bytes": max_bytes}
        self.on_call = on_call
        self._lock, self._busy = threading.RLock(), False
        self.stopped = None  # type: dict[str, Any] | None
        self.notes = []  # type: list[str]
        self.calls = []  # type: list[dict[str, Any]]
        self.graphs = []  # type: list[tuple[Any, list[Any]]]  # with [(variable, row of the manifest)]
        self._archive = Archive(output, max_bytes)
        self._sessions = []  # type: list[weakref.ref[Any]]

    def install(self):
        # type: () -> None
        """Hooks TensorFlow's sessions; imports it."""
        from tensorflow.python.client import session as client

        self._client = client
        self._run, self._close = client.BaseSession.run, client.BaseSession.close

        def run(session, fetches, feed_dict=None, options=None, run_metadata=None):
            # type: (Any, Any, Any, Any, Any) -> Any
            frame, result, error = sys._getframe(1), None, None  # type: Any, Any, str | None
            fed = self._attempt(self._feeds, session.graph, feed_dict) or []
            try:
                result = self._run(session, fetches, feed_dict, options, run_metadata)
                return result
            except BaseException as problem:
                error = describe(problem)
                raise
            finally:
                self._attempt(self._record, session, frame, fed, fetches, result, error)

        def close(session):
            # type: (Any) -> None
            self._attempt(self._finals, session)
            self._close(session)

        client.BaseSession.run, client.BaseSession.close = run, close

    def close(self, status=0, error=None):
        # type: (int, str | None) -> None
        """Unhooks TensorFlow and writes the trace."""
        for session in [reference() for reference in self._sessions]:
            self._attempt(self._finals, session)
        self._client.BaseSession.run, self._client.BaseSession.close = self._run, self._close
        with self._lock:
            self._busy = True  # for good: a thread may still be in a call
            fields = [
                ("format", "tf2bridge-trace"),
                ("version", 1),
                ("recorder", RECORDER),
                ("tensorflow", as_text(sys.modules["tensorflow"].__version__)),
                ("python", "%d.%d.%d" % sys.version_info[:3]),
                ("numpy", np.__version__),
                ("argv", [as_text(argument) for argument in sys.argv]),
                ("limits", self.limits),
                ("stopped", self.stopped),
                ("exit", {"status": status, "error": error}),
                ("notes", self.notes),
                ("graphs", [self._graph_row(number) for number in range(len(self.graphs))]),
                ("calls", self.calls),
            ]  # type: list[tuple[str, Any]]
            self._archive.finish(fields)

    def _attempt(self, step, *arguments):
        # type: (Callable[..., Any], *Any) -> Any
        """Does one step of recording; no failure of it reaches the program."""
        with self._lock:
            if self._busy:
                return None  # closed, or the collector closes a session in the midst of a step
            self._busy = True
            try:
                return step(*arguments)
            except EnvironmentError as problem:
                self.stopped = self.stopped or {"reason": str(problem), "call": len(self.calls)}
            except Exception as problem:
                self.notes.append("call %d: %s" % (len(self.calls), describe(problem)))
            finally:
                self._busy = False

    def _record(self, session, frame, fed, fetches, result, error):
        # type: (Any, Any, list[Any], Any, Any, str | None) -> None
        if self.stopped:
            return
        index, graph = len(self.calls), self._graph(session)
        if index >= self.limits["calls"]:
            raise EnvironmentError("calls")
        (via, where), thread = self._origin(frame), threading.current_thread().name
        row = {"index": index, "graph": graph, "session": session._tf2bridge_number, "thread": thread}
        row.update(via=via, where=where, error=error, feeds=fed)
        row["fetches"] = list(self._fetches(session.graph, fetches, result, error is None))
        self.calls.append(row)
        pending = self._pending(*self.graphs[graph])
        for (_, known), value in zip(pending, self._peek(session, pending)):
            if value is not None:
                known.update(initial=self._archive.store(value), initial_after_call=index)
        if self.on_call:
            self.on_call(index)

    def _graph(self, session):
        # type: (Any) -> int
        """Returns the number of a session's graph, and numbers the session."""
        if not hasattr(session, "_tf2bridge_number"):
            session._tf2bridge_number = len(self._sessions)
            self._sessions.append(weakref.ref(session))
        if session.graph not in [graph for graph, _ in self.graphs]:
            self.graphs.append((session.graph, []))
        return [graph for graph, _ in self.graphs].index(session.graph)

    def _graph_row(self, number):
        # type: (int) -> dict[str, Any]
        graph, variables = self.graphs[number]
        definition = graph.as_graph_def()
        seeded = [(node, node.attr) for node in definition.node if "seed" in node.attr and "seed2" in node.attr]
        ops = [{"name": n.name, "type": n.op, "seed": a["seed"].i, "seed2": a["seed2"].i} for n, a in seeded]
        member = self._archive.write("graphs/%d.pb" % number, definition.SerializeToString())
        return {"member": member, "seed": graph.seed, "random_ops": ops, "variables": [row for _, row in variables]}

    def _pending(self, graph, variables):
        # type: (Any, list[Any]) -> list[Any]
        """Returns the variables that had no value yet, those included that were created since."""
        trainable = {id(variable) for variable in graph.get_collection("trainable_variables")}
        for v in graph.get_collection("variables")[len(variables) :]:
            row = {"name": as_text(v.op.name), "dtype": v.dtype.base_dtype.name, "trainable": id(v) in trainable}
            row["shape"] = None if v.get_shape().ndims is None else v.get_shape().as_list()
            variables.append((v, dict(row, initial=None, initial_after_call=None, final=None)))
        return [(variable, row) for variable, row in variables if row["initial"] is None]

    def _finals(self, session):
        # type: (Any) -> None
        """Keeps the present values of the variables of a session that closes."""
        for graph, variables in self.graphs:
            if session is not None and graph is session.graph:
                for (_, row), value in zip(variables, self._peek(session, variables)):
                    row["final"] = row["final"] if value is None else self._archive.store(value)

    def _peek(self, session, variables):
        # type: (Any, list[Any]) -> list[Any]
        """Returns the variables' values; None for one that is not initialised."""
        try:
            elements = [session.graph.as_graph_element(variable) for variable, _ in variables]
            return list(self._run(session, elements)) if elements else []
        except Exception:
            return [None] if len(variables) == 1 else [self._peek(session, [one])[0] for one in variables]

    def _feeds(self, graph, feed_dict):
        # type: (Any, Any) -> list[dict[str, Any]]
        leaves = []
        for key, value in self._client.nest.flatten_dict_items({} if self.stopped else feed_dict or {}).items():
            for part, given in self._expansion(key)[2](key, value):
                tensor = graph.as_graph_element(part, allow_operation=False)
                array = np.asarray(given, dtype=tensor.dtype.as_numpy_dtype)
                leaves.append({"name": as_text(tensor.name), "value": self._archive.store(array)})
        return sorted(leaves, key=lambda leaf: str(leaf["name"]))

    def _fetches(self, graph, fetch, value, known):
        # type: (Any, Any, Any, bool) -> Iterator[dict[str, Any]]
        if isinstance(fetch, (list, tuple)) or hasattr(fetch, "keys"):
            for key in sorted(fetch, key=str) if hasattr(fetch, "keys") else range(len(fetch)):
                for leaf in self._fetches(graph, fetch[key], value[key] if known else None, known):
                    yield leaf
        else:
            elements = self._expansion(fetch)[1](fetch)[0]
            parts = [value] * len(elements)
            if known and hasattr(value, "nested_row_splits"):
                parts = [value.flat_values] + list(value.nested_row_splits)
            elif known and len(elements) > 1:
                parts = [part for part in value if part is not None]
            for element, part in zip(elements, parts):
                name = as_text(graph.as_graph_element(element).name)
                yield {"name": name, "value": None if part is None else self._archive.store(part)}

    def _expansion(self, item):
        # type: (Any) -> Any
        return next(row for row in self._client._REGISTERED_EXPANSIONS if isinstance(item, row[0]))

    def _origin(self, frame):
        # type: (Any) -> tuple[str, list[Any] | None]
        """Returns the part of TensorFlow that made the call, and the nearest line of the program."""
        via = ""
        while frame is not None:
            module, path = as_text(frame.f_globals.get("__name__", "")), os.path.realpath(frame.f_code.co_filename)
            if module.split(".")[0] in LIBRARY:
                via = via or ("" if frame.f_code.co_name in PASSING else module.split(".")[-1])
            elif path.startswith(self.program_dir + os.sep) and "site-packages" not in path:
                return via, [os.path.relpath(path, self.program_dir).replace(os.sep, "/"), frame.f_lineno]
            frame = frame.f_back
        return via, None


def encode(value):
    # type: (Any) -> tuple[str, str, tuple[int, ...], list[Any]]
    """Returns (kind, dtype, shape, the npy arrays that hold the value)."""
    array = np.asarray(value, dtype=object if isinstance(value, (bytes, str)) else None, order="C")
    dtype, shape = array.dtype, tuple(int(n) for n in array.shape)
    if dtype.kind in "OSU":
        strings = [item if isinstance(item, bytes) else as_text(item).encode("utf-8") for item in array.ravel()]
        offsets = np.cumsum([0] + [len(item) for item in strings]).astype(np.int64)
        return "string", "string", shape, [np.frombuffer(b"".join(strings), np.uint8), offsets]
    if dtype.kind in "biufc" and dtype.isbuiltin == 1:
        return "array", dtype.name, shape, [array]
    return "raw", dtype.names[0] if dtype.names else dtype.name, shape, [np.frombuffer(array.tobytes(), np.uint8)]


def as_text(item):
    # type: (Any) -> str
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else "%s" % (item,)


def describe(problem):
    # type: (BaseException) -> str
    """Returns an exception as one line."""
    return as_text(traceback.format_exception_only(type(problem), problem)[-1]).split("\n")[0]


def run_program(argv):
    # type: (list[str]) -> tuple[int, str | None]
    """Runs a program as Python would run it; returns its exit status and its error."""
    main = types.ModuleType("__main__")
    main.__file__ = argv[0]
    sys.argv, sys.modules["__main__"] = argv, main
    sys.path.insert(0, os.path.dirname(os.path.abspath(argv[0])))
    try:
        with open(argv[0], "rb") as source:
            code = compile(source.read(), os.path.abspath(argv[0]), "exec", 0, True)
        exec(code, main.__dict__)  # noqa: S102 - to run this program is what was asked for
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    except SystemExit as leave:
        if leave.code is None or isinstance(leave.code, int):
            return leave.code or 0, None
        sys.stderr.write("%s\n" % leave.code)
        return 1, as_text(leave.code)
    except BaseException as problem:
        traceback.print_exc()
        return 1, describe(problem)
    return 0, None


def main(arguments):
    # type: (list[str]) -> int
    """Records one program; returns its exit status, or 2 where nothing was run."""
    parser = argparse.ArgumentParser(prog="recorder.py", usage="%(prog)s --output TRACE [options] -- PROGRAM [ARGS]")
    parser.add_argument("--output", required=True, help="the trace to write, one zip")
    parser.add_argument("--max-calls", type=int, default=MAX_CALLS, help="default %(default)s")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="of arrays; default %(default)s")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    argv = given.program[1:] if given.program[:1] == ["--"] else given.program
    if not argv or not os.path.isfile(argv[0]):
        parser.error("no such program: %s; write `-- train.py ARGS` last" % (argv[0] if argv else "none is named"))
    try:
        recorder = Recorder(given.output, os.path.dirname(argv[0]) or ".", given.max_calls, given.max_bytes)
        recorder.install()
        status, error = run_program(argv)
        recorder.close(status, error)
    except (EnvironmentError, ImportError) as problem:
        parser.error("cannot record to %s: %s" % (given.output, describe(problem)))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
