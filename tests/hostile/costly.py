"""Files that cost far more than their size: long lines, deep nesting, many of one thing, in all that codemods reads."""

from __future__ import annotations

import json
from collections.abc import Callable

_TF = "import tensorflow as tf\n"


def _fill(piece: str, size: int, head: str = _TF, tail: str = "\n") -> str:
    return head + piece * (size // len(piece)) + tail


def _numbered(line: str, size: int) -> str:
    return _TF + "".join(line.format(n=n, m=n + 1) for n in range(size // len(line)))


def _notebook(source: str, cells: int = 1) -> str:
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    return json.dumps({"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [cell] * cells})


COSTLY: dict[str, tuple[str, Callable[[int], str]]] = {
    "line of calls": ("a.py", lambda size: _fill("tf.mul(a,b);", size)),
    "line of text": ("a.py", lambda size: _fill("x", size, _TF + "y = '", "'\n")),
    "line of letters beyond ASCII": ("a.py", lambda size: _fill("é", size // 2, _TF + "tf.mul(a, '", "')\n")),
    "line of numbers": ("a.py", lambda size: _fill("1,", size, _TF + "x = [", "]\n")),
    "line of sums": ("a.py", lambda size: _fill("+tf.mul(a,b)", size, _TF + "x = 1")),
    "line of texts": ("a.py", lambda size: _fill("'a' ", size, _TF + "x = ")),
    "line of spaces": ("a.py", lambda size: _fill(" ", size, _TF + "x =", "1\n")),
    "line of semicolons": ("a.py", lambda size: _fill("x=1;", size)),
    "line of attributes": ("a.py", lambda size: _fill(".b", size, _TF + "x = a")),
    "line of comparisons": ("a.py", lambda size: _fill("<a", size, _TF + "x = a")),
    "line of subscripts": ("a.py", lambda size: _fill("[0]", size, _TF + "x = a")),
    "line of lambdas": ("a.py", lambda size: _fill("lambda:", size, _TF + "x = ", "1\n")),
    "line of nots": ("a.py", lambda size: _fill("not ", size, _TF + "x = ", "1\n")),
    "line of Python 2": ("a.py", lambda size: _fill("print 1;", size)),
    "line of backticks": ("a.py", lambda size: _fill("`a`+", size, _TF + "x = ", "1\n")),
    "brackets": ("a.py", lambda size: _fill("(", size, _TF + "x = ")),
    "closed brackets": ("a.py", lambda size: _TF + "x = " + "(" * (size // 2) + ")" * (size // 2) + "\n"),
    "braces": ("a.py", lambda size: _fill("{", size, _TF + "x = ")),
    "formatted": ("a.py", lambda size: _fill("{a}", size, _TF + "x = f'", "'\n")),
    "backslashes": ("a.py", lambda size: _fill("\\\n", size, _TF + "x = 1")),
    "backslashes and spaces": ("a.py", lambda size: _fill(" \\\n", size, _TF + "x = 1 + ", "1\n")),
    "blank lines": ("a.py", lambda size: _fill("\n", size)),
    "form feeds": ("a.py", lambda size: _fill("\x0c\n", size)),
    "comments": ("a.py", lambda size: _fill("# codemods: ignore[\n", size)),
    "orders to ignore": ("a.py", lambda size: _fill("# codemods: ignore[A, ", size, _TF + "tf.mul(a, b) ")),
    "coding": ("a.py", lambda size: _fill("# coding: ", size, "")),
    "functions": ("a.py", lambda size: _numbered("def f{n}(): return f{m}()\n", size)),
    "functions of TensorFlow": ("a.py", lambda size: _numbered("def f{n}(): return tf.mul(f{m}, 1)\n", size)),
    "names": ("a.py", lambda size: _numbered("x{n} = x{m}\n", size)),
    "aliases": ("a.py", lambda size: _numbered("x{m} = x{n}.y\n", size)),
    "one name": ("a.py", lambda size: _fill("x = tf\n", size, tail="x.mul(a, b)\n")),
    "one name, used": ("a.py", lambda size: _fill("tf = tf.nn\n", size, tail="tf.mul(a, b)\n")),
    "imports": ("a.py", lambda size: _numbered("import a{n}\n", size)),
    "imports of one": ("a.py", lambda size: _fill("import tensorflow as tf\n", size)),
    "star imports": ("a.py", lambda size: _fill("from tensorflow import *\n", size, tail="mul(a, b)\n")),
    "from imports": ("a.py", lambda size: _numbered("from tensorflow import a{n}\n", size)),
    "calls to be fixed": ("a.py", lambda size: _fill("tf.mul(a, b)\n", size)),
    "calls in calls": ("a.py", lambda size: _fill("tf.mul(" * 60 + "a" + ", b)" * 60 + "\n", size)),
    "calls for a person": ("a.py", lambda size: _fill("tf.contrib.nothing.x(a)\n", size)),
    "sessions": ("a.py", lambda size: _fill("with tf.Session() as s:\n    s.run(x)\n", size)),
    "placeholders": ("a.py", lambda size: _numbered("x{n} = tf.placeholder(tf.float32, [None, {n}])\n", size)),
    "ifs": ("a.py", lambda size: _fill("elif x: pass\n", size, _TF + "if x: pass\n")),
    "decorators": ("a.py", lambda size: _fill("@f\n", size, tail="def g(): pass\n")),
    "globals": ("a.py", lambda size: _numbered("def f{n}():\n    global x; x = tf\n", size)),
    "classes": ("a.py", lambda size: _numbered("class C{m}(C{n}): pass\n", size)),
    "indentation": ("a.py", lambda size: _TF + "".join(" " * n + "if x:\n" for n in range(int((2 * size) ** 0.5)))),
    "Python 2": ("a.py", lambda size: _fill("print x, d.has_key(1)\n", size)),
    "Python 2, a class": ("a.py", lambda size: _fill("    def f(self): print 1\n", size, _TF + "class A:\n")),
    "no Python": ("a.py", lambda size: _fill("a b c ( [ { ' \n", size)),
    "open string": ("a.py", lambda size: _fill("'''\\\n", size, _TF + "x = ")),
    "nul": ("a.py", lambda size: _fill("\0", size)),
    "cells": ("a.ipynb", lambda size: _notebook(_TF + "tf.mul(a, b)\n", size // 150)),
    "cell of magics": ("a.ipynb", lambda size: _notebook(_fill("%a\n", size))),
    "cell of shells": ("a.ipynb", lambda size: _notebook(_fill("x = !ls \\\n", size))),
    "cell of questions": ("a.ipynb", lambda size: _notebook(_fill("a", size, _TF, "? ?\n"))),
    "cell of commas": ("a.ipynb", lambda size: _notebook(_fill("a, ", size, _TF, "\n"))),
    "cell of quotes": ("a.ipynb", lambda size: _notebook(_fill("'\" ", size))),
    "notebook of lists": ("a.ipynb", lambda size: "[" * size),
    "notebook of cells in cells": ("a.ipynb", lambda size: '{"cells":' * (size // 9)),
    "notebook of escapes": ("a.ipynb", lambda size: _notebook("\\u0041" * (size // 8))),
    "notebook of marks": ("a.ipynb", lambda size: _notebook(_fill("__codemods_hidden_0__\n%x\n", size))),
    "requirements": ("requirements.txt", lambda size: _fill("tensorflow>=1.4\n", size, "")),
    "requirement": ("requirements.txt", lambda size: _fill(",>=1.4", size, "tensorflow>=1.4", "\n")),
    "requirement of spaces": ("requirements.txt", lambda size: _fill(" ", size, "tensorflow", "x\n")),
    "requirement of names": ("requirements.txt", lambda size: _fill("tensorflow[", size, "")),
    "wheels": ("requirements.txt", lambda size: _fill("tensorflow-1.4-", size, "")),
    "conda": ("environment.yml", lambda size: _fill("a ", size, "- a", ":\n")),
    "conda of pips": ("environment.yml", lambda size: _fill(" - pip:\n", size, "")),
    "setup": ("setup.py", lambda size: _fill("'tensorflow>=1.4', ", size, "x = [", "]\n")),
    "Dockerfile": ("Dockerfile", lambda size: _fill("FROM tensorflow/tensorflow:v", size, "")),
}  # fmt: skip
"""By what they hold: the name of the file, and its text of about so many characters."""
