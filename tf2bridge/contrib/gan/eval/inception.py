"""The frozen Inception graph that scores are computed with, and other frozen classifiers."""

from __future__ import annotations

import tarfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.layers.layers.reshaping import flatten

v1 = tf.compat.v1
INCEPTION_URL = "http://download.tensorflow.org/models/frozen_inception_v1_2015_12_05.tar.gz"
INCEPTION_FROZEN_GRAPH = "inceptionv1_for_inception_score.pb"
INCEPTION_INPUT = "Mul:0"
INCEPTION_OUTPUT = "logits:0"
INCEPTION_FINAL_POOL = "pool_3:0"
INCEPTION_DEFAULT_IMAGE_SIZE = 299


def preprocess_image(
    images: Any,
    height: int = INCEPTION_DEFAULT_IMAGE_SIZE,
    width: int = INCEPTION_DEFAULT_IMAGE_SIZE,
    scope: str | None = None,
) -> Any:
    """Returns images of numbers 0 to 255, [batch, h, w, c] or [h, w, c], resized, of numbers -1 to 1."""
    is_single = images.shape.rank == 3
    with v1.name_scope(scope, "preprocess", [images, height, width]):
        if not images.dtype.is_floating:
            images = v1.to_float(images)
        if is_single:
            images = tf.expand_dims(images, axis=0)
        resized = (v1.image.resize_bilinear(images, [height, width]) - 128.0) / 128.0
        return tf.squeeze(resized, axis=[0]) if is_single else resized


def get_graph_def_from_disk(filename: str) -> Any:
    """Returns the GraphDef in a file."""
    with tf.io.gfile.GFile(filename, "rb") as file:
        return v1.GraphDef.FromString(file.read())


def get_graph_def_from_resource(filename: str) -> Any:
    """Returns the GraphDef in a file whose path begins at the caller's data, or here."""
    return v1.GraphDef.FromString(v1.resource_loader.load_resource(filename))


def get_graph_def_from_url_tarball(url: str, filename: str, tar_filename: str | None = None) -> Any:
    """Returns the GraphDef `filename` of the archive `tar_filename`, which is fetched from `url` unless it exists."""
    if not (tar_filename and Path(tar_filename).exists()):
        tar_filename, _ = urllib.request.urlretrieve(url, tar_filename)
    with tarfile.open(tar_filename, "r:gz") as archive:
        member = archive.extractfile(filename)
        if member is None:
            raise ValueError(f"{filename} in {tar_filename} is no file")
        return v1.GraphDef.FromString(member.read())


def _default_graph_def_fn() -> Any:
    return get_graph_def_from_url_tarball(INCEPTION_URL, INCEPTION_FROZEN_GRAPH, Path(INCEPTION_URL).name)


def run_inception(
    images: Any,
    graph_def: Any = None,
    default_graph_def_fn: Callable[[], Any] | None = _default_graph_def_fn,
    image_size: int = INCEPTION_DEFAULT_IMAGE_SIZE,
    input_tensor: str = INCEPTION_INPUT,
    output_tensor: Any = INCEPTION_OUTPUT,
) -> Any:
    """Returns the flattened output of Inception for preprocessed images, [batch, image_size, image_size, 3].

    Without `graph_def` the graph of `default_graph_def_fn` is used.

    Raises:
        ValueError: both are None, or the images have another shape.
    """
    images = tf.convert_to_tensor(images)
    images.shape.with_rank(4)
    images.shape.assert_is_compatible_with([None, image_size, image_size, None])
    if graph_def is None:
        if default_graph_def_fn is None:
            raise ValueError("graph_def and default_graph_def_fn are both None; give either")
        graph_def = default_graph_def_fn()
    activations = run_image_classifier(images, graph_def, input_tensor, output_tensor)
    return [flatten(part) for part in activations] if isinstance(activations, list) else flatten(activations)


def run_image_classifier(
    tensor: Any, graph_def: Any, input_tensor: str, output_tensor: Any, scope: str = "RunClassifier"
) -> Any:
    """Returns the tensor, or the list of tensors, `output_tensor` of a frozen graph for `tensor` as `input_tensor`."""
    is_single = isinstance(output_tensor, str)
    wanted = [output_tensor] if is_single else output_tensor
    outputs = tf.graph_util.import_graph_def(graph_def, {input_tensor: tensor}, wanted, name=scope)
    return outputs[0] if is_single else outputs
