"""Which Python a program was written for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf2bridge.program.files import has_python2, is_python2

OLD = "for name, value in values.iteritems():\n    print name\n"
BOTH = "from __future__ import print_function\npairs = zip([1], [2])\n"
BROKEN = "setup(\n    name='a')\n    license='b',\n)\n"


def program(folder: Path, **files: str) -> Path:
    """Writes the files; `train` is the entry, which is returned."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder / "train.py"


def test_a_file_of_python_2_tells_what_the_others_mean(tmp_path: Path) -> None:
    assert is_python2(program(tmp_path, train=BOTH, model=OLD))
    assert has_python2(tmp_path)


def test_the_entry_itself_decides(tmp_path: Path) -> None:
    assert is_python2(program(tmp_path, train=OLD, later="name = f'{1}'\n"))


def test_a_file_that_no_python_reads_tells_nothing(tmp_path: Path) -> None:
    assert not is_python2(program(tmp_path, train=BOTH, setup=BROKEN))


@pytest.mark.parametrize(
    "text",
    [
        "def f(*, size): return size\n",
        "def f(size: int): return size\n",
        "name = f'{1}'\n",
        "class A(metaclass=type): pass\n",
        "def f():\n    yield from [1]\n",
    ],
)
def test_a_file_that_only_python_3_reads_outvotes_names_of_python_2(text: str, tmp_path: Path) -> None:
    assert not is_python2(program(tmp_path, train=text, model="for i in xrange(3): pass\n"))
