"""HDF5 files that ask for much memory or time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.hostile.bombs.registry import bomb


def _h5(folder: Path, fill: Callable[[Any], None], kind: str = "arrays") -> tuple[str, Path]:
    import h5py

    with h5py.File(folder / "a.h5", "w") as file:
        fill(file)
    return kind, folder / "a.h5"


@bomb
def groups_that_hold_two_of_the_next(folder: Path) -> tuple[str, Path]:
    def fill(file: Any) -> None:
        group = file
        for _ in range(60):
            below = group.create_group("a")
            group["b"] = below
            group = below
        group["data"] = np.zeros(1, np.float32)

    return _h5(folder, fill)


@bomb
def groups_deep_within_one_another(folder: Path) -> tuple[str, Path]:
    def fill(file: Any) -> None:
        group = file
        for _ in range(5000):
            group = group.create_group("a")

    return _h5(folder, fill)


@bomb
def a_dataset_of_many_names(folder: Path) -> tuple[str, Path]:
    def fill(file: Any) -> None:
        file["a"] = np.zeros(4 << 20, np.float32)
        for number in range(5000):
            file[f"b{number}"] = file["a"]

    return _h5(folder, fill, "checkpoint")


@bomb
def a_dataset_packed_twice(folder: Path) -> tuple[str, Path]:
    import h5py

    def fill(file: Any) -> None:
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((64 << 20,))
        properties.set_deflate(9)
        properties.set_filter(h5py.h5z.FILTER_DEFLATE, 0, (9,))
        space, kind = h5py.h5s.create_simple((64 << 20,)), h5py.h5t.NATIVE_UINT8
        data = h5py.h5d.create(file.id, b"a", kind, space, properties)
        data.write(h5py.h5s.ALL, h5py.h5s.ALL, np.zeros(64 << 20, np.uint8))

    return _h5(folder, fill)


@bomb
def a_dataset_never_written(folder: Path) -> tuple[str, Path]:
    return _h5(folder, lambda file: file.create_dataset("a", (1 << 40,), "f4", chunks=(1 << 20,), compression="gzip"))


@bomb
def a_dataset_with_a_nought(folder: Path) -> tuple[str, Path]:
    return _h5(folder, lambda file: file.create_dataset("a", (1 << 62, 0), "f4"))


@bomb
def a_dataset_of_one_huge_piece(folder: Path) -> tuple[str, Path]:
    def fill(file: Any) -> None:
        data = file.create_dataset("a", (1 << 29,), "f4", maxshape=(None,), chunks=(1 << 29,), compression="gzip")
        data.id.write_direct_chunk((0,), b"x")

    return _h5(folder, fill)


@bomb
def names_that_are_one_long_text(folder: Path) -> tuple[str, Path]:
    import h5py

    def fill(file: Any) -> None:
        file.attrs.create("layer_names", ["a" * 60_000] * 3, dtype=h5py.string_dtype())
        file.attrs.create("weight_names", np.zeros(60_000, "S1"))

    return _h5(folder, fill)


@bomb
def many_groups(folder: Path) -> tuple[str, Path]:
    def fill(file: Any) -> None:
        for number in range(20_000):
            file.create_group(f"g{number}")

    return _h5(folder, fill)
