"""The layer objects of masked layers: a kernel, its mask and its threshold."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.model_pruning.masks import masked

v1 = tf.compat.v1


class MaskedConv2D(core_layers().Conv2D):  # type: ignore[misc]  # TensorFlow has no types
    """A convolution of images with a masked kernel. Its parameters are those of `tf.layers.Conv2D`."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        data_format: str = "channels_last",
        dilation_rate: Any = (1, 1),
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = v1.zeros_initializer(),  # noqa: B008  # the default of contrib: it holds no state
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            filters,
            kernel_size,
            strides=strides,
            padding=padding,
            data_format=data_format,
            dilation_rate=dilation_rate,
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            trainable=trainable,
            name=name,
            **kwargs,
        )

    def build(self, input_shape: Any) -> None:
        """Makes `mask`, `kernel`, `threshold` and `bias`. Raises ValueError for unknown channels."""
        axis = 1 if self.data_format == "channels_first" else -1
        channels = tf.TensorShape(input_shape).as_list()[axis]
        if channels is None:
            raise ValueError("the number of channels is not known; set it with set_shape")
        shape = (*self.kernel_size, channels, self.filters)
        self.mask = _mask(self, shape)
        self.kernel = _kernel(self, shape)
        self.threshold = _threshold(self)
        self.masked_kernel = masked(self.mask, self.kernel, self.threshold)
        self.bias = _bias(self, self.filters)
        self.input_spec = core_layers().InputSpec(ndim=self.rank + 2, axes={axis: channels})
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Returns the convolution, [batch, height, width, filters] or with channels first."""
        is_first = self.data_format == "channels_first"
        layout = "NCHW" if is_first else "NHWC"
        outputs = v1.nn.convolution(
            input=inputs,
            filter=self.masked_kernel,
            dilation_rate=self.dilation_rate,
            strides=self.strides,
            padding=self.padding.upper(),
            data_format=layout,
        )
        return _finished(self, outputs, layout)


class MaskedFullyConnected(core_layers().Dense):  # type: ignore[misc]
    """A dense layer with a masked kernel. Its parameters are those of `tf.layers.Dense`."""

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = v1.zeros_initializer(),  # noqa: B008
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            units,
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            trainable=trainable,
            name=name,
            **kwargs,
        )

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, `mask`, `threshold` and `bias`. Raises ValueError for an unknown last size."""
        size = tf.TensorShape(input_shape).as_list()[-1]
        if size is None:
            raise ValueError("the last size of the inputs is not known; set it with set_shape")
        self.input_spec = core_layers().InputSpec(min_ndim=2, axes={-1: size})
        self.kernel = _kernel(self, [size, self.units])
        self.mask = _mask(self, [size, self.units])
        self.threshold = _threshold(self)
        self.masked_kernel = masked(self.mask, self.kernel, self.threshold)
        self.bias = _bias(self, self.units)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Returns the product, [..., units]."""
        inputs = tf.convert_to_tensor(inputs, dtype=self.dtype)
        sizes = inputs.shape.as_list()
        if len(sizes) > 2:
            outputs = tf.tensordot(inputs, self.masked_kernel, [[len(sizes) - 1], [0]])
            outputs.set_shape([*sizes[:-1], self.units])
        else:
            outputs = tf.matmul(inputs, self.masked_kernel)
        return _finished(self, outputs, None)


def _finished(layer: Any, outputs: Any, layout: str | None) -> Any:
    if layer.bias is not None:
        outputs = v1.nn.bias_add(outputs, layer.bias, data_format=layout)
    return outputs if layer.activation is None else layer.activation(outputs)


def _mask(layer: Any, shape: Any) -> Any:
    ones = v1.ones_initializer()
    return layer.add_weight(name="mask", shape=shape, initializer=ones, trainable=False, dtype=layer.dtype)


def _threshold(layer: Any) -> Any:
    zeros = v1.zeros_initializer()
    return layer.add_weight(name="threshold", shape=[], initializer=zeros, trainable=False, dtype=layer.dtype)


def _kernel(layer: Any, shape: Any) -> Any:
    return layer.add_weight(
        name="kernel",
        shape=shape,
        initializer=layer.kernel_initializer,
        regularizer=layer.kernel_regularizer,
        trainable=True,
        dtype=layer.dtype,
    )


def _bias(layer: Any, size: int) -> Any:
    if not layer.use_bias:
        return None
    return layer.add_weight(
        name="bias",
        shape=(size,),
        initializer=layer.bias_initializer,
        regularizer=layer.bias_regularizer,
        trainable=True,
        dtype=layer.dtype,
    )
