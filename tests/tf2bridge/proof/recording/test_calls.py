"""Every way in which a program makes TensorFlow compute, here and under the genuine releases."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import RELEASES, fetched, line, record
from tf2bridge.proof.traces.reader import Trace

everywhere = pytest.mark.parametrize("release", ["", *(pytest.param(r, marks=pytest.mark.oracle) for r in RELEASES)])


def interpreter(release: str) -> str | Path:
    return oracles.interpreter(release) if release else sys.executable


WAYS = """\
    a = tf.placeholder(tf.float32, [], name="a")
    b = tf.placeholder(tf.float32, [], name="b")
    total = tf.add(a, 2.0, name="total")
    product = tf.multiply(total, b, name="product") if hasattr(tf, "multiply") else tf.mul(total, b, name="product")
    count = tf.Variable(0, name="count")
    more = tf.assign_add(count, 1, name="more")
    with tf.Session() as sess:
        sess.run(count.initializer)
        handle = sess.partial_run_setup([total, product], [a, b])
        print(sess.partial_run(handle, total, {a: 1}))
        print(sess.partial_run(handle, product, {b: 4}))
        if hasattr(sess, "make_callable"):
            print(sess.make_callable([more, {"twice": more}])())  # no feeds: a way of its own
            print(sess.make_callable(more.op)())
            print(sess.make_callable(total, [a])(5.0))  # by way of run
        try:
            sess.run("nothing:0")
        except ValueError:
            print("went on")
"""


@everywhere
def test_partial_runs_and_callables(tmp_path: Path, release: str) -> None:
    trace, printed, _ = record(tmp_path, WAYS, python=interpreter(release))
    assert trace.manifest["notes"] == []
    _, first, second, *callables, wrong = trace.calls
    assert [(call.kind, call.where) for call in (first, second)] == [
        ("partial", line("handle, total", WAYS)),
        ("partial", line("handle, product", WAYS)),
    ]
    assert [trace.manifest["calls"][call.index]["handle"] for call in (first, second)] == [0, 0]
    assert (fetched(trace, first), fetched(trace, second)) == ({"total:0": 3.0}, {"product:0": 12.0})
    assert [leaf.name for leaf in (*first.feeds, *second.feeds)] == ["a:0", "b:0"]
    if not release.startswith("0.12"):
        assert re.sub(r"np\.int32\((\d)\)", r"\1", printed).splitlines()[2:5] == ["[1, {'twice': 1}]", "None", "7.0"]
        assert [call.kind for call in callables] == ["callable", "callable", "run"]
        assert [leaf.name for leaf in callables[0].fetches] == ["more:0", "more:0"]
        assert [fetched(trace, call) for call in callables] == [{"more:0": 1}, {"more": None}, {"total:0": 7.0}]
        assert [call.where for call in callables][1:] == [line("more.op", WAYS), line("(5.0)", WAYS)]
    assert (wrong.fetches, printed.splitlines()[-1]) == ((), "went on")
    assert wrong.error is not None and wrong.error.startswith("ValueError: ")
    assert [call.position for call in trace.calls] == list(range(len(trace.calls)))


KERAS = """\
    from tensorflow.python.keras import backend
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable([[1.0], [2.0]], name="w")
    y = tf.matmul(x, w, name="y")
    with tf.control_dependencies([y]):
        step = w.assign_add([[1.0], [1.0]])
    tf.keras.backend.get_session().run(w.initializer)
    f = tf.keras.backend.function([x], [y], updates=[step])
    print(f([np.ones([1, 2], np.float32)])[0].shape, f([np.ones([3, 2], np.float32)])[0].shape)
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.12.3", "1.15.5"])
def test_what_keras_makes_from_options(tmp_path: Path, release: str) -> None:
    trace, printed, _ = record(tmp_path, KERAS, "--intermediate", "MatMul|y", python=oracles.interpreter(release))
    calls = [call for call in trace.calls if call.kind == "callable"]
    assert [call.via for call in calls] == ["backend", "backend"]
    assert calls[0].where == line("f([np.ones([1, 2]", KERAS)
    assert [[leaf.name for leaf in call.feeds] for call in calls] == [["x:0"], ["x:0"]]
    first = calls[0].fetches[0]
    assert first.value is not None and trace.value(first.value).tolist() == [[3.0]]
    assert printed == "(1, 1) (3, 1)\n"
    assert trace.manifest["notes"] == []


