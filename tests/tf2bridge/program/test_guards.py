"""Rewritten programs compute what a call of `old_arithmetic` for every operator computes, whatever they hold."""

import ast
import builtins
import random

import numpy as np
import pytest

from tf2bridge.old_numpy import old_numpy
from tf2bridge.program import guards
from tf2bridge.program.operators import BUILTINS, with_old_arithmetic

SPACE = {**vars(builtins), **BUILTINS}
VALUES = ("3", "0.1", "True", "'ab'", "[1, 2]", "np.float32(0.1)", "np.uint8(200)", "np.array(0.1)", "np.float64(2)")
VALUES += ("np.ones(2, np.float32)", "np.array([3])", "np.zeros((2, 2), np.float16)", "np.array([])", "Odd()")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "|", "&", "^")

HEAD = """
class Odd:
    made = []
    value = 0.5
    def __add__(self, other):
        Odd.made.append('add')
        return np.float32(0.1)
    def __mul__(self, other):
        Odd.made.append('mul')
        return Odd()
def give(x):
    Odd.made.append('give')
    return x
"""


class EveryOperator(ast.NodeTransformer):
    """The plain way: a call for each operator."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return guards.call(guards.function(type(node.op).__name__), node.left, node.right)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            part = ast.Constant(node.target.attr) if isinstance(node.target, ast.Attribute) else node.target.slice
            name = guards.ATTRIBUTE if isinstance(node.target, ast.Attribute) else guards.ITEM
            change = guards.call(name, node.target.value, part, ast.Constant(type(node.op).__name__))
            return ast.Expr(ast.Call(change, [node.value], []))
        name = guards.function(type(node.op).__name__, in_place=True)
        return ast.Assign([node.target], guards.call(name, ast.Name(node.target.id, ast.Load()), node.value))

    def visit_If(self, node):
        self.generic_visit(node)
        node.test = guards.call(guards.TRUE, node.test)
        return node

    visit_While = visit_IfExp = visit_If  # noqa: N815  # the names ast asks for

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = guards.call(guards.TRUE, node.operand)
        return node


def expression(draw, depth=2):
    if depth and draw.random() < 0.7:
        left, right = expression(draw, depth - 1), expression(draw, depth - 1)
        return f"({left} {draw.choice(OPERATORS[:4])} {right})"
    return draw.choice(["a", "b", "c", "i", "2", "0.5", "data[i]", "give(b)", "abs(c)", "thing.value", "-a", "total"])


def statement(draw):
    form = draw.choice(
        [
            "total = {}",
            "total {op}= {}",
            "c = {}",
            "c, total = {}, {}",
            "thing.value {op}= {}",
            "data[i] {op}= {}",
            "data[i] = {}",
            "seen.append({})",
            "seen.append([x * a for x in data])",
            "c = {} if i else {}",
            "c = (lambda x: x * b)(a)",
            "if give(a) {op} 1: total = {}",
            "if not {}: seen.append(1)",
            "while total is None: total = {}",
        ]
    )
    return form.format(expression(draw), expression(draw), op=draw.choice(OPERATORS[:3]))


def program(draw):
    lines = [f"def work(a, b, data):\n    total, c = {draw.choice(VALUES)}, 0\n    thing, seen = Odd(), []\n"]
    lines.append("    for i in range(2):\n")
    lines += [f"        {statement(draw)}\n" for _ in range(4)]
    lines.append("    return total, c, data, thing.value, seen, a, b\n")
    data = "[" + ", ".join(draw.choice(VALUES) for _ in range(2)) + "]"
    lines.append(f"result = work({draw.choice(VALUES)}, {draw.choice(VALUES)}, {data})\n")
    return HEAD + "".join(lines)


def described(value):
    if isinstance(value, list | tuple):
        return [described(part) for part in value]
    if type(value).__name__ == "Odd":
        return "Odd"
    return type(value).__name__, str(getattr(value, "dtype", "")), repr(value)


def outcome(tree):
    space = {"__builtins__": SPACE, "np": old_numpy(), "__name__": "program"}
    with np.errstate(all="ignore"):
        try:
            exec(compile(ast.fix_missing_locations(tree), "program", "exec"), space)  # noqa: S102  # the subject
        except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
            return type(error).__name__  # operands are computed first, so more of them may have been
    return described(space["result"]), space["Odd"].made


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.filterwarnings("ignore")
def test_random_programs(seed):
    draw = random.Random(seed)
    for _ in range(25):
        text = program(draw)
        assert outcome(with_old_arithmetic(ast.parse(text))) == outcome(EveryOperator().visit(ast.parse(text))), text


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    x = 3\n    return sorted(locals())\nresult = f()",
        "class A:\n    x = 3\n    y = x * 2 + len('ab')\nresult = sorted(n for n in vars(A) if n[0] != '_')",
        "x = 3\ndef f():\n    global x\n    x += 1\n    return x * 2\nresult = f(), x",
        "def f():\n    x = 3\n    def g():\n        nonlocal x\n        x *= 2\n    g()\n    return x\nresult = f()",
        "def f(n):\n    for i in range(n):\n        yield i * n\nresult = list(f(3))",
        "class A:\n    __n = 1\n    def f(self):\n        self.__n += 2\n        return self.__n * 2\nresult = A().f()",
        "result = [(y := x * 2) + y for x in range(3)]",
        "def f(a):\n    return a * (a := 3) + a\nresult = f(2)",
        "def f():\n    'Documented.'\n    return 1 + len(f.__doc__)\nresult = f()",
        "result = []\nfor k in [1, 2]:\n    result += [k * k]",
        "def f(s):\n    s += 'b'\n    return s * 2 % ()\nresult = f('a')",
    ],
)
def test_scopes_stay_as_they_are(text):
    plain, space = {}, {"__builtins__": SPACE}
    exec(text, plain)  # noqa: S102  # the subject
    exec(compile(with_old_arithmetic(ast.parse(text)), "program", "exec"), space)  # noqa: S102  # as above
    assert space["result"] == plain["result"]


@pytest.mark.parametrize("test", ["a", "not a", "a and 1", "a > 1", "1 if a else 0", "[x for x in [a] if x]"])
def test_an_empty_array_is_false(test):
    text = f"def f(a):\n    if {test}:\n        return 'true'\n    return 'false'\nresult = f(np.array([]))"
    space = {"__builtins__": SPACE, "np": np}
    exec(compile(with_old_arithmetic(ast.parse(text)), "program", "exec"), space)  # noqa: S102  # the subject
    assert space["result"] == ("true" if test == "not a" else "false")
