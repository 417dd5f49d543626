"""The numbers of data frames of pandas, which need not be installed."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

HAS_DASK, HAS_PANDAS = (importlib.util.find_spec(name) is not None for name in ("dask", "pandas"))


def extract_pandas_data(data: Any) -> Any:
    """Returns the values of a DataFrame as float64. Other data is unchanged. Raises ValueError for bad columns."""
    if not _is("pandas", "DataFrame", data):
        return data
    _check_numbers(data, "Data types for extracting pandas data must be int, float, or bool. Found: ")
    return data.values.astype("float")


def extract_pandas_matrix(data: Any) -> Any:
    """Returns the values of a DataFrame. Other data is returned unchanged."""
    return data.values if _is("pandas", "DataFrame", data) else data


def extract_pandas_labels(labels: Any) -> Any:
    """Returns the values of a DataFrame with one column. Other data is unchanged. Raises ValueError for more."""
    if not _is("pandas", "DataFrame", labels):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    _check_numbers(labels, "Data types for extracting labels must be int, float, or bool. Found: ")
    return labels.values


def _is(module: str, name: str, data: Any) -> bool:
    """Returns True if `data` is an instance of a class of a module. A module that is not imported gives False."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(data, getattr(loaded, name))


def _check_numbers(frame: Any, text: str) -> None:
    bad = [column for column in frame if frame[column].dtype.kind not in "iufb"]
    if bad:
        shown = ", ".join(f"'{column}' type='{frame[column].dtype.name}'" for column in bad)
        raise ValueError(text + shown)
