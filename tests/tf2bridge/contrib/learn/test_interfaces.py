"""Evaluable and Trainable of contrib.learn: what an Experiment takes for an estimator, as in genuine 1.15.5."""

from __future__ import annotations

import pytest

from tests import forked, oracles

PROGRAM = """
{imports}
import inspect
learn = tf.contrib.learn

class Model(learn.Evaluable, learn.Trainable):
    model_dir, config = "here", None

    def evaluate(self, **arguments):
        return "evaluated"

    def fit(self, **arguments):
        return self

for interface, method in ((learn.Evaluable, "evaluate"), (learn.Trainable, "fit")):
    print(sorted(interface.__abstractmethods__), list(inspect.signature(getattr(interface, method)).parameters))
    print(issubclass(learn.Estimator, interface))
print(learn.Experiment(Model(), None, None).estimator.model_dir)
try:
    learn.Experiment(object(), None, None)
except ValueError as error:
    print(error)
"""
PRINTED = """\
['evaluate', 'model_dir'] ['self', 'x', 'y', 'input_fn', 'feed_fn', 'batch_size', 'steps', 'metrics', 'name', \
'checkpoint_path', 'hooks']
True
['fit'] ['self', 'x', 'y', 'input_fn', 'steps', 'batch_size', 'monitors', 'max_steps']
True
here
`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`.
"""


def test_an_experiment_takes_what_implements_both() -> None:
    done = forked.run(PROGRAM.format(imports="from tf2bridge import v1 as tf\ntf.enable(api='1.15')"))
    assert done.stdout == PRINTED, done.stderr


@pytest.mark.oracle
def test_the_genuine_release_does() -> None:
    done = oracles.run("1.15.5", PROGRAM.format(imports="import tensorflow as tf"))
    assert done.stdout == PRINTED, done.stderr
