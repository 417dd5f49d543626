"""What a program's arithmetic gave with NumPy 1.16 and 1.18, of the genuine releases' environments."""

import ast
import builtins

import numpy as np
import pytest

from tf2bridge.old_numpy import old_numpy, printing_as_numpy_1
from tf2bridge.program.operators import BUILTINS, with_old_arithmetic


def run(text):
    """What the program `text` leaves in `result`."""
    tree = with_old_arithmetic(ast.parse(text))
    space = {"__builtins__": {**vars(builtins), **BUILTINS}, "np": old_numpy()}
    exec(compile(tree, "program", "exec"), space)  # noqa: S102  # the subject
    return space["result"]


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("result = np.float32(0.1) * 2", "float64"),
        ("result = 0. + np.float32(0.1)", "float64"),
        ("result = np.float32(0.1) / 3", "float64"),
        ("result = np.uint8(200) + 100", "int64"),
        ("result = np.float32(2) ** 2", "float64"),
        ("result = np.uint8(7) / np.uint8(2)", "float32"),
        ("result = np.int16(7) / np.uint8(2)", "float32"),
        ("result = np.uint8(7) / np.int16(2)", "float64"),
        ("result = np.array(7, np.uint8) / np.uint8(2)", "float64"),
        ("result = np.uint8(7) << 8", "int64"),
        ("result = 300 | np.int16(1)", "int64"),
        ("result = np.ones(2, np.uint8) | np.int64(3)", "uint8"),
        ("result = np.left_shift(np.uint8(7), 8)", "int64"),
        ("result = np.array(2, np.float32) ** 2", "float32"),
        ("result = np.array(2, np.float16) ** np.int64(1)", "float16"),
        ("result = np.array(2, np.float32) ** 3", "float64"),
        ("result = np.array(2, np.int8) ** 2", "int8"),
        ("result = np.array(2, np.int8) ** 3", "int64"),
        ("result = np.array([2], np.int8) ** 2.", "float64"),
        ("result = np.array([True]) ** 2", "int8"),
        ("result = np.array(2, np.complex64) ** 0.5", "complex64"),
        ("result = np.ones(2, np.float32) / np.sqrt(2)", "float32"),
        ("result = np.sqrt(2) * np.ones(2, np.float16)", "float16"),
        ("result = np.int64(300) * np.ones(2, np.float16)", "float32"),
        ("result = np.int64(3) * np.ones(2, np.int8)", "int8"),
        ("result = np.ones(2, np.float32) * 2.5", "float32"),
        ("result = np.ones(2, np.uint8) * -1", "int16"),
        ("result = np.ones(2, np.uint8) + 300", "uint16"),
        ("result = np.ones(2, np.int32) * np.float64(2)", "float64"),
        ("result = np.ones(2, np.float32) * np.ones(2)", "float64"),
        ("result = np.float32(1) + np.float32(1)", "float32"),
        ("result = np.maximum(np.zeros(2, np.uint8), -1)", "int16"),
        ("result = np.maximum(np.zeros(2, np.uint8), 300)", "uint16"),
        ("result = np.add(np.float32(1), 0.5)", "float64"),
        ("result = np.multiply(np.ones(2, np.float32), 2.5)", "float32"),
        ("result = np.minimum(np.ones(2, np.float32), np.float64(0.5), out=np.ones(2, np.float32))", "float32"),
        ("result = np.ones(2, np.float32)\nresult *= np.float64(0.1)", "float32"),
        ("result = 0.\nfor loss in [np.float32(0.1)] * 3: result += loss / 3", "float64"),
        ("result = sum([np.float32(0.1)] * 3)", "float64"),
        ("class A: total = 0.\na = A()\na.total += np.float32(0.1)\nresult = a.total", "float64"),
        ("d = {'a': 0}\nd['a'] += np.float32(0.1)\nresult = d['a']", "float64"),
    ],
)
def test_numpy_1_gave_this_dtype(text, dtype):
    assert run(text).dtype == dtype


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("result = int(np.array([3.5]))", 3),
        ("pixel = np.zeros(2, np.uint8)\npixel[0] = 5\nresult = int(pixel[0] << 8 | 256)", 1280 | 256),
        ("x = np.uint8(200)\nx <<= 8\nx ^= 1\nresult = int(x)", (200 << 8) ^ 1),
        (
            "result = [int(np.uint8(200) & 0x1FF), int(1 >> np.int8(0)), {1} | {2}, True & False]",
            [200, 1, {1, 2}, False],
        ),
        ("result = float(np.array([[3.5]]))", 3.5),
        ("import math\nresult = [math.isinf(np.array([1.])), math.floor(np.array([[2.5]]))]", [False, 2]),
        ("from math import sqrt\ndef f(x): return sqrt(x)\nresult = [f(np.array([4.])), f(9)]", [2.0, 3.0]),
        ("result = '%d of %s' % (np.array([3]), np.array([3]))", "3 of [3]"),
        ("result = '%.2f' % np.array([0.5])", "0.50"),
        ("result = '%(a).1f' % {'a': np.array([0.5])}", "0.5"),
        ("a = np.zeros(2)\na[1] = np.array([4.])\nresult = a.tolist()", [0.0, 4.0]),
        ("a = np.zeros(2)\na[1:] = [5]\nresult = a.tolist()", [0.0, 5.0]),
        ("result = np.array([1, 2], np.uint8).tostring()", b"\x01\x02"),
        ("result = np.array([1, 5]).ptp()", 4),
        ("a = np.zeros(2)\na.itemset(1, 3)\nresult = a.tolist()", [0.0, 3.0]),
        ("result = np.fromstring(b'\\x01\\x02', np.uint8).tolist()", [1, 2]),
        (
            "result = [type(np.meshgrid([1], [2])), type(np.atleast_1d(1, 2)), np.atleast_1d(3).tolist()]",
            [list, list, [3]],
        ),
        ("result = np.reshape([[1, 2]], newshape=[2, 1]).tolist()", [[1], [2]]),
        ("result = np.array([-1], np.uint8).tolist()", [255]),
        ("result = np.array([1.5], copy=False).tolist()", [1.5]),
        ("result = np.vstack(map(np.array, [[1], [2]])).tolist()", [[1], [2]]),
        ("result = np.percentile([1, 2, 4], 50, interpolation='lower')", 2),
        ("key = [slice(0, 1), slice(1, 3)]\nresult = np.arange(6).reshape(2, 3)[key].tolist()", [[1, 2]]),
        ("result = np.arange(6).reshape(2, 3)[[[0, 1], [1, 2]]].tolist()", [1, 5]),
        ("result = np.arange(6)[[1, 2]].tolist()", [1, 2]),
        ("a = np.zeros((2, 2))\na[[slice(None)] * 1 + [0]] = 1\nresult = a.tolist()", [[1.0, 0.0], [1.0, 0.0]]),
        ("result = np.lib.pad([1], (1, 0), 'constant').tolist()", [0, 1]),
    ],
)
def test_numpy_1_took_this(text, expected):
    assert run(text) == expected


