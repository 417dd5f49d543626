"""`py_func` in loaded graphs: what the user gives by name is called, and nothing else of this process."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.graph.refusals import NotExportableError, UnsupportedOpsError

X = np.array([[1.0, -2.0, 3.0]], np.float32)


@pytest.fixture(scope="module")
def model(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.15.5/python_function", tmp_path_factory.getbasetemp())


@pytest.fixture
def eager(tmp_path: Path) -> Recorded:
    return unpacked("1.15.5/python_function_eager", tmp_path)


def occupy_tokens(count: int = 12) -> list[Any]:
    """Functions of this process under the first tokens, so that a graph's "pyfunc_0" would find one."""
    with tf.Graph().as_default() as graph:
        for _ in range(count):
            tf.compat.v1.py_func(never, [], tf.float32)
    return [graph, never]


def never() -> Any:
    raise AssertionError("a function of this process was called")


def test_without_a_function_the_nodes_are_refused_all_at_once(model: Recorded) -> None:
    occupied = occupy_tokens()
    for allowed in ((), ("PyFunc*",)):
        with pytest.raises(UnsupportedOpsError) as caught:
            tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["total"], allow_ops=allowed)
        for part in ("halved (PyFunc) calls Python", "py_funcs={'pyfunc_0': FUNCTION}", "split (PyFuncStateless)"):
            assert part in str(caught.value)
    del occupied


@pytest.mark.parametrize("names", [("halved", "split"), ("pyfunc_0", "pyfunc_1")])
def test_functions_are_given_by_node_or_token(model: Recorded, names: tuple[str, str]) -> None:
    given = dict(zip(names, model.py_funcs.values(), strict=True))
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["both"], py_funcs=given)
    np.testing.assert_allclose(module(model.part("in")["x"]), model.part("out")["both"], rtol=1e-5)


def test_a_session_calls_what_was_given_and_nothing_of_this_process(model: Recorded) -> None:
    occupied = occupy_tokens()
    feeds = {"x:0": model.part("in")["x"]}
    halved = {"halved": model.py_funcs["halved"]}
    module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["halved:0"], py_funcs=halved)
    with module.session() as session:
        assert session.run("halved:0", feeds).shape == (2, 2)
        with pytest.raises(tf.errors.OpError, match="no function was given for pyfunc_1"):
            session.run("total:0", feeds)
    del occupied


def test_a_method_lives_as_long_as_the_function(model: Recorded) -> None:
    class Scale:
        factor = 3.0

        def __call__(self, a: Any) -> Any:
            return np.float32(self.factor) * a

        def method(self, a: Any) -> Any:
            return self(a)

    for given in (Scale(), Scale().method):
        module = tf2bridge.load(model.folder / "model.ckpt.meta", outputs=["halved:0"], py_funcs={"halved": given})
        function = module.function(["x"], ["halved:0", "MatMul"])
        del module
        gc.collect()
        scaled, product = function(X)
        np.testing.assert_allclose(scaled, 3.0 * product, rtol=1e-6)


def test_two_modules_call_their_own(eager: Recorded) -> None:
    feeds = eager.part("in")
    one, two = (
        tf2bridge.load(eager.folder / "model.ckpt.meta", outputs=["y"], py_funcs={"cond/EagerPyFunc": given})
        for given in (lambda a: a + 1.0, lambda a: a + 2.0)
    )
    np.testing.assert_allclose(two(feeds) - one(feeds), np.ones([2, 2]), rtol=1e-5)


def test_a_function_that_calls_python_is_bound_too(tmp_path: Path) -> None:
    @tf.function(autograph=False)
    def body(x: Any) -> Any:
        return tf.numpy_function(never, [x], tf.float32, name="inner")

    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [3], name="x")
        tf.identity(body(x), name="y")
    path = tmp_path / "graph.pb"
    path.write_bytes(graph.as_graph_def().SerializeToString())
    (function,) = graph.as_graph_def().library.function
    with pytest.raises(UnsupportedOpsError, match=r"inner \(PyFunc\) calls Python"):
        tf2bridge.load(path)
    module = tf2bridge.load(path, py_funcs={f"{function.signature.name}/inner": lambda a: a * 2.0})
    np.testing.assert_array_equal(module(np.ones(3, np.float32)), [2.0, 2.0, 2.0])


@pytest.mark.parametrize("form", ["saved_model", "frozen", "tflite"])
def test_no_export_calls_python(eager: Recorded, form: str, tmp_path: Path) -> None:
    module = tf2bridge.load(eager.folder / "model.ckpt.meta", outputs=["y"], py_funcs=eager.py_funcs)
    with pytest.raises(NotExportableError, match="its token is another function's"):
        module.export(tmp_path / "out", format=form)
