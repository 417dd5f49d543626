"""The folder beside the output file, which receives the records while the program runs."""

import collections
import json
import os
import shutil

from tf2bridge.proof.recording.encoding import check_of, encode, npy
from tf2bridge.proof.recording.folding import JOURNAL, MEMBERS, line_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any

SUFFIX = ".part"
_JSON = json.JSONEncoder(separators=(",", ":"))
_SMALL = 1024  # bytes up to which a value is its own key, and is not read again to be compared
_COPIED = 1 << 16  # bytes up to which copying is cheaper than a write of its own
_BUFFERED = 1 << 20
_BINARY = getattr(os, "O_BINARY", 0)  # without it, Windows changes the ends of lines, in arrays too


class LimitError(Exception):
    """A value would exceed a limit, which the text names."""


class Folder(object):
    """The folder of a recording. Raises EnvironmentError if it cannot be made, exists already, or the disk is full.

    Args:
        output: path of the trace; the folder is named as it, with ".part".
        max_bytes: limit of the bytes of all arrays; `store` raises LimitError beyond it.
    """

    def __init__(self, output, max_bytes):
        # type: (str, int) -> None
        self.output = os.path.abspath(output)
        self.path = self.output + SUFFIX
        self.left = max_bytes
        if os.path.lexists(self.path):
            raise EnvironmentError(
                "%s holds what a recording left that did not end: read it with `tf2bridge inspect`, then move it away "
                "or delete it" % self.path
            )
        os.mkdir(self.path)
        flags = os.O_CREAT | os.O_APPEND | _BINARY
        self._journal = os.open(os.path.join(self.path, JOURNAL), os.O_WRONLY | flags, 0o666)
        self._members = os.open(os.path.join(self.path, MEMBERS), os.O_RDWR | flags, 0o666)
        self._lines, self._blobs = [], []  # type: list[bytes], list[Any]
        self._size = self._waiting = self._values = self._arrays = 0
        self._written = 0, 0  # bytes of both files that belong together
        self._is_full = False
        self._known = {}  # type: dict[Any, list[tuple[int, list[int]]]]

    def event(self, kind, fields):
        # type: (str, list[tuple[str, Any]]) -> None
        """Adds an event to the journal, its fields in their order."""
        self._lines.append(line_of(_JSON.encode(collections.OrderedDict([("event", kind)] + fields))))

    def member(self, name, parts):
        # type: (str, list[Any]) -> None
        """Adds a member, given as buffers one after the other."""
        self._add(name, parts, check_of(parts))

    def _add(self, name, parts, check):
        # type: (str, list[Any], tuple[str, int]) -> None
        size = sum([len(part) for part in parts])
        self._blobs += [part if len(part) > _COPIED else bytes(part) for part in parts]
        event = '{"event":"member","name":"%s","offset":%d,"bytes":%d,"%s":%d}'
        self._lines.append(line_of(event % (name, self._size, size, check[0], check[1])))
        self._size += size
        self._waiting += size
        if self._waiting > _BUFFERED:
            self.flush()

    def store(self, value):
        # type: (Any) -> int
        """Returns the reference to a value, and writes the value if it is new."""
        if self._is_full:
            raise LimitError("an earlier write failed")
        kind, dtype, shape, arrays = encode(value)
        parts = [npy(array) for array in arrays]
        size = sum(len(data) for _, data in parts)
        small = size <= _SMALL
        checks = [check_of(list(part)) for part in parts]
        key = (kind, dtype, shape) + tuple([bytes(data) for _, data in parts] if small else checks)
        for ref, places in self._known.get(key, ()):
            if small or all(self._holds(place, data) for place, (_, data) in zip(places, parts)):
                return ref
        self.left -= size
        if self.left < 0:
            raise LimitError("bytes")
        names = ["arrays/%05d.npy" % (self._arrays + n) for n in range(len(parts))]
        self._arrays += len(parts)
        offsets = []
        for name, (header, data), check in zip(names, parts, checks):
            offsets.append(self._size + len(header))
            self._add(name, [header, data], check)
        self._known.setdefault(key, []).append((self._values, offsets))
        where = '"members":["%s"]' % '","'.join(names) if kind == "string" else '"member":"%s"' % names[0]
        event = '{"event":"value","kind":"%s","dtype":"%s","shape":[%s],%s}'  # a third of what an encoder takes
        self._lines.append(line_of(event % (kind, dtype, ",".join(["%d" % n for n in shape]), where)))
        self._values += 1
        return self._values - 1

    def flush(self):
        # type: () -> None
        """Writes pending data: first members, then the lines that name them.

        So a crash leaves no line without its member.

        If this fails, as on a full disk, the files stay as they were, and nothing more can be stored.
        """
        blobs, lines = self._blobs, b"".join(self._lines)
        self._blobs, self._lines, self._waiting = [], [], 0
        try:
            self._write_members(blobs)
            _write(self._journal, lines)
            self._written = self._size, self._written[1] + len(lines)
        except EnvironmentError:
            self._is_full = True
            self._size = self._written[0]
            for descriptor, size in zip((self._members, self._journal), self._written):
                os.ftruncate(descriptor, size)
            raise

    def _write_members(self, blobs):
        # type: (list[Any]) -> None
        small = []  # type: list[bytes]
        for blob in blobs:
            if isinstance(blob, bytes):
                small.append(blob)
            else:
                _write(self._members, b"".join(small))
                _write(self._members, blob)
                small = []
        _write(self._members, b"".join(small))

    def remove(self):
        # type: () -> None
        """Deletes the folder."""
        os.close(self._journal)
        os.close(self._members)
        shutil.rmtree(self.path)

    def _holds(self, offset, data):
        # type: (int, Any) -> bool
        """Returns whether exactly these bytes were written at an offset."""
        self.flush()
        os.lseek(self._members, offset, os.SEEK_SET)
        return os.read(self._members, len(data)) == bytes(data)


def _write(descriptor, data):
    # type: (int, Any) -> None
    while len(data):
        data = data[os.write(descriptor, data) :]
