"""Builds the manifest of a trace from the events of a journal. Needs neither NumPy nor TensorFlow."""

import collections
import json
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable, Iterable, Iterator

FORMAT, VERSION = "tf2bridge-trace", 2
JOURNAL, MEMBERS = "journal.jsonl", "members.bin"
HEADER = ("format", "version", "recorder", "tensorflow", "python", "numpy", "argv", "limits", "intermediate")
_IN_ORDER = None if sys.version_info >= (3, 7) else collections.OrderedDict  # type: Any
_CRC = len("01234567 ")


class JournalError(Exception):
    """A journal is not as the recorder writes it. The text says where and why."""


def line_of(event):
    # type: (str) -> bytes
    """Returns the line of an event, given as JSON."""
    data = event.encode("ascii")
    return ("%08x " % (zlib.crc32(data) & 0xFFFFFFFF)).encode("ascii") + data + b"\n"


def events_of(journal):
    # type: (Iterable[bytes]) -> Iterator[dict[str, Any]]
    """Yields the events of a journal, given as lines. If the last line is cut, it yields a note instead.

    Raises:
        JournalError: A line is damaged.
    """
    for number, line in enumerate(journal, 1):
        data = line[_CRC:-1]
        if not line.endswith(b"\n"):
            yield {"event": "note", "text": "the last line of the journal is cut"}
        elif line[:_CRC] != ("%08x " % (zlib.crc32(data) & 0xFFFFFFFF)).encode("ascii"):
            raise JournalError("line %d of its journal does not match its checksum" % number)
        else:
            yield json.loads(data.decode("ascii"), object_pairs_hook=_IN_ORDER)


def fold(events):
    # type: (Iterable[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, int]]
    """Returns the manifest from the events, and member -> its offset in the folder's file.

    Raises:
        JournalError: An event is unknown, or does not fit the events before it.
    """
    sums = _Sums()
    for event in events:
        kind = event.pop("event", None)
        step = sums.steps.get(str(kind))
        if step is None:
            raise JournalError("its journal holds an unknown event, %r" % (kind,))
        try:
            step(event)
        except (KeyError, TypeError, IndexError, ValueError) as problem:
            raise JournalError("the event %r of its journal does not fit: %r" % (str(kind), problem))
    if not sums.rows:
        raise JournalError("its journal has no header")
    return sums.manifest(), sums.offsets


class _Sums(object):
    """The manifest so far."""

    def __init__(self):
        # type: () -> None
        self.rows = collections.OrderedDict()  # type: dict[str, Any]
        self.ends = {"exit": None, "stopped": None}  # type: dict[str, Any]
        self.notes, self.random = [], []  # type: list[str], list[Any]
        self.values, self.calls, self.graphs = [], [], []  # type: list[Any], list[Any], list[Any]
        self.left_out = collections.OrderedDict()  # type: dict[Any, int]
        self.members = collections.OrderedDict()  # type: dict[str, dict[str, Any]]
        self.offsets = {}  # type: dict[str, int]
        self.steps = {
            "header": self._header,
            "member": self._member,
            "value": self.values.append,
            "graph": self._graph,
            "variable": self._variable,
            "call": self.calls.append,
            "left_out": self._left_out,
            "random": self.random.append,
            "printed": lambda event: self.ends.update(printed=event),
            "note": lambda event: self.notes.append(event["text"]),
            "stop": lambda event: self.ends.update(stopped=event),
            "end": lambda event: self.ends.update(exit=event),
        }  # type: dict[str, Callable[[dict[str, Any]], object]]

    def manifest(self):
        # type: () -> dict[str, Any]
        left_out = [{"graph": g, "fetches": list(names), "calls": n} for (g, names), n in self.left_out.items()]
        parts = [("exit", self.ends["exit"]), ("stopped", self.ends["stopped"]), ("notes", self.notes)]
        parts += (
            [("random", self.random)] if self.random else []
        )  # the first recorders of this version did not write it
        parts += [("printed", self.ends["printed"])] if "printed" in self.ends else []  # neither did they write this
        parts += [("graphs", self.graphs), ("calls", self.calls), ("left_out", left_out), ("values", self.values)]
        self.rows.update(parts + [("members", list(self.members.values()))])
        return self.rows

    def _header(self, event):
        # type: (dict[str, Any]) -> None
        self.rows.update([(key, event.pop(key)) for key in HEADER])
        if event:
            raise ValueError("unknown: %s" % ", ".join(sorted(event)))

    def _member(self, event):
        # type: (dict[str, Any]) -> None
        self.offsets[event["name"]] = event.pop("offset")
        self.members[event["name"]] = event

    def _graph(self, event):
        # type: (dict[str, Any]) -> None
        row = _row(self.graphs, event.pop("graph"))
        variables = row.pop("variables", [])
        row.update(event)
        row["variables"] = variables

    def _variable(self, event):
        # type: (dict[str, Any]) -> None
        row = _row(self.graphs[event.pop("graph")]["variables"], event.pop("variable"))
        row.update(event)

    def _left_out(self, event):
        # type: (dict[str, Any]) -> None
        key = event["graph"], tuple(event["fetches"])
        self.left_out[key] = self.left_out.get(key, 0) + event["calls"]


def _row(rows, number):
    # type: (list[Any], int) -> Any
    """Returns a row by its number, and adds it if the number is the next."""
    if number == len(rows):
        rows.append(collections.OrderedDict())
    if not 0 <= number < len(rows):
        raise IndexError("number %d after %d" % (number, len(rows)))
    return rows[number]
