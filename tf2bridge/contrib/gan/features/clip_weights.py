"""Weights that are clipped after each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf2bridge.contrib.opt.variable_clipping_optimizer import VariableClippingOptimizer


def clip_discriminator_weights(optimizer: Any, model: Any, weight_clip: float) -> Any:
    """Returns an optimizer that clips the discriminator's weights of `model` after each step of `optimizer`."""
    return clip_variables(optimizer, model.discriminator_variables, weight_clip)


def clip_variables(optimizer: Any, variables: Sequence[Any], weight_clip: float) -> Any:
    """Returns an optimizer that clips each number of `variables` to `weight_clip` after each step of `optimizer`.

    Raises:
        ValueError: `weight_clip` is negative.
    """
    if weight_clip < 0:
        raise ValueError(f"weight_clip is {weight_clip}; it must be positive")
    return VariableClippingOptimizer(
        opt=optimizer,
        vars_to_clip_dims={variable.ref(): [] for variable in variables},
        max_norm=weight_clip,
        use_locking=True,
        colocate_clip_ops_with_vars=True,
    )
