"""Data frames as inputs of contrib.learn.

What is expected is what pandas_io.py of 1.15.5 documents: values as float64, one column of labels, numbers alone.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
import pytest

from tf2bridge import v1
from tf2bridge.contrib.learn.learn_io.pandas_io import extract_pandas_data, extract_pandas_labels, extract_pandas_matrix


def frame(**columns: list[Any]) -> Any:
    return pytest.importorskip("pandas", reason="pandas is not installed").DataFrame(columns)


def test_a_frame_becomes_floats() -> None:
    result = extract_pandas_data(frame(a=[1, 2], b=[True, False]))
    assert result.dtype == np.float64
    np.testing.assert_array_equal(result, [[1, 1], [2, 0]])


def test_texts_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"int, float, or bool\. Found: .b."):
        extract_pandas_data(frame(a=[1], b=["x"]))


def test_labels_are_one_column() -> None:
    np.testing.assert_array_equal(extract_pandas_labels(frame(a=[1, 2])), [[1], [2]])
    with pytest.raises(ValueError, match="Only one column for labels is allowed"):
        extract_pandas_labels(frame(a=[1], b=[2]))


def test_anything_else_stays_and_pandas_is_not_imported() -> None:
    known = "pandas" in sys.modules
    rows = [[1.0], [2.0]]
    assert extract_pandas_data(rows) is extract_pandas_labels(rows) is extract_pandas_matrix(rows) is rows
    assert ("pandas" in sys.modules) == known


@pytest.mark.parametrize("name", ["pandas", "dask"])
def test_the_flags_say_what_is_installed(name: str) -> None:
    """Genuine 1.15.5 without pandas and dask says False for both."""
    try:
        importlib.import_module(name)
        is_installed = True
    except ImportError:
        is_installed = False
    assert getattr(v1.contrib.learn.python.learn.learn_io, f"HAS_{name.upper()}") is is_installed
