"""Names of `tf.keras.experimental` compute what those of 1.15.5 do, and read what those wrote."""

from __future__ import annotations

from pathlib import Path

from tests.same_text import lines

_PROGRAM = """
import numpy as np
import {module} as tf
{enable}
experimental = tf.keras.experimental
tf.set_random_seed(1)
step = tf.train.get_or_create_global_step()
x = tf.constant(np.random.RandomState(0).rand(2, 5, 4), tf.float32)
schedules = [experimental.LinearCosineDecay(0.1, 10), experimental.LinearCosineDecay(0.5, 4, 2.0, 0.1, 0.2, "n")]
schedules.append(experimental.NoisyLinearCosineDecay(0.1, 10))
rates = [schedule(step) for schedule in schedules]
cells = [experimental.PeepholeLSTMCell(3), experimental.PeepholeLSTMCell(3, implementation=2)]
outputs = [tf.keras.layers.RNN(cell)(x) for cell in cells]
print([tensor.name for tensor in rates], [v.name for cell in cells for v in cell.weights])
print(sorted(experimental.LinearCosineDecay(0.1, 10).get_config().items(), key=str))
print(sorted(experimental.NoisyLinearCosineDecay(0.1, 10).get_config().items(), key=str))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for at in (0, 4, 30):
        session.run(step.assign(at))
        print(np.round(session.run(rates), 5).tolist())
    print(np.round(session.run(outputs), 5).tolist())
"""


def test_schedules_and_cells_are_those_of_1_15() -> None:
    there = lines(_PROGRAM, "1.15.5")
    assert lines(_PROGRAM, None, "1.15.5") == there
    assert len(there) == 7


_EXPORT = """
import numpy as np
import {module} as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(3, "relu", input_shape=(4,)), tf.keras.layers.Dense(2)])
tf.keras.experimental.export_saved_model(model, {path!r})
print(np.round(model.predict(np.arange(8.).reshape(2, 4)), 5).tolist())
"""
_LOAD = """
import numpy as np
import {module} as tf
{enable}
model = tf.{load}({path!r})
print(np.round(model.predict(np.arange(8.).reshape(2, 4)), 5).tolist())
"""


def test_a_model_that_1_15_exported_is_loaded(tmp_path: Path) -> None:
    folder = str(tmp_path / "export")
    there = lines(_EXPORT.replace("{path!r}", repr(folder)), "1.15.5")
    for load in ("keras.experimental.load_from_saved_model", "contrib.saved_model.load_keras_model"):
        text = _LOAD.replace("{load}", load).replace("{path!r}", repr(folder))
        assert lines(text, None, "1.15.5") == there


def test_a_folder_that_is_no_export_is_refused(tmp_path: Path) -> None:
    text = _LOAD.replace("{load}", "keras.experimental.load_from_saved_model").replace("{path!r}", repr(str(tmp_path)))
    text = (
        text.replace("model = ", "try:\n    model = ").split("print")[0] + "except tf.errors.NotFoundError as error:\n"
    )
    there, here = (lines(text + "    print(error.message)", *side) for side in (("1.15.5",), (None, "1.15.5")))
    assert here == there
    assert here[0].endswith("assets/saved_model.json; No such file or directory")


_POOLS = """
import multiprocessing
import numpy as np
import {module} as tf
{enable}


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        return np.ones((4, 3)), np.ones((4, 1))


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit_generator(Batches(), epochs=1, workers=2, use_multiprocessing=True, verbose=0)
print(tf.keras.experimental.terminate_keras_multiprocessing_pools(1.0), len(multiprocessing.active_children()))
"""


def test_processes_that_read_data_are_ended() -> None:
    assert lines(_POOLS, None, "1.15.5") == lines(_POOLS, "1.15.5") == ["[] 0"]
