"""The numbers of data frames of pandas, which need not be installed."""

from __future__ import annotations

import sys
from typing import Any


def extract_pandas_data(data: Any) -> Any:
    """Returns the values of a DataFrame as float64, anything else as it is. Raises ValueError for other columns."""
    if not _is("pandas", "DataFrame", data):
        return data
    _check_numbers(data, "Data types for extracting pandas data must be int, float, or bool. Found: ")
    return data.values.astype("float")


def extract_pandas_matrix(data: Any) -> Any:
    """Returns the values of a DataFrame, anything else as it is."""
    return data.values if _is("pandas", "DataFrame", data) else data


def extract_pandas_labels(labels: Any) -> Any:
    """Returns the values of a DataFrame of one column, anything else as it is. Raises ValueError for other frames."""
    if not _is("pandas", "DataFrame", labels):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    _check_numbers(labels, "Data types for extracting labels must be int, float, or bool. Found: ")
    return labels.values


def _is(module: str, name: str, data: Any) -> bool:
    """Whether the data is of a class of a module; data of a module that nothing imported are not."""
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(data, getattr(loaded, name))


def _check_numbers(frame: Any, text: str) -> None:
    bad = [column for column in frame if frame[column].dtype.kind not in "iufb"]
    if bad:
        shown = ", ".join(f"'{column}' type='{frame[column].dtype.name}'" for column in bad)
        raise ValueError(text + shown)
