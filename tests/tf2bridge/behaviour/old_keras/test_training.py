"""Models of tf.keras train as in the release that a process is switched to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fixtures import keras_training
from tests import forked

ROWS = json.loads(Path(keras_training.WRITTEN).read_text(encoding="utf-8"))
APIS = {"1.4": "1.4.1", "1.12": "1.12.3", "1.15": "1.15.5"}
BETWEEN = {"1.9": "1.9.0", "1.10": "1.10.1", "1.11": "1.11.0", "1.13": "1.13.2", "1.14": "1.14.0"}
# Read a step count that is one ahead in most runs; in one thread in all.
NOT_FOLLOWED = {"1.13": {"optimizer Adamax", "optimizer Nadam"}}
PROGRAM = """
import json, sys
from tf2bridge import v1
from fixtures import keras_training
v1.enable(api=sys.argv[1])
print(keras_training.MARK + json.dumps(keras_training.computed(v1)))
"""


@pytest.mark.parametrize("api", [*APIS, *(pytest.param(api, marks=pytest.mark.soak) for api in BETWEEN)])
def test_each_case_trains_as_in_the_genuine_release(api: str) -> None:
    done = forked.run(PROGRAM, api)
    assert keras_training.MARK in done.stdout, done.stderr
    computed = json.loads(done.stdout.split(keras_training.MARK)[1])
    release = {**APIS, **BETWEEN}[api]
    expected = {case: numbers for measured, case, numbers in ROWS if measured == release}
    assert sorted(computed) == sorted(expected)
    unequal = [case for case in expected if not np.allclose(computed[case], expected[case], rtol=2e-4, atol=2e-6)]
    unequal = [case for case in unequal if case not in NOT_FOLLOWED.get(api, ())]
    assert not unequal, {case: (computed[case], expected[case]) for case in unequal}


@pytest.mark.oracle
@pytest.mark.soak
def test_the_record_is_what_the_genuine_releases_compute() -> None:
    subprocess.run([sys.executable, keras_training.__file__, "--check"], check=True)
