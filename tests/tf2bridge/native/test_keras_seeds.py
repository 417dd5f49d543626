"""Keras draws no numbers that the program would have drawn."""

from __future__ import annotations

import random

from tests import forked

PROGRAM = """\
import random
import keras
import numpy as np
from tf2bridge.native.running.keras_seeds import KerasSeeds

KerasSeeds().install()
random.seed(3)
first = random.random()
kernels = [keras.initializers.GlorotUniform()([2, 2]) for _ in range(2)]
dense = keras.layers.Dense(3)
dense.build([None, 2])
keras.layers.Dropout(0.5)
keras.random.SeedGenerator()
keras.utils.set_random_seed(5)
print(first, random.random(), bool(np.array_equal(*kernels)))
"""


def test_the_program_s_numbers_go_on_and_keras_draws_others() -> None:
    own = random.Random(3)
    assert forked.run(PROGRAM).stdout.split() == [str(own.random()), str(own.random()), "False"]
