"""What plain Python costs under `tf2bridge run`: loops that never meet an array, rewritten and as they are, in turns.

python -m pytest -s tests/benchmarks/bench_plain_loops.py
"""

from __future__ import annotations

import ast
import builtins
import time
from typing import Any

import pytest

from tf2bridge.program.operators import BUILTINS, with_old_arithmetic

MOST = 1.5
"""In times of the program as Python runs it."""

PROGRAMS = {
    "sum": """
def main():
    total = 0
    for i in range(200000):
        total += i * 2 % 7
    return total
""",
    "list": """
def main():
    values = list(range(100))
    total = 0
    for i in range(200000):
        total += values[i % 100] * 2 + i
    return total
""",
    "parameters": """
def work(values, n, rate):
    total = 0.0
    for i in range(n):
        total = total * rate + values[i % 100]
    return total
def main():
    return work([0.5] * 100, 200000, 0.5)
""",
    "recursion": """
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
def main():
    return fib(21)
""",
    "sieve": """
def main():
    n = 100000
    prime = [True] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if prime[i]:
            count += 1
            for j in range(i * i, n + 1, i):
                prime[j] = False
    return count
""",
    "matrices": """
def product(a, b):
    n, m, p = len(a), len(b), len(b[0])
    c = [[0.0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            s = 0.0
            for k in range(m):
                s += a[i][k] * b[k][j]
            c[i][j] = s
    return c
def main():
    a = [[float(i * j % 7) for j in range(50)] for i in range(50)]
    return product(a, a)[3][4]
""",
    "words": """
def main():
    words = ("the quick brown fox jumps over the lazy dog " * 2000).split()
    counts = {}
    for word in words:
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return sorted(counts.items())
""",
    "sorting": """
def main():
    values = [(i * 7919) % 1009 for i in range(300)]
    for i in range(len(values)):
        for j in range(len(values) - 1 - i):
            if values[j] > values[j + 1]:
                values[j], values[j + 1] = values[j + 1], values[j]
    return values
""",
    "object": """
class Counter:
    def __init__(self):
        self.total = 0
        self.steps = 0
    def add(self, value):
        self.total += value
        self.steps += 1
def main():
    counter = Counter()
    for i in range(60000):
        counter.add(i)
    return counter.total
""",
    "module": """
total = 0
values = list(range(100))
for i in range(100000):
    total += values[i % 100] * 2 + i
def main():
    return total
""",
    "bodies": """
class Body:
    def __init__(self, x, v, m):
        self.x, self.v, self.m = x, v, m
def advance(bodies, dt, n):
    for _ in range(n):
        for i in range(len(bodies)):
            a = bodies[i]
            for j in range(i + 1, len(bodies)):
                o = bodies[j]
                d = a.x - o.x
                mag = dt / ((d * d + 0.01) ** 1.5)
                a.v -= d * o.m * mag
                o.v += d * a.m * mag
        for body in bodies:
            body.x += dt * body.v
def main():
    bodies = [Body(float(i), 0.1 * i, 1.0 + i) for i in range(5)]
    advance(bodies, 0.01, 1500)
    return [body.x for body in bodies]
""",
    "mandelbrot": """
def inside(cx, cy, limit):
    x = y = 0.0
    for i in range(limit):
        x2, y2 = x * x, y * y
        if x2 + y2 > 4.0:
            return i
        x, y = x2 - y2 + cx, 2.0 * x * y + cy
    return limit
def main():
    total = 0
    for i in range(60):
        for j in range(60):
            total += inside(-2 + i * 0.05, -1.5 + j * 0.05, 50)
    return total
""",
    "divisor": """
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
def main():
    total = 0
    for i in range(1, 200):
        for j in range(1, 100):
            total += gcd(i, j)
    return total
""",
    "queens": """
def queens(n, row, columns, up, down):
    if row == n:
        return 1
    count = 0
    for column in range(n):
        if column not in columns and row + column not in up and row - column not in down:
            count += queens(n, row + 1, columns | {column}, up | {row + column}, down | {row - column})
    return count
def main():
    return queens(7, 0, frozenset(), frozenset(), frozenset())
""",
    "average": """
def smooth(values, rate):
    smoothed, last = [], values[0]
    for value in values:
        last = last * rate + (1 - rate) * value
        smoothed.append(last)
    return smoothed
def main():
    return smooth([float(i % 17) for i in range(40000)], 0.9)[-1]
""",
}


def seconds(code: Any, names: dict[str, Any]) -> tuple[float, Any]:
    space = {"__builtins__": names, "__name__": "program"}
    begin = time.process_time()
    exec(code, space)  # noqa: S102  # the subject
    result = space["main"]()
    return time.process_time() - begin, result


def ratio(text: str) -> float:
    """The least time of the rewritten program, in least times of the program as it is."""
    plain = compile(text, "plain", "exec"), vars(builtins)
    rewritten = compile(with_old_arithmetic(ast.parse(text)), "rewritten", "exec"), {**vars(builtins), **BUILTINS}
    rounds = [(seconds(*plain), seconds(*rewritten)) for _ in range(15)]
    assert all(one[1] == other[1] for one, other in rounds)
    return min(other[0] for _, other in rounds) / min(one[0] for one, _ in rounds)


@pytest.mark.parametrize("name", PROGRAMS)
def bench_loop(name: str) -> None:
    measured = ratio(PROGRAMS[name])
    print(f"\n{name}: {measured:.2f} times")
    assert measured < MOST
