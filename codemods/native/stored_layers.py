"""The layers of the store of variables: methods of its class with the formulas of `layers.py` of TensorFlow 1.15.5."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_DENSE = """
    def dense(
        self, inputs, units, activation=None, use_bias=True, kernel_initializer=None,
        bias_initializer=tf.zeros_initializer(), trainable=True, name=None, reuse=None,
    ):
        with self.scope(name, "dense", reuse):
            kernel = self.get("kernel", [inputs.shape[-1], units], inputs.dtype, kernel_initializer, trainable)
            if len(inputs.shape) > 2:
                outputs = tf.tensordot(inputs, kernel, [[len(inputs.shape) - 1], [0]])
            else:
                outputs = tf.matmul(inputs, kernel)
            if use_bias:
                bias = self.get("bias", [units], inputs.dtype, bias_initializer, trainable)
                outputs = tf.nn.bias_add(outputs, bias)
        return outputs if activation is None else activation(outputs)
"""
_CONV2D = """
    def conv2d(
        self, inputs, filters, kernel_size, strides=(1, 1), padding="valid", dilation_rate=(1, 1), activation=None,
        use_bias=True, kernel_initializer=None, bias_initializer=tf.zeros_initializer(), trainable=True, name=None,
        reuse=None,
    ):
        sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
        with self.scope(name, "conv2d", reuse):
            shape = [*sizes, inputs.shape[-1], filters]
            kernel = self.get("kernel", shape, inputs.dtype, kernel_initializer, trainable)
            outputs = tf.nn.conv2d(inputs, kernel, strides, padding.upper(), dilations=dilation_rate)
            if use_bias:
                bias = self.get("bias", [filters], inputs.dtype, bias_initializer, trainable)
                outputs = tf.nn.bias_add(outputs, bias)
        return outputs if activation is None else activation(outputs)
"""
_CONV1D = """
    def conv1d(
        self, inputs, filters, kernel_size, strides=1, padding="valid", activation=None, use_bias=True,
        kernel_initializer=None, bias_initializer=tf.zeros_initializer(), trainable=True, name=None, reuse=None,
    ):
        size = kernel_size if isinstance(kernel_size, int) else kernel_size[0]
        with self.scope(name, "conv1d", reuse):
            shape = [size, inputs.shape[-1], filters]
            kernel = self.get("kernel", shape, inputs.dtype, kernel_initializer, trainable)
            outputs = tf.nn.conv1d(inputs, kernel, strides, padding.upper())
            if use_bias:
                bias = self.get("bias", [filters], inputs.dtype, bias_initializer, trainable)
                outputs = tf.nn.bias_add(outputs, bias)
        return outputs if activation is None else activation(outputs)
"""
_CONV2D_TRANSPOSE = """
    def conv2d_transpose(
        self, inputs, filters, kernel_size, strides=(1, 1), padding="valid", activation=None, use_bias=True,
        kernel_initializer=None, bias_initializer=tf.zeros_initializer(), trainable=True, name=None, reuse=None,
    ):
        sizes, steps = ([part] * 2 if isinstance(part, int) else list(part) for part in (kernel_size, strides))
        with self.scope(name, "conv2d_transpose", reuse):
            shape = [*sizes, filters, inputs.shape[-1]]
            kernel = self.get("kernel", shape, inputs.dtype, kernel_initializer, trainable)
            wide = [max(size - step, 0) if padding.lower() == "valid" else 0 for size, step in zip(sizes, steps)]
            static, dynamic = inputs.shape[1:3], tf.shape(inputs)
            given = [dynamic[at + 1] if static[at] is None else static[at] for at in (0, 1)]
            made = [part * step + more for part, step, more in zip(given, steps, wide)]
            shape = [dynamic[0], *made, filters]
            outputs = tf.nn.conv2d_transpose(inputs, kernel, shape, steps, padding.upper())
            outputs.set_shape([None, *(part if isinstance(part, int) else None for part in made), filters])
            if use_bias:
                bias = self.get("bias", [filters], inputs.dtype, bias_initializer, trainable)
                outputs = tf.nn.bias_add(outputs, bias)
        return outputs if activation is None else activation(outputs)
"""
_FULLY_CONNECTED = """
    def fully_connected(
        self, inputs, num_outputs, activation_fn=tf.nn.relu, weights_initializer=None,
        biases_initializer=tf.zeros_initializer(), reuse=None, trainable=True, scope=None,
    ):
        with self.scope(scope, "fully_connected", reuse):
            weights = self.get("weights", [inputs.shape[-1], num_outputs], inputs.dtype, weights_initializer, trainable)
            if len(inputs.shape) > 2:
                outputs = tf.tensordot(inputs, weights, [[len(inputs.shape) - 1], [0]])
            else:
                outputs = tf.matmul(inputs, weights)
            if biases_initializer is not None:
                biases = self.get("biases", [num_outputs], inputs.dtype, biases_initializer, trainable)
                outputs = tf.nn.bias_add(outputs, biases)
        return outputs if activation_fn is None else activation_fn(outputs)
