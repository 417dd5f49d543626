"""Up to 1.8 layers of tf.keras are named, shared and collected as layers of tf.layers: as 1.4.1 and 1.8.0 did."""

from __future__ import annotations

import pytest

from tests import forked
from tests.same_text import lines

_PROGRAM = """
import {module} as tf
import numpy as np
{enable}
layers, models, K = tf.keras.layers, tf.keras.models, tf.keras.backend


def tensor(*shape):
    return tf.placeholder(tf.float32, shape)


def of_scopes():
    with tf.variable_scope("model"):
        first, second = layers.Dense(2), layers.Dense(2, name="named")
        print(first(tensor(None, 3)).name, second(tensor(None, 3)).name, first.name, second.name)
    with tf.name_scope("no_scope_of_variables"):
        print(layers.Dense(2)(tensor(None, 3)).name)


def beside_tf_layers():
    x = layers.Dense(3)(layers.Input((3,)))
    print([tf.layers.Dense(3)(layers.Dense(3)(tf.layers.dense(x, 3))).shape.as_list()])


def twice_in_a_scope():
    for _ in range(2):
        with tf.variable_scope("model"):
            try:
                layers.Dense(2)(tensor(None, 3))
            except ValueError as error:
                print(str(error).partition(",")[0])


def shared():
    with tf.variable_scope("model"):
        layers.Dense(2, name="same", kernel_regularizer="l2")(tensor(None, 3))
    with tf.variable_scope("model", reuse=True):
        layers.Dense(2, name="same", kernel_regularizer="l2")(tensor(None, 3))
        print(tf.get_variable("same/kernel").name)


def scope_that_penalizes():
    with tf.variable_scope("model", regularizer=lambda weight: tf.reduce_sum(weight, name="all")):
        layers.Dense(2)(tensor(None, 3))


def scope_that_watches():
    def watched(getter, name, *args, **kwargs):
        print("made:", name)
        return getter(name, *args, **kwargs)

    with tf.variable_scope("model", custom_getter=watched):
        layers.Dense(2)(tensor(None, 3))


def penalties():
    layer = layers.Dense(2, kernel_regularizer="l2", activity_regularizer=tf.keras.regularizers.l2(0.1))
    layer(tensor(None, 3))
    layer(tensor(None, 3))
    print(len(layer.losses))


def penalty_of_ones():
    x = layers.Input((2,))
    layer = layers.Dense(3, kernel_regularizer="l2", kernel_initializer="ones")
    layer(x)
    layer.get_weights()
    print(round(float(K.get_session().run(tf.losses.get_regularization_loss())), 6))


def recurrent():
    x = layers.Input((5, 4))
    for layer in (layers.LSTM(2), layers.GRU(2), layers.SimpleRNN(2), layers.LSTM(2, name="named")):
        layer(x)


def wrapped():
    x = layers.Input((5, 4))
    layers.LSTM(2)(x)
    both = layers.Bidirectional(layers.LSTM(3))
    both(x)
    layers.Bidirectional(layers.GRU(3), name="both")(x)
    layers.TimeDistributed(layers.Dense(4))(x)
    layers.TimeDistributed(layers.Conv2D(2, 2, name="named"))(layers.Input((3, 4, 4, 1)))
    print(both.name, both.forward_layer.name, both.backward_layer.name)


def images():
    x = layers.Input((8, 8, 3))
    for layer in (layers.Conv2D(3, 2), layers.SeparableConv2D(3, 2), layers.Conv2DTranspose(2, 2), layers.PReLU()):
        x = layer(x)


def in_models():
    inner = models.Sequential([layers.Dense(3, input_shape=(2,)), layers.Dense(3)])
    x = layers.Input((2,))
    model = models.Model(x, layers.Dense(2)(inner(x)))
    outer = models.Sequential([model, layers.Dense(1)])
    print([layer.name for layer in outer.layers + model.layers + inner.layers], model.output_names)


def again_by_config():
    layer = layers.Dense(2)
    layer(tensor(None, 3))
    again = layers.Dense.from_config(layer.get_config())
    again(tensor(None, 3))
    print(again.name, [weight.name for weight in again.weights])


def built_alone():
    layer = layers.Dense(2)
    layer.build((None, 3))
    with tf.variable_scope("elsewhere"):
        layer(tensor(None, 3))


def frozen():
    layers.Dense(2, trainable=False)(tensor(None, 3))


def means():
    layer = layers.BatchNormalization(momentum=0.5)
    x = tensor(None, 2)
    y = layer(x)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        total = tf.identity(tf.reduce_sum(y))
    layer.get_weights()
    K.get_session().run(total, {{x: [[1.0, 2.0], [3.0, 8.0]], K.learning_phase(): 1}})
    print(np.concatenate(layer.get_weights()).round(4).tolist())


class Own(layers.Layer):
    def build(self, input_shape):
        ones = tf.keras.initializers.Ones()
        self.own = self.add_weight(name="ones", shape=(2, 2), initializer=ones, trainable=False)
        self.free, self.got = tf.Variable(1.0, name="free"), tf.get_variable("got", [1])
        self.inner = layers.Dense(2)
        self.built = True

    def call(self, x):
        return self.inner(tf.matmul(x, self.own))


def own_classes():
    with tf.variable_scope("model"):
        for layer in (Own(name="named"), Own()):
            print(layer(layers.Input((2,))).name, layer.name)


def initial_values():
    tf.set_random_seed(5)
    x = layers.Input((4, 6))
    y = layers.PReLU()(layers.Dense(3, activation="relu")(layers.Dropout(0.5)(layers.Flatten()(x))))
    y = layers.Dense(3)(layers.Multiply()([layers.Dense(3)(y), layers.Dense(3)(y)]))
    z = layers.SeparableConv2D(2, 2)(layers.Conv2DTranspose(2, 2)(layers.Input((4, 4, 1))))
    z = layers.Reshape((4, -1))(layers.UpSampling2D()(layers.LeakyReLU()(layers.BatchNormalization()(z))))
    layers.Masking()(z)
    z = layers.TimeDistributed(layers.Dense(2))(z)
    words = layers.LocallyConnected1D(2, 2)(layers.Embedding(7, 3)(layers.Input((5,))))
    model = models.Model(x, y)
    layers.Dense(3)(layers.BatchNormalization()(layers.Flatten()(words)))
    layers.Dense(2)(model.layers[3](layers.Dropout(0.5)(layers.Flatten()(x))))
    layers.Dense(1)(layers.Flatten()(z))
    session = K.get_session()
    session.run(tf.global_variables_initializer())
    for weight in tf.global_variables():
        print(weight.name, np.sum(session.run(weight), dtype=np.float64).round(5))


def run(*cases):
    for case in cases:
        K.clear_session()
        tf.reset_default_graph()
        print(case.__name__)
        case()
        for key in ("variables", "trainable_variables", "regularization_losses"):
            print(" ", key, [value.name for value in tf.get_collection(key)])
        print("  updates:", len(tf.get_collection("update_ops")))


{cases}
"""
_CASES = (
    "run(of_scopes, beside_tf_layers, twice_in_a_scope, shared, scope_that_penalizes, scope_that_watches, penalties, "
    "penalty_of_ones, recurrent, wrapped, images, in_models, again_by_config, built_alone, frozen, means, own_classes, "
    "initial_values)"
)


