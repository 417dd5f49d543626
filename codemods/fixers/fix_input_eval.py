"""input(...) -> eval(input(...)) for the builtin of Python 2; a name that the file binds stays as it is."""

from __future__ import annotations

from typing import Any

from fissix.fixes import fix_input


class FixInputEval(fix_input.FixInput):  # type: ignore[misc]  # fissix is untyped
    """Runs before raw_input becomes input."""

    order = "pre"
    run_order = 1
    explicit = False

    def transform(self, node: Any, results: Any) -> Any:
        """Returns the call wrapped in eval."""
        return super().transform(node, results)
