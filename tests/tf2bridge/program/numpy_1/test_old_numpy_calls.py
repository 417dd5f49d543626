"""Calls that NumPy 2 refuses: rewritten, and under run, they compute what genuine NumPy 1.16 computed."""

from __future__ import annotations

import json
import subprocess

import pytest

from codemods.engine import Changed, check_text
from codemods.rules.libraries import numpy_arguments
from codemods.settings import Settings
from tests import forked, oracles

RELEASE = "1.12.3"  # it has NumPy 1.16
CALLS = """
np.percentile([1, 2, 4.0], 40, interpolation="lower")
np.nanquantile([1, 2, 4.0], 0.4, interpolation="higher")
np.histogram([1, 2, 2, 3, 7], normed=True)[0]
np.histogram([1, 2, 2, 3, 7], bins=[0, 1, 3, 9], normed=True)[0]
np.histogram([1, 2, 2, 3, 7], bins=[0, 1, 3, 9], normed=False, density=True)[0]
np.histogram([1, 2, 2, 3, 7], 3, normed=False)[0]
np.histogram2d([1, 2, 3], [1, 5, 2], 2, normed=True)[0]
np.corrcoef([1, 2, 3], [2, 3, 5], bias=1)
np.isscalar(num=3)
np.array([1, 2], copy=False)
np.array(np.ones(2, np.float32), dtype=np.float64, copy=False).dtype
np.fromstring(b"abcd", dtype=np.uint8)
np.fromstring(b"abcd", np.uint8, 2)
np.fromstring("1 2", dtype=int, sep=" ")
np.sum(i * i for i in range(4))
np.vstack(map(np.array, [[1], [2]]))
np.stack((np.ones(2) * i for i in range(2)), axis=1)
np.hstack({1: [1], 2: [3]}.values())
np.reshape(a=np.arange(4), newshape=(2, 2))
"""
SCRIPT = """
import json, warnings
warnings.simplefilter("ignore")
import numpy as np
{numpy}
def plain(value):
    if getattr(value, "dtype", None) == float:
        value = np.round(value, 12)  # the last digits are the processor's
    return str(value.tolist() if hasattr(value, "tolist") else value)
results = [
{calls}
]
print(json.dumps([plain(value) for value in results]))
"""
SIGNATURES = """
import inspect, json, warnings
warnings.simplefilter("ignore")
import numpy
rows = {}
for place in ("", "linalg.", "testing.", "fft.", "random.", "ma."):
    module = getattr(numpy, place[:-1]) if place else numpy
    for name in dir(module):
        function = getattr(module, name, None)
        if name.startswith("_") or not inspect.isroutine(function):
            continue
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            continue
        rows[place + name] = {p.name: p.kind == p.POSITIONAL_ONLY for p in parameters if p.kind not in (2, 4)}
print(json.dumps(rows))
"""
# Masked arrays' methods as functions said only (a, *args, **params) then; the arguments behind them are the same.
UNNAMED = frozenset(("x", "a"))


def _script(numpy: str = "") -> str:
    return SCRIPT.format(numpy=numpy, calls="\n".join(f"    {line}," for line in CALLS.strip().splitlines()))


def _genuine(script: str) -> str:
    python = str(oracles.interpreter(RELEASE))
    return subprocess.run([python, "-c", script], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def results() -> list[str]:
    return list(json.loads(_genuine(_script())))


@pytest.mark.oracle
def test_rewritten_calls_compute_the_same(results: list[str]) -> None:
    result = check_text(_script(), "train.py", Settings(select=("LIB",)))
    assert isinstance(result, Changed)
    done = forked.run(result.after.decode())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == results


@pytest.mark.oracle
def test_calls_under_run_compute_the_same(results: list[str]) -> None:
    done = forked.run(_script("from tf2bridge.old_numpy import old_numpy\nnp = old_numpy()"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == results


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")  # numpy warns of names that it is about to remove
def test_each_parameter_that_is_gone_is_known() -> None:
    then = json.loads(_genuine(SIGNATURES))
    done = forked.run(SIGNATURES)
    assert done.returncode == 0, done.stderr
    now = json.loads(done.stdout)
    both = [(name, then[name], now[name]) for name in then.keys() & now.keys()]
    gone = {(name, old) for name, before, after in both for old in before.keys() - after.keys()}
    placed = {(name, old) for name, before, after in both for old in before if after.get(old) and not before[old]}
    known = {(name, old) for name, renames in numpy_arguments.RENAMED.items() for old in renames}
    known |= {(name, old) for name, lost in numpy_arguments.WITHOUT_EFFECT.items() for old in lost}
    known |= {(numpy_arguments.NORMED, "normed"), ("reshape", "newshape")}
    gone -= {(name, old) for name, old in gone if name.startswith("ma.") and old in UNNAMED}
    assert gone - known == set()
    assert placed == set(numpy_arguments.BY_POSITION.items())
    assert ("histogram", "normed") in gone  # of every NumPy 2; `interpolation` only since 2.4
