"""Names that Python, NumPy, SciPy and other libraries took away since TensorFlow 1.x programs were written.

One table for both halves: the rules of codemods write what stands for a name today, `tf2bridge run` supplies it. A name
that a half does not treat says why, in `not_run` or `not_rewritten`; tests of both halves walk the table.
"""

from __future__ import annotations

from functools import cache

from codemods.removed import of_libraries, of_numpy, of_python, of_scipy
from codemods.removed.row import Removed


@cache
def table() -> dict[str, Removed]:
    """Returns the rows of all names that were attributes of a module, by dotted name."""
    return {**of_python.ALL, **of_numpy.NAMES, **of_scipy.ALL, **of_libraries.ALL}


@cache
def by_module() -> dict[str, dict[str, Removed]]:
    """Returns the same rows by module, then by the last part of the name."""
    modules: dict[str, dict[str, Removed]] = {}
    for name, row in table().items():
        module, _, last = name.rpartition(".")
        modules.setdefault(module, {})[last] = row
    return modules