def test_names_variables_and_collections_of_1_4() -> None:
    text = _PROGRAM.replace("{cases}", _CASES)
    assert lines(text, None, "1.4") == lines(text, "1.4.1")


@pytest.mark.parametrize(
    ("api", "first", "image"),
    [
        ("1.4", "lstm/kernel:0", "conv_lst_m2d/kernel:0"),
        ("1.5", "lstm/lstm_cell/kernel:0", "conv_lst_m2d/kernel:0"),
        ("1.8", "lstm/lstm_cell/kernel:0", "conv_lst_m2d/conv_lst_m2d_cell/kernel:0"),
        ("1.9", "lstm/kernel:0", "conv_lst_m2d/kernel:0"),
    ],
)
def test_cells_hold_the_weights_from_1_5_to_1_8(api: str, first: str, image: str) -> None:
    """1.8.0 was run; classes of cells came in 1.5 and, for images, in 1.8: `keras/_impl/keras/layers` of the wheels."""
    program = f"""
from tf2bridge import v1 as tf
tf.enable(api={api!r})
lstm, images = tf.keras.layers.LSTM(2), tf.keras.layers.ConvLSTM2D(2, 2)
lstm(tf.keras.layers.Input((5, 4))), images(tf.keras.layers.Input((3, 4, 4, 1)))
print(lstm.weights[0].name, images.weights[0].name)
"""
    done = forked.run(program)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [first, image]


def test_cells_and_subclassed_models_of_1_8() -> None:
    """What 1.8.0 printed for this program."""
    program = """
from tf2bridge import v1 as tf
tf.enable(api="1.8")
layers = tf.keras.layers
x = layers.Input((5, 4))
layers.RNN([layers.LSTMCell(2), layers.GRUCell(3)])(x)
layers.RNN(layers.SimpleRNNCell(2))(x)
layers.Bidirectional(layers.RNN(layers.GRUCell(3)))(x)


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(2), layers.Dense(3, name="named")

    def call(self, x):
        return self.second(self.first(x))


for _ in range(2):
    Model()(tf.placeholder(tf.float32, [None, 2]))
print(*[v.name[:-9] for v in tf.global_variables() if v.name.endswith("/kernel:0")])
"""
    done = forked.run(program)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [
        *("rnn/lstm_cell", "rnn/gru_cell", "rnn_1/simple_rnn_cell"),
        *("bidirectional/gru_cell", "bidirectional/gru_cell_2"),
        *("model/dense", "model/named", "model_1/dense", "model_1/named"),
    ]
