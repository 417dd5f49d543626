"""The map of a native program: what is written is read again, and a wrong file is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.errors import NativeMapError
from codemods.native.map_reading import read
from codemods.native.native_map import Call, Dropped, NativeMap, Variable, changed_files, digest, written

MAP = NativeMap(
    {"train.py": digest(b"import tensorflow as tf\n")},
    (
        Call("train.py:10", "train:Model.step", ("x:0", ""), ("loss:0", ""), ("train_op",)),
        Call("02 - b.py:12", "02 - b:predict", ("x:0",), ("out:0",)),  # any script may have a map
    ),
    (
        Variable("hidden/w", "hidden/w"),
        Variable("beta1_power", "", (), "the optimizer computes it"),
        Variable("rnn/Matrix", "train:Model.cell.kernel", ({"kind": "rows", "start": 0, "stop": 8, "axis": 0},)),
    ),
    (
        Dropped("train.py:8", "initializer", 'variables have "values"', ("init",)),
        Dropped("train.py:20", "saver", "x", program="train"),
    ),
)

CALL = '[[calls]]\nlegacy = "train.py:10"\nfunction = "train:step"\n'


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "native.toml"
    path.write_text(written(MAP), "utf-8")
    assert read(path) == MAP
    assert [call.line for call in read(path).calls] == [7, 14]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("[[calls]]\nlegacy = \n", 2, "cannot be read as TOML"),
        ("[[call]]\n", 1, "unknown key 'call'"),
        (CALL + CALL + "feed = []\n", 4, "unknown key 'feed'"),
        (CALL + '[[calls]]\nlegacy = "train.py:10"\n', 4, "needs 'function'"),
        (CALL.replace(":10", ""), 1, "a file and line"),
        (CALL.replace("train:step", "step"), 1, "function must be like"),
        (CALL + "feeds = [1]\n", 1, "feeds must be a list of names"),
        ('[[variables]]\nlegacy = "w"\npath = "w"\ntransform = [{ axis = 1 }]\n', 1, "transform must be steps"),
        ('[[variables]]\nlegacy = "w"\npath = ""\n', 1, "path must be a text"),
        ('[[dropped]]\nlegacy = "a.py:1"\nkind = "x"\nreason = "y"\n', 1, "kind must be one of"),
        ('[files]\n"a.py" = 1\n', 1, "SHA-256"),
        ("calls = 3\n", 1, "must be tables"),
        pytest.param("x = " + "[" * 2000 + "]" * 2000, 0, "too deep", id="deep"),
    ],
)
def test_wrong_maps_name_the_line(tmp_path: Path, text: str, line: int, why: str) -> None:
    path = tmp_path / "native.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(NativeMapError, match=why) as raised:
        read(path)
    assert raised.value.line == line


def test_a_legacy_file_that_changed_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(b"import tensorflow as tf\n")
    assert changed_files(MAP, tmp_path) == []
    (tmp_path / "train.py").write_bytes(b"import tensorflow as tf\n\n")
    assert changed_files(MAP, tmp_path) == ["train.py"]


def test_rows_of_other_programs_are_left_out() -> None:
    calls = (Call("a.py:1", "a:step", program="a"), Call("b.py:1", "b:step", program="b"))
    variables = (Variable("w", "w_1", program="a"), Variable("w", "w_2", program="b"), Variable("v", "u"))
    both = NativeMap({}, calls, variables)
    assert both.of_program("b") == NativeMap({}, calls[1:], variables[1:])
    assert both.of_program("run_all") == both
