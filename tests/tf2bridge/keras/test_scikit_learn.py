"""Keras models as estimators of scikit-learn compute and refuse what those of 1.15.5 do."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
EAGER
layers, wrappers = tf.keras.layers, tf.keras.wrappers.scikit_learn
tf.set_random_seed(3)
made = np.random.RandomState(0)
x = made.rand(60, 4).astype("f")
labels = np.array(["a", "b", "c"])[(x.sum(1) * 1.2).astype(int) % 3]


def compiled(*stack, loss="mse", **wishes):
    model = tf.keras.Sequential(stack)
    model.compile("sgd", loss, **wishes)
    return model


def three(hidden=5, loss="sparse_categorical_crossentropy", metrics=("accuracy",)):
    stack = layers.Dense(hidden, "tanh", input_shape=(4,)), layers.Dense(3, "softmax")
    return compiled(*stack, loss=loss, metrics=list(metrics))


def one():
    return compiled(layers.Dense(1, "sigmoid", input_shape=(4,)), loss="binary_crossentropy", metrics=["acc"])


class Subclass(wrappers.KerasClassifier):
    def __call__(self, hidden=3):
        return three(hidden)


class Builder:
    def __call__(self, hidden=4):
        return three(hidden)


def show(name, *values):
    print(name, *[np.round(value, 4).tolist() if np.asarray(value).dtype.kind == "f" else value for value in values])


def tried(name, call):
    try:
        call()
    except ValueError as error:
        print(name, error)


wishes = dict(epochs=2, batch_size=10, verbose=0, shuffle=False)
sorts = [("function", three, {{}}), ("object", Builder(), {{}})]
sorts.append(("one hot", three, dict(loss="categorical_crossentropy")))
for name, build, more in sorts:
    model = wrappers.KerasClassifier(build, hidden=7, **wishes, **more)
    history = model.fit(x, labels).history
    show(name, history["loss"], model.classes_.tolist(), model.n_classes_, model.predict(x)[:9].tolist())
    show(name, model.predict_proba(x)[:2], float(model.score(x, labels)), sorted(model.get_params()))
    print(name, model.model.count_params(), sorted(model.filter_sk_params(build if build is three else build.__call__)))
model = wrappers.KerasClassifier(three, loss="categorical_crossentropy", **wishes)
model.fit(x, np.eye(3)[made.randint(3, size=60)])
show("one-hot rows", model.classes_.tolist(), model.predict_proba(x)[:2])
model = Subclass(hidden=2, **wishes)
model.fit(x, labels[:, None])
print("subclass", model.model.count_params(), model.set_params(hidden=6) is model, model.sk_params["hidden"])
binary = wrappers.KerasClassifier(one, **wishes)
binary.fit(x, x[:, 0] > 0.5)
show("two classes", binary.predict_proba(x)[:3], binary.predict(x)[:2].tolist())
regressor = wrappers.KerasRegressor(lambda: compiled(layers.Dense(1, input_shape=(4,))), **wishes)
regressor.fit(x, x.sum(1))
show("regressor", regressor.predict(x)[:3], float(regressor.score(x, x.sum(1))))
tried("unknown", lambda: wrappers.KerasClassifier(three, hiden=2))
tried("unknown", lambda: model.set_params(nope=1))
tried("rank", lambda: binary.fit(x, np.zeros((60, 2, 2))))
silent = wrappers.KerasClassifier(three, metrics=(), **wishes)
silent.fit(x, labels)
tried("no accuracy", lambda: silent.score(x, labels))
"""


@pytest.mark.parametrize("eager", ["", "tf.compat.v1.enable_eager_execution()"])
def test_they_are_those_of_1_15(eager: str) -> None:
    text = _PROGRAM.replace("EAGER", eager)
    there = lines(text, "1.15.5")
    assert lines(text, None, "1.15.5") == there
    assert len(there) == 17
