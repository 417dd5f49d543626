"""Later values of a name get other names, where it is certain which value each use is of."""

from __future__ import annotations

import pytest

from codemods.native.later_names import with_later_names


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = 1\nf(y)\ny = 2\ng(y)\n", "y = 1\nf(y)\ny_2 = 2\ng(y_2)\n"),
        ("y = 1\ny = y + 1\ng(y)\n", "y = 1\ny_2 = y + 1\ng(y_2)\n"),
        ("y = 1\nx, y = f(y)\nprint(y)\n", "y = 1\nx, y_2 = f(y)\nprint(y_2)\n"),
        ("y = 1\nfor x, y in rows:\n    f(y)\n", "y = 1\nfor x, y_2 in rows:\n    f(y_2)\n"),
        ("y = 1\nwith f() as y:\n    f(y)\n", "y = 1\nwith f() as y_2:\n    f(y_2)\n"),
        ("y = 1\nfor i in r:\n    y = i\n    f(y)\ny = 3\n", "y = 1\nfor i in r:\n    y_2 = i\n    f(y_2)\ny_3 = 3\n"),
        ("y = 1\nif a:\n    y = 2\nelse:\n    y = 3\ny\n", "y = 1\nif a:\n    y_2 = 2\nelse:\n    y_2 = 3\ny_2\n"),
        ("y = 1\ny_2 = 5\ny = 2\n", "y = 1\ny_2 = 5\ny_3 = 2\n"),
        ("def f(y):\n    g(y)\n    y = 2\n    return y\n", "def f(y):\n    g(y)\n    y_2 = 2\n    return y_2\n"),
        ("y = 1\nf(lambda y: y)\ny = 2\n", "y = 1\nf(lambda y: y)\ny_2 = 2\n"),
        ("y = 1\ny = [i + y for i in r]\n", "y = 1\ny_2 = [i + y for i in r]\n"),
    ],
)  # fmt: skip
def test_later_values_have_other_names(before: str, after: str) -> None:
    assert with_later_names(before, "y") == after


@pytest.mark.parametrize(
    "text",
    [
        "y = 1\nf(y)\n",
        "y = 1\nfor i in r:\n    y = y * 2\n",
        "y = 1\nfor y in r:\n    pass\nprint(y)\n",
        "y = 1\nif a:\n    y = 2\nprint(y)\n",
        "y = 1\ny += 2\nf(y)\n",
        "y = 1\ndef f():\n    return y\ny = 2\n",
        "y = 1\ndef f():\n    global y\n    y = 3\ny = 2\n",
        "y = 1\nf(lambda: y)\ny = 2\n",
        "y = 1\nclass A:\n    y = 2\ny = 2\n",
        "y = 1\nprint(f'{y}')\ny = 2\n",
        "y = 1\ndel y\ny = 2\n",
        "y = 1\nprint(vars())\ny = 2\n",
        "import y\nf(y)\ny = 2\n",
        "y = 1\nwhile f(y):\n    y = g()\n",
        "y = 1\ntry:\n    y = f()\nexcept E:\n    pass\nprint(y)\n",
    ],
)
def test_what_is_not_certain_stays(text: str) -> None:
    assert with_later_names(text, "y") is None
