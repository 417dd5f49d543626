"""Functions that pandas removed in 0.23 and 0.25."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


def names(_: ModuleType) -> dict[str, Any]:
    """Returns the functions by name."""
    return {"rolling_mean": rolling_mean, "rolling_std": rolling_std, "scatter_matrix": scatter_matrix}


def rolling_mean(arg: Any, window: int, min_periods: int | None = None, **options: Any) -> Any:
    """Returns the mean of each `window` values of a series."""
    return arg.rolling(window, min_periods=min_periods, **options).mean()


def rolling_std(arg: Any, window: int, min_periods: int | None = None, ddof: int = 1, **options: Any) -> Any:
    """Returns the standard deviation of each `window` values of a series."""
    return arg.rolling(window, min_periods=min_periods, **options).std(ddof=ddof)


def scatter_matrix(*arguments: Any, **options: Any) -> Any:
    """Draws as `pandas.plotting.scatter_matrix` does."""
    return importlib.import_module("pandas.plotting").scatter_matrix(*arguments, **options)
