"""A checkpoint with a flipped bit, compared with the one it was: a clear error, or the identical reading."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.tf2bridge.proof.comparing.files import checkpoint
from tf2bridge.errors import BridgeError
from tf2bridge.proof.comparing.any_two import compare


@pytest.mark.parametrize("count", [pytest.param(40, id="some"), pytest.param(200, id="all", marks=pytest.mark.soak)])
@pytest.mark.parametrize("file", ["model.ckpt.index", "model.ckpt.data-00000-of-00001"])
def test_flipped_bits(file: str, count: int, tmp_path: Path) -> None:
    old = checkpoint("1.15.5/mlp_adam", tmp_path)
    for path in old.parent.glob("model.ckpt.*"):
        shutil.copy(path, tmp_path)
    content = (tmp_path / file).read_bytes()
    draw, refused = random.Random(count), 0
    for _ in range(count // 2):
        place = draw.randrange(8 * len(content))
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        (tmp_path / file).write_bytes(damaged)
        try:
            assert compare(old, tmp_path / "model.ckpt").equal, f"bit {place} of {file}"
        except BridgeError as error:
            assert str(tmp_path) in str(error)
            assert "\n" not in str(error)
            refused += 1
    # every block of the index and every tensor has a checksum; what no tensor owns may be anything
    assert refused > count // 2 * 9 // 10
