"""`wrap_class`, and objects given to `wrap`: what is found by attribute, and what the methods do on live variables."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from codemods.rules.structure.session_class import MODULE_NAMES
from tf2bridge import v1
from tf2bridge.formats.graphs.refusals import UnknownNameError
from tf2bridge.graph.refusals import (
    BuildResultError,
    InitialValueError,
    LegacyNameError,
    SeveralGraphsError,
    UnfedPlaceholderError,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
X = np.linspace(-1.0, 1.0, 12, dtype=np.float32).reshape(4, 3)
Ends = namedtuple("Ends", "left right")


class Line:
    """y = w x + b, its session, and methods that train, save and change it."""

    rate = 0.1

    def __init__(self, size=3, seed=1):
        v1.set_random_seed(seed)
        self.size = size
        self.x = v1.placeholder(tf.float32, [None, size])
        self.t = v1.placeholder(tf.float32, [None, 1])
        self.w = v1.get_variable("w", [size, 1])
        self.b = v1.get_variable("b", [1], initializer=v1.zeros_initializer())
        self.y = v1.matmul(self.x, self.w) + self.b
        self.loss = v1.reduce_mean(v1.square(self.y - self.t))
        self.train_op = v1.train.GradientDescentOptimizer(self.rate).minimize(self.loss)
        self.saver = v1.train.Saver()
        self.sess = v1.Session()
        self.sess.run(v1.global_variables_initializer())

    def predict(self, x):
        return self.sess.run(self.y, {self.x: x})

    def fit(self, x, t):
        return self.sess.run([self.train_op, self.loss], feed_dict={self.x: x, self.t: t})[1]

    def shift(self, by):
        return self.sess.run(v1.assign_add(self.b, [by]))

    def store(self, path):
        return self.saver.save(self.sess, path)

    def fetch(self, path):
        self.saver.restore(self.sess, path)

    def width(self):
        return self.size


def test_a_call_and_the_methods_share_the_variables() -> None:
    m = tf2bridge.wrap_class(Line)()
    names = [variable.name for variable in m.variables]
    assert names == ["w:0", "b:0"]
    np.testing.assert_array_equal(m.predict(X), m.function(["x"], ["y"])(X)[0])
    m.variables[1].assign([2.0])
    np.testing.assert_allclose(m.predict(X), X @ m.variables[0].numpy() + 2.0, rtol=1e-6)
    before = m.variables[0].numpy()
    loss = m.fit(X, np.zeros([4, 1]))
    assert isinstance(loss, np.float32)
    assert not np.array_equal(m.variables[0].numpy(), before)
    assert m.fit(X, np.zeros([4, 1])) < loss


def test_two_modules_of_a_class_share_nothing() -> None:
    wrapped = tf2bridge.wrap_class(Line)
    one, two = wrapped(), wrapped(size=3, seed=2)
    expected = two.predict(X)
    one.shift(5.0)
    np.testing.assert_array_equal(two.predict(X), expected)


def test_the_values_are_those_of_the_session_that_the_object_keeps(tmp_path: Path) -> None:
    path = str(tmp_path / "line.ckpt")
    first = tf2bridge.wrap_class(Line)(seed=1)
    first.store(path)

    class Restored(Line):
        def __init__(self):
            super().__init__(seed=9)
            self.saver.restore(self.sess, path)

    np.testing.assert_array_equal(tf2bridge.wrap(Restored).variables[0], first.variables[0])


def test_methods_save_restore_and_add_to_the_graph(tmp_path: Path) -> None:
    m = tf2bridge.wrap_class(Line)()
    before = m.predict(X)
    path = m.store(str(tmp_path / "line.ckpt"))
    np.testing.assert_array_equal(m.shift(1.5), [1.5])
    np.testing.assert_allclose(m.predict(X), before + 1.5, rtol=1e-6)
    m.fetch(path)
    np.testing.assert_array_equal(m.predict(X), before)
    m.restore(path)
    np.testing.assert_array_equal(m.predict(X), before)


def test_the_class_is_still_asked_for_what_it_has() -> None:
    @tf2bridge.wrap_class
    class Wrapped(Line):
        pass

    m = Wrapped(size=3)
    assert isinstance(m, Wrapped)
    assert isinstance(m.program, Line)
    assert Wrapped.rate == 0.1
    assert m.width() == 3
    m.size = 7
    assert m.width() == 7
    with pytest.raises(AttributeError, match="gone"):
        m.gone  # noqa: B018

    class Below(Wrapped):
        pass

    assert Below.__mro__[1] is Wrapped.__wrapped__


def test_arguments_that_are_specs_become_placeholders() -> None:
    class Net:
        def __init__(self, images, classes, keep_prob=1.0):
            self.logits = v1.layers.dense(v1.nn.dropout(images, keep_prob), classes)

    m = tf2bridge.wrap_class(Net)(tf.TensorSpec([None, 3]), classes=2)
    assert {name: spec.shape.as_list() for name, spec in m.inputs.items()} == {"images": [None, 3]}
    assert m(X).shape == (4, 2)


def test_methods_that_build_are_named() -> None:
    class Late:
        def build(self):
            self.x = v1.placeholder(tf.float32, [None, 3])

        def loss(self):
            self.cost = v1.reduce_sum(self.x)

    m = tf2bridge.wrap_class(Late, build=["build", "loss"])()
    assert (list(m.inputs), list(m.outputs)) == (["x"], ["cost"])
    with pytest.raises(BuildResultError, match="build="):
        tf2bridge.wrap_class(Late)()


def test_paths_of_nested_objects() -> None:
    def build() -> Any:
        x, k = v1.placeholder(tf.float32, [3], "x_in"), v1.placeholder(tf.float32, [], "k_in")
        inner = SimpleNamespace(x=x, scaled=x * k, ends=Ends(x[:1], x[2:]), up=None)
        outer = SimpleNamespace(net=inner, k=k, losses={"l2": v1.reduce_sum(x * x)}, layers=[x + 1.0, x + 2.0], n=3)
        inner.up = outer  # a cycle
        return outer

    m = tf2bridge.wrap(build)
    assert list(m.inputs) == ["net.x", "k"]
    paths = {"losses.l2", "layers.0", "layers.1", "net.scaled", "net.ends.left", "net.ends.right"}
    assert set(m.outputs) == paths
    result = m({"net.x": [1.0, 2.0, 3.0], "k": 2.0})
    np.testing.assert_array_equal(result["net.scaled"], [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(m.function(["net.x"], ["net.ends.right", "layers.1"])([1.0, 2.0, 3.0])[0], [3.0])
    with pytest.raises(UnknownNameError, match=r"near are net\.scaled"):
        m.function(["net.x"], ["net.scalde"])


def test_dotted_names_in_exports_and_a_keras_layer(tmp_path: Path) -> None:
    import keras

    def build() -> Any:
        x = v1.placeholder(tf.float32, [None, 3])
        return SimpleNamespace(net=SimpleNamespace(x=x, y=v1.layers.dense(x, 2)))

    m = tf2bridge.wrap(build)
    m.export(tmp_path / "saved")
    serve = tf.saved_model.load(str(tmp_path / "saved")).signatures["serving_default"]
    np.testing.assert_allclose(next(iter(serve(tf.constant(X)).values())), m(X), rtol=1e-6)
    layer = m.as_keras_layer()
    np.testing.assert_allclose(layer(X), m(X), rtol=1e-6)
    assert isinstance(layer, keras.layers.Layer)


def test_properties_that_keep_what_they_built() -> None:
    class Lazy:
        def __init__(self):
            self.x = v1.placeholder(tf.float32, [None, 3])
            self.prediction  # noqa: B018  # building it is what this is for

        @property
        def prediction(self):
            if not hasattr(self, "_cache_prediction"):
                self._cache_prediction = v1.layers.dense(self.x, 1)
            return self._cache_prediction

    m = tf2bridge.wrap(Lazy)
    assert list(m.outputs) == ["prediction"]
    assert len(m.variables) == 2


def test_a_graph_of_its_own() -> None:
    class Own:
        def __init__(self):
            self.own = v1.Graph()
            with self.own.as_default():
                self.x = v1.placeholder(tf.float32, [])
                self.y = self.x * v1.get_variable("w", [], initializer=v1.constant_initializer(3.0))
                self.init = v1.global_variables_initializer()
            self.sess = v1.Session(graph=self.own)
            self.sess.run(self.init)

        def triple(self, x):
            return self.sess.run(self.y, {self.x: x})

    m = tf2bridge.wrap_class(Own)()
    assert m.triple(2.0) == 6.0
    m.variables[0].assign(5.0)
    assert m.triple(2.0) == 10.0
    with pytest.raises(SeveralGraphsError, match="2 graphs"):
        tf2bridge.wrap(lambda: [Own(), Own()])


def test_an_interactive_session_does_not_stay_the_default_one() -> None:
    class Open(Line):
        def __init__(self):
            super().__init__()
            self.sess = v1.InteractiveSession()
            v1.global_variables_initializer().run()

        def value(self):
            return self.b.eval()

    m = tf2bridge.wrap_class(Open)()
    assert tf.executing_eagerly()
    assert v1.get_default_session() is None
    m.variables[1].assign([4.0])
    assert m.value() == [4.0]


def test_losses_updates_and_summaries_are_in_collections() -> None:
    class Net:
        def __init__(self):
            self.x = v1.placeholder(tf.float32, [None, 3])
            slim = v1.contrib.slim
            h = slim.fully_connected(self.x, 4, weights_regularizer=slim.l2_regularizer(0.5))
            h = slim.batch_norm(h, is_training=True, decay=0.5)
            self.y = v1.layers.dense(h, 1, kernel_regularizer=v1.contrib.layers.l2_regularizer(0.1))
            self.total = v1.losses.get_total_loss()
            v1.summary.scalar("total", self.total)
            self.merged = v1.summary.merge_all()
            ema = v1.train.ExponentialMovingAverage(0.5)
            self.average_op = ema.apply([v1.trainable_variables()[0]])
            self.average = ema.average(v1.trainable_variables()[0])

    m = tf2bridge.wrap(Net)
    values = {variable.name: variable for variable in m.variables}
    kernels = [values["fully_connected/weights:0"].numpy(), values["dense/kernel:0"].numpy()]
    losses = m.function([], m.collections["regularization_losses"])()
    np.testing.assert_allclose(losses, [0.25 * np.sum(kernels[0] ** 2), 0.05 * np.sum(kernels[1] ** 2)], rtol=1e-5)
    summary = v1.Summary.FromString(m.function(["x"], ["merged"])(X)[0].numpy())
    assert summary.value[0].simple_value == pytest.approx(sum(map(float, losses)), rel=1e-5)

    mean = values["BatchNorm/moving_mean:0"]
    assert len(m.collections["update_ops"]) == 2
    before = mean.numpy()
    m.function(["x"], m.collections["update_ops"])(X)
    assert not np.array_equal(mean.numpy(), before)
    shadow = values["fully_connected/weights/ExponentialMovingAverage:0"]
    values["fully_connected/weights:0"].assign(kernels[0] + 1.0)
    m.function([], ["average_op"])()
    np.testing.assert_allclose(shadow, kernels[0] + 0.5, rtol=1e-5)
    np.testing.assert_allclose(m.function([], ["average"])()[0], shadow, rtol=1e-6)


def test_reused_variables_appear_once_and_a_sparse_placeholder_has_parts() -> None:
    class Twin:
        def __init__(self):
            self.ids = v1.sparse_placeholder(tf.int64, name="ids")
            self.x = v1.placeholder(tf.float32, [None, 3])
            with v1.variable_scope("tower"):
                one = v1.layers.dense(self.x, 2, name="d")
            with v1.variable_scope("tower", reuse=True):
                self.twin = one - v1.layers.dense(self.x, 2, name="d")
            table = v1.get_variable("table", [5, 2])
            self.embedded = v1.nn.embedding_lookup_sparse(table, self.ids, None, combiner="sum")

    m = tf2bridge.wrap(Twin)
    assert [variable.name for variable in m.variables] == ["tower/d/kernel:0", "tower/d/bias:0", "table:0"]
    np.testing.assert_array_equal(m.function(["x"], ["twin"])(X)[0], np.zeros([4, 2]))
    parts = ["ids.indices", "ids.values", "ids.dense_shape"]
    assert set(m.inputs) == {"x", *parts[:2]}  # nothing asks for the shape
    [result] = m.function(parts, ["embedded"])([[0, 0], [0, 1], [1, 0]], [1, 3, 4], [2, 2])
    table = m.variables[2].numpy()
    np.testing.assert_allclose(result, [table[1] + table[3], table[4]], rtol=1e-6)


def test_tables_and_initial_values_from_tensors() -> None:
    class Words:
        def __init__(self):
            self.words = v1.placeholder(tf.string, [None])
            table = v1.contrib.lookup.index_table_from_tensor(v1.constant(["a", "b"]), num_oov_buckets=1)
            self.ids = table.lookup(self.words)
            start = v1.constant(np.arange(6, dtype=np.float32).reshape(3, 2))
            self.vectors = v1.nn.embedding_lookup(v1.get_variable("vectors", initializer=start), self.ids)

    m = tf2bridge.wrap(Words)
    np.testing.assert_array_equal(m(["b", "?", "a"])["ids"], [1, 2, 0])
    np.testing.assert_array_equal(m(["b", "?", "a"])["vectors"], [[2, 3], [4, 5], [0, 1]])


def test_what_cannot_be_wrapped_says_what_to_do() -> None:
    def of_tensorflow_2() -> Any:
        return tf.placeholder(tf.float32)

    with pytest.raises(LegacyNameError, match=r"test_wrap_class.py:\d+: TensorFlow 2 has no tensorflow.placeholder"):
        tf2bridge.wrap(of_tensorflow_2)
    with pytest.raises(InitialValueError, match=r"You must feed a value .*self\.sess"):
        tf2bridge.wrap(lambda: v1.Variable(v1.placeholder(tf.float32, [], "start")) + 1.0)
    with pytest.raises(BuildResultError, match="holds none"):
        tf2bridge.wrap(lambda: SimpleNamespace(n=3))
    m = tf2bridge.wrap_class(Line)()
    with pytest.raises(UnfedPlaceholderError, match="Placeholder"):
        m.function(["x"], ["loss"])


def test_what_a_live_module_has_itself_is_known_to_the_rule_that_writes_wrap_class() -> None:
    assert {name for name in dir(tf2bridge.wrap_class(Line)()) if not name.startswith("_")} == MODULE_NAMES
