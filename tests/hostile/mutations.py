"""Ways to alter bytes: bits, lengths, pieces put elsewhere, and fields of protos and JSON as an attacker would."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from typing import Any

from tests.hostile.sound import Seed
from tf2bridge.formats.checkpoints.wire import varint, written_varint

_SIZES = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 127, 255, 1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 28)
_LIMITS = ((1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 45, 1 << 62, (1 << 63) - 1, (1 << 64) - 1)
_MOST = 8 << 20
"""Bytes that repeating a part may make of it: what repeats in what repeats fills the memory of the fuzzer itself."""
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, -4, 1 << 31, 1 << 62, 1 << 64, 1e308, float("nan"), "", "a", "\x1b[2J\n"),
    *("\ud800", [], {}, [[]], [None], {"": 0}, [1 << 62, 0], [-1, -4], [True], "../../x", "x" * 5000),
)  # fmt: skip
_WORDS = (
    *(b"[", b"]", b"{", b"}", b"(", b",)", b"'", b'"', b"\n", b"\x00", b"-1", b"True", b"None", b"1e999", b"inf"),
    *(b"9" * 30, b"[" * 3000, b"{a=" * 3000, b"(" * 3000, b"node {" * 3000, b"\\u0000", b"\xff\xfe", b"#"),
    *(b"|O", b"<f8"),
)  # fmt: skip


def altered(seed: Seed, draw: random.Random) -> bytes:
    """Returns the altered content of the seed's file."""
    content = seed.files[seed.altered]
    if draw.random() < 0.25:
        return _changed(content, draw)
    parts = seed.layout.split(content)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        place = draw.randrange(len(parts))
        name, part = parts[place]
        way = draw.random()
        if way < 0.06:
            del parts[place]
        elif way < 0.12:
            parts.insert(
                draw.randrange(len(parts) + 1), (_changed(name.encode("latin-1"), draw).decode("latin-1"), part)
            )
        elif way < 0.16:
            parts[place] = (_changed(name.encode("latin-1", "replace"), draw).decode("latin-1"), part)
        elif name.endswith(".json") and way < 0.75:
            parts[place] = (name, _of_json(part, draw))
        elif way < 0.7:
            parts[place] = (name, _of_proto(part, draw, 0))
        else:
            parts[place] = (name, _changed(part, draw))
        if not parts:
            return b""
    try:
        return seed.layout.join(parts)
    except (ValueError, IndexError, UnicodeError, TypeError, OverflowError, struct.error):
        return _changed(content, draw)


def _changed(content: bytes, draw: random.Random) -> bytes:
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        content = draw.choice(_BLIND)(content, draw)
    return content


def _bit(content: bytes, draw: random.Random) -> bytes:
    if not content:
        return b"\x00"
    place = draw.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << draw.randrange(8)]) + content[place + 1 :]


def _byte(content: bytes, draw: random.Random) -> bytes:
    place = draw.randrange(len(content) + 1)
    return content[:place] + bytes([draw.choice((0, 1, 0x7F, 0x80, 0xFF, draw.randrange(256)))]) + content[place + 1 :]


def _number(content: bytes, draw: random.Random) -> bytes:
    """A length field of 2, 4 or 8 bytes."""
    width = draw.choice((2, 4, 8))
    number = draw.choice((*_SIZES, *_LIMITS, len(content), len(content) - 1)) % (1 << 8 * width)
    place = draw.randrange(max(1, len(content) - width))
    return content[:place] + number.to_bytes(width, draw.choice(("little", "big"))) + content[place + width :]


def _long(content: bytes, draw: random.Random) -> bytes:
    """A varint where a byte was."""
    place = draw.randrange(len(content) + 1)
    return content[:place] + written_varint(draw.choice((*_SIZES, *_LIMITS))) + content[place + 1 :]


def _cut(content: bytes, draw: random.Random) -> bytes:
    first, last = sorted(draw.randrange(len(content) + 1) for _ in range(2))
    return content[:first] if draw.random() < 0.5 else content[:first] + content[last:]


def _spliced(content: bytes, draw: random.Random) -> bytes:
    first, last = sorted(draw.randrange(len(content) + 1) for _ in range(2))
    place = draw.randrange(len(content) + 1)
    return content[:place] + content[first : min(last, first + 4096)] + content[place:]


