"""Functions that the bridge changes give the same where they are called eagerly as in the genuine releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.same_text import lines, without_signs_of_zeros

_CALLS = Path(__file__).with_name("eager_calls.txt")

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
tf.enable_eager_execution()
tf.set_random_seed(7)


def show(value):
    if isinstance(value, dict):
        return [(key, show(value[key])) for key in sorted(value)]
    if isinstance(value, tf.SparseTensor):
        return ["sparse", show(value.indices), show(value.values)]
    if isinstance(value, tf.IndexedSlices):
        return ["slices", show(value.values), show(value.indices)]
    if isinstance(value, (list, tuple)):
        return [show(each) for each in value]
    value = value.numpy() if hasattr(value, "numpy") else value
    if isinstance(value, (np.ndarray, np.generic)):
        kind = np.asarray(value).dtype.kind
        return np.round(value.astype("D" if kind == "c" else "d"), 3).tolist() if kind in "fc" else value.tolist()
    return value if isinstance(value, (int, float, str, bytes, type(None))) else type(value).__name__


for line in open({path!r}).read().splitlines()[1:]:
    r = np.random.RandomState(0)
    f = lambda *shape: tf.constant(r.rand(*shape).astype("f"))
    m33, m23, v3, v4 = f(3, 3), f(2, 3), f(3), f(4)
    img, img2, x234 = f(2, 6, 6, 3), f(6, 6, 3), f(2, 3, 4)
    i3 = tf.constant([1, 0, 2])
    sp = tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [2, 3])
    try:
        if line.startswith("d "):
            a = m33
            with tf.GradientTape() as tape:
                tape.watch(a)
                result = eval(line[2:])
            result = tape.gradient(result, a)
        else:
            result = eval(line)
        print(line, show(result))
    except Exception as error:
        print(line, type(error).__name__)
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_calls_give_the_same(release: str) -> None:
    text = _PROGRAM.replace("{path!r}", repr(str(_CALLS)))
    there, here = lines(text, release), lines(text, None, release)
    assert len(there) > 380
    assert sum(line.endswith("Error") for line in there) < 10
    pairs = (tuple(map(without_signs_of_zeros, pair)) for pair in zip(there, here, strict=True))
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


_POOLING = """
import warnings
import numpy as np
import {module} as tf
{enable}
images = np.random.RandomState(0).rand(2, 4, 4, 3)
with warnings.catch_warnings(record=True) as told, tf.Session() as session:
    warnings.simplefilter("always")
    places = tf.nn.max_pool_with_argmax(images.astype("f"), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"KEYWORD)[1]
    print(session.run(places).ravel().tolist())
    print(sum("counted it" in str(each.message) for each in told))
"""


@pytest.mark.oracle
def test_places_of_maxima_are_those_of_gpus_and_programs_are_told() -> None:
    """Genuine 1.12.3 counts the image on CPUs; 1.15.5 does not."""
    plain, counted = (_POOLING.replace("KEYWORD", text) for text in ("", ", include_batch_in_index=True"))
    on_cpus, on_gpus = (lines(plain, release)[0] for release in ("1.12.3", "1.15.5"))
    assert on_cpus != on_gpus
    assert lines(plain, None, "1.15.5") == [on_gpus, "0"]
    assert lines(plain, None, "1.12.3") == [on_gpus, "1"]
    assert lines(counted, None, "1.12.3") == [on_cpus, "0"]
