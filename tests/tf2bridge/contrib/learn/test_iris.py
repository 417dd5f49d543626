"""The iris data: no file of scikit-learn is taken for TensorFlow's but one that gives its bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf2bridge.contrib.learn.datasets.base import load_iris
from tf2bridge.contrib.learn.refusals import DataFilesMissingError


def test_another_file_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "sklearn" / "datasets" / "data"
    data.mkdir(parents=True)
    (tmp_path / "sklearn" / "__init__.py").touch()
    (data / "iris.csv").write_text("1,4,setosa\n5.1,3.5,1.4,0.2,0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DataFilesMissingError, match=r"iris\.csv.*scikit-learn"):
        load_iris()


def test_a_file_that_is_named_is_read(tmp_path: Path) -> None:
    path = tmp_path / "flowers.csv"
    path.write_text("2,2,setosa\n5.1,3.5,0\n4.9,3.0,1\n")
    dataset = load_iris(str(path))
    assert dataset.data.tolist() == [[5.1, 3.5], [4.9, 3.0]]
    assert dataset.target.tolist() == [0, 1]
