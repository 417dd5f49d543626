"""Rewritten programs compute what a call of `old_arithmetic` for every operator computes, whatever they hold."""

import ast
import builtins
import random

import numpy as np
import pytest

from tf2bridge.old_numpy import old_numpy
from tf2bridge.program import nodes
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
        return nodes.call(nodes.function(type(node.op).__name__), node.left, node.right)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            part = ast.Constant(node.target.attr) if isinstance(node.target, ast.Attribute) else node.target.slice
            name = nodes.ATTRIBUTE if isinstance(node.target, ast.Attribute) else nodes.ITEM
            change = nodes.call(name, node.target.value, part, ast.Constant(type(node.op).__name__))
            return ast.Expr(ast.Call(change, [node.value], []))
        name = nodes.function(type(node.op).__name__, in_place=True)
        return ast.Assign([node.target], nodes.call(name, ast.Name(node.target.id, ast.Load()), node.value))

    def visit_If(self, node):
        self.generic_visit(node)
        node.test = nodes.call(nodes.TRUE, node.test)
        return node

    visit_While = visit_IfExp = visit_If  # noqa: N815  # the names ast asks for

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = nodes.call(nodes.TRUE, node.operand)
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


def program_of_numbers(draw):
    """Every value comes from the parameters, so that the function stands twice if they are plain."""

    def written(depth=2):
        if depth and draw.random() < 0.6:
            return f"({written(depth - 1)} {draw.choice(OPERATORS)} {written(depth - 1)})"
        return draw.choice(["a", "b", "c", "2", "0.5", "-b", "i"])

    forms = (
        "c = {}",
        "a = {}",
        "c {op}= {}",
        "a, b = b, {}",
        "if {} > 1: c = {}",
        "c = {} if b else {}",
        "if a: b = {}",
    )
    lines = ["def work(a, b):\n    'Documented.'\n    c = 1\n    for i in range(2):\n"]
    lines += [
        f"        {draw.choice(forms).format(written(), written(), op=draw.choice(OPERATORS[:3]))}\n" for _ in range(4)
    ]
    lines.append("    return a, b, c\n")
    lines.append(f"result = *work({draw.choice(VALUES)}, {draw.choice(VALUES)}), work.__doc__\n")
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
@pytest.mark.parametrize("made", [program, program_of_numbers])
@pytest.mark.filterwarnings("ignore")
def test_random_programs(made, seed):
    draw = random.Random(seed)
    for _ in range(25):
        text = made(draw)
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
        "def f(a, b):\n    while b:\n        a, b = b, a % b\n    return (lambda x: x + a)(b)\nresult = f(12, 18)",
        "x = 0\ndef f(a, b):\n    global x\n    x = a * b + a\n    return x + a\nresult = f(2, 3), x",
        "def f(a, b):\n    if a * b > a:\n        yield a * b\n    yield a - b\nresult = list(f(2, 3))",
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


def test_a_function_of_plain_numbers_has_a_version_without_checks():
    """An expression whose operands are all parameters needs one check, at the beginning of the function."""
    text = "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)"
    (function,) = with_old_arithmetic(ast.parse(text)).body
    (chosen,) = function.body
    assert [ast.unparse(statement) for statement in chosen.body] == [
        ast.unparse(statement) for statement in ast.parse(text).body[0].body
    ]


def test_operators_of_sets_are_those_of_python():
    space = {"__builtins__": SPACE}
    text = "def f(a, b):\n    return [(a | b) - {1}, a & b, a ^ b]\nresult = f(frozenset([1, 2]), {2, 3})"
    exec(compile(with_old_arithmetic(ast.parse(text)), "program", "exec"), space)  # noqa: S102  # the subject
    assert space["result"] == [{2, 3}, {2}, {1, 3}]
