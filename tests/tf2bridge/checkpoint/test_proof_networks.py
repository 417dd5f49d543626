"""Networks of images in Keras 3 that get a genuine checkpoint: their outputs, and the next step of training."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint.proofs import check_next_step, check_output, filled
from tests.tf2bridge.checkpoint.recorded import of, unpacked

layers = keras.layers


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def conv(filters: int, size: int, name: str | None = None, **options: Any) -> Any:
    return layers.Conv2D(filters, size, padding=options.pop("padding", "same"), name=name, **options)


def norm(name: str | None = None, **options: Any) -> Any:
    return layers.BatchNormalization(momentum=0.9, epsilon=options.pop("epsilon", 1e-3), name=name, **options)


def images(*rest: Any) -> Any:
    return keras.Sequential([keras.Input([6, 6, 2]), *rest])


def trained(model: Any, hyper: dict[str, Any]) -> Any:
    model.compile(keras.optimizers.SGD(hyper["learning_rate"], hyper["momentum"]), "mse", run_eagerly=True)
    return model


def conv_layers() -> Any:
    blocks = [[conv(filters, 3, use_bias=False), norm(), layers.ReLU()] for filters in (3, 4)]
    return images(*blocks[0], *blocks[1], layers.MaxPooling2D(3), layers.Flatten(), layers.Dense(3))


def conv_layers_fused() -> Any:
    return images(conv(3, 3, "conv"), norm("norm"), layers.ReLU(), layers.GlobalAveragePooling2D())


def conv_kinds() -> Any:
    return images(
        layers.SeparableConv2D(4, 3, depth_multiplier=2, padding="same", name="separable"),
        layers.Conv2DTranspose(3, 2, 2, name="transposed"),
        layers.Reshape([12, 12, 3, 1]),
        layers.Conv3D(2, 3, name="volume"),
        layers.Reshape([10, 20]),
        layers.Conv1D(3, 2, name="line"),
        layers.GlobalAveragePooling1D(),
    )


def conv_slim() -> Any:
    block = [layer for name in ("a", "b") for layer in (conv(4, 3, use_bias=False), norm(scale=False), layers.ReLU())]
    first = [conv(3, 3, "stem", use_bias=False), norm("stem_norm", scale=False), layers.ReLU()]
    return images(*first, *block, conv(3, 1, "logits"), layers.GlobalAveragePooling2D())


def conv_slim_kinds() -> Any:
    return images(
        layers.SeparableConv2D(4, 3, depth_multiplier=2, padding="same", activation="relu"),
        layers.DepthwiseConv2D(3, padding="same", activation="relu", name="depthwise"),
        layers.Conv2DTranspose(3, 2, 2, use_bias=False),
        norm(),
        layers.ReLU(),
        layers.AveragePooling2D(6),
        layers.Flatten(),
        layers.Dense(3),
    )


MODELS = {each.__name__: each for each in (conv_layers, conv_layers_fused, conv_kinds, conv_slim, conv_slim_kinds)}
FUSED = "moving_variance"
"""Where the fused kernel of TF 1.x normalized, it moved by the variance of a sample, n / (n - 1) of Keras 3's."""
CASES = [name for program in MODELS for name in of(program)]


