"""Modules that a library has no more, under the name that programs import."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests import under_run
from tf2bridge.program import moved_modules
from tf2bridge.program.moved_modules import moved_spec


@pytest.fixture
def model_selection(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A library in the place of scikit-learn, which the tests do not need otherwise."""
    module = ModuleType("sklearn.model_selection")
    names = ("train_test_split", "cross_val_score", "cross_val_predict", "permutation_test_score", "check_cv", "KFold")
    for name in names:
        setattr(module, name, name)
    monkeypatch.setitem(sys.modules, "sklearn", ModuleType("sklearn"))
    monkeypatch.setitem(sys.modules, "sklearn.model_selection", module)
    return module


def loaded(name: str) -> ModuleType:
    spec = moved_spec(name)
    assert spec is not None and spec.loader is not None
    module = ModuleType(name)
    before = sys.modules.get(name)
    try:
        spec.loader.exec_module(module)
        return sys.modules[name]
    finally:
        sys.modules.pop(name, None)
        if before is not None:
            sys.modules[name] = before


def test_what_moved_as_it_was_is_under_its_old_name(model_selection: ModuleType) -> None:
    assert loaded("sklearn.cross_validation").train_test_split == model_selection.train_test_split


@pytest.mark.usefixtures("model_selection")
def test_what_takes_other_arguments_now_is_an_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match=r"KFold in sklearn\.model_selection takes other arguments"):
        _ = loaded("sklearn.cross_validation").KFold


def test_a_module_that_became_a_library_is_that_library() -> None:
    assert moved_spec("sklearn.externals.no_such") is None
    assert moved_modules.WHOLE["sklearn.externals.joblib"] == "joblib"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(moved_modules.WHOLE, "sklearn.externals.joblib", "json")
        assert loaded("sklearn.externals.joblib") is json


def test_an_untouched_program_loads_yaml_without_a_loader(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import yaml\nprint(yaml.load('[1, 2]'))\n")
    done = under_run.command(tmp_path, "train.py")
    assert done.stdout == "[1, 2]\n", done.stderr
