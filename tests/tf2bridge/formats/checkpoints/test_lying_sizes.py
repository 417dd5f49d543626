"""What a checkpoint states of sizes is compared with the bytes that are there, before memory is taken for it."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from tests.hostile.bombs.all_of_them import BOMBS
from tests.hostile.readers import READERS
from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.checkpoints.slices import Part, gap
from tf2bridge.formats.sizes import elements

REFUSED = {
    "texts_of_lying_sizes": "cannot be string of shape",
    "shapes_with_a_nought": "larger than any array",
    "many_dimensions": "500,000 dimensions",
    "one_place_for_many_tensors": "some lie over others",
    "one_block_listed_often": "lies over the one before",
    "keys_that_share_a_long_beginning": "longer together than any writer",
    "a_variable_of_many_keys_and_slots": "",
    "objects_that_are_not_there": "names object -1 of 1",
    "a_sparse_state_file": "has more than 33,554,432 bytes",
    "npz_of_negative_sizes": "its header is none of an array",
    "npz_of_a_truth": "is no shape of float32",
    "npz_with_a_nought": "larger than any array",
    "npz_of_values_without_bytes": "is no shape of",
    "npz_with_a_long_header": "NumPy's format cannot be read",
    "npz_with_a_deep_header": "its header is none of an array",
    "npy_of_a_sparse_file": "are not float32 of shape",
    "safetensors_with_a_nought": "larger than any array",
    "safetensors_of_many_dimensions": "500,000 dimensions",
    "groups_that_hold_two_of_the_next": "",
    "groups_deep_within_one_another": "more than 100 deep",
    "a_dataset_with_a_nought": "larger than any array",
    "a_trace_with_a_slow_pattern": "",
    "a_deep_manifest": "not a readable trace",
    "a_plan_of_deep_tables": "more than 100 deep",
    "a_plan_of_deep_lists": "too deep within one another",
    "a_sparse_plan": "has more than 33,554,432 bytes",
    "a_variable_of_many_dimensions": "200,000 dimensions",
    "many_meta_graphs": "more than 1000 graphs",
    "a_sparse_graph": "has more than 2,147,483,648 bytes",
}
"""Small file that asks for much -> what is said of it; "" for one that can be read."""


@pytest.mark.parametrize("name", REFUSED)
def test_a_small_file_that_asks_for_much(name: str, tmp_path: Path) -> None:
    kind, path = BOMBS[name](tmp_path)
    if not REFUSED[name]:
        READERS[kind](path)
        return
    with pytest.raises(BridgeError, match=REFUSED[name]) as refusal:
        READERS[kind](path)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["a_v1_shape_without_its_values", "a_dataset_never_written", "a_dataset_packed_twice"])
def test_a_tensor_without_its_bytes_is_refused_when_it_is_read(name: str, tmp_path: Path) -> None:
    _, path = BOMBS[name](tmp_path)
    with open_checkpoint(path) as checkpoint:
        (tensor,) = checkpoint
        with pytest.raises(DamagedCheckpointError):
            checkpoint[tensor]


@pytest.mark.parametrize("shape", [(-1, -4), (2, -1), (1 << 62, 0), (1 << 62, 4), (1,) * 33])
def test_shapes_that_no_array_has(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):
        elements(shape, 4)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 5), (1,) * 32, (1 << 61,)])
def test_shapes_that_arrays_have(shape: tuple[int, ...]) -> None:
    assert elements(shape, 4 if len(shape) != 1 else 1) == int(np.prod(shape, dtype=object))


def _grid(rows: int, columns: int) -> list[Part]:
    return [Part((row, column), (1, 1), None) for row in range(rows) for column in range(columns)]


def test_thousands_of_slices_are_held_against_each_other_in_little_time() -> None:
    parts = _grid(80, 50)
    begun = time.process_time()
    assert gap((80, 50), parts) == ""
    assert gap((80, 50), parts[:-1]).startswith("1 of its 4,000 elements")
    assert gap((80, 50), [*parts[:-1], parts[7]]) == "its slices at [0, 7] and at [0, 7] overlap"
    assert time.process_time() - begun < 15
    assert "at most 16,384 are put together" in gap((200, 100), _grid(200, 100))


def test_slices_that_interlock_overlap_nowhere() -> None:
    parts = [
        Part((0, 0), (1, 2), None), Part((0, 2), (2, 1), None), Part((2, 1), (1, 2), None),
        Part((1, 0), (2, 1), None), Part((1, 1), (1, 1), None),
    ]  # fmt: skip
    assert gap((3, 3), parts) == ""


def test_values_that_libraries_must_unpack_are_read_as_they_were(tmp_path: Path) -> None:
    import h5py

    values = {
        "plain": np.arange(6, dtype=np.float32).reshape(2, 3),
        "packed": np.arange(600, dtype=np.float64).reshape(20, 30),
        "big": np.arange(5, dtype=">i4"),
        "truth": np.array([True, False]),
        "scalar": np.float32(3.5),
        "none": np.zeros((0, 3), np.float32),
        "texts": np.array([b"one", b"three"]),
    }
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for name, value in values.items():
            packed = {"chunks": (7, 7), "compression": "gzip", "shuffle": True} if name == "packed" else {}
            file.create_dataset(name, data=value, **packed)
        file["long"] = np.array(["a", "bcd"], h5py.string_dtype())
    with open_checkpoint(tmp_path / "a.h5") as checkpoint:
        for name, value in values.items():
            assert checkpoint[name].tolist() == np.asarray(value).tolist(), name
        assert checkpoint["long"].tolist() == [b"a", b"bcd"]
