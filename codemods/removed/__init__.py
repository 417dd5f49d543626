"""Names that Python, NumPy, SciPy and other libraries removed after TensorFlow 1.x programs were written.

Codemods and `tf2bridge run` share one table: the rules of codemods write the replacement of a name, and `tf2bridge run`
supplies it. If one of them does not treat a name, `not_run` or `not_rewritten` gives the reason. Tests of both read the
whole table.
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
