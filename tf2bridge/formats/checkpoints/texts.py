"""Tensors of texts as V2 checkpoints hold them: the lengths as varints, their checksum, then the texts themselves.

The format is that of WriteStringTensor in core/util/tensor_bundle/tensor_bundle.cc.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from tf2bridge.formats.checkpoints.checksums import extended, masked
from tf2bridge.formats.checkpoints.wire import varint, written_varint

CHECK = 4
"""The size in bytes of the checksum of the lengths."""


def texts_of(data: bytes, count: int, crc: int) -> list[bytes]:
    """Returns so many texts that are stored as `data`, whose masked checksum is to be `crc`.

    Raises ValueError where they are not whole.
    """
    at, sizes = 0, []
    for _ in range(count):
        size, at = varint(data, at)
        sizes.append(size)
    crc_of_lengths = lengths_crc(sizes)
    check, at = data[at : at + CHECK], at + CHECK
    if masked(crc_of_lengths) != int.from_bytes(check, "little"):
        raise ValueError("the lengths of its texts are damaged: their checksum is another")
    if at + sum(sizes) != len(data):
        raise ValueError(f"its texts take {sum(sizes):,} bytes, and not the {len(data) - at:,} that are there")
    if masked(extended(crc_of_lengths, data[len(data) - sum(sizes) - CHECK :])) != crc:
        raise ValueError("its texts are damaged: their checksum is another")
    ends = list(accumulate(sizes, initial=at))
    return [data[first:end] for first, end in pairwise(ends)]


def stored_texts(texts: list[bytes]) -> tuple[bytes, int]:
    """Returns the stored form of texts, and its unmasked checksum."""
    sizes = [len(text) for text in texts]
    crc_of_lengths = lengths_crc(sizes)
    rest = masked(crc_of_lengths).to_bytes(CHECK, "little") + b"".join(texts)
    return b"".join(written_varint(size) for size in sizes) + rest, extended(crc_of_lengths, rest)


def lengths_crc(sizes: list[int]) -> int:
    """Returns the checksum of the lengths of texts: of four bytes for each, of eight where four do not do."""
    return extended(0, b"".join(size.to_bytes(4 if size < 1 << 32 else 8, "little") for size in sizes))
