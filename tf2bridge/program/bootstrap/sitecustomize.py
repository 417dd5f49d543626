"""Makes an interpreter that a program under `tf2bridge run` starts run its program in the same way."""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # every start of Python runs this


def _run_the_next_one() -> None:
    """Runs the sitecustomize that this one hides."""
    spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if os.path.abspath(path) != _HERE])  # noqa: PTH100
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _inherit() -> None:
    if os.environ.get("TF2BRIDGE_PREFIX") != sys.prefix:
        return  # another installation of Python, which need not have tf2bridge
    if importlib.util.find_spec("tf2bridge") is None:
        sys.path.append(os.environ["TF2BRIDGE_ROOT"])
    from tf2bridge.program.children import begin

    begin()


_run_the_next_one()
if "TF2BRIDGE_RUN" in os.environ:
    _inherit()
