"""Powers of float32 equal libm's `powf`, which genuine 0.12.1-1.15.5 called for each value."""

import ctypes
import ctypes.util

import numpy as np
import pytest

from tf2bridge.behaviour.old_ops import powers
from tf2bridge.patching import PatchSet

COUNT = 60_000


@pytest.fixture(scope="module")
def values():
    """Bases, exponents and powf's results, where the library has it."""
    result = ctypes.util.find_library("m")
    if result is None:
        pytest.skip("no libm to compare with")
    powf = ctypes.CDLL(result).powf
    powf.restype, powf.argtypes = ctypes.c_float, [ctypes.c_float] * 2
    draw = np.random.RandomState(0)
    x, y = draw.uniform(0, 20, COUNT).astype("f"), draw.uniform(-3, 3, COUNT).astype("f")
    return x, y, np.array([powf(float(a), float(b)) for a, b in zip(x, y, strict=True)], "f")


@pytest.fixture
def tf1():
    import tensorflow as tf

    with PatchSet("powers").for_a_while(), tf.Graph().as_default():
        powers.install()
        yield tf.compat.v1


def test_powers_are_powfs_but_for_one_in_a_thousand(tf1, values):
    x, y, expected = values
    exponents = tf1.placeholder(tf1.float32)
    with tf1.Session() as session:
        known = session.run(tf1.pow(tf1.constant(x), y))
        computed = session.run(tf1.pow(tf1.constant(x), exponents), {exponents: y})
        kernel = session.run(tf1.raw_ops.Pow(x=x, y=y))
    assert np.count_nonzero(known != expected) < COUNT / 1000
    assert np.count_nonzero(computed != expected) < COUNT / 10000
    np.testing.assert_allclose(known, expected, rtol=1.2e-7)  # one unit in the last place
    np.testing.assert_allclose(computed, expected, rtol=1.2e-7)
    assert np.count_nonzero(kernel != expected) > COUNT / 10, "the kernel is powf now: this module can go"


def test_squares_are_squares(tf1):
    x = np.random.RandomState(1).normal(0, 3, COUNT).astype("f")
    with tf1.Session() as session:
        np.testing.assert_array_equal(session.run(tf1.placeholder_with_default(x, [None]) ** 2), x * x)


def test_the_graph_keeps_the_name_the_count_and_the_type(tf1):
    from tf2bridge.behaviour.seeds import counter

    x, graph = tf1.placeholder(tf1.float32, [None], name="x"), tf1.get_default_graph()
    before = counter.virtual_count(graph)
    power = tf1.pow(x, 2.5, name="p")
    assert (power.name, power.dtype) == ("p:0", tf1.float32)
    assert counter.virtual_count(graph) - before == 2  # the constant and the power
    assert tf1.pow(x, x).name == "Pow:0"


def test_bases_without_a_logarithm_and_results_out_of_range(tf1):
    y = tf1.placeholder(tf1.float32)
    x = [-2.0, 0.0, 0.0, np.inf, 1e30, 1e-30, np.nan, -8.0, 1.0]
    exponents = [3.0, 2.0, -1.0, 2.0, 10.0, 10.0, 1.0, 1 / 3, np.inf]
    with tf1.Session() as session:
        values = session.run(tf1.pow(tf1.constant(x), y), {y: exponents})
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(values, np.power(np.array(x, "f"), np.array(exponents, "f")))


@pytest.mark.parametrize("known", [True, False])
def test_the_gradient_is_the_powers(tf1, known):
    from tf2bridge.behaviour.seeds import counter

    x, y = tf1.constant([0.5, 2.0, 3.0]), tf1.constant([2.5, -1.0, 0.0])
    power = tf1.pow(x, y if known else tf1.placeholder_with_default(y, [3]))
    by = [x, y if known else power.graph.get_tensor_by_name("PlaceholderWithDefault:0")]
    with tf1.Session() as session:
        by_x, by_y = session.run(tf1.gradients(power, by))
    assert not any("Cast" in item or "AddN" in item for item in counter.of(power.graph).unmeasured)
    np.testing.assert_allclose(by_x, [2.5 * 0.5**1.5, -0.25, 0], rtol=1e-6)
    np.testing.assert_allclose(by_y, [0.5**2.5 * np.log(0.5), np.log(2) / 2, np.log(3)], rtol=1e-6)


def test_other_types_and_mixtures_are_tensorflows(tf1):
    assert tf1.pow(tf1.constant(2), 3).op.type == "Pow"
    with pytest.raises(TypeError, match="'y' of 'Pow' Op has type int32"):
        tf1.pow(tf1.constant(2.0), tf1.constant(1))


def test_afterwards_it_is_as_it_was():
    from tensorflow.python.ops import gen_math_ops

    before = gen_math_ops._pow
    with PatchSet("powers").for_a_while():
        powers.install()
        assert gen_math_ops._pow is not before
    assert gen_math_ops._pow is before
