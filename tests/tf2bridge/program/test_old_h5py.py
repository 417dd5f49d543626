"""h5py, as a program that was written for h5py 2 finds it."""

from __future__ import annotations

from pathlib import Path

from tests import under_run

PROGRAM = """
import h5py
import numpy as np
from h5py import Dataset

with h5py.File("data.h5") as f:
    f.attrs["config"] = b'{"a": 1}'
    f.attrs["note"] = u"abc"
    names = f.create_group("group").create_dataset(
        "names", (2,), dtype=h5py.special_dtype(vlen=str))
    names[:] = ["q", "r"]
    f["group"].attrs.create("weights", np.array([b"w", b"b"], dtype=object), dtype=h5py.special_dtype(vlen=bytes))
    f["numbers"] = np.arange(3)
    rows = np.zeros(2, dtype=[("name", h5py.special_dtype(vlen=str)), ("x", "i4")])
    rows["name"] = ["s", "t"]
    f["rows"] = rows
f = h5py.File("data.h5")
print(f.mode, f.attrs["config"].decode("utf-8"), f.attrs.get("note"), isinstance(f, h5py.File))
print([name.decode("utf8") for name in f["group"].attrs["weights"]], dict(f["group"].attrs.items())["weights"].tolist())
names = f["group"]["names"]
print(names[0], names[:].tolist(), names.value.tolist(), np.array(names).tolist(), [name for name in names])
print(f["numbers"].value.sum(), f["rows"]["name"].tolist(), f["rows"][1]["name"], names.parent.attrs["weights"][0])
found = []
f.visititems(lambda name, item: found.append((name, isinstance(item, Dataset) and item.value.tolist())))
print(found)
into = np.empty(2, object)
names.read_direct(into)
print(into.tolist(), [type(item.attrs).__name__ for item in f.values()][0] != "", names.file.attrs["config"])
f.close()
"""


def test_strings_modes_and_values_are_those_of_h5py_2(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    ended = under_run.command(tmp_path, "program.py")
    assert ended.returncode == 0, ended.stderr
    # As h5py 2.10.0 on Python 3.7 prints them.
    assert ended.stdout == EXPECTED


EXPECTED = """\
r+ {"a": 1} abc True
['w', 'b'] [b'w', b'b']
q ['q', 'r'] ['q', 'r'] ['q', 'r'] ['q', 'r']
3 ['s', 't'] t b'w'
[('group', False), ('group/names', ['q', 'r']), ('numbers', [0, 1, 2]), ('rows', [('s', 0), ('t', 0)])]
['q', 'r'] True b'{"a": 1}'
"""
