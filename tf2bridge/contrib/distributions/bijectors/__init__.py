"""`tf.contrib.distributions.bijectors`: maps with an inverse and the log determinant of their Jacobian.

The attributes of this package are the classes that changed in 1.5, in the version of the release in use.
"""

from __future__ import annotations

import importlib
from typing import Any

from tf2bridge.behaviour.in_force import before

_LATE = {
    "core": "Bijector Identity",
    "bijectors.affine": "Affine AffineLinearOperator",
    "bijectors.composed": "Chain ConditionalBijector Inline Invert",
    "bijectors.elementwise": "AbsoluteValue Exp PowerTransform Sigmoid Softplus",
    "bijectors.matrices": "CholeskyOuterProduct",
    "bijectors.parametric": "SinhArcsinh Weibull",
    "bijectors.vectors": "SoftmaxCentered",
}
"""Module -> the classes of 1.5 and later that it has."""

_EARLY = {
    "bijectors.early.base": "Bijector",
    "bijectors.early.composed": "Chain ConditionalBijector Inline Invert",
    "bijectors.early.elementwise": "AbsoluteValue Exp Identity PowerTransform Sigmoid SinhArcsinh Softplus Weibull",
    "bijectors.early.vectors": "Affine AffineLinearOperator CholeskyOuterProduct SigmoidCentered SoftmaxCentered",
}
"""Module -> the classes of 1.4 that it has."""


def _modules(listed: dict[str, str]) -> dict[str, str]:
    return {name: module for module, names in listed.items() for name in names.split()}


_late, _early = _modules(_LATE), _modules(_EARLY)


def __getattr__(name: str) -> Any:
    """Returns the class of the release in use. SigmoidCentered was removed after 1.4."""
    modules = _early if before(1, 5) or name not in _late else _late
    if name not in modules:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"tf2bridge.contrib.distributions.{modules[name]}"), name)
