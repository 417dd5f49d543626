"""A distribution in which each number depends on the numbers before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge.contrib.distributions.core import Distribution, begin, util, v1


class Autoregressive(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """The distribution that `distribution_fn` returns for its own samples.

    A sample is drawn `num_steps` times from the distribution of the previous sample; `sample0` comes before the first.
    `num_steps` is the number of elements of an event by default.

    Raises:
        ValueError: `num_steps` is not given, and the number of elements of an event is unknown.
    """

    def __init__(
        self,
        distribution_fn: Callable[..., Any],
        sample0: Any = None,
        num_steps: int | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Autoregressive",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name) as name:
            self._distribution_fn, self._sample0 = distribution_fn, sample0
            first = distribution_fn() if sample0 is None else distribution_fn(sample0)
            if num_steps is None:
                num_steps = first.event_shape.num_elements()
                if num_steps is None:
                    raise ValueError("distribution_fn must generate a distribution with fully known `event_shape`.")
            if num_steps < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
            self._distribution0, self._num_steps = first, num_steps
        begin(self, parameters, name, first.dtype, first._graph_parents)
        self._reparameterization_type = first.reparameterization_type

    @property
    def distribution_fn(self) -> Callable[..., Any]:
        """The function that returns the distribution after a sample."""
        return self._distribution_fn

    @property
    def sample0(self) -> Any:
        """The sample before the first, or None."""
        return self._sample0

    @property
    def num_steps(self) -> int:
        """The number of times that a sample is drawn from the previous sample."""
        return self._num_steps

    @property
    def distribution0(self) -> Any:
        """The distribution of the first sample."""
        return self._distribution0

    def _batch_shape(self) -> Any:
        return self.distribution0.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self.distribution0.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return self.distribution0.event_shape

    def _event_shape_tensor(self) -> Any:
        return self.distribution0.event_shape_tensor()

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        if seed is None:  # all draws share random numbers, so that a draw keeps the elements already determined
            seed = util.gen_new_seed(seed=np.random.randint(2**32 - 1), salt="autoregressive")
        samples = self.distribution0.sample(n, seed=seed)
        for _ in range(self._num_steps):
            samples = self.distribution_fn(samples).sample(seed=seed)
        return samples

    def _log_prob(self, value: Any) -> Any:
        return self.distribution_fn(value).log_prob(value)

    def _prob(self, value: Any) -> Any:
        return self.distribution_fn(value).prob(value)