def test_the_old_value_is_read_first():
    text = """
class A:
    n = 1
    def more(self):
        self.n += 10
        return 1
a = A()
a.n += a.more()
seen = []
def say(x):
    seen.append(x)
    return x
d = {}
d[say('key')] = say('value')
result = (a.n, seen)
"""
    assert run(text) == (2, ["value", "key"])


def test_errors_stay():
    with pytest.raises(TypeError, match="not enough arguments"):
        run("result = '%d %d' % (1,)")
    with pytest.raises(TypeError):
        run("result = int(np.array([1, 2]))")
    with pytest.raises(ValueError, match=r"sequence|broadcast"):
        run("a = np.zeros(2)\na[0] = np.array([1., 2.])")


def test_other_objects_are_left_alone():
    assert run("result = [1] + [2]\nresult += [3]") == [1, 2, 3]
    assert run("result = {1, 2} - {2}") == {1}
    assert run("result = 'a' * 3 + 'b'") == "aaab"
    assert run("result = np.array(['a'], object) + 'b'").tolist() == ["ab"]
    assert run("result = np.int64(3) + 10**30") == 10**30 + 3


def test_numbers_print_without_their_dtype():
    with printing_as_numpy_1():
        assert repr([np.float32(0.5), np.array([1.5, 2])]) == "[0.5, array([1.5, 2. ])]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = np.zeros(2, np.uint8)\na.fill(-2)\nresult = a.tolist()", [254, 254]),
        ("a = np.zeros(2, np.uint8)\na[0] = -3\nresult = a.tolist()", [253, 0]),
        ("a = np.zeros(2, np.uint8)\na[:] = [300, -1]\nresult = a.tolist()", [44, 255]),
        (
            "def f(a, n):\n a[0], n = n, 5\n a[1:] = n - 6\n return a\nresult = f(np.zeros(2, 'u1'), 1).tolist()",
            [1, 255],
        ),
        (
            "def f(a, i, n):\n a[i()] = n\n return a\nresult = f(np.zeros(2, 'u1'), iter([1]).__next__, -1)[1]",
            255,
        ),
        ("a = np.zeros(2, np.int32)\na[0] = 2**40 + 5\nresult = a.tolist()", [5, 0]),
        ("a = np.zeros(2, np.uint8)\na.itemset(0, -1)\nresult = a.tolist()", [255, 0]),
        ("a = np.zeros(2, np.uint8)\nnp.put(a, [0], [-1])\nresult = a.tolist()", [255, 0]),
        ("a = np.zeros(2, np.uint8)\nnp.putmask(a, [True, False], -1)\nresult = a.tolist()", [255, 0]),
        ("result = np.full(2, -2, np.uint8).tolist()", [254, 254]),
        ("result = np.full_like(np.zeros(2, np.uint8), 300).tolist()", [44, 44]),
        ("result = [np.uint8(-2), np.int8(200), np.uint64(-1), np.uint8('300')]", [254, -56, 2**64 - 1, 44]),
        ("from numpy import uint8\nresult = [uint8(300.5), uint8([300, -1]).tolist()]", [44, [44, 255]]),
        ("result = np.array(300, np.uint8).tolist()", 44),
        ("result = np.arange(-2, 2, dtype=np.uint8).tolist()", [254, 255, 0, 1]),
        ("result = np.where([True, False], np.array([5, 200], np.uint8), 300).tolist()", [5, 300]),
    ],
)
def test_integers_wrap_around(text, expected):
    assert run(text) == expected  # as NumPy 1.18.5


