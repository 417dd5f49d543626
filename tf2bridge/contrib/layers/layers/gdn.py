"""Generalized divisive normalization (Ballé, Laparra and Simoncelli, 2015, https://arxiv.org/abs/1511.06281)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers

v1 = tf.compat.v1

_AXES = {"channels_first": 1, "channels_last": -1}


class GDN(core_layers().Layer):  # type: ignore[misc]  # TensorFlow has no types
    """Divides each channel by the square root of `beta` plus the `gamma`-weighted squares of all channels.

    The inputs have rank 3 to 5.

    Args:
        inverse: multiplies instead of dividing.
        beta_min: the lower bound of beta, which keeps it above 0.
        gamma_init: the initial diagonal of gamma.
        reparam_offset: beta and gamma are stored as square roots. The square of this offset is added before the root.
        data_format: "channels_last" or "channels_first".
        activity_regularizer: as in any layer.
        trainable: as in any layer.
        name: the name of the layer.
        **kwargs: keyword arguments of any layer.
    """

    def __init__(
        self,
        inverse: bool = False,
        beta_min: float = 1e-6,
        gamma_init: float = 0.1,
        reparam_offset: float = 2**-18,
        data_format: str = "channels_last",
        activity_regularizer: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        """Makes the layer. Raises ValueError if the data format is unknown."""
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        if data_format not in _AXES:
            raise ValueError(f"GDN: the data_format is {data_format!r}, not channels_first or channels_last")
        self.inverse = inverse
        self._beta_min = beta_min
        self._gamma_init = gamma_init
        self._reparam_offset = reparam_offset
        self.data_format = data_format
        self.input_spec = core_layers().InputSpec(min_ndim=3, max_ndim=5)

    def build(self, input_shape: Any) -> None:
        """Makes the variables `reparam_beta` and `reparam_gamma`. Raises ValueError if the channels are unknown."""
        sizes = tf.TensorShape(input_shape).as_list()
        axis = _AXES[self.data_format]
        channels = sizes[axis]
        if channels is None:
            raise ValueError("GDN: the number of channels is not known; set it with set_shape")
        self._input_rank = len(sizes)
        self.input_spec = core_layers().InputSpec(ndim=len(sizes), axes={axis: channels})
        pedestal = tf.constant(self._reparam_offset**2, dtype=self.dtype)
        beta_bound = tf.constant((self._beta_min + self._reparam_offset**2) ** 0.5, dtype=self.dtype)
        gamma_bound = tf.constant(self._reparam_offset, dtype=self.dtype)
        self.beta = self._parameter("reparam_beta", [channels], self._first_beta, beta_bound, pedestal)
        self.gamma = self._parameter("reparam_gamma", [channels] * 2, self._first_gamma, gamma_bound, pedestal)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Returns the normalized inputs, in the same shape."""
        inputs = tf.convert_to_tensor(inputs, dtype=self.dtype)
        gamma = tf.reshape(self.gamma, [1] * (self._input_rank - 2) + self.gamma.shape.as_list())
        if self.data_format == "channels_first":
            layout = "NC" + "DHW"[-(self._input_rank - 2) :]
            pool = self._channels_first_bias(v1.nn.convolution(tf.square(inputs), gamma, "VALID", data_format=layout))
        else:
            pool = v1.nn.bias_add(v1.nn.convolution(tf.square(inputs), gamma, "VALID"), self.beta)
        pool = tf.sqrt(pool)
        outputs = inputs * pool if self.inverse else inputs / pool
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Returns the shape of the inputs. Raises ValueError if the rank is not 3 to 5, or the channels are unknown."""
        shape = tf.TensorShape(input_shape)
        if shape.rank is None or not 3 <= shape.rank <= 5 or shape.as_list()[_AXES[self.data_format]] is None:
            raise ValueError(f"GDN takes inputs of rank 3 to 5 with known channels, not {shape}")
        return shape

    def _parameter(self, name: str, shape: list[int], initializer: Any, bound: Any, pedestal: Any) -> Any:
        """Returns the square of a variable that has the lower bound `bound`, minus the pedestal."""
        root = self.add_weight(name, shape=shape, initializer=initializer, dtype=self.dtype, trainable=True)
        return tf.square(_lower_bound(root, bound)) - pedestal

    def _first_beta(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        del partition_info
        pedestal = tf.constant(self._reparam_offset**2, dtype=self.dtype)
        return tf.sqrt(tf.ones(shape, dtype=dtype) + pedestal)

    def _first_gamma(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        del partition_info
        eye = tf.eye(shape[0], dtype=dtype)
        pedestal = tf.constant(self._reparam_offset**2, dtype=self.dtype)
        return tf.sqrt(self._gamma_init * eye + pedestal)

    def _channels_first_bias(self, pool: Any) -> Any:
        """Adds the bias to channels that come first, which `bias_add` does for images only."""
        if self._input_rank == 3:
            return tf.squeeze(v1.nn.bias_add(tf.expand_dims(pool, 2), self.beta, data_format="NCHW"), [2])
        if self._input_rank == 5:
            shape = tf.shape(pool)
            flat = tf.reshape(pool, tf.concat([shape[:3], [-1]], 0))
            return tf.reshape(v1.nn.bias_add(flat, self.beta, data_format="NCHW"), shape)
        return v1.nn.bias_add(pool, self.beta, data_format="NCHW")


def _lower_bound(inputs: Any, bound: Any) -> Any:
    """Returns max(inputs, bound). The gradient also passes below the bound if it moves the input up."""

    @tf.custom_gradient  # type: ignore[untyped-decorator]
    def bounded(values: Any) -> Any:
        def gradient(upstream: Any) -> Any:
            passed = tf.logical_or(values >= bound, upstream < 0)
            return tf.cast(passed, upstream.dtype) * upstream

        return tf.maximum(values, bound), gradient

    with v1.name_scope(None, "GDNLowerBound", [inputs, bound]):
        return bounded(tf.convert_to_tensor(inputs, name="inputs"))


def gdn(
    inputs: Any,
    inverse: bool = False,
    beta_min: float = 1e-6,
    gamma_init: float = 0.1,
    reparam_offset: float = 2**-18,
    data_format: str = "channels_last",
    activity_regularizer: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """Returns `inputs` normalized by a `GDN` layer with these arguments."""
    layer = GDN(
        inverse=inverse,
        beta_min=beta_min,
        gamma_init=gamma_init,
        reparam_offset=reparam_offset,
        data_format=data_format,
        activity_regularizer=activity_regularizer,
        trainable=trainable,
        name=name,
        dtype=inputs.dtype.base_dtype,
        _scope=name,
        _reuse=reuse,
    )
    return layer.apply(inputs)
