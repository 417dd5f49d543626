"""Scores of generated images by a classifier: inception score and Frechet distance.

Salimans et al., https://arxiv.org/abs/1606.03498 (score); Heusel et al., https://arxiv.org/abs/1706.08500 (distance).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.gan.eval.inception import INCEPTION_FINAL_POOL, INCEPTION_OUTPUT, run_inception

v1 = tf.compat.v1
Classifier = Callable[[Any], Any]


def classifier_score(images: Any, classifier_fn: Classifier, num_batches: int = 1) -> Any:
    """Returns the classifier score, a scalar, of `images`, which are classified in `num_batches` parts."""
    return classifier_score_from_logits(_in_batches(images, classifier_fn, num_batches))


def _in_batches(images: Any, classifier_fn: Classifier, num_batches: int) -> Any:
    parts = tf.stack(tf.split(images, num_or_size_splits=num_batches))
    options: dict[str, Any] = {"parallel_iterations": 1, "back_prop": False, "swap_memory": True}
    return tf.concat(tf.unstack(v1.map_fn(classifier_fn, parts, name="RunClassifier", **options)), 0)


def classifier_score_from_logits(logits: Any) -> Any:
    """Returns exp of the mean divergence of each row of `logits`, [batch, classes], from their mean, a scalar.

    Raises:
        ValueError: the logits do not have rank 2 or a floating dtype.
    """
    logits.shape.assert_has_rank(2)
    dtype, logits = logits.dtype, _as_double(logits)
    probabilities = tf.nn.softmax(logits)
    mean = v1.reduce_mean(probabilities, axis=0)
    divergence = v1.reduce_sum(probabilities * (tf.nn.log_softmax(logits) - v1.log(mean)), axis=1)
    return _cast_back(tf.exp(v1.reduce_mean(divergence)), dtype)


def _as_double(tensor: Any) -> Any:
    return tensor if tensor.dtype == tf.float64 else v1.to_double(tensor)


def _cast_back(tensor: Any, dtype: Any) -> Any:
    return tensor if dtype == tf.float64 else tf.cast(tensor, dtype)


def frechet_classifier_distance(
    real_images: Any, generated_images: Any, classifier_fn: Classifier, num_batches: int = 1
) -> Any:
    """Returns the Frechet distance, a scalar, of the activations that `classifier_fn` gives for both sets of images."""
    batches = [tf.split(images, num_or_size_splits=num_batches) for images in (real_images, generated_images)]
    options: dict[str, Any] = {"parallel_iterations": 1, "back_prop": False, "swap_memory": True}
    parts = [tf.stack(batch) for batch in batches]
    outputs = [v1.map_fn(classifier_fn, part, name="RunClassifier", **options) for part in parts]
    real, generated = (tf.concat(tf.unstack(output), 0) for output in outputs)
    return frechet_classifier_distance_from_activations(real, generated)


def _both_double(real: Any, generated: Any) -> tuple[Any, Any]:
    real.shape.assert_has_rank(2)
    generated.shape.assert_has_rank(2)
    if real.dtype == tf.float64:
        return real, generated
    return v1.to_double(real), v1.to_double(generated)


def mean_only_frechet_classifier_distance_from_activations(real_activations: Any, generated_activations: Any) -> Any:
    """Returns the squared distance of the means of both activations, [batch, features], a scalar."""
    real, generated = _both_double(real_activations, generated_activations)
    first, second = v1.reduce_mean(real, 0), v1.reduce_mean(generated, 0)
    return _cast_back(v1.reduce_sum(v1.squared_difference(first, second)), real_activations.dtype)


def diagonal_only_frechet_classifier_distance_from_activations(
    real_activations: Any, generated_activations: Any
) -> Any:
    """Returns the Frechet distance of both activations, [batch, features], as if features were independent."""
    real, generated = _both_double(real_activations, generated_activations)
    mean, variance = v1.nn.moments(real, axes=[0])
    generated_mean, generated_variance = v1.nn.moments(generated, axes=[0])
    root = tf.sqrt(tf.multiply(variance, generated_variance))
    trace = v1.reduce_sum((variance + generated_variance) - 2.0 * root)
    distance = trace + v1.reduce_sum(v1.squared_difference(mean, generated_mean))
    return _cast_back(distance, real_activations.dtype)


def frechet_classifier_distance_from_activations(real_activations: Any, generated_activations: Any) -> Any:
    """Returns the Frechet distance of the normal distributions fitted to both activations, [batch, features]."""
    real, generated = _both_double(real_activations, generated_activations)
    mean, generated_mean = v1.reduce_mean(real, 0), v1.reduce_mean(generated, 0)
    counts = [v1.to_double(tf.shape(activations)[0]) for activations in (real, generated)]
    covariance = _covariance(real - mean, counts[0])
    generated_covariance = _covariance(generated - generated_mean, counts[1])
    root = trace_sqrt_product(covariance, generated_covariance)
    trace = v1.trace(covariance + generated_covariance) - 2.0 * root
    distance = trace + v1.reduce_sum(v1.squared_difference(mean, generated_mean))
    return _cast_back(distance, real_activations.dtype)


def _covariance(centered: Any, count: Any) -> Any:
    return tf.matmul(centered, centered, transpose_a=True) / (count - 1)


def trace_sqrt_product(sigma: Any, sigma_v: Any) -> Any:
    """Returns the trace of the square root of `sigma` times `sigma_v`, covariances [features, features].

    This product is not symmetric; root(sigma) sigma_v root(sigma) is, and has the same trace of its root.
    """
    root = _symmetric_root(sigma)
    return v1.trace(_symmetric_root(tf.matmul(root, tf.matmul(sigma_v, root))))


def _symmetric_root(matrix: Any, eps: float = 1e-10) -> Any:
    values, left, right = tf.linalg.svd(matrix)
    roots = v1.where(tf.less(values, eps), values, tf.sqrt(values))  # the root is not stable around 0
    return tf.matmul(tf.matmul(left, v1.diag(roots)), right, transpose_b=True)


inception_score = functools.partial(
    classifier_score, classifier_fn=functools.partial(run_inception, output_tensor=INCEPTION_OUTPUT)
)
frechet_inception_distance = functools.partial(
    frechet_classifier_distance, classifier_fn=functools.partial(run_inception, output_tensor=INCEPTION_FINAL_POOL)
)
