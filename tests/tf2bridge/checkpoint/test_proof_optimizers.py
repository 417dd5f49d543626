"""A model of Keras 3 that gets a genuine checkpoint takes the genuine next step, whatever the optimizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint.proofs import check_next_step, check_output, filled
from tests.tf2bridge.checkpoint.recorded import of, unpacked

ADADELTA_SINCE = ("1.12.3", "1.15.5")
"""Up to 1.4 its step was larger: the root was taken of what is now under it."""


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def network(optimizer: Any) -> Any:
    layers = [keras.layers.Dense(5, "relu", name="hidden"), keras.layers.Dense(3, name="logits")]
    model = keras.Sequential([keras.Input([4]), *layers])
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


def adam(h: dict[str, Any]) -> Any:
    return keras.optimizers.Adam(h["learning_rate"], h.get("beta1", 0.9), h.get("beta2", 0.999), h.get("epsilon", 1e-8))


def momentum(h: dict[str, Any]) -> Any:
    return keras.optimizers.SGD(h["learning_rate"], h["momentum"], nesterov=h.get("use_nesterov", False))


def rmsprop(h: dict[str, Any]) -> Any:
    return keras.optimizers.RMSprop(
        h["learning_rate"], h["decay"], h.get("momentum", 0.0), 1e-10, centered=h.get("centered", False)
    )


def ftrl(h: dict[str, Any]) -> Any:
    regularized = {name: value for name, value in h.items() if name != "learning_rate"}
    return keras.optimizers.Ftrl(h["learning_rate"], **regularized)


OPTIMIZERS = {
    "mlp_sgd": lambda h: keras.optimizers.SGD(h["learning_rate"]),
    "mlp_momentum": momentum,
    "mlp_nesterov": momentum,
    "mlp_momentum_decayed": momentum,
    "mlp_adam": adam,
    "mlp_adam_no_step": adam,
    "mlp_lazy_adam": adam,
    "mlp_rmsprop": rmsprop,
    "mlp_rmsprop_momentum": rmsprop,
    "mlp_rmsprop_centered": rmsprop,
    "mlp_adagrad": lambda h: keras.optimizers.Adagrad(h["learning_rate"], epsilon=0.0),
    "mlp_adadelta": lambda h: keras.optimizers.Adadelta(h["learning_rate"], h["rho"], h["epsilon"]),
    "mlp_ftrl": ftrl,
    "mlp_ftrl_regularized": ftrl,
    "mlp_adamax": lambda h: keras.optimizers.Adamax(h["learning_rate"], epsilon=1e-8),
    "mlp_adamw": lambda h: keras.optimizers.AdamW(
        h["learning_rate"], weight_decay=h["weight_decay"] / h["learning_rate"], epsilon=1e-8
    ),
}
CASES = [name for program in OPTIMIZERS for name in of(program)]


@pytest.mark.parametrize("name", CASES)
def test_the_next_step_is_the_genuine_one(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    release, _, program = name.partition("/")
    model = network(OPTIMIZERS[program](program_files.hyper))
    plan = filled(model, program_files)
    check_output(model(program_files.expected["in x"]), program_files, "logits")
    if program != "mlp_adadelta" or release in ADADELTA_SINCE:
        check_next_step(model, program_files, plan, program_files.expected["in x"], program_files.expected["in labels"])


@pytest.mark.parametrize("name", of("adam_long"))
def test_after_so_many_steps_that_beta1_power_is_no_normal_number(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    assert program_files.expected["saved beta1_power"] < np.finfo(np.float32).tiny
    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(3, use_bias=False)])
    model.compile(keras.optimizers.Adam(0.001, epsilon=1e-8), "mse")
    plan = filled(model, program_files)
    assert int(model.optimizer.iterations) == 1000
    x = program_files.expected["in x"]
    check_output(model(x), program_files, "y")
    check_next_step(model, program_files, plan, x, np.ones([len(x), 3]))
