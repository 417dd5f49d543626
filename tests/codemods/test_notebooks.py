"""Notebooks: what is not rewritten keeps every byte, and what IPython adds to Python is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemods.engine import Changed, check_file
from codemods.errors import NotANotebookError, OtherLanguageError
from codemods.notebooks.magics import Hidden, hide
from codemods.notebooks.notebook import read
from codemods.settings import Settings

CELLS = [
    "%matplotlib inline\nimport tensorflow as tf",
    "files = !ls *.py\nx = tf.mul(a, b)\n",
    "tf.mul?\n?tf.mul\n!pip install \\\n    tensorflow",
    "%%bash\ntf.mul(a, b)",
    "%%time\ny = tf.log(tf.sub(a,\n           b))  # why not",
    "def half(:",
    "s = '''\n!no magic\n'''\n",
]


def version4(cells: list[str], **style: Any) -> bytes:
    made = [{"cell_type": "markdown", "metadata": {}, "source": ["tf.mul in *words*\n", "é"]}]
    for number, text in enumerate(cells):
        outputs = [{"name": "stdout", "output_type": "stream", "text": ["tf.mul\n"]}]
        made.append(
            {
                "cell_type": "code",
                "execution_count": number,
                "id": f"cell-{number}",
                "metadata": {"collapsed": True},
                "outputs": outputs,
                "source": text.splitlines(keepends=True),
            }
        )
    content = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(content, ensure_ascii=False, **({"indent": 1} | style)) + "\n").encode()


def version3(cells: list[str]) -> bytes:
    made = [
        {"cell_type": "code", "collapsed": False, "input": text, "language": "python", "metadata": {}, "outputs": []}
        for text in cells
    ]
    content = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": made}]}
    return json.dumps(content, indent=2).encode()


@pytest.mark.parametrize("style", [{"indent": 1}, {"indent": 4}, {"indent": None}, {"indent": "\t"}])
def test_only_the_changed_cell_is_written(style: dict[str, Any]) -> None:
    data = version4(["import tensorflow as tf\n", "z = tf.mul(a, b)\nz", "é = 1"], **style)
    result = check_file(read(data, "a.ipynb"), Settings(select=("TFN002",)))
    assert isinstance(result, Changed)
    assert result.after == data.replace(b"z = tf.mul", b"z = tf.multiply")
    assert [(f.cell, f.line, f.column) for f in result.findings] == [(3, 1, 5)]


def test_format_3_is_kept() -> None:
    data = version3(["import tensorflow as tf", "z = tf.mul(a, b)\nprint z"])
    result = check_file(read(data, "a.ipynb"), Settings(select=("TFN002", "PY2001")))
    assert isinstance(result, Changed)
    assert result.after == data.replace(b"tf.mul", b"tf.multiply").replace(b"print z", b"print(z)")


def test_magics_outputs_and_broken_cells_stay() -> None:
    data = version4(CELLS)
    notebook = read(data, "a.ipynb")
    assert notebook.encode(notebook.text) == data
    assert [cell for cell, _ in notebook.unread] == [7]
    result = check_file(notebook, Settings(select=("TFN",), from_version="0.12"))
    assert isinstance(result, Changed)
    before, after = json.loads(data), json.loads(result.after)
    for old, new in zip(before["cells"], after["cells"], strict=True):
        assert {**old, "source": 0} == {**new, "source": 0}
    sources = ["".join(cell["source"]) for cell in after["cells"][1:]]
    assert sources[0].startswith("%matplotlib inline\nimport tensorflow as tf")
    assert sources[1] == "files = !ls *.py\nx = tf.multiply(a, b)\n"
    assert sources[4].startswith("%%time\ny = tf.compat.v1.log(tf.subtract(a,\n")
    assert [sources[place] for place in (2, 3, 5, 6)] == [CELLS[place] for place in (2, 3, 5, 6)]
    nbformat.validate(nbformat.reads(result.after.decode(), as_version=4))


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("x = ('%d'\n     % 3)", True),
        ("x = '%d' \\\n  % 3", True),
        ("'''\n%magic\n'''", True),
        ("# comment (\n%magic", False),
        ("if a:\n    !ls", False),
        ("x = %time f()", False),
        ("a % b", True),
        ("x = y != z", True),
    ],
)
def test_what_is_a_magic(cell: str, kept: bool) -> None:
    hidden = Hidden()
    masked = hide(cell, hidden)
    assert (masked == cell) is kept
    assert hidden.show(masked) == cell
    assert masked.count("\n") == cell.count("\n")


_LINES = st.sampled_from(
    ["x = 1", "%magic", "!ls \\", "  more", "y?", "'''", "(", ")", "é = '%d' % 3", "%%time", "", "#"]
)


@settings(deadline=None)
@given(st.lists(st.lists(_LINES, max_size=6).map("\n".join), max_size=4), st.sampled_from([None, 1, 2]))
def test_any_notebook_comes_back(cells: list[str], indent: int | None) -> None:
    """Whatever its cells hold, a notebook that is not rewritten keeps its bytes."""
    data = version4(cells, indent=indent)
    notebook = read(data, "a.ipynb")
    assert notebook.encode(notebook.text) == data


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"cells": [', b"\xff", b'{"cells": 3', b"null"])
def test_what_is_no_notebook_is_one_line(data: bytes) -> None:
    with pytest.raises(NotANotebookError, match=r"^a.ipynb: no notebook .*save it again$"):
        read(data, Path("a.ipynb"))


def test_other_languages_are_left() -> None:
    with pytest.raises(OtherLanguageError, match="julia"):
        read(b'{"cells": [], "metadata": {"kernelspec": {"language": "julia"}}}', "a.ipynb")
