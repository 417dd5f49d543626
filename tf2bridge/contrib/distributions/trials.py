"""The base class of distributions of trials."""

from __future__ import annotations

from typing import Any

from tf2bridge.contrib.distributions.core import Scalars, util


class OfTrials(Scalars):
    """A distribution of independent trials, given by `logits` or `probs`."""

    _logits: Any
    _probs: Any

    @property
    def logits(self) -> Any:
        """The log-odds of a success."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probability of a success."""
        return self._probs

    def _parts(self) -> tuple[Any, ...]:
        return (self.probs,)

    def _counted(self, x: Any) -> Any:
        """Returns `x`. With `validate_args`, checks that it holds nonnegative integers."""
        return util.embed_check_nonnegative_integer_form(x) if self.validate_args else x
