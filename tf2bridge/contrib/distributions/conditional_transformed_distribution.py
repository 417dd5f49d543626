"""A transformed distribution whose methods take extra keyword arguments."""

from __future__ import annotations

from tf2bridge.contrib.distributions.conditional_distribution import ConditionalDistribution
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution


class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A TransformedDistribution whose methods take `bijector_kwargs` and `distribution_kwargs`, two dictionaries."""
