"""Public classes have the public members that they had in genuine 1.4.1, 1.12.3 and 1.15.5, or a reason."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests import forked

FILE = Path(__file__).resolve().parents[3] / "fixtures" / "public_members.tsv"
"""What fixtures/public_members.py found: release, class, members."""

ABSENT = {
    "Operation.traceback_with_start_lines": "frames no longer know where their function starts",
    "Tensor.*": "the tensors of a graph have them",
    "train.LooperThread.isAlive": "Python 3.9 took it from threads; `tf2bridge run` gives it back",
    "train.SyncReplicasOptimizer.*": "its instances have them",
    "keras.layers.Layer.get_*_for": "the layers of a graph have them",
    "contrib.cudnn_rnn.Cudnn*Saveable.*": "they convert canonical weights alone",
    "contrib.cudnn_rnn.Cudnn*.*params*": "up to 1.4 one buffer held all weights; the layers of 1.5 are here",
    "contrib.distribute.*": "the interface of 1.12, before tf.distribute",
    "contrib.distributions.*quadrature_polynomial_degree": "the class of 1.5 is here",
    "contrib.distributions.VectorDiffeomixture.interpolate_weight": "as above",
    "contrib.distributions.Independent.reduce_batch_ndims": "as above",
    "contrib.factorization.KMeansClustering.CLUSTERS": "as above",
    "contrib.eager.Network.trainable": "it holds layers and is none",
    "contrib.eager.TensorSpec.is_bounded": "a method of the class, which no instance of it could ask",
    "data.Options.experimental_stats": "tf.data has no statistics any more",
    "keras.layers.ConvLSTM2D.*": "up to Keras 2.0 recurrent layers computed their steps themselves",
    "keras.layers.GRU.*": "as above",
    "keras.layers.LSTM.*": "as above",
    "keras.layers.SimpleRNN.*": "as above",
    "keras.layers.Wrapper.constraints": "a list that Keras 2.0 filled in no layer",
    "keras.models.Sequential.regularizers": "as above",
    "keras.Model.sample_weights": "placeholders that Keras makes when it trains",
}
"""Pattern of a member -> why it is not there."""

PROGRAM = """
import tf2bridge.v1 as tf
tf.enable(api={api!r})
tf.keras.layers.Layer
for name, members in {rows!r}:
    value = tf
    try:
        for part in name.split("."):
            value = getattr(value, part)
    except AttributeError:
        continue
    for member in members.split() if isinstance(value, type) else ():
        if not hasattr(value, member):
            print(name + "." + member)
"""


def rows(release: str) -> list[tuple[str, str]]:
    lines = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()[1:]]
    return [(name, members) for where, name, members in lines if where == release]


@pytest.mark.parametrize(("release", "api"), [("1.4.1", "1.4"), ("1.12.3", "1.12"), ("1.15.5", "1.15")])
def test_members_are_there(release: str, api: str) -> None:
    done = forked.run(PROGRAM.format(api=api, rows=rows(release)))
    assert done.returncode == 0, done.stderr
    assert [word for word in done.stdout.split() if not any(fnmatchcase(word, pattern) for pattern in ABSENT)] == []
