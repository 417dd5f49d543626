"""The classes of `families`, made when they are first asked for, and the functions of contrib.distributions in 0.12."""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.behaviour.arguments import Old
from tf2bridge.v0.old_distributions import computed
from tf2bridge.v0.old_distributions.families import FAMILIES, Family, attributes
from tf2bridge.v0.old_distributions.methods import OldMethods
from tf2bridge.v1.catalog import TREE as V1
from tf2bridge.v1.namespace import resolve


def _of_today(name: str) -> Any:
    return resolve(V1, f"contrib.distributions.{name}")


@functools.cache
def _made(name: str) -> Any:
    """Returns the class `name` of 0.12."""
    family = FAMILIES[name]
    base = _of_today(family.base)
    old = Old(f"{family.parameters} {family.shared}", family.renamed)
    signature = old.signature(base)
    *others, last = signature.parameters.values()
    signature = signature.replace(parameters=[*others, last.replace(default=name)])

    def init(self: Any, *given: Any, **named: Any) -> None:
        bound = signature.bind(*given, **named)
        bound.apply_defaults()
        base.__init__(self, **_for_today(family, bound.arguments))
        self._parameters = dict(bound.arguments)

    members = {own: property(read) for own, read in attributes(name, family).items()}
    described = {
        "__init__": init,
        "__signature__": signature,
        "__module__": __name__,
        "__doc__": f"contrib.distributions.{name} of 0.12, which computes what {family.base} of 1.x does.",
        "continuous": family.continuous,
    }
    first = getattr(computed, family.computes) if family.computes else OldMethods
    return type(base)(name, (first, base), {**members, **described})


def _for_today(family: Family, given: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that 1.x takes."""
    changed = {name: family.changed[name](value) if name in family.changed else value for name, value in given.items()}
    return {family.pairs.get(name, name): value for name, value in changed.items()}


def kl(dist_a: Any, dist_b: Any, allow_nan: bool = False, name: str | None = None) -> Any:
    """Returns the Kullback-Leibler divergence of two distributions. Raises NotImplementedError if none is known."""
    return _of_today("kl_divergence")(dist_a, dist_b, allow_nan_stats=allow_nan, name=name)


def normal_conjugates_known_sigma_posterior(prior: Any, sigma: Any, s: Any, n: Any) -> Any:
    """Returns the Normal of the mean after `n` observations whose sum is `s`."""
    return _normal(_of_today("normal_conjugates_known_scale_posterior")(prior, sigma, s, n))


def normal_conjugates_known_sigma_predictive(prior: Any, sigma: Any, s: Any, n: Any) -> Any:
    """Returns the Normal of the next observation after `n` observations whose sum is `s`."""
    return _normal(_of_today("normal_conjugates_known_scale_predictive")(prior, sigma, s, n))


def _normal(today: Any) -> Any:
    return _made("Normal")(mu=today.loc, sigma=today.scale)


def __getattr__(name: str) -> Any:
    if name in FAMILIES:
        return _made(name)
    raise AttributeError(name)
