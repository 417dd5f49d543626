"""Matrices without a Cholesky factor, as fixtures/kernels/mended.py records the genuine releases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import forked

KERNELS = Path(__file__).resolve().parents[4] / "fixtures" / "kernels"
RECORDED = json.loads((KERNELS / "mended.json").read_text())
PROGRAM = """
import json, sys
from tf2bridge import v1 as tf
tf.enable(api="1.15")
sys.path.insert(0, {folder!r})
import mended
from tf2bridge.behaviour.seeds import counter

print(json.dumps({{case: row for case, row in mended.computed(tf).items() if case.startswith("cholesky")}}))
with tf.Graph().as_default() as graph, tf.Session() as session:
    x = tf.placeholder(tf.float64, [None, None])
    before = counter.virtual_count(graph)
    factor = tf.cholesky(x, name="factor")
    print(counter.virtual_count(graph) - before, factor.name)
    print(session.run([factor, tf.gradients(factor, x)[0]], {{x: [[4.0]]}}))
    half = tf.cholesky(tf.constant([[-1.0]], tf.float16))
    print(session.run(half))
"""


@pytest.fixture(scope="module")
def printed() -> list[str]:
    done = forked.run(PROGRAM.format(folder=str(KERNELS)))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("release", RECORDED)
def test_factors_and_errors(printed: list[str], release: str) -> None:
    recorded = {case: row for case, row in RECORDED[release].items() if case.startswith("cholesky")}
    assert recorded
    assert json.loads(printed[0]) == recorded


def test_a_factor_counts_as_one_operation(printed: list[str]) -> None:
    assert printed[1] == "1 factor:0"


def test_a_factor_has_a_gradient(printed: list[str]) -> None:
    assert printed[2] == "[array([[2.]]), array([[0.25]])]"  # the square root and its derivative


def test_float16_gives_nan(printed: list[str]) -> None:
    assert printed[3] == "[[nan]]"  # as XLA gave it in 1.15.5: fixtures/kernels/results.xz
