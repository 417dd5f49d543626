"""Plans, shapes and notebooks that ask for much memory or time."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hostile.bombs.registry import bomb, file_in, sparse_file_in


@bomb
def a_plan_of_deep_tables(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.toml", b"a." * 100_000 + b"a = 1", "plan")


@bomb
def a_plan_of_deep_lists(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.toml", b"a = " + b"[" * 1_000_000, "plan")


@bomb
def a_plan_of_the_same_move(folder: Path) -> tuple[str, Path]:
    head = b'version = 1\ncheckpoint = "a"\ntarget = "b"\n[variables]\nt = "float32 [1]"\n'
    return file_in(folder, "a.toml", head + b'[[move]]\ntarget = "t"\nfrom = "t"\n' * 60_000, "plan")


@bomb
def a_sparse_plan(folder: Path) -> tuple[str, Path]:
    return sparse_file_in(folder, "a.toml", b"version = 1\n", "plan")


@bomb
def deep_shapes(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.json", b"[" * 1_000_000, "shapes")


@bomb
def a_deep_notebook(folder: Path) -> tuple[str, Path]:
    return file_in(folder, "a.ipynb", b'{"metadata": ' + b"[" * 1_000_000, "notebook")


@bomb
def a_notebook_of_many_members(folder: Path) -> tuple[str, Path]:
    cells = [{"cell_type": "code", "source": "x = 1\n", "metadata": {}, "outputs": []} for _ in range(5000)]
    return file_in(folder, "a.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode(), "notebook")


@bomb
def a_notebook_of_one_long_cell(folder: Path) -> tuple[str, Path]:
    cell = {"cell_type": "code", "source": "%%x\n" + "(" * 200_000, "metadata": {}, "outputs": []}
    return file_in(folder, "a.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}).encode(), "notebook")
