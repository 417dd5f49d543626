"""The interface of maps to a space of features."""

from __future__ import annotations

import abc
from typing import Any


class InvalidShapeError(Exception):
    """A tensor to be mapped has another shape."""


class DenseKernelMapper(abc.ABC):
    """A function of dense features."""

    @abc.abstractmethod
    def map(self, input_tensor: Any) -> Any:
        """Returns the features, [batch, output_dim], of a tensor [batch, input_dim]."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of the mapper."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """The number of features."""