ESTIMATOR = """\
    def data():
        features = {"x": tf.constant([[1.0], [2.0]])}
        return features, tf.constant([[2.0], [4.0]])

    def model(features, labels, mode):
        w = tf.get_variable("w", [1, 1], initializer=tf.zeros_initializer())
        y = tf.matmul(features["x"], w)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=y)
        loss = tf.reduce_mean(tf.square(y - labels))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

    tf.logging.set_verbosity(tf.logging.ERROR)
    estimator = tf.estimator.Estimator(model, "model")
    estimator.train(data, steps=3)
    estimator.evaluate(data, steps=1)
    print(next(estimator.predict(lambda: data()[0])))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_an_estimator_s_calls_say_that_they_are_its_own(tmp_path: Path, release: str) -> None:
    trace, _, _ = record(tmp_path, ESTIMATOR, python=oracles.interpreter(release))
    assert trace.manifest["notes"] == []
    training = [call for call in trace.calls if call.where == line("estimator.train(", ESTIMATOR)]
    losses = [
        fetched(trace, call)["Mean:0"]
        for call in training
        if call.via == "estimator" and any(leaf.name == "Mean:0" for leaf in call.fetches)
    ]
    # w grows by 0.1 * 2 * mean(x * (2x - wx)) = 0.5 * (2 - w) from 0; the loss is 2.5 * (2 - w)**2
    np.testing.assert_allclose(losses, [10.0, 2.5, 0.625], rtol=1e-6)
    assert {call.via for call in trace.calls if call.where == line("estimator.evaluate(", ESTIMATOR)} >= {"evaluation"}
    assert any(call.where == line("estimator.predict(", ESTIMATOR) for call in trace.calls)
    assert len(trace.graphs) == 3


QUEUES = """\
    queue = tf.train.string_input_producer(["a", "b"], num_epochs=2, shuffle=False)
    item = queue.dequeue(name="item")
    with tf.Session() as sess:
        sess.run([initialize_all(), tf.initialize_local_variables()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(coord=coordinator)
        try:
            while True:
                print(sess.run(item).decode())
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
"""


@everywhere
def test_threads_of_queues_are_told_from_the_program(tmp_path: Path, release: str) -> None:
    trace, printed, _ = record(tmp_path, QUEUES, python=interpreter(release))
    assert printed == "a\nb\na\nb\n"
    own = trace.program_calls
    assert [value for call in own[1:-1] for value in fetched(trace, call).values()] == [b"a", b"b", b"a", b"b"]
    assert own[-1].error is not None and "OutOfRange" in own[-1].error
    others = [call for call in trace.calls if not call.by_program]
    assert {call.via for call in others} == {"queue_runner_impl"}
    assert all(call.thread != "MainThread" for call in others)


NESTS = """\
    Pair = collections.namedtuple("Pair", "first second")
    Both = collections.namedtuple("Both", "left right")
    try:
        import attr
        Both = attr.make_class("Both", ["left", "right"])
    except ImportError:
        pass

    one, two = tf.constant(1.0, name="one"), tf.constant(2.0, name="two")
    ragged = tf.ragged.constant([[1, 2], [3]])
    sess = tf.InteractiveSession()
    print(sess.run([Both(one, Pair(two, [])), (ragged, {"b": one, "a": {"c": two}})]))
    graph = tf.Graph()
    with graph.as_default(), tf.Session() as other:
        other.run(tf.constant([u"\\xe9", "b"], name="text"))
    sess.run([one], {one: 5})  # what is fed is what is fetched
    class Mine(tf.Session):
        def run(self, *more, **named):
            return super(Mine, self).run(*more, **named)
    Mine().run(two)
"""


@pytest.mark.parametrize("release", ["", pytest.param("1.15.5", marks=pytest.mark.oracle)])
def test_nests_of_any_kind(tmp_path: Path, release: str) -> None:
    trace, printed, _ = record(tmp_path, NESTS, python=interpreter(release))
    assert "Both(left=1.0, right=Pair(first=2.0, second=[]))" in printed.replace("np.float32(1.0)", "1.0").replace(
        "np.float32(2.0)", "2.0"
    )
    nest, text, fed, mine = trace.calls
    ragged = [leaf for leaf in nest.fetches if "Ragged" in leaf.name]
    assert sorted(trace.value(leaf.value or 0).tolist() for leaf in ragged) == [[0, 2, 3], [1, 2, 3]]
    assert [leaf.name for leaf in nest.fetches if leaf not in ragged] == ["one:0", "two:0", "two:0", "one:0"]
    assert fetched(trace, text) == {"text:0": ["\xe9".encode(), b"b"]}
    assert (text.graph, text.session, mine.session) == (1, 1, 2)
    assert fetched(trace, fed) == {"one:0": 5.0}
    assert [leaf.name for leaf in fed.feeds] == ["one:0"]
    assert (mine.via, fetched(trace, mine)) == ("", {"two:0": 2.0})


def test_the_session_of_a_supervisor(tmp_path: Path) -> None:
    program = """\
    v = tf.Variable(2.0, name="v")
    supervisor = tf.train.Supervisor(logdir=None)
    with supervisor.managed_session() as sess:
        sess.run(v)
    """
    trace, _, _ = record(tmp_path, program)
    assert [leaf.name for leaf in trace.program_calls[-1].fetches] == ["v:0"]
    assert isinstance(trace, Trace)


FED = """\
    values = tf.placeholder(tf.float32, [None, 2], name="values")
    rows = tf.placeholder(tf.int64, [None], name="rows")
    slices = tf.IndexedSlices(values, rows)
    packed = tf.placeholder(tf.quint8, [2], name="packed")
    with tf.Session() as sess:
        given = (np.ones([1, 2], np.float32), np.array([3], np.int64))
        sess.run([slices, packed], {slices: given, packed: np.array([7, 255], tf.quint8.as_numpy_dtype)})
"""


@pytest.mark.parametrize("release", ["", pytest.param("1.15.5", marks=pytest.mark.oracle)])
def test_indexed_slices_and_quantized_numbers(tmp_path: Path, release: str) -> None:
    trace, _, _ = record(tmp_path, FED, python=interpreter(release))
    (call,) = trace.calls
    assert trace.manifest["notes"] == []
    assert [leaf.name for leaf in call.feeds] == ["packed:0", "rows:0", "values:0"]
    assert fetched(trace, call) == {"values:0": [[1.0, 1.0]], "rows:0": [3], "packed:0": [7, 255]}
    kinds = [trace.manifest["values"][leaf.value or 0]["dtype"] for leaf in call.feeds]
    assert kinds == ["quint8", "int64", "float32"]
