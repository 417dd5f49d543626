"""Calls of the module random that Python 3.11 and 3.12 refuse give what the Python 3.7 of genuine 1.15.5 drew."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import forked, oracles

SCRIPT = """
import json, warnings
import numpy as np
warnings.simplefilter("ignore")
{random}
def drawn():
    words, shuffled = ["a", "b", "c", "d", "e"], list(range(6))
    random.seed(np.int64(-7))
    yield random.random()
    random.seed(7)
    yield random.sample({{3, 1, 2}}, 2) + random.sample(dict.fromkeys(words).keys(), k=3)
    yield random.sample(words, 2)
    yield [random.randint(0, 1e3), random.randrange(10.0), random.randrange(2, 9.0, 2)]
    random.shuffle(shuffled, random.random)
    yield list(shuffled)
    random.shuffle(shuffled)
    yield shuffled
    for wrong in (lambda: random.randrange(2.5), lambda: random.seed([1])):
        try:
            wrong()
        except (TypeError, ValueError):
            yield "an error"
print(json.dumps(list(drawn())))
"""


@pytest.mark.oracle
def test_draws_are_those_of_then() -> None:
    python = str(oracles.interpreter("1.15.5"))
    script = SCRIPT.format(random="import random")
    then = subprocess.run([python, "-c", script], capture_output=True, text=True, check=True).stdout
    done = forked.run(
        SCRIPT.format(random="from tf2bridge.program.old_random import old_random\nrandom = old_random()")
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(then)
