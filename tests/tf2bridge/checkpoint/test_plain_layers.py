"""Scopes of contrib.layers, slim and tf.layers as layers of Keras 3: the same values, as Keras shapes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint.keras_layers import fill, variables_of
from tests.tf2bridge.checkpoint.written import of_shapes
from tests.tf2bridge.formats.checkpoints.test_names import NAMES
from tf2bridge.checkpoint.layers.plain_layers import plain_layer_moves
from tf2bridge.checkpoint.planning.matching import plan
from tf2bridge.formats.checkpoints.names import role

L = keras.layers
IMAGE = (None, 6, 6, 3)

LAYERS = {
    "contrib conv": (lambda: L.Conv2D(4, 3), IMAGE, "Conv/"),
    "contrib scale": (L.BatchNormalization, IMAGE, "BatchNorm/"),
    "contrib transposed": (lambda: L.Conv2DTranspose(4, 3), IMAGE, "Conv2d_transpose/"),
    "contrib separable": (lambda: L.SeparableConv2D(4, 3), IMAGE, "SeparableConv2d/"),
    "contrib dense": (lambda: L.Dense(4), (None, 3), "fully_connected/"),
    "contrib layer norm": (L.LayerNormalization, (None, 3), "LayerNorm/"),
    "contrib embedding": (lambda: L.Embedding(5, 4), (None,), "EmbedSequence/"),
    "dense": (lambda: L.Dense(4), (None, 3), "dense/"),
    "separable": (lambda: L.SeparableConv2D(4, 3), IMAGE, "separable_conv2d/"),
    "transposed": (lambda: L.Conv2DTranspose(4, 3), IMAGE, "conv2d_transpose/"),
    "keras depthwise": (lambda: L.DepthwiseConv2D(3), IMAGE, "depthwise_conv2d/"),
    "keras embedding": (lambda: L.Embedding(7, 4), (None,), "embedding/"),
}
CASES = [(release, model) for release in NAMES for model in LAYERS if model in NAMES[release]]


def built(make: Any, shape: Any) -> Any:
    layer = make()
    layer.build(shape)
    return layer


@pytest.mark.parametrize("release, model", CASES)
def test_each_variable_has_its_place(release: str, model: str) -> None:
    """What a genuine release made, in the layer of Keras: by role, with no value moved."""
    make, shape, scope = LAYERS[model]
    names = {name[len(scope) :]: size for name, size in NAMES[release][model].items() if name.startswith(scope)}
    own = {role(name): tuple(size) for name, size in names.items() if "/" not in name}
    moves = plain_layer_moves(own, variables_of(built(make, shape)))
    assert moves is not None
    taken = {source for move in moves for source in move.sources}
    assert taken == set(own)
    assert all(not move.steps for move in moves if move.sources)


def test_a_normalization_without_a_scale_has_one_of_1() -> None:
    layer = built(L.BatchNormalization, IMAGE)
    own = {"beta": np.array([1, 2, 3.0], np.float32), "moving_mean": np.zeros(3), "moving_variance": np.ones(3)}
    moves = plain_layer_moves({item: value.shape for item, value in own.items()}, variables_of(layer))
    assert moves is not None
    assert {move.target for move in moves if not move.certain} == {layer.gamma.path}
    layer.gamma.assign([7, 7, 7])
    fill(layer, moves, own)
    assert layer.gamma.numpy().tolist() == [1, 1, 1]
    assert layer.beta.numpy().tolist() == [1, 2, 3]


def test_a_bias_beside_its_scope_is_not_taken_for_none(tmp_path: Path) -> None:
    model = keras.Sequential([L.Dense(5, name="d1"), L.Dense(3, use_bias=True, name="d2")])
    model.build((None, 4))
    shapes = {"layer1/w": (4, 5), "b1": (5,), "layer2/w": (5, 3)}
    with of_shapes(tmp_path, shapes) as checkpoint:
        made_plan = plan(checkpoint, model)
    sources = {move.target.partition("/")[2]: move.sources for move in made_plan.moves}
    assert made_plan.complete
    assert sources == {"d1/kernel": ("layer1/w",), "d1/bias": ("b1",), "d2/kernel": ("layer2/w",), "d2/bias": ()}


def test_a_convolution_over_the_whole_image_is_a_dense_layer() -> None:
    """As VGG's fc6 is written by slim, and its fc8 of 1x1."""
    values = np.random.default_rng(0).normal(size=(6, 6, 3, 4)).astype(np.float32)
    image = np.random.default_rng(1).normal(size=(2, 6, 6, 3)).astype(np.float32)
    dense, convolution = built(lambda: L.Dense(4), (None, 108)), built(lambda: L.Conv2D(4, 6), IMAGE)
    convolution.kernel.assign(values)
    moves = plain_layer_moves({"kernel": values.shape, "bias": (4,)}, variables_of(dense))
    assert moves is not None
    assert [move.certain for move in moves] == [False, True]
    fill(dense, moves, {"kernel": values, "bias": np.zeros(4, np.float32)})
    expected = np.asarray(convolution(image)).reshape(2, 4)
    np.testing.assert_allclose(dense(image.reshape(2, -1)), expected, atol=1e-5)


@pytest.mark.parametrize(
    "shapes, layer, shape",
    [
        ({"kernel": (1, 1, 3, 4)}, lambda: L.Dense(4), (None, 3)),
        ({"kernel": (3, 4)}, lambda: L.Conv2D(4, 1), IMAGE),
        ({"kernel": (1, 3, 3, 4)}, lambda: L.Conv1D(4, 3), (None, 6, 3)),
        ({"alpha": (3,)}, lambda: L.PReLU(shared_axes=[1, 2]), IMAGE),
    ],
)
def test_a_dimension_of_one_may_be_written_or_not(shapes: Any, layer: Any, shape: Any) -> None:
    moves = plain_layer_moves(shapes, variables_of(built(layer, shape)))
    assert moves is not None
    assert [step.kind for step in moves[0].steps] == ["reshape"]
    assert moves[0].certain


@pytest.mark.parametrize(
    "shapes, layer, shape",
    [
        ({"kernel": (4, 3)}, lambda: L.Dense(4), (None, 3)),
        ({"kernel": (3, 3, 4, 3)}, lambda: L.Conv2D(4, 3), IMAGE),
        ({"bias": (4,)}, lambda: L.Dense(4), (None, 3)),
        ({"kernel": (3, 4), "bias": (4,), "gamma": (4,)}, lambda: L.Dense(4), (None, 3)),
        ({"beta": (3,), "gamma": (3,)}, L.BatchNormalization, IMAGE),
        ({}, L.LayerNormalization, (None, 3)),
        ({"kernel": (12, 1)}, lambda: L.Embedding(4, 3), (None,)),
    ],
)
def test_what_does_not_fit(shapes: Any, layer: Any, shape: Any) -> None:
    assert plain_layer_moves(shapes, variables_of(built(layer, shape))) is None
