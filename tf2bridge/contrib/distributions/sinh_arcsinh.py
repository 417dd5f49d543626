"""The sinh-arcsinh distribution, which is skewed."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.contrib.distributions.bijectors import parametric
from tf2bridge.contrib.distributions.bijectors.composed import Chain
from tf2bridge.contrib.distributions.core import checked, constant, v1
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution

kinds: Any = v1.distributions


class SinhArcsinh(TransformedDistribution):
    """loc + c * sinh((arcsinh(z) + skewness) * tailweight), z standard normal or of `distribution`.

    c is 2 * scale / sinh(arcsinh(2) * tailweight), so that a skewness of 0 and a tailweight of 1 give loc + scale * z.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "SinhArcsinh",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[loc, scale, skewness, tailweight]) as name:
            self._loc = tf.convert_to_tensor(loc, name="loc")
            dtype = self._loc.dtype
            self._scale = tf.convert_to_tensor(scale, name="scale", dtype=dtype)
            base, checks = standard_or_checked(distribution, dtype, validate_args, allow_nan_stats)
            if checks:
                self._loc = checked(self._loc, checks)
            self._skewness, self._tailweight, bend, factor = skewed(skewness, tailweight, self._scale)
            affine = parametric.AffineScalar(shift=self._loc, scale=factor, validate_args=validate_args)
            super().__init__(
                distribution=base,
                bijector=Chain([affine, bend]),
                batch_shape=get_broadcast_shape(self._loc, self._scale, self._tailweight, self._skewness),
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale, positive."""
        return self._scale

    @property
    def tailweight(self) -> Any:
        """The tailweight."""
        return self._tailweight

    @property
    def skewness(self) -> Any:
        """The skewness."""
        return self._skewness


def skewed(skewness: Any, tailweight: Any, scale: Any) -> tuple[Any, Any, Any, Any]:
    """Returns skewness and tailweight as tensors, their bijector, and the factor c of the class docstring.

    In 1.4.1 the factor also contains the skewness: 2 * scale / sinh((arcsinh(2) + skewness) * tailweight).
    """
    dtype = scale.dtype
    tail = tf.convert_to_tensor(1.0 if tailweight is None else tailweight, name="tailweight", dtype=dtype)
    skew = tf.convert_to_tensor(0.0 if skewness is None else skewness, name="skewness", dtype=dtype)
    bend = parametric.SinhArcsinh(skewness=skew, tailweight=tail)
    straight = bend
    if skewness is not None and not before(1, 5):
        straight = parametric.SinhArcsinh(skewness=dtype.as_numpy_dtype(0.0), tailweight=tail)
    return skew, tail, bend, 2 * scale / straight.forward(tf.convert_to_tensor(2, dtype=dtype))


def standard_or_checked(
    distribution: Any, dtype: Any, validate_args: bool, allow_nan_stats: bool
) -> tuple[Any, list[Any]]:
    """Returns (`distribution`, checks that it is scalar). Without `distribution` it is the standard normal one."""
    if distribution is not None:
        return distribution, maybe_check_scalar_distribution(distribution, dtype, validate_args)
    zero, unit = tf.zeros([], dtype=dtype), tf.ones([], dtype=dtype)
    return kinds.Normal(loc=zero, scale=unit, allow_nan_stats=allow_nan_stats), []


def maybe_check_scalar_distribution(distribution: Any, expected_base_dtype: Any, validate_args: bool) -> list[Any]:
    """Returns checks that `distribution` has scalar events and a scalar batch.

    Raises:
        TypeError: the dtype is not `expected_base_dtype`.
        ValueError: a static shape is not scalar, or, with `validate_args`, samples have no gradients.
    """
    if distribution.dtype != expected_base_dtype:
        raise TypeError(
            f'dtype mismatch; distribution.dtype="{distribution.dtype.name}" is not "{expected_base_dtype.name}"'
        )
    if validate_args and distribution.reparameterization_type != kinds.FULLY_REPARAMETERIZED:
        raise ValueError(
            "Base distribution should be reparameterized or be a function of non-trainable variables; "
            f'distribution.reparameterization_type = "{distribution.reparameterization_type}" '
            '!= "FULLY_REPARAMETERIZED".'
        )
    checks = []
    with v1.name_scope("check_distribution"):
        for name in ("is_scalar_event", "is_scalar_batch"):
            message = f"distribution must be scalar; distribution.{name}=False is not True"
            is_scalar = getattr(distribution, name)()
            known = constant(is_scalar)
            if known is None:
                checks += [v1.assert_equal(is_scalar, True, message=message)] if validate_args else []
            elif not known:
                raise ValueError(message)
    return checks


def get_broadcast_shape(*tensors: Any) -> Any:
    """Returns the shape to which the tensors broadcast, as a list if it is static."""
    static, dynamic = tensors[0].shape, None
    for tensor in tensors[1:]:
        static = tf.broadcast_static_shape(static, tensor.shape)
    if static.is_fully_defined():
        return static.as_list()
    dynamic = v1.shape(tensors[0])
    for tensor in tensors[1:]:
        dynamic = v1.broadcast_dynamic_shape(dynamic, v1.shape(tensor))
    return dynamic