@pytest.mark.filterwarnings("ignore:elementwise comparison:DeprecationWarning")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("np.zeros((5, 8)) != np.zeros(10)", True),
        ("np.zeros((5, 8)) == np.zeros(10)", False),
        ("np.zeros(2) == [1, 2, 3]", False),
        ("[1, 2, 3] == np.zeros(2)", False),
        ("np.zeros(2) == 'a'", False),
        ("'a' != np.zeros(2)", True),
        ("(np.array(['a', 'b']) == 'a').tolist()", [True, False]),
        ("(np.array([1, None], object) == 'a').tolist()", [False, False]),
        ("(np.array([1, 2]) == 2).tolist()", [False, True]),
        ("(np.zeros(2) == [[1], [1, 2]]).tolist()", [False, False]),
        ("(np.zeros(2) != [[1], [1, 2]]).tolist()", [True, True]),
        ("'unequal' if np.zeros(2) != np.zeros(3) else 'equal'", "unequal"),
        ("[x == y for x in [np.zeros(2), 1] for y in [np.zeros(3), 1]][::3]", [False, True]),
    ],
)
def test_arrays_that_do_not_fit_are_unequal(text, expected):
    assert run(f"result = {text}") == expected  # as NumPy 1.18.5
    assert run(f"def f():\n    return {text}\nresult = f()") == expected


def test_a_comparison_evaluates_each_operand_once():
    text = "seen = []\ndef say(x):\n    seen.append(x)\n    return x\n"
    text += "def f(x):\n    return say(x) == say('a'), 'b' != say(x)\nresult = (f(3), f('a'), seen)"
    assert run(text) == ((False, True), (True, True), [3, "a", 3, "a", "a", "a"])


def test_orders_and_errors_of_unlike_arrays_stay():
    with pytest.raises(ValueError, match="broadcast"):
        run("result = np.zeros(2) < np.zeros(3)")
    with pytest.raises(OverflowError):
        run("a = np.zeros(2, np.int64)\na[0] = 2**70")


def test_annotations_stay_as_they_are():
    """No name can be bound in an annotation that Python does not evaluate."""
    text = "from __future__ import annotations\ndef f(a: None | (str | dict[str, str | int]) = 1 + 2): return a\n"
    assert run(f"{text}result = f(), f.__annotations__['a']") == (3, "None | (str | dict[str, str | int])")
