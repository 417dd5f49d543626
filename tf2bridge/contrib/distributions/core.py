"""The classes of distributions that TensorFlow 2 still has, and small functions that all families use.

Only this module imports the private modules of TensorFlow that the package needs.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import numpy as np
import tensorflow as tf

from tf2bridge.internals.framework import tensor_util
from tf2bridge.internals.ops import (
    bijector_impl,
    distributions_util,
    identity_bijector,
    linear_operator_addition,
    special_math,
)

v1 = tf.compat.v1
util: Any = distributions_util
Distribution: Any = v1.distributions.Distribution
Bijector: Any = bijector_impl.Bijector
Identity: Any = identity_bijector.Identity
register_kl: Any = v1.distributions.RegisterKL
erfinv: Any = special_math.erfinv
add_operators: Any = linear_operator_addition.add_operators
static_shape: Any = tensor_util.constant_value_as_shape


def begin(
    self: Any,
    parameters: dict[str, Any],
    name: str,
    dtype: Any,
    parents: Iterable[Any],
    *,
    reparameterized: bool = False,
) -> None:
    """Calls the constructor of Distribution.

    Args:
        parameters: the arguments of the subclass's constructor, with `validate_args` and `allow_nan_stats`.
        parents: the tensors that the distribution is made of.
        reparameterized: True if gradients flow through samples.
    """
    kinds = v1.distributions
    Distribution.__init__(
        self,
        dtype=dtype,
        reparameterization_type=kinds.FULLY_REPARAMETERIZED if reparameterized else kinds.NOT_REPARAMETERIZED,
        validate_args=parameters["validate_args"],
        allow_nan_stats=parameters["allow_nan_stats"],
        parameters=parameters,
        graph_parents=list(parents),
        name=name,
    )


@contextlib.contextmanager
def beginning(self: Any, name: str, validate_args: bool = False, values: Iterable[Any] = ()) -> Iterator[None]:
    """Opens the name scope `<name>/init` of a bijector. It is used before the constructor of Bijector is called."""
    self._graph_parents, self._name, self._validate_args = [], name, validate_args
    with self._name_scope("init", values=list(values)):
        yield


def checked(value: Any, checks: Iterable[Any]) -> Any:
    """Returns `value` as a tensor that depends on `checks`."""
    with tf.control_dependencies(list(checks)):
        return tf.identity(value, name="control_dependency")


def optional(value: Any, name: str, dtype: Any = None) -> Any:
    """Returns `value` as a tensor, or None."""
    return None if value is None else tf.convert_to_tensor(value, name=name, dtype=dtype)


def constant(value: Any) -> Any:
    """Returns the static value of a tensor as an array, or None."""
    return tf.get_static_value(tf.convert_to_tensor(value))


def size_of(dimension: Any) -> int | None:
    """Returns the size of a static dimension of TensorFlow 1 or 2, or None if it is unknown."""
    return v1.dimension_value(dimension)  # type: ignore[no-any-return]


def joined(*vectors: Any) -> Any:
    """Returns the vectors concatenated: a list if all are static, otherwise a tensor."""
    values = [constant(vector) for vector in vectors]
    if any(value is None for value in values):
        return tf.concat(vectors, 0)
    return [item for value in values for item in value]


def batch_and_event(distribution: Any) -> Any:
    """Returns the shape of a single draw, [batch, event], as a tensor."""
    return tf.concat([distribution.batch_shape_tensor(), distribution.event_shape_tensor()], 0)


def parents_of(operator: Any) -> list[Any]:
    """Returns the tensors that a linear operator is made of."""
    parents = []
    for part in operator.parameters.values():
        if tf.is_tensor(part):
            parents.append(part)
        elif isinstance(part, tf.linalg.LinearOperator):
            parents.extend(parents_of(part))
    return parents


def not_a_number(distribution: Any) -> Any:
    """Returns NaN in the shape of a batch."""
    return tf.fill(distribution.batch_shape_tensor(), np.array(np.nan, distribution.dtype.as_numpy_dtype), name="nan")


class Scalars(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A distribution of scalars. Its batch shape is the shape to which its parameters broadcast."""

    _shaped: ClassVar[tuple[str, ...]] = ()
    """The parameters that have the shape of a sample, where `param_shapes` tells them."""

    def _parts(self) -> tuple[Any, ...]:
        """Returns the parameters that broadcast to the batch shape."""
        raise NotImplementedError

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Any]:
        if not cls._shaped:
            raise NotImplementedError("_param_shapes not implemented")
        return {name: tf.convert_to_tensor(sample_shape, dtype=tf.int32) for name in cls._shaped}

    def _batch_shape_tensor(self) -> Any:
        return functools.reduce(v1.broadcast_dynamic_shape, [v1.shape(part) for part in self._parts()])

    def _batch_shape(self) -> Any:
        return functools.reduce(tf.broadcast_static_shape, [part.shape for part in self._parts()])

    def _event_shape_tensor(self) -> Any:
        return tf.constant([], tf.int32)

    def _event_shape(self) -> Any:
        return tf.TensorShape([])
