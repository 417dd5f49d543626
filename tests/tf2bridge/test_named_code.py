"""package.module:function, as the command line names a program's own code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tf2bridge.errors import MissingExtraError
from tf2bridge.named_code import called


@pytest.mark.parametrize("text", ["import keras\n\n\ndef build(): ...\n", "def build():\n    import keras\n"])
def test_code_that_needs_keras_where_it_is_not_installed(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needs_keras.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "keras", None)
    monkeypatch.delitem(sys.modules, "needs_keras", raising=False)
    with pytest.raises(MissingExtraError, match=r"needs_keras:build needs the package 'keras'.*tf2bridge\[tf\]"):
        called("needs_keras:build", "a model")
