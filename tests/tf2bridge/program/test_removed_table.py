"""`tf2bridge run` supplies every name that codemods.removed lists, or the table says why not."""

from __future__ import annotations

import importlib
from types import ModuleType
from unittest import mock

import numpy as np
import pytest

from codemods.removed import by_module, of_modules, table
from codemods.removed.row import Removed
from tests import forked
from tf2bridge.old_numpy import old_numpy
from tf2bridge.program import by_text, moved_modules, old_libraries

ELSEWHERE = ("importlib", "numpy")
"""Modules of which the program has its own."""
MAYBE_ABSENT = ("matplotlib", "networkx", "pandas", "skimage", "sklearn")
SCRIPT = """
import importlib, sys, warnings
warnings.simplefilter("ignore")
from codemods.removed import table
from tf2bridge.program.old_libraries import add_what_is_gone
for name in {names!r}:
    module, _, last = name.rpartition(".")
    importlib.import_module(module)
    before = hasattr(sys.modules[module], last)
    add_what_is_gone(module.partition(".")[0])
    if not before and hasattr(sys.modules[module], last) == bool(table()[name].not_run):
        print(name)
"""
METHODS = """
import configparser, html.parser, threading, unittest
from codemods.removed import of_methods
from tf2bridge.program import old_libraries, old_python
old_libraries.add_old_assertions()
old_python.add_methods()
old_libraries.add_what_is_gone("configparser")
for name in {**of_methods.ASSERTIONS, **of_methods.METHODS}:
    parts = name.split(".")
    if parts[0] == "xml":
        assert parts[-1] in old_python.METHODS_OF_ELEMENTS, name
        continue
    value = globals()[parts[0]]
    for part in parts[1:]:
        value = getattr(value, part)
"""


def test_names_of_installed_modules_are_supplied() -> None:
    left_out = (*ELSEWHERE, *MAYBE_ABSENT)
    names = [name for name in table() if name.partition(".")[0] not in left_out]
    done = forked.run(SCRIPT.format(names=names))
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("module", [name for name in by_module() if name.partition(".")[0] in MAYBE_ABSENT])
def test_names_of_libraries_that_may_be_absent_are_supplied(module: str) -> None:
    """Their modules are stand-ins, which have every name of today."""
    rows = by_module()[module]
    library = mock.Mock(**dict.fromkeys(rows))
    with mock.patch.object(importlib, "import_module", return_value=library):
        own = old_libraries.ADDED[module](library) if module in old_libraries.ADDED else {}
    for name, row in rows.items():
        assert bool(row.new or name in own) != bool(row.not_run), name


@pytest.mark.parametrize(("name", "row"), [item for item in table().items() if item[0].startswith("numpy.")])
def test_names_of_numpy_are_supplied(name: str, row: Removed) -> None:
    numpy, last = old_numpy(), name.removeprefix("numpy.")
    assert (last in vars(numpy)) != bool(row.not_run) or hasattr(np, last)


def test_names_of_importlib_are_supplied() -> None:
    module = by_text.own_importlib(None)
    for name, row in table().items():
        if name.startswith("importlib."):
            parts = name.split(".")[1:]
            value = getattr(module, parts[0], None)
            assert bool(row.not_run) != (len(parts) == 1 and value is not None), name
    assert module.find_loader("no_such_module") is None and module.find_loader("json") is not None


def test_methods_are_supplied() -> None:
    done = forked.run(METHODS)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "row"), {**of_modules.MODULES, **of_modules.OTHERS}.items())
def test_modules_are_supplied(name: str, row: Removed) -> None:
    supplied = name in old_libraries.GONE or name in moved_modules.WHOLE
    assert supplied != bool(row.not_run)


@pytest.mark.parametrize(("name", "row"), of_modules.NAMES.items(), ids=of_modules.NAMES)
def test_names_of_removed_modules_are_supplied(name: str, row: Removed) -> None:
    module, _, last = name.rpartition(".")
    made: dict[str, ModuleType] = {made.__name__: made for made in old_libraries.stand_ins(name.split(".")[0])}
    assert (module in made and hasattr(made[module], last)) != bool(row.not_run)


def test_processor_time_is_measured() -> None:
    """As `time.clock` of Python 3.7 on Linux: time.get_clock_info("clock") is C's clock()."""
    done = forked.run(
        "import time\nfrom tf2bridge.program.old_libraries import add_what_is_gone\nadd_what_is_gone('time')\n"
        "before = time.clock()\ntime.sleep(0.2)\nassert time.clock() - before < 0.2\n"
        "while time.process_time() < 0.06:\n    pass\nassert time.clock() > 0.05\n"
    )
    assert done.returncode == 0, done.stderr
