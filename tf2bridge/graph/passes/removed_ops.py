"""Computes operations of 2015 and 2016 that TensorFlow removed from later versions of the graph format.

A graph of an older version may have them (`Deprecated(...)` in core/ops/*.cc names the version). A prepared graph has a
later version, so each is replaced by the operations that succeeded it. For example, the Inception network of December
2015 uses `BatchNormWithGlobalNormalization`. `CompareAndBitpack` was in every release up to 1.15; contrib had
`GatherTree`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_ops.beams import early_gather_tree, gather_tree
from tf2bridge.behaviour.old_ops.bits import compare_and_bitpack
from tf2bridge.graph.passes.expansions import Expansion

Attributes = Mapping[str, Any]


def normalized(
    attributes: Attributes, x: tf.Tensor, mean: tf.Tensor, variance: tf.Tensor, beta: tf.Tensor, gamma: tf.Tensor
) -> list[tf.Tensor]:
    """Computes `BatchNormWithGlobalNormalization` of x [batch, rows, columns, channels], in the kernel's order."""
    scale = tf.math.rsqrt(variance + tf.cast(attributes["variance_epsilon"], variance.dtype))
    scale = scale * gamma if attributes["scale_after_normalization"] else scale
    return [(x - mean) * scale + beta]


def gradients_of_normalized(
    attributes: Attributes, x: tf.Tensor, mean: tf.Tensor, variance: tf.Tensor, gamma: tf.Tensor, upstream: tf.Tensor
) -> list[tf.Tensor]:
    """Computes `BatchNormWithGlobalNormalizationGrad`: the gradients of x, mean, variance, beta and gamma."""
    shifted = variance + tf.cast(attributes["variance_epsilon"], variance.dtype)
    inverse = tf.math.rsqrt(shifted)
    is_scaled = attributes["scale_after_normalization"]
    scale = inverse * gamma if is_scaled else inverse
    of_beta = tf.reduce_sum(upstream, [0, 1, 2])
    of_inverse = tf.reduce_sum(upstream * (x - mean), [0, 1, 2])
    of_gamma = of_inverse * inverse if is_scaled else tf.zeros_like(gamma)
    return [upstream * scale, -of_beta * scale, -0.5 * of_inverse * scale / shifted, of_beta, of_gamma]


def largest(attributes: Attributes, x: tf.Tensor) -> list[tf.Tensor]:
    """Computes `TopK`, whose k was an attribute; returns values and indices."""
    return list(tf.raw_ops.TopKV2(input=x, k=attributes["k"], sorted=attributes["sorted"]))


def quantized(attributes: Attributes, x: tf.Tensor) -> list[tf.Tensor]:
    """Computes `QuantizeAndDequantize`, whose range was an attribute."""
    given = {name: attributes[name] for name in ("signed_input", "num_bits", "range_given")}
    bounds = {name: tf.cast(attributes[name], x.dtype) for name in ("input_min", "input_max")}
    return [tf.raw_ops.QuantizeAndDequantizeV2(input=x, **bounds, **given)]


