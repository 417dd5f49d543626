"""`tf.contrib.distributions`."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_PATH = "contrib.distributions"
_HERE = "tf2bridge.contrib.distributions"
_CORE = "tensorflow.python.ops.distributions"

_NORMAL = (
    "MultivariateNormalDiag MultivariateNormalDiagWithSoftplusScale MultivariateNormalTriL"
    " MultivariateNormalFullCovariance"
)
_FUNCTIONS = (
    "fill_triangular fill_triangular_inverse matrix_diag_transform reduce_weighted_logsumexp softplus_inverse tridiag"
)
_SAME = (
    "Bernoulli Beta Categorical Dirichlet DirichletMultinomial Distribution Exponential FULLY_REPARAMETERIZED Gamma"
    " Laplace Multinomial NOT_REPARAMETERIZED Normal RegisterKL ReparameterizationType StudentT Uniform kl_divergence"
)

OWN = {
    **names(_PATH, f"{_HERE}.multivariate_normal", _NORMAL),
    **names(
        f"{_PATH}.python.ops.mvn_linear_operator", f"{_HERE}.multivariate_normal", "MultivariateNormalLinearOperator"
    ),
    **names(_PATH, f"{_HERE}.one_hot", "OneHotCategorical ExpRelaxedOneHotCategorical RelaxedOneHotCategorical"),
    **names(_PATH, f"{_HERE}.scalar", "Logistic Poisson Deterministic"),
    **names(_PATH, f"{_HERE}.independent", "Independent"),
    **names(_PATH, f"{_HERE}.mixtures", "Mixture MixtureSameFamily"),
    **names(_PATH, f"{_CORE}.util", _FUNCTIONS),
    **names(_PATH, f"{_CORE}.normal", "NormalWithSoftplusScale"),
    **names(_PATH, f"{_CORE}.laplace", "LaplaceWithSoftplusScale"),
    **names(_PATH, f"{_CORE}.exponential", "ExponentialWithSoftplusRate"),
    **names(_PATH, f"{_CORE}.gamma", "GammaWithSoftplusConcentrationRate"),
    **names(_PATH, f"{_CORE}.beta", "BetaWithSoftplusConcentration"),
    **names(_PATH, f"{_CORE}.student_t", "StudentTWithAbsDfSoftplusScale"),
}

ALIASES = same(_PATH, "distributions", _SAME)
