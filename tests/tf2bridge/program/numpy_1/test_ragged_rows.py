"""Rows of different lengths given to functions of NumPy: the results are those of NumPy 1.18.5."""

from __future__ import annotations

import io
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tf2bridge.old_numpy import old_numpy
from tf2bridge.program.imports import ProgramImports
from tf2bridge.v1.catalog import TREE

ROWS = [(1,), (1, 2), (1,)]
LISTS = [[3], [1, 2]]
PAIR = [[[1], [1, 2]], [[3], [4, 5]]]
EXPECTED: dict[str, Any] = {
    "np.unique(ROWS)": [(1,), (1, 2)],
    "np.size(ROWS)": 3,
    "np.shape(ROWS)": (3,),
    "np.ndim(ROWS)": 1,
    "np.argsort(ROWS)": [0, 2, 1],
    "np.array_split(ROWS, 2)[1]": [(1,)],
    "np.sum(LISTS)": [3, 1, 2],
    "np.max(LISTS)": [3],
    "np.repeat(LISTS, 2)": [[3], [3], [1, 2], [1, 2]],
    "np.tile(LISTS, 2)": [[3], [1, 2], [3], [1, 2]],
    "np.vstack(PAIR)": PAIR,
    "np.hstack(PAIR)": [[1], [1, 2], [3], [4, 5]],
    "np.stack(PAIR, axis=1)": [[[1], [3]], [[1, 2], [4, 5]]],
    "np.concatenate(PAIR)": [[1], [1, 2], [3], [4, 5]],
    "np.concatenate([LISTS, [5]])": [[3], [1, 2], 5],
    "np.append(LISTS, [5])": [[3], [1, 2], 5],
    "np.delete(LISTS, 0)": [[1, 2]],
    "np.array_equal(LISTS, LISTS)": True,
    "np.take(LISTS, [1])": [[1, 2]],
    "np.asanyarray(LISTS)": LISTS,
    "np.where([True, False], LISTS, LISTS)": LISTS,
    "sorted(np.random.permutation(ROWS))": [(1,), (1,), (1, 2)],
    "np.random.choice(LISTS) in LISTS": True,
    "np.random.choice(LISTS, size=2, replace=False).shape": (2,),
    "saved(np.save)": ROWS,
    "saved(np.savez)": ROWS,
}


def saved(function: Any) -> Any:
    """The rows that the function wrote to a file."""
    file = io.BytesIO()
    function(file, ROWS)
    file.seek(0)
    array = np.load(file, allow_pickle=True)
    return array["arr_0"] if hasattr(array, "files") else array


@pytest.mark.parametrize("text", EXPECTED)
def test_they_are_arrays_of_objects(text: str) -> None:
    space = {"np": old_numpy(), "ROWS": ROWS, "LISTS": LISTS, "PAIR": PAIR, "saved": saved}
    result = eval(text, space)  # the subject
    assert (result.tolist() if isinstance(result, np.ndarray) else result) == EXPECTED[text]


def test_other_errors_stay() -> None:
    numpy = old_numpy()
    with pytest.raises(ValueError, match="dimensions"):
        numpy.concatenate([[1], [[2]]])


def test_functions_of_random_are_imported_by_name() -> None:
    module = ModuleType("program")
    module.__dict__["__builtins__"] = ProgramImports(TREE, old=False).builtins
    text = "from numpy.random import permutation\nimport numpy.random as random\nfrom numpy import random as again\n"
    text += "from numpy.linalg import norm\nfrom numpy.lib.stride_tricks import as_strided\n"
    exec(f"{text}result = len(permutation([[1], [1, 2]])), random is again, norm([3, 4])", vars(module))  # noqa: S102
    assert module.result == (2, True, 5.0)