def summed_tiles(attributes: Attributes, x: tf.Tensor, multiples: tf.Tensor) -> list[tf.Tensor]:
    """Computes `TileGrad`: the sum of all copies that a tile made."""
    del attributes
    sizes = tf.shape(x)
    parts = tf.reshape(tf.stack([multiples, sizes // multiples], axis=1), [-1])
    return [tf.reduce_sum(tf.reshape(x, parts), tf.range(0, tf.size(parts), 2))]


def eigen(attributes: Attributes, x: tf.Tensor) -> list[tf.Tensor]:
    """Computes `SelfAdjointEig`: the eigenvalues are the first row, above the eigenvectors."""
    del attributes
    values, vectors = tf.linalg.eigh(x)
    return [tf.concat([values[..., tf.newaxis, :], vectors], -2)]


def eigen_apart(attributes: Attributes, x: tf.Tensor) -> list[tf.Tensor]:
    """Computes `BatchSelfAdjointEigV2`: eigenvalues, and eigenvectors if `compute_v` is set."""
    return list(tf.raw_ops.SelfAdjointEigV2(input=x, compute_v=attributes["compute_v"]))


def solved(attributes: Attributes, matrix: tf.Tensor, right: tf.Tensor) -> list[tf.Tensor]:
    """Computes `BatchMatrixSolve`."""
    return [tf.linalg.solve(matrix, right, adjoint=attributes["adjoint"])]


def triangular(attributes: Attributes, matrix: tf.Tensor, right: tf.Tensor) -> list[tf.Tensor]:
    """Computes `BatchMatrixTriangularSolve`."""
    return [tf.linalg.triangular_solve(matrix, right, lower=attributes["lower"], adjoint=attributes["adjoint"])]


def least_squares(attributes: Attributes, matrix: tf.Tensor, right: tf.Tensor, l2: tf.Tensor) -> list[tf.Tensor]:
    """Computes `BatchMatrixSolveLs`."""
    return [tf.raw_ops.MatrixSolveLs(matrix=matrix, rhs=right, l2_regularizer=l2, fast=attributes["fast"])]


def singular(attributes: Attributes, x: tf.Tensor) -> list[tf.Tensor]:
    """Computes `BatchSvd`; returns s, u and v."""
    wanted = {name: attributes[name] for name in ("compute_uv", "full_matrices")}
    return list(tf.raw_ops.Svd(input=x, **wanted))


def inverse(attributes: Attributes, x: tf.Tensor) -> list[tf.Tensor]:
    """Computes `BatchMatrixInverse`."""
    return [tf.linalg.inv(x, adjoint=attributes["adjoint"])]


def of_its_input(attributes: Attributes, x: tf.Tensor, kernel: tf.Tensor, out: tf.Tensor) -> list[tf.Tensor]:
    """Computes `Conv3DBackpropInput`, which takes an input instead of its shape."""
    options = {"strides": attributes["strides"], "padding": attributes["padding"]}
    return [tf.raw_ops.Conv3DBackpropInputV2(input_sizes=tf.shape(x), filter=kernel, out_backprop=out, **options)]


def of_its_kernel(attributes: Attributes, x: tf.Tensor, kernel: tf.Tensor, out: tf.Tensor) -> list[tf.Tensor]:
    """Computes `Conv3DBackpropFilter`, which takes a kernel instead of its shape."""
    options = {"strides": attributes["strides"], "padding": attributes["padding"]}
    return [tf.raw_ops.Conv3DBackpropFilterV2(input=x, filter_sizes=tf.shape(kernel), out_backprop=out, **options)]


def followed(attributes: Attributes, *inputs: tf.Tensor) -> list[tf.Tensor]:
    """Computes `GatherTree`, whose inputs were three up to 1.4: each beam had a length of its own."""
    del attributes
    return [early_gather_tree(*inputs) if len(inputs) == 3 else gather_tree(*inputs)]


def _plain(function: Callable[..., Any]) -> Expansion:
    """Returns the expansion of an operation that has only types as attributes."""

    def build(attributes: Attributes, *inputs: tf.Tensor) -> list[tf.Tensor]:
        del attributes
        return [function(*inputs)]

    return build


REMOVED: dict[str, Expansion] = {
    "BatchCholesky": _plain(tf.linalg.cholesky),
    "BatchCholeskyGrad": _plain(lambda factor, grad: tf.raw_ops.CholeskyGrad(l=factor, grad=grad)),
    "BatchFFT": _plain(tf.signal.fft),
    "BatchFFT2D": _plain(tf.signal.fft2d),
    "BatchFFT3D": _plain(tf.signal.fft3d),
    "BatchIFFT": _plain(tf.signal.ifft),
    "BatchIFFT2D": _plain(tf.signal.ifft2d),
    "BatchIFFT3D": _plain(tf.signal.ifft3d),
    "BatchMatrixBandPart": _plain(tf.linalg.band_part),
    "BatchMatrixDeterminant": _plain(tf.linalg.det),
    "BatchMatrixDiag": _plain(tf.linalg.diag),
    "BatchMatrixDiagPart": _plain(tf.linalg.diag_part),
    "BatchMatrixInverse": inverse,
    "BatchMatrixSetDiag": _plain(tf.linalg.set_diag),
    "BatchMatrixSolve": solved,
    "BatchMatrixSolveLs": least_squares,
    "BatchMatrixTriangularSolve": triangular,
    "BatchNormWithGlobalNormalization": normalized,
    "BatchNormWithGlobalNormalizationGrad": gradients_of_normalized,
    "BatchSelfAdjointEig": eigen,
    "BatchSelfAdjointEigV2": eigen_apart,
    "BatchSvd": singular,
    "Conv3DBackpropFilter": of_its_kernel,
    "Conv3DBackpropInput": of_its_input,
    "QuantizeAndDequantize": quantized,
    "SelfAdjointEig": eigen,
    "TileGrad": summed_tiles,
    "TopK": largest,
}
"""Type of an operation -> the function that computes it."""
UNKNOWN: dict[str, Expansion] = {"CompareAndBitpack": _plain(compare_and_bitpack), "GatherTree": followed}
"""The same for operations that TensorFlow 2.21 does not know in any version of the graph format."""
