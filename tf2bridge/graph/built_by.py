"""`package.module:function`: the graph that a program's own code makes."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

from tf2bridge.graph.build_refusals import NoBuilderError
from tf2bridge.graph.module import GraphModule

_CODE = re.compile(r"(?P<module>[^\W\d]\w*(\.[^\W\d]\w*)*):(?P<function>[^\W\d]\w*)")


def names_code(source: str) -> bool:
    """Whether this is package.module:function and no file of that name."""
    return _CODE.fullmatch(source) is not None and not Path(source).exists()


def built_by(source: str) -> GraphModule:
    """Returns what the function gives; its module is looked for as `python -m` does, from the current directory.

    Raises NoBuilderError where there is no such function, or it gives something else than `tf2bridge.load` and
    `tf2bridge.wrap` do. What the code itself raises goes through.
    """
    found = _CODE.fullmatch(source)
    assert found is not None
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(found["module"])
    except ModuleNotFoundError as error:
        if not found["module"].startswith(error.name or "."):
            raise  # something that the module itself imports
        raise NoBuilderError(source, f"there is no module {error.name}") from error
    build = getattr(module, found["function"], None)
    if not callable(build):
        raise NoBuilderError(source, f"{found['module']} has no function {found['function']}")
    made = build()
    if not isinstance(made, GraphModule):
        raise NoBuilderError(source, f"it returned {type(made).__name__}")
    return made
