"""A checkpoint is opened by whatever names it, and what is wrong with a name is said with what is there instead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.formats.checkpoints.every_form import RELEASES, unpacked_forms, values_of


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", ["v1", "v1_sharded", "v2", "v2_sharded"])
def test_values_of_every_type_and_slices(name: str, release: str, tmp_path_factory: Any) -> None:
    folder = unpacked_forms(release, tmp_path_factory.getbasetemp())
    expected = values_of(folder, name[:2].upper())
    with tf2bridge.checkpoint.open(folder / name) as checkpoint:
        assert checkpoint.format == name[:2].upper()
        assert set(checkpoint) == set(expected) >= {"rows", "columns", "both", "of_float16"}
        for item, value in expected.items():
            result = checkpoint[item]
            assert (result.dtype, result.shape) == (value.dtype, value.shape), item
            np.testing.assert_array_equal(result, value, err_msg=item)
            if result.dtype != object:
                assert b"".join(checkpoint.pieces(item)) == value.tobytes(), item
