"""A distribution whose methods take extra keyword arguments."""

from __future__ import annotations

from typing import Any

from tf2bridge.contrib.distributions.core import Distribution


class ConditionalDistribution(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A distribution whose methods pass extra keyword arguments to the methods of its subclass."""

    def sample(self, sample_shape: Any = (), seed: Any = None, name: str = "sample", **condition_kwargs: Any) -> Any:
        """Returns samples, [sample_shape, batch, event]."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    def log_prob(self, value: Any, name: str = "log_prob", **condition_kwargs: Any) -> Any:
        """Returns the logarithm of the density at `value`."""
        return self._call_log_prob(value, name, **condition_kwargs)

    def prob(self, value: Any, name: str = "prob", **condition_kwargs: Any) -> Any:
        """Returns the density at `value`."""
        return self._call_prob(value, name, **condition_kwargs)

    def log_cdf(self, value: Any, name: str = "log_cdf", **condition_kwargs: Any) -> Any:
        """Returns log P(X <= value)."""
        return self._call_log_cdf(value, name, **condition_kwargs)

    def cdf(self, value: Any, name: str = "cdf", **condition_kwargs: Any) -> Any:
        """Returns P(X <= value)."""
        return self._call_cdf(value, name, **condition_kwargs)

    def log_survival_function(self, value: Any, name: str = "log_survival_function", **condition_kwargs: Any) -> Any:
        """Returns log P(X > value)."""
        return self._call_log_survival_function(value, name, **condition_kwargs)

    def survival_function(self, value: Any, name: str = "survival_function", **condition_kwargs: Any) -> Any:
        """Returns P(X > value)."""
        return self._call_survival_function(value, name, **condition_kwargs)
