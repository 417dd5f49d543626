"""Callbacks of Keras stop, save, reduce and print as those of genuine 1.4.1, 1.12.3 and 1.15.5."""

from __future__ import annotations

import pytest

from tests.same_text import lines

EAGERLY = "tf.compat.v1.enable_eager_execution()"
PROGRAM = """
import os, tempfile
import numpy as np
import {module} as tf
{enable}
SWITCH
os.chdir(tempfile.mkdtemp())
keras = tf.keras
RELEASE = "RELEASE_ASKED"
LATER = RELEASE != "1.4.1"
VALUES = [5.0, 4.0, 4.5, 4.2, 3.9, 4.1, 4.1, 4.1, 4.1]

def model_of(rate=0.1):
    model = keras.models.Sequential()
    model.add(keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones"))
    model.compile(keras.optimizers.SGD(lr=rate), "mse")
    return model

def followed(callback, model):
    callback.set_model(model)
    callback.set_params(dict(epochs=9))
    model.stop_training = False
    callback.on_train_begin()
    seen = []
    for epoch, value in enumerate(VALUES):
        keras.backend.set_value(model.layers[0].kernel, np.full([2, 1], float(epoch)))
        logs = dict(v=value)
        callback.on_epoch_begin(epoch)
        callback.on_epoch_end(epoch, logs)
        seen.append((callback.wait, float(keras.backend.get_value(model.optimizer.lr)).hex()))
        if model.stop_training:
            break
    callback.on_train_end()
    return seen, model.get_weights()[0].ravel().tolist()

for patience in (0, 1, 2, 3):
    options = [dict()]
    if RELEASE in ("1.12.3", "1.15.5"):
        options.append(dict(baseline=4.3))
    if RELEASE == "1.15.5":
        options += [dict(restore_best_weights=True), dict(restore_best_weights=True, baseline=2.0)]
    for option in options:
        if option.get("baseline") == 2.0:
            continue
        print("stop", patience, sorted(option.items()))
        print(followed(keras.callbacks.EarlyStopping("v", patience=patience, verbose=1, **option), model_of()))
    for rate in (0.1, 0.003):
        print("reduce", patience)
        reduced = keras.callbacks.ReduceLROnPlateau("v", 0.3, patience, 1, cooldown=1, min_lr=0.001)
        print(followed(reduced, model_of(rate)))
if RELEASE == "1.15.5":
    stop = keras.callbacks.EarlyStopping("v", patience=30, restore_best_weights=True)
    print("to the end", followed(stop, model_of()))

x, y = np.ones([8, 2], np.float32), np.zeros([8, 1], np.float32)

class Values(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        logs["v"] = VALUES[epoch]

def schedule(epoch, decay=0.5):
    return 0.1 * decay ** epoch

options = [dict(), dict(save_best_only=True)]
if RELEASE == "1.15.5":
    options += [dict(save_freq=6), dict(save_freq=8, save_weights_only=True)]
for number, option in enumerate(options):
    saved = keras.callbacks.ModelCheckpoint(str(number) + ".{{epoch:02d}}.h5", monitor="v", verbose=1, **option)
    scheduled = keras.callbacks.LearningRateScheduler(schedule, **(dict(verbose=1) if LATER else dict()))
    written = keras.callbacks.CSVLogger(str(number) + ".csv")
    history = keras.callbacks.History()
    model = model_of()
    if not LATER:  # which cannot write HDF5 here
        model.save = lambda path, **options: open(path, "w").close()
    for _ in range(2):
        model.fit(x, y, 4, epochs=3, verbose=0, callbacks=[Values(), saved, scheduled, history])
    model.fit(x, y, 4, epochs=2, verbose=0, callbacks=[written])
    print(history.epoch, sorted(history.history), [len(value) for value in history.history.values()])
    print(sorted(name for name in os.listdir(".") if name.startswith(str(number))))
    print(open(str(number) + ".csv").readline().strip())
    print(float(keras.backend.get_value(model.optimizer.lr)).hex())
"""


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("release", "eager"), [("1.4.1", False), ("1.12.3", False), ("1.15.5", False), ("1.15.5", True)]
)
def test_callbacks_decide_as_they_did(release: str, eager: bool) -> None:
    text = PROGRAM.replace("RELEASE_ASKED", release).replace("SWITCH", EAGERLY if eager else "")
    expected = lines(text, release)
    assert len(expected) > 40
    assert lines(text, None, release) == expected


BATCHES = """
import collections, glob, tempfile
import numpy as np
import {module} as tf
{enable}
SWITCH
keras = tf.keras

class Told(keras.callbacks.Callback):
    def on_batch_begin(self, batch, logs=None):
        print("begin", batch, sorted(logs.items()))
    def on_batch_end(self, batch, logs=None):
        print("end", batch, sorted(logs), logs["batch"], logs["size"])
    def on_test_batch_end(self, batch, logs=None):
        print("test", batch, logs["batch"])

folder = tempfile.mkdtemp()
model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,), name="a")])
model.compile("sgd", "mse", metrics=["mae"])
x, y = np.ones([10, 3], "f"), np.zeros([10, 1], "f")
board = keras.callbacks.TensorBoard(folder, histogram_freq=0, update_freq=1)
model.fit(x, y, 4, epochs=2, verbose=0, validation_data=(x, y), callbacks=[Told(), board])
tags = collections.Counter()
for path in glob.glob(folder + "/**/*tfevents*", recursive=True):
    for event in tf.train.summary_iterator(path):
        for value in event.summary.value:
            tags[(value.tag, event.step)] += 1
print(sorted(tags.items()))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("switch", ["", EAGERLY])
def test_batches_and_summaries_are_those_of_1_15(switch: str) -> None:
    text = BATCHES.replace("SWITCH", switch)
    assert lines(text, None, "1.15.5") == lines(text, "1.15.5")


SUMMARIES = """
import glob, tempfile
import numpy as np
import {module} as tf
{enable}
tf.compat.v1.enable_eager_execution()
from {module}.python.keras import callbacks
keras = tf.keras
folder = tempfile.mkdtemp()
model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,), name="a"), keras.layers.Dense(1, name="b")])
model.compile("sgd", "mse")
x, y = np.ones([8, 3], "f"), np.zeros([8, 1], "f")
board = callbacks.TensorBoard(folder, histogram_freq=1, write_images=True, profile_batch=0, update_freq=1)
model.fit(x, y, 4, epochs=2, verbose=0, validation_data=(x, y), callbacks=[board])
for path in sorted(glob.glob(folder + "/*/*tfevents*")):
    events = list(tf.compat.v1.train.summary_iterator(path))
    tags = set((value.tag, event.step, value.WhichOneof("value")) for event in events for value in event.summary.value)
    print(path.split("/")[-2], sorted(tags))
"""


@pytest.mark.oracle
def test_the_private_callback_writes_two_logs_as_in_1_15() -> None:
    """`tensorflow.python.keras.callbacks` had another TensorBoard than `tf.keras.callbacks`."""
    expected = lines(SUMMARIES, "1.15.5")
    assert [line.split()[0] for line in expected] == ["train", "validation"]
    assert lines(SUMMARIES, None, "1.15.5") == expected
