"""Runs a model that was written as source in this process."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tf2bridge.decompile import gate, package, recording
from tf2bridge.decompile.emitted.test_model import limits
from tf2bridge.decompile.examples import inputs_of
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.model_text import Written


def check_equal(
    text: Written,
    module: Any,
    feeds: Mapping[str, Any],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    python_functions: Mapping[str, Any] | None = None,
) -> None:
    """Writes the package `folder`, and checks by its own test that it computes what the module computes."""
    assert "compat.v1" not in text.source
    example = recording.Recording(module, inputs_of(text.inputs, feeds))
    arrays = example.arrays(text.contents.names)
    name = folder.name
    with package.new_package(folder, text, arrays, "about") as written:
        monkeypatch.syspath_prepend(str(written.parent))
        own_test = importlib.import_module(f"{name}.test_model")
        if text.contents.python_functions:
            monkeypatch.setattr(own_test, "load", lambda: importlib.import_module(name).load(python_functions))
        measured = own_test.differences()
    assert unequal(measured, example, arrays, text.contents.names) == []
    assert measured.keys() == {name for name in arrays if not name.startswith("in ")} != set()
    for part in [key for key in sys.modules if key.partition(".")[0] == name]:
        del sys.modules[part]


def unequal(
    measured: Mapping[str, float], example: recording.Recording, arrays: dict[str, Any], names: Mapping[str, Weight]
) -> list[str]:
    """Returns the arrays that rounding does not explain, as `decompile` decides it.

    A mean of numbers that cancel out loses digits: how many follows from the first values of the variables, which may
    be random.
    """
    above = gate.unequal(measured, limits(arrays))
    if above:
        above = gate.unequal(measured, limits(arrays | example.roundings(names, recording.ROUNDED_RUNS[-1])))
    return above
