"""The methods that every distribution of 0.12 had, beside those that 1.x kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

Distribution: Any = tf.compat.v1.distributions.Distribution
FULLY_REPARAMETERIZED: Any = tf.compat.v1.distributions.FULLY_REPARAMETERIZED

if TYPE_CHECKING:
    _Base = Any
else:
    _Base = object


class Shape(tf.TensorShape):  # type: ignore[misc]  # TensorFlow has no types
    """A static shape that can be called: `batch_shape()` is a tensor in 0.12, `batch_shape` is static in 1.x."""

    def __init__(self, shape: Any, tensor: Callable[..., Any]) -> None:
        super().__init__(shape)
        self._tensor = tensor

    def __call__(self, name: str | None = None) -> Any:
        """Returns the shape as a tensor, int32 [rank]."""
        return self._tensor(name=name) if name else self._tensor()


class OldMethods(_Base):  # type: ignore[misc]  # it stands before a class of TensorFlow
    """A base class that precedes a distribution of 1.x.

    `continuous` says whether draws have a density. With None, the components of the distribution decide.
    """

    continuous: bool | None = None

    @property
    def batch_shape(self) -> Shape:
        """The static shape of a batch; a call returns it as a tensor."""
        return Shape(super().batch_shape, self.batch_shape_tensor)

    @property
    def event_shape(self) -> Shape:
        """The static shape of one draw; a call returns it as a tensor."""
        return Shape(super().event_shape, self.event_shape_tensor)

    def get_batch_shape(self) -> tf.TensorShape:
        """Returns the static shape of a batch."""
        return tf.TensorShape(super().batch_shape)

    def get_event_shape(self) -> tf.TensorShape:
        """Returns the static shape of one draw."""
        return tf.TensorShape(super().event_shape)

    @property
    def is_continuous(self) -> bool:
        """Whether draws have a density."""
        if self.continuous is not None:
            return self.continuous
        return all(is_continuous(part) for part in self.components)

    @property
    def is_reparameterized(self) -> bool:
        """Whether gradients flow through draws."""
        return bool(self.reparameterization_type == FULLY_REPARAMETERIZED)

    def std(self, name: str = "std") -> Any:
        """Returns the standard deviation, [batch, event]."""
        return self.stddev(name=name)

    def sample_n(self, n: Any, seed: int | None = None, name: str = "sample_n", **conditions: Any) -> Any:
        """Returns `n` draws, [n, batch, event]. Raises TypeError if `n` is no integer."""
        n = tf.convert_to_tensor(n, name="n")
        if not n.dtype.is_integer:
            raise TypeError(f"n.dtype={n.dtype} is not an integer type")
        return self.sample(n, seed=seed, name=name, **conditions)

    def log_pdf(self, value: Any, name: str = "log_pdf", **conditions: Any) -> Any:
        """Returns the logarithm of the density. Raises TypeError if there is none."""
        self._check("log_pdf", continuous=True)
        return self.log_prob(value, name=name, **conditions)

    def pdf(self, value: Any, name: str = "pdf", **conditions: Any) -> Any:
        """Returns the density. Raises TypeError if there is none."""
        self._check("pdf", continuous=True)
        return self.prob(value, name=name, **conditions)

    def log_pmf(self, value: Any, name: str = "log_pmf", **conditions: Any) -> Any:
        """Returns the logarithm of the probability of a value. Raises TypeError if there is a density instead."""
        self._check("log_pmf", continuous=False)
        return self.log_prob(value, name=name, **conditions)

    def pmf(self, value: Any, name: str = "pmf", **conditions: Any) -> Any:
        """Returns the probability of a value. Raises TypeError if there is a density instead."""
        self._check("pmf", continuous=False)
        return self.prob(value, name=name, **conditions)

    def _check(self, method: str, *, continuous: bool) -> None:
        if self.is_continuous is not continuous:
            raise TypeError(f"{method} is undefined for {'non-' if continuous else ''}continuous distributions.")


def is_continuous(distribution: Any) -> bool:
    """Returns whether draws of a distribution of 0.12 or 1.x have a density."""
    known = getattr(distribution, "is_continuous", None)
    return bool(distribution.dtype.is_floating) if known is None else bool(known)