"""
_CONVOLUTION2D = """
    def convolution2d(
        self, inputs, num_outputs, kernel_size, stride=1, padding="SAME", rate=1, activation_fn=tf.nn.relu,
        weights_initializer=None, biases_initializer=tf.zeros_initializer(), reuse=None, trainable=True, scope=None,
    ):
        sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
        with self.scope(scope, "Conv", reuse):
            shape = [*sizes, inputs.shape[-1], num_outputs]
            weights = self.get("weights", shape, inputs.dtype, weights_initializer, trainable)
            outputs = tf.nn.conv2d(inputs, weights, stride, padding.upper(), dilations=rate)
            if biases_initializer is not None:
                biases = self.get("biases", [num_outputs], inputs.dtype, biases_initializer, trainable)
                outputs = tf.nn.bias_add(outputs, biases)
        return outputs if activation_fn is None else activation_fn(outputs)
"""
_NORMALIZE = '''
    def normalize(self, inputs, training, updates, *options):
        """Normalizes by the layer of this scope, which is made if no function has made it before."""
        path, reuse = self.here.name, self.here.reuse
        if path in self.used and not reuse:
            raise ValueError(f"the layer {path} is there already; set reuse=True")
        if path not in self.layers and reuse and reuse != "auto":
            raise ValueError(f"the layer {path} is not there, and reuse=True")
        layer = self.layers.setdefault(path, BatchNormalization(path, *options))
        outputs = layer(inputs, training, updates)
        self.by_name.update((variable.name.split(":")[0], variable) for variable in layer.variables)
        self.used.add(path)
        return outputs
'''
_BATCH_NORMALIZATION = """
    def batch_normalization(
        self, inputs, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, training=False, name=None,
        reuse=None, fused=None,
    ):
        options = (axis, momentum, epsilon, center, scale, () if fused is False else (4,))
        with self.scope(name, "batch_normalization", reuse):
            return self.normalize(inputs, training, self.updates, *options)
"""
_BATCH_NORM = """
    def batch_norm(
        self, inputs, decay=0.999, center=True, scale=False, epsilon=0.001, activation_fn=None,
        updates_collections="update_ops", is_training=True, reuse=None, fused=None, scope=None,
    ):
        updates = self.updates if updates_collections else None
        ranks = () if fused is False else (2, 4)
        with self.scope(scope, "BatchNorm", reuse):
            outputs = self.normalize(inputs, is_training, updates, -1, decay, epsilon, center, scale, ranks)
        return outputs if activation_fn is None else activation_fn(outputs)
"""


@dataclass(frozen=True)
class StoredLayer:
    """A layer of TensorFlow 1 that the store has.

    Attributes:
        method: The method of the class.
        text: Its text.
        positions: How many arguments have the same place in TensorFlow 1.
        name: The parameter that names it.
    """

    method: str
    text: str
    positions: int
    name: str = "name"

    @property
    def parameters(self) -> list[str]:
        """The parameters of the method."""
        (method,) = ast.parse(textwrap.dedent(self.text)).body
        assert isinstance(method, ast.FunctionDef)
        return [argument.arg for argument in method.args.args[1:]]


_OF_CONTRIB = {
    "fully_connected": StoredLayer("fully_connected", _FULLY_CONNECTED, 3, "scope"),
    **dict.fromkeys(("conv2d", "convolution2d"), StoredLayer("convolution2d", _CONVOLUTION2D, 5, "scope")),
    "batch_norm": StoredLayer("batch_norm", _BATCH_NORM, 2, "scope"),
}
LAYERS: Mapping[str, StoredLayer] = {
    "layers.dense": StoredLayer("dense", _DENSE, 6),
    "layers.conv1d": StoredLayer("conv1d", _CONV1D, 5),
    "layers.conv2d": StoredLayer("conv2d", _CONV2D, 5),
    "layers.conv2d_transpose": StoredLayer("conv2d_transpose", _CONV2D_TRANSPOSE, 5),
    "layers.batch_normalization": StoredLayer("batch_normalization", _BATCH_NORMALIZATION, 6),
    **{f"contrib.{module}.{name}": layer for module in ("layers", "slim") for name, layer in _OF_CONTRIB.items()},
}
"""Function of TensorFlow 1 -> the layer."""
NORMALIZING = frozenset(("batch_normalization", "batch_norm"))
"""Methods that need the class `BatchNormalization`."""
_NAMED_BY = {layer.method: layer.name for layer in LAYERS.values()}


def is_named(call: ast.Call, method: str) -> bool:
    """Returns whether a call of a layer gives it a name."""
    return any(keyword.arg == _NAMED_BY.get(method) for keyword in call.keywords)


def methods_text(called: Iterable[str]) -> str:
    """Returns the text of the methods for the layers among these names."""
    texts = {layer.method: layer.text for layer in LAYERS.values()}
    wanted = sorted({*called} & texts.keys())
    return (_NORMALIZE if NORMALIZING & {*wanted} else "") + "".join(texts[name] for name in wanted)
