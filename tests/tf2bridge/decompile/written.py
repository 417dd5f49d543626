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
    arrays = recording.Recording(module, inputs_of(text.inputs, feeds)).arrays(text.contents.names)
    name = folder.name
    with package.new_package(folder, text, arrays, "about") as written:
        monkeypatch.syspath_prepend(str(written.parent))
        own_test = importlib.import_module(f"{name}.test_model")
        if text.contents.python_functions:
            monkeypatch.setattr(own_test, "load", lambda: importlib.import_module(name).load(python_functions))
        measured = own_test.differences()
    assert gate.unequal(measured, limits(arrays)) == []
    assert measured.keys() == {name for name in arrays if not name.startswith("in ")} != set()
    for part in [key for key in sys.modules if key.partition(".")[0] == name]:
        del sys.modules[part]
