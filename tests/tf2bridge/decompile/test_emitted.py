"""The files that stand in every package: they repeat a fact of tf2bridge, which they cannot import."""

from __future__ import annotations

from tf2bridge.decompile.emitted import weights
from tf2bridge.formats.checkpoints import safetensors_file


def test_types_are_those_that_are_written() -> None:
    assert weights.TYPES == safetensors_file.TYPES
