"""Signals, diagonals and checks of order: the genuine releases printed what is expected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.same_text import lines

PROGRAM = """
import json
import numpy as np
import {module} as tf
{enable}
def told(name, make):
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            result = make()
            values = np.asarray(session.run(result))
        except (TypeError, ValueError) as error:
            print(json.dumps([name, type(error).__name__, []]))
            return
        numbers = [repr(round(float(value), 3) + 0.0) for value in np.real(values).ravel()[:8]]
        print(json.dumps([name, values.dtype.name, numbers]))
x = np.linspace(0, 1, 8)
told("diagonal", lambda: tf.matrix_diag([1.0, 2.0]))
told("diagonal part", lambda: tf.matrix_diag_part([[1.0, 2.0], [3.0, 4.0]]))
told("set diagonal", lambda: tf.matrix_set_diag([[1.0, 2.0], [3.0, 4.0]], [7.0, 8.0]))
told("slope of set diagonal", lambda: tf.gradients(tf.matrix_set_diag(tf.ones([2, 2]) * 3.0, 2.0 * one()), ONE)[0])
for name, values in (
    ("infinite", [np.inf, np.inf]),
    ("not a number", [1.0, np.nan]),
    ("equal", [1, 1, 2]),
    ("one", [1]),
):
    told(name + " not decreasing", lambda: tf.is_non_decreasing(values))
    told(name + " increasing", lambda: tf.is_strictly_increasing(values))
""".replace("2.0 * one()), ONE", "2.0 * tf.ones([2])), [tf.get_default_graph().get_operations()[0].outputs[0]]")

SINCE_1_4 = """
signal = tf.contrib.signal
for name, values in (("bytes", np.array([5, 3], np.uint8)), ("int8", np.array([-128, 127], np.int8))):
    told(name + " not decreasing", lambda: tf.is_non_decreasing(values))
    told(name + " increasing", lambda: tf.is_strictly_increasing(values))
with tf.Graph().as_default() as graph:
    tf.set_random_seed(1)
    tf.eye(3)
    tf.matrix_diag(tf.constant([1.0, 2.0]))
    print(json.dumps(["seed", str(tf.random_normal([2]).op.inputs[0].op.inputs[0].op.get_attr("seed2")), []]))
told("diagonal of bool", lambda: tf.matrix_diag([True, False]))
told("dct", lambda: tf.spectral.dct(x))
told("dct of a tensor", lambda: tf.spectral.dct(tf.constant(x)))
told("dct of a list", lambda: tf.spectral.dct([1, 2, 3]))
told("mfcc", lambda: signal.mfccs_from_log_mel_spectrograms(x.reshape(2, 4)))
told("rfft", lambda: tf.spectral.rfft(x))
told("rfft of a tensor", lambda: tf.spectral.rfft(tf.constant(x)))
told("irfft of a tensor", lambda: tf.spectral.irfft(tf.constant(x + 1j)))
told("fourth type", lambda: tf.spectral.dct(x, type=4))
"""

SINCE_1_12 = """
told("window", lambda: signal.inverse_stft_window_fn(8)(8, dtype=tf.float32))
told("window of overlaps", lambda: signal.inverse_stft_window_fn(3)(8, dtype=tf.float32))
"""

TEXTS = {
    "0.12.1": PROGRAM,
    "1.4.1": PROGRAM + SINCE_1_4,
    "1.12.3": PROGRAM + SINCE_1_4 + SINCE_1_12,
    "1.15.5": PROGRAM + SINCE_1_4 + SINCE_1_12,
}


def run(text: str, release: str | None, api: str = "") -> dict[str, Any]:
    rows = [json.loads(line) for line in lines(text, release, api) if line.startswith('["')]
    return {name: (kind, numbers) for name, kind, numbers in rows}


def test_they_are_those_of_1_15() -> None:
    result = run(TEXTS["1.15.5"], None, "1.15")
    assert result["dct"][0] == result["mfcc"][0] == "float32"
    assert result["dct of a tensor"][0] == result["rfft of a tensor"][0] == "ValueError"
    assert result["window"] == ("float32", ["nan", "6.828", "2.0", "1.172", "1.0", "1.172", "2.0", "6.828"])
    assert result["diagonal of bool"] == ("bool", ["1.0", "0.0", "0.0", "0.0"])
    assert result["infinite not decreasing"] == ("bool", ["0.0"])
    assert result["bytes increasing"] == ("bool", ["1.0"])


@pytest.mark.oracle
@pytest.mark.parametrize("release", TEXTS)
def test_they_are_those_of_the_release(release: str) -> None:
    text = TEXTS[release]
    theirs, ours = run(text, release), run(text, None, release.rpartition(".")[0])
    assert ours == theirs
