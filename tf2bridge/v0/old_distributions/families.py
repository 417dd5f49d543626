"""The distributions of 0.12, each with the one of 1.x that computes it and the parameters that have other names there.

Read off genuine 0.12.1; fixtures/conformance/0.12.1/distributions.txt has what it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.behaviour.installed import tensorflow

Attribute = Callable[[Any], Any]


@dataclass(frozen=True)
class Family:
    """One class of 0.12.

    base: the class of 1.x in contrib.distributions.
    parameters: those of 0.12 in their order, those that all distributions share left out.
    renamed: "old=new" pairs of parameters; each old name is an attribute, too.
    continuous: whether it has a density; None if its components decide.
    attributes: further attributes of 0.12.
    changed: what is done with a parameter before 1.x gets it.
    shared: the parameters that stand last.
    computes: the class of `computed` that stands before `base`.
    """

    base: str
    parameters: str
    renamed: str = ""
    continuous: bool | None = True
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    changed: Mapping[str, Attribute] = field(default_factory=dict)
    shared: str = "validate_args allow_nan_stats name"
    computes: str = ""

    @property
    def pairs(self) -> dict[str, str]:
        """Old name -> new name of the parameters that were renamed."""
        return dict(pair.split("=") for pair in self.renamed.split())


def _log_determinant(self: Any) -> Callable[..., Any]:
    """Returns, as a method, the logarithm of the determinant of the covariance, [batch]."""
    return lambda name="log_sigma_det": tensorflow().multiply(2.0, self.scale.log_abs_determinant(), name=name)


def _determinant(self: Any) -> Callable[..., Any]:
    """Returns, as a method, the determinant of the covariance, [batch]."""
    return lambda name="sigma_det": tensorflow().exp(_log_determinant(self)(), name=name)


def _sigmoid(value: Any) -> Any:
    return tensorflow().nn.sigmoid(value)


_RATE: dict[str, Attribute] = {"alpha": lambda self: self.concentration, "beta": lambda self: self.rate}
_NORMAL = "mu=loc sigma=scale"
_GAMMA = "alpha=concentration beta=rate"
_BETA = "a=concentration1 b=concentration0"
_TOTAL: dict[str, Attribute] = {"a_b_sum": lambda self: self.total_concentration}
_TRIALS = "n=total_count p=probs"
_COVARIANCE: dict[str, Attribute] = {
    "mu": lambda self: self.loc,
    "sigma": lambda self: self.covariance(),
    "log_sigma_det": _log_determinant,
    "sigma_det": _determinant,
}
_COMPLEMENT: dict[str, Attribute] = {"q": lambda self: 1.0 - self.probs}
_CLASSES: dict[str, Attribute] = {"num_classes": lambda self: self.event_size}
_CONSTANT: dict[str, Attribute] = {"log_normalizing_constant": lambda self: self.log_normalization}
_ENTROPY, _MATRIX, _MODE, _VECTORS = "CategoricalEntropy", "CovarianceAsVariance", "GammaMode", "NormalVectors"
_WISHART = "df scale cholesky_input_output_matrices"

FAMILIES = {
    "Bernoulli": Family("Bernoulli", "logits p dtype", "p=probs", False, _COMPLEMENT),
    "BernoulliWithSigmoidP": Family("Bernoulli", "p dtype", "p=probs", False, _COMPLEMENT, {"p": _sigmoid}),
    "Beta": Family("Beta", "a b", _BETA, attributes=_TOTAL),
    "BetaWithSoftplusAB": Family("BetaWithSoftplusConcentration", "a b", _BETA, attributes=_TOTAL),
    "Binomial": Family("Binomial", "n logits p", _TRIALS, False),
    "Categorical": Family(
        "Categorical",
        "logits p dtype",
        "p=probs",
        False,
        {"num_classes": lambda self: self.event_size},
        computes=_ENTROPY,
    ),
    "Chi2": Family("Chi2", "df", attributes=_RATE, computes=_MODE),
    "Chi2WithAbsDf": Family("Chi2WithAbsDf", "df", attributes=_RATE, computes=_MODE),
    "Dirichlet": Family(
        "Dirichlet",
        "alpha",
        "alpha=concentration",
        attributes={"alpha_sum": lambda self: self.total_concentration},
        computes=_MATRIX,
    ),
    "DirichletMultinomial": Family(
        "DirichletMultinomial",
        "n alpha",
        "n=total_count alpha=concentration",
        False,
        {"alpha_sum": lambda self: self.total_concentration},
        computes=_MATRIX,
    ),
    "Exponential": Family("Exponential", "lam", "lam=rate", attributes=_RATE, computes=_MODE),
    "ExponentialWithSoftplusLam": Family(
        "ExponentialWithSoftplusRate", "lam", "lam=rate", attributes=_RATE, computes=_MODE
    ),
    "Gamma": Family("Gamma", "alpha beta", _GAMMA, computes=_MODE),
    "GammaWithSoftplusAlphaBeta": Family("GammaWithSoftplusConcentrationRate", "alpha beta", _GAMMA, computes=_MODE),
    "InverseGamma": Family("InverseGamma", "alpha beta", _GAMMA),
    "InverseGammaWithSoftplusAlphaBeta": Family("InverseGammaWithSoftplusConcentrationRate", "alpha beta", _GAMMA),
    "Laplace": Family("Laplace", "loc scale"),
    "LaplaceWithSoftplusScale": Family("LaplaceWithSoftplusScale", "loc scale"),
    "Mixture": Family("Mixture", "cat components", continuous=None),
    "Multinomial": Family("Multinomial", "n logits p", _TRIALS, False, computes=_MATRIX),
    "MultivariateNormalCholesky": Family(
        "MultivariateNormalTriL", "mu chol", "mu=loc chol=scale_tril", computes=_VECTORS
    ),
    "MultivariateNormalDiag": Family(
        "MultivariateNormalDiag", "mu diag_stdev", "mu=loc diag_stdev=scale_diag", computes=_VECTORS
    ),
    "MultivariateNormalDiagPlusVDVT": Family(
        "MultivariateNormalDiagPlusLowRank",
        "mu diag_large v diag_small",
        "mu=loc diag_large=scale_diag v=scale_perturb_factor diag_small=scale_perturb_diag",
        computes=_VECTORS,
    ),
    "MultivariateNormalDiagWithSoftplusStDev": Family(
        "MultivariateNormalDiagWithSoftplusScale", "mu diag_stdev", "mu=loc diag_stdev=scale_diag", computes=_VECTORS
    ),
    "MultivariateNormalFull": Family(
        "MultivariateNormalFullCovariance", "mu sigma", "mu=loc sigma=covariance_matrix", computes=_VECTORS
    ),
    "Normal": Family("Normal", "mu sigma", _NORMAL),
    "NormalWithSoftplusSigma": Family("NormalWithSoftplusScale", "mu sigma", _NORMAL),
    "Poisson": Family("Poisson", "lam", "lam=rate", False),
    "QuantizedDistribution": Family(
        "QuantizedDistribution",
        "distribution lower_cutoff upper_cutoff",
        "lower_cutoff=low upper_cutoff=high",
        False,
        shared="validate_args name",
    ),
    "StudentT": Family("StudentT", "df mu sigma", _NORMAL),
    "StudentTWithAbsDfSoftplusSigma": Family("StudentTWithAbsDfSoftplusScale", "df mu sigma", _NORMAL),
    "Uniform": Family("Uniform", "a b", "a=low b=high"),
    "WishartCholesky": Family("WishartCholesky", _WISHART, attributes=_CONSTANT),
    "WishartFull": Family("WishartFull", _WISHART, attributes=_CONSTANT),
}


def attributes(name: str, family: Family) -> dict[str, Attribute]:
    """Old name of an attribute -> what it is: the parameters that were renamed, and the further ones."""
    if name.startswith("MultivariateNormal"):
        return dict(_COVARIANCE)
    renamed = {old: _reader(new) for old, new in family.pairs.items() if new not in ("low", "high") or old in "ab"}
    return {**renamed, **family.attributes}


def _reader(new: str) -> Attribute:
    return lambda self: getattr(self, new)
