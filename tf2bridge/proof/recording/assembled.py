"""The recorder as one file, for the machine that still has the old TensorFlow."""

from __future__ import annotations

import ast
from pathlib import Path

_HERE = Path(__file__).parent
# Each after those whose names it uses.
MODULES = (
    *(
        "encoding",
        "folding",
        "folder",
        "archive",
        "states",
        "inner_seeds",
        "printed",
        "places",
        "selection",
        "graphs",
        "hooks",
        "recorder",
    ),
    *("program", "command"),
)
_PACKAGE = "tf2bridge.proof.recording."
_START = """
# ruff: noqa: B905 - made by `tf2bridge recorder` of the modules that are named below
import os
import sys

if __name__ == "__main__" and os.path.realpath(sys.path[0]) == os.path.dirname(os.path.realpath(__file__)):
    sys.path.pop(0)  # where this file lies may be modules named as the standard library's

"""
_END = """

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def assembled() -> str:
    """Returns the text of the recorder, one file for Python 2.7 and 3; the format of traces is its docstring."""
    sources = {name: (_HERE / f"{name}.py").read_text("utf-8") for name in MODULES}
    imports = sorted({line for text in sources.values() for line in _imports(text)})
    heads = [line for line in imports if line != "import numpy as np"]
    bodies = [f"\n\n# {name}: {_summary(text)}\n{_body(text)}" for name, text in sources.items()]
    documentation = (_HERE / "__init__.py").read_text("utf-8")
    return "".join([documentation, _START, "\n".join(heads), "\n\nimport numpy as np\n", *bodies, _END])


def _imports(text: str) -> list[str]:
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.Import)]
    return [ast.unparse(node) for node in imports]


def _summary(text: str) -> str:
    return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0].rstrip(".")


def _body(text: str) -> str:
    """Returns the text of a module after its docstring and imports."""
    lines, start = text.splitlines(), 0
    for node in ast.parse(text).body:
        assert node.end_lineno is not None
        if _is_head(node):
            start = node.end_lineno
    return "\n".join(lines[start:]).strip("\n") + "\n"


def _is_head(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        assert (node.module or "").startswith(_PACKAGE), f"a recorder module imports from {node.module}"
    is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.Import | ast.ImportFrom) or is_typing


if __name__ == "__main__":
    print(assembled(), end="")
