"""Names that Python and other libraries had when TensorFlow 1.x programs were written."""

from __future__ import annotations

import string
import sys
import unittest
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests import under_run
from tf2bridge.program import package_resources
from tf2bridge.program.old_libraries import OldVersion, add_old_assertions, add_what_is_gone, getargspec, strtobool


def test_versions_compare_with_texts_and_numbers_not_letters() -> None:
    assert OldVersion("1.10") > OldVersion("1.9")
    assert OldVersion("1.4.1") >= "1.4"
    assert OldVersion("1.4").version == [1, 4]


def test_what_python_dropped_is_there_again() -> None:
    import collections
    import time

    add_what_is_gone("time")
    add_what_is_gone("collections")
    assert isinstance([], collections.Sequence)  # type: ignore[attr-defined]
    assert time.clock() <= time.clock()  # type: ignore[attr-defined]


PROGRAM = """
import base64, configparser, fractions, io, os, sys, threading, unittest
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
element = ET.fromstring("<a><b/><c><b/></c></a>")
sys.setcheckinterval(10)
parser = configparser.SafeConfigParser()
parser.readfp(io.StringIO("[a]\\nb = 1"))
with open(__file__, "rU") as file:
    first = file.read(1)
print(base64.encodestring(b"ab"), base64.decodestring(b"YWI="), fractions.gcd(4, 6), os.errno.ENOENT == 2)
print([e.tag for e in element.getchildren()], len(list(element.getiterator("b"))), parser.get("a", "b"))
print(threading.Thread().isAlive(), HTMLParser().unescape("&lt;"), repr(first), unittest.makeSuite(unittest.TestCase))
"""


def test_a_program_finds_what_python_removed(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = under_run.command(tmp_path, path.name)
    assert done.returncode == 0, done.stderr
    # As Python 3.6.15 prints them.
    assert done.stdout == (
        "b'YWI=\\n' b'ab' 2 True\n['b', 'c'] 2 1\nFalse < '\\n' <unittest.suite.TestSuite tests=[]>\n"
    )


def test_functions_of_strings_that_python_2_had(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("join", "letters", "split", "strip", "zfill"):
        monkeypatch.setattr(string, name, None, raising=False)  # put back afterwards
        monkeypatch.delattr(string, name)
    add_what_is_gone("string")
    old: Any = string
    # As Python 2.7.18 says.
    assert (old.join(old.split("a b"), "-"), old.join(["a", "b"]), old.zfill(5, 3)) == ("a-b", "a b", "005")
    assert (old.letters[:2], list(map(old.strip, [" a"]))) == ("ab", ["a"])


def test_arrays_of_unlike_shapes_are_unequal_in_assertions() -> None:
    add_old_assertions()
    case = unittest.TestCase()
    case.assertNotEqual(np.zeros((5, 8)), np.zeros(10))
    case.assertEqual(np.zeros(1), np.zeros(1))
    with pytest.raises(AssertionError, match=r"array\(\[0., 0.\]\) != array\(\[0., 0., 0.\]\) : said"):
        case.assertEqual(np.zeros(2), np.zeros(3), "said")
    with pytest.raises(ValueError, match="ambiguous"):
        case.assertEqual(np.zeros(2), np.zeros(2))


def test_scipy_has_its_windows_again() -> None:
    integrate, signal = pytest.importorskip("scipy.integrate"), pytest.importorskip("scipy.signal")
    add_what_is_gone("scipy")
    assert signal.hann(5)[1] == pytest.approx(0.5)
    assert integrate.trapz([1, 2, 3]) == 4.0


def test_getargspec() -> None:
    def f(a: int, b: int = 2, *c: int, **d: int) -> None:
        pass

    def g(*, a: int) -> None:
        pass

    assert tuple(getargspec(f)) == (["a", "b"], "c", "d", (2,))
    with pytest.raises(ValueError, match="keyword-only"):
        getargspec(g)


def test_strtobool() -> None:
    assert [strtobool("Yes"), strtobool("off")] == [1, 0]
    with pytest.raises(ValueError, match="invalid truth value 'maybe'"):
        strtobool("maybe")


def test_old_assertions(monkeypatch: pytest.MonkeyPatch) -> None:
    import unittest

    for name in ("assertAlmostEqual", "assertNotAlmostEqual"):
        monkeypatch.setattr(unittest.TestCase, name, getattr(unittest.TestCase, name))
    add_old_assertions()
    case: Any = unittest.TestCase()
    case.assertItemsEqual([1, 2], [2, 1])
    case.assertRaisesRegexp(ValueError, "no", lambda: strtobool("no way"))
    case.assertAlmostEqual(np.float32(0.90000004), 0.9)  # NumPy 1.18 of genuine 1.15.5 answers these as here
    case.assertAlmostEqual(0.9, np.array(0.90000004, np.float32))
    case.assertNotAlmostEqual(np.float16(0.9), 0.9)
    case.assertNotAlmostEqual(np.float32(0.9), np.float32(0.9000001))


def test_literals_of_gast_have_their_classes_again() -> None:
    import gast

    add_what_is_gone("gast")
    old: Any = gast
    node = gast.parse("f(1.5, 'a', None)").body[0].value
    kinds = (old.Num, old.Str, old.NameConstant)
    assert [[isinstance(arg, kind) for kind in kinds] for arg in node.args] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]
    assert isinstance(old.Num(n=3), gast.Constant)


def test_package_resources() -> None:
    resources: Any = package_resources.module()
    numpy = resources.get_distribution("numpy>=1.0")
    assert numpy.parsed_version >= resources.parse_version("1.0")
    with pytest.raises(resources.DistributionNotFound, match="no-such-thing"):
        resources.require(["numpy", "no-such-thing"])
    with pytest.raises(resources.VersionConflict, match="numpy"):
        resources.get_distribution("numpy<1.0")
    assert resources.resource_exists("tf2bridge.program", "files.py")
    assert b"def read" in resources.resource_string("tf2bridge.program", "files.py")


def test_yaml_load_needs_no_loader() -> None:
    import yaml

    add_what_is_gone("yaml")
    assert yaml.load("a: [1, 2.5]") == {"a": [1, 2.5]}
    assert yaml.load("a: 1", Loader=yaml.SafeLoader) == {"a": 1}
    assert list(yaml.load_all("1\n---\n2")) == [1, 2]


def test_graphs_of_networkx_have_their_names_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    networkx: Any = ModuleType("networkx")  # a library in its place, which the tests do not need otherwise
    networkx.Graph = networkx.DiGraph = networkx.MultiGraph = networkx.MultiDiGraph = dict
    networkx.to_numpy_array = networkx.from_numpy_array = np.asarray
    for kind in ("connected", "strongly_connected", "weakly_connected", "biconnected"):
        setattr(networkx, f"{kind}_components", iter)
    monkeypatch.setitem(sys.modules, "networkx", networkx)
    add_what_is_gone("networkx")
    graph = networkx.OrderedGraph(a=1)
    assert (networkx.to_numpy_matrix([[0, 1], [1, 0]]) * [[1], [2]]).tolist() == [[2], [1]]
    networkx.write_gpickle(graph, str(tmp_path / "graph"))
    assert networkx.read_gpickle(str(tmp_path / "graph")) == {"a": 1}
