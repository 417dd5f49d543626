"""Bytes and text; Python 2 and Python 3."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemods.errors import UndecodableError, UnparsableError
from codemods.python2 import reasons
from codemods.source import decode, to_python3


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\n",
        b"x = 1",
        b"",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\r\ny = 2\nz = 3\r",
        b"\x0cx = 1\n\x0c\ny = 2\n",
        codecs.BOM_UTF8 + "s = 'é'\n".encode(),
        "# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1"),
        "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\ns = '€'\r\n".encode("cp1252"),
        "s = '日本'\n".encode(),
    ],
)
def test_bytes_come_back(data: bytes) -> None:
    source = decode(data, "a.py")
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"s = '\xe9'\n", "a.py"),
        (b"# coding: no-such-codec\n", "no-such-codec"),
        (b"x = '\0'\n", "NUL"),
        (b"# coding: ascii\ns = '\xe9'\n", "ascii"),
    ],
)
def test_wrong_bytes_are_one_clear_error(data: bytes, why: str) -> None:
    with pytest.raises(UndecodableError, match=why):
        decode(data, "a.py")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60))
def test_any_text_comes_back(text: str) -> None:
    data = f"# a comment\n# another\n{text}".encode()
    source = decode(data, "a.py")
    assert source.encode(source.text) == data


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print 'a', 1", "print('a', 1)"),
        ("print", "print()"),
        ("print >>f, 'a'", "print('a', file=f)"),
        ("print 'a',", "print('a', end=' ')"),
        ("exec code in scope", "exec(code, scope)"),
        ("raise E, 'm'", "raise E('m')"),
        ("n = 0777", "n = 0o777"),
        ("n = 10L; print n", "n = 10; print(n)"),
        ("s = `x`", "s = repr(x)"),
        ("if a <> b: pass", "if a != b: pass"),
        ("xs = d.keys(); print xs", "xs = list(d.keys()); print(xs)"),
        ("for k in d.keys(): print d[k]", "for k in d.keys(): print(d[k])"),
        ("for k in d.keys(): print d.pop(k)", "for k in list(d.keys()): print(d.pop(k))"),
        ("for k in d.keys():\n    del d[k]\nprint 1", "for k in list(d.keys()):\n    del d[k]\nprint(1)"),
        ("x = d.values()[0]; print x", "x = list(d.values())[0]; print(x)"),
        ("xs = range(3) + [1]; print xs", "xs = list(range(3)) + [1]; print(xs)"),
        ("if isinstance(x, (int, long)): print x", "if isinstance(x, int): print(x)"),
        ("s = unicode(x); print u'é'", "s = str(x); print(u'é')"),
        (r"s = '\u12'; print s", r"s = '\\u12'; print(s)"),
        (r"s = ur'\d'", r"s = r'\d'"),
        ("n = input('?'); s = raw_input('?')", "n = eval(input('?')); s = input('?')"),
        ("import Queue\nprint Queue.Queue()", "import queue\nprint(queue.Queue())"),
        ("with file('a') as f: print f.read()", "with open('a') as f: print(f.read())"),
    ],
)
def test_python2_becomes_python3(old: str, new: str, newline: str) -> None:
    old, new = (text.replace("\n", newline) for text in (old, new))
    assert to_python3(old, "a.py") == new
    assert to_python3(old + newline, "a.py") == new + newline
    assert to_python3(new + newline, "a.py") == new + newline


@pytest.mark.parametrize(
    "text",
    [
        "print(1, 2)\n",
        "from six.moves import xrange\nfor i in xrange(3): pass\n",
        "import six\nfor k, v in six.iteritems(d): pass\n",
        "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\n",
        "import sys\nif sys.version_info[0] == 2:\n    import cPickle\n",
        "def cmp(a, b): return 0\ncmp(1, 2)\n",
        "from local import *\nfor i in xrange(3): pass\n",
        "try:\n    places = xrange(3)\nexcept NameError:\n    places = range(3)\n",
        "try:\n    if text:\n        return_type = unicode\nexcept (NameError, KeyError):\n    return_type = str\n",
    ],
)
def test_python3_stays_as_it_is(text: str) -> None:
    assert to_python3(text, "a.py") is text


@pytest.mark.parametrize("handler", ["except KeyError:", "except KeyError as error:", "finally:"])
def test_a_try_that_catches_no_name_error_is_no_answer(handler: str) -> None:
    assert reasons(f"try:\n    places = xrange(3)\n{handler}\n    pass\n") == ["xrange on line 2"]


def test_tabs_count_to_the_next_multiple_of_eight() -> None:
    old = "if a:\n        b()\n\tc()\n    \td()\n"
    assert to_python3(old, "a.py") == "if a:\n        b()\n        c()\n        d()\n"


def test_tabs_in_strings_are_kept() -> None:
    old = 'if a:\n        b("""\n\tx""")\n\tc()\n'
    assert to_python3(old, "a.py") == 'if a:\n        b("""\n\tx""")\n        c()\n'


def test_neither_python_2_nor_3_is_one_error_with_its_line() -> None:
    with pytest.raises(UnparsableError, match=r"model.py:2: neither Python 3 nor Python 2"):
        to_python3("x = 1\ndef f(:\n", "model.py")


def test_print_statements_beside_print_function() -> None:
    text = 'from __future__ import print_function\nprint("a", "b")\nif x:\n    print "c", \\\n        d\n    print(e)\n'
    new = to_python3(text, "train.py")
    assert new == text.replace('print "c", \\\n        d', 'print("c", \\\n        d)')


def test_print_statements_in_what_no_python_reads() -> None:
    with pytest.raises(UnparsableError, match="neither Python 3 nor Python 2"):
        to_python3('from __future__ import print_function\nprint "a\nprint "b"\n', "train.py")


def test_values_that_are_a_dict_themselves_are_no_view() -> None:
    assert to_python3("for k, v in hp.values().iteritems():\n    print k\n", "train.py") == (
        "for k, v in hp.values().items():\n    print(k)\n"
    )
    assert to_python3("xs = d.keys()\nprint d.values().index(x)\n", "train.py") == (
        "xs = list(d.keys())\nprint(list(d.values()).index(x))\n"
    )