@pytest.mark.parametrize("name", CASES)
def test_a_convolutional_network(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    program = name.partition("/")[2]
    model = trained(MODELS[program](), program_files.hyper)
    hyper = program_files.hyper
    if program == "conv_slim":
        rmsprop = keras.optimizers.RMSprop(0.01, hyper["decay"], hyper["momentum"], hyper["epsilon"])
        model.compile(rmsprop, "mse", run_eagerly=True)
    plan = filled(model, program_files)
    x = program_files.expected["in images"]
    check_output(model(x), program_files, "features")
    but = "" if program in ("conv_layers", "conv_kinds") else FUSED
    check_next_step(model, program_files, plan, x, np.full([4, 3], 0.25, np.float32), but=but)


def bottleneck(x: Any, depth: int, inner: int, stride: int, names: Any) -> Any:
    shortcut = x
    if x.shape[-1] != depth:
        conv_name, norm_name = names("shortcut")
        shortcut = conv(depth, 1, conv_name, strides=stride, use_bias=False)(x)
        shortcut = norm(norm_name, epsilon=1e-5)(shortcut)
    elif stride > 1:
        shortcut = layers.MaxPooling2D(1, stride)(x)
    for place, (filters, size, step) in enumerate(((inner, 1, 1), (inner, 3, stride), (depth, 1, 1)), 1):
        conv_name, norm_name = names(f"conv{place}")
        x = norm(norm_name, epsilon=1e-5)(conv(filters, size, conv_name, strides=step, use_bias=False)(x))
        x = layers.ReLU()(x) if place < 3 else x
    return layers.ReLU()(layers.Add()([shortcut, x]))


def resnet(names: Any) -> Any:
    start = keras.Input([8, 8, 3])
    x = layers.ReLU()(norm("conv1_bn", epsilon=1e-5)(conv(4, 3, "conv1_conv", use_bias=False)(start)))
    for block, (depth, inner, stride) in enumerate(((6, 2, 2), (8, 3, 1)), 1):
        for unit in range(1, 3):
            x = bottleneck(x, depth, inner, stride if unit == 2 else 1, partial(names, block, unit))
    x = conv(3, 1, "predictions")(layers.GlobalAveragePooling2D(keepdims=True)(x))
    return keras.Model(start, layers.Flatten()(x))


def own_names(block: int, unit: int, place: str) -> tuple[str, str]:
    return f"block{block}_unit{unit}_{place}", f"block{block}_unit{unit}_{place}_bn"


def names_of_applications(block: int, unit: int, place: str) -> tuple[str, str]:
    """As keras.applications calls the layers of its ResNets."""
    stem = f"conv{block + 1}_block{unit}_{place.removeprefix('conv').replace('shortcut', '0')}"
    return f"{stem}_conv", f"{stem}_bn"


def rules_for_applications() -> list[tuple[str, str]]:
    rules = []
    for block in (1, 2):
        for place in ("shortcut", "conv1", "conv2", "conv3"):
            scope = rf"resnet_v1_14/block{block}/unit_(\d)/bottleneck_v1/{place}"
            new = rf"conv{block + 1}_block\1_{place.removeprefix('conv').replace('shortcut', '0')}"
            rules += [(f"{scope}/weights", f"{new}_conv/kernel"), (f"{scope}/BatchNorm/(.*)", rf"{new}_bn/\2")]
    return rules


@pytest.mark.parametrize("names, rules", [(own_names, []), (names_of_applications, rules_for_applications())])
@pytest.mark.parametrize("name", of("residual"))
def test_a_residual_network(name: str, names: Any, rules: list[tuple[str, str]], parent: Path) -> None:
    program_files = unpacked(name, parent)
    model = trained(resnet(names), program_files.hyper)
    plan = filled(model, program_files, rules)
    images = program_files.expected["in images"]
    check_output(model(images), program_files, "logits")
    check_next_step(model, program_files, plan, images, np.full([4, 3], 0.25, np.float32), but=FUSED)


@pytest.mark.parametrize("averages", [False, True])
@pytest.mark.parametrize("name", of("averages"))
def test_the_variables_or_their_averages(name: str, averages: bool, parent: Path) -> None:
    program_files = unpacked(name, parent)
    model = trained(keras.Sequential([keras.Input([4]), layers.Dense(3, name="dense")]), program_files.hyper)
    plan = filled(model, program_files, averages=averages)
    x = program_files.expected["in x"]
    check_output(model(x), program_files, "smooth" if averages else "y")
    if not averages:
        check_next_step(model, program_files, plan, x, np.full([4, 3], 0.25, np.float32))


@pytest.mark.parametrize("name", of("partitioned"))
def test_variables_in_parts(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    parts = [layers.Embedding(9, 4, name="embedding"), layers.Dense(5, use_bias=False, name="dense")]
    model = keras.Sequential([keras.Input([], dtype="int32"), *parts])
    model.compile(keras.optimizers.Adam(program_files.hyper["learning_rate"], epsilon=1e-8), "mse")
    plan = filled(model, program_files)
    words = program_files.expected["in words"]
    check_output(model(words), program_files, "y")
    check_next_step(model, program_files, plan, words, np.full([4, 5], 0.25, np.float32))


@pytest.mark.parametrize("program", ["version_1", "sharded", "renamed", "series", "series_absolute"])
@pytest.mark.parametrize("release", ["0.12.1", "1.15.5"])
def test_every_kind_of_file(release: str, program: str, parent: Path) -> None:
    program_files = unpacked(f"{release}/{program}", parent)
    model = keras.Sequential([keras.Input([4]), layers.Dense(5, "relu", name="hidden"), layers.Dense(3, name="logits")])
    filled(model, program_files)
    check_output(model(program_files.expected["in x"]), program_files, "y")