def _repeated(content: bytes, draw: random.Random) -> bytes:
    first = draw.randrange(len(content) + 1)
    piece = content[first : first + draw.choice((1, 2, 4, 20))]
    return content[:first] + piece * draw.choice((2, 100, 3000)) + content[first:]


def _times(size: int, wanted: int) -> int:
    """How often something of a size is repeated."""
    return min(wanted, _MOST // max(1, size))


def _word(content: bytes, draw: random.Random) -> bytes:
    place = draw.randrange(len(content) + 1)
    return content[:place] + draw.choice(_WORDS) + content[place + draw.choice((0, 0, 1, 5)) :]


_BLIND: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_bit, _bit, _byte, _number, _number, _long, _cut, _spliced, _repeated, _word),
)


def _of_json(content: bytes, draw: random.Random) -> bytes:
    try:
        opened = {"": json.loads(content)}
    except (ValueError, RecursionError):  # it nests too deeply after an earlier change
        return _changed(content, draw)
    places = list(_places(opened))
    for _ in range(draw.choice((1, 1, 2, 3))):
        owner, key = draw.choice(places)
        try:
            old = owner[key]
            way = draw.random()
            if way < 0.1:
                del owner[key]
            elif way < 0.25:
                other, name = draw.choice(places)
                copied = json.dumps(other[name])
                owner[key] = json.loads(copied) if len(copied) < _MOST else None
            elif way < 0.45 and isinstance(old, int):
                owner[key] = old + draw.choice((-1, 1, 100, -old - 1, 1 << 40))
            elif way < 0.5:
                owner[key] = [old] * _times(len(json.dumps(old)), draw.choice((0, 2, 500)))
            else:
                owner[key] = draw.choice(_VALUES)
        except (KeyError, IndexError, TypeError):
            continue
    return json.dumps(opened[""]).encode() if "" in opened else b""


def _places(opened: Any) -> Any:
    for key, value in list(opened.items()) if isinstance(opened, dict) else list(enumerate(opened)):
        yield opened, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def _of_proto(content: bytes, draw: random.Random, depth: int) -> bytes:
    """One field changed, here or within a message within it; the lengths around it are right again."""
    fields = _fields(content)
    if not fields:
        return _changed(content, draw)
    place = draw.randrange(len(fields))
    number, wire, value = fields[place]
    way = draw.random()
    if wire == 2 and way < 0.6 and depth < 12:
        value = _of_proto(value, draw, depth + 1) if _fields(value) and draw.random() < 0.8 else _changed(value, draw)
    elif wire == 0 and way < 0.7:
        value = draw.choice((*_SIZES, *_LIMITS, value + 1, draw.randrange(30)))
    elif way < 0.76:
        del fields[place]
        return _joined(fields)
    elif way < 0.84:
        size = len(value) if isinstance(value, bytes) else 10
        fields[place:place] = [fields[place]] * _times(size, draw.choice((1, 2, 300)))
        return _joined(fields)
    elif way < 0.9 and wire == 2:
        for _ in range(draw.choice((2, 20, 90, 300))):
            value = written_varint(number << 3 | 2) + written_varint(len(value)) + value
    elif way < 0.95:
        number = draw.randrange(1, 20)
    else:
        other = draw.choice(fields)
        wire, value = other[1], other[2]
    fields[place] = number, wire, value
    return _joined(fields)


def _fields(content: bytes) -> list[tuple[int, int, Any]]:
    """The fields of a message; [] where these bytes are none."""
    fields: list[tuple[int, int, Any]] = []
    at = 0
    try:
        while at < len(content):
            tag, at = varint(content, at)
            number, wire = tag >> 3, tag & 7
            if wire == 0:
                value, at = varint(content, at)
                fields.append((number, wire, value))
                continue
            size, at = varint(content, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
            if not 0 < number < 1 << 20 or at + size > len(content):
                return []
            fields.append((number, wire, content[at : at + size]))
            at += size
    except (ValueError, KeyError):
        return []
    return fields


def _joined(fields: list[tuple[int, int, Any]]) -> bytes:
    made = []
    for number, wire, value in fields:
        made.append(written_varint(number << 3 | wire))
        if wire == 0:
            made.append(written_varint(value % (1 << 64)))
        else:
            made.append(written_varint(len(value)) + value if wire == 2 else value)
    return b"".join(made)
