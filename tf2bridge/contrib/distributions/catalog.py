"""`tf.contrib.distributions`, and its bijectors."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.distributions"
_HERE = "tf2bridge.contrib.distributions"
_CORE = "tensorflow.python.ops.distributions"
_BIJECTORS = f"{_HERE}.bijectors"

_NORMAL = (
    "MultivariateNormalDiag MultivariateNormalDiagPlusLowRank MultivariateNormalDiagWithSoftplusScale"
    " MultivariateNormalTriL MultivariateNormalFullCovariance"
)
_QUADRATURES = (
    "quadrature_scheme_lognormal_gauss_hermite quadrature_scheme_lognormal_quantiles"
    " quadrature_scheme_softmaxnormal_gauss_hermite quadrature_scheme_softmaxnormal_quantiles"
)
_FUNCTIONS = (
    "fill_triangular fill_triangular_inverse matrix_diag_transform reduce_weighted_logsumexp softplus_inverse tridiag"
)
_SAME = (
    "Bernoulli Beta Categorical Dirichlet DirichletMultinomial Distribution Exponential FULLY_REPARAMETERIZED Gamma"
    " Laplace Multinomial NOT_REPARAMETERIZED Normal RegisterKL ReparameterizationType StudentT Uniform kl_divergence"
)
_SCALES = "make_tril_scale make_diag_scale shapes_from_loc_and_scale is_diagonal_scale"
_CHECKS = "get_broadcast_shape maybe_check_scalar_distribution"
_OF_THE_RELEASE = (
    "AbsoluteValue Affine AffineLinearOperator Bijector Chain CholeskyOuterProduct ConditionalBijector Exp Identity"
    " Inline Invert PowerTransform Sigmoid SigmoidCentered SinhArcsinh SoftmaxCentered Softplus"
)
_INTERPOLATION = "interpolate_loc interpolate_scale linop_scale"


def _private(module: str, source: str, listed: str) -> dict[str, str]:
    """Returns the names of a private module of the operations of contrib.distributions."""
    return names(f"{_PATH}.python.ops.{module}", f"{_HERE}.{source}", listed)


def _bijectors(source: str, listed: str) -> dict[str, str]:
    return names(f"{_PATH}.bijectors", f"{_BIJECTORS}.{source}", listed)


OWN = {
    **names(_PATH, f"{_HERE}.multivariate_normal", _NORMAL),
    **names(_PATH, f"{_HERE}.onehot_categorical", "OneHotCategorical"),
    **names(_PATH, f"{_HERE}.relaxed_onehot_categorical", "ExpRelaxedOneHotCategorical RelaxedOneHotCategorical"),
    **names(_PATH, f"{_HERE}.relaxed_bernoulli", "RelaxedBernoulli"),
    **names(_PATH, f"{_HERE}.logistic", "Logistic"),
    **names(_PATH, f"{_HERE}.cauchy", "Cauchy"),
    **names(_PATH, f"{_HERE}.binomial", "Binomial"),
    **names(_PATH, f"{_HERE}.negative_binomial", "NegativeBinomial"),
    **names(_PATH, f"{_HERE}.geometric", "Geometric"),
    **names(_PATH, f"{_HERE}.poisson", "Poisson"),
    **names(_PATH, f"{_HERE}.half_normal", "HalfNormal"),
    **names(_PATH, f"{_HERE}.inverse_gamma", "InverseGamma InverseGammaWithSoftplusConcentrationRate"),
    **names(_PATH, f"{_HERE}.chi2", "Chi2 Chi2WithAbsDf"),
    **names(_PATH, f"{_HERE}.deterministic", "Deterministic VectorDeterministic"),
    **names(_PATH, f"{_HERE}.independent", "Independent"),
    **names(_PATH, f"{_HERE}.batch_reshape", "BatchReshape"),
    **names(_PATH, f"{_HERE}.mixture", "Mixture"),
    **names(_PATH, f"{_HERE}.mixture_same_family", "MixtureSameFamily"),
    **names(_PATH, f"{_HERE}.transformed_distribution", "TransformedDistribution"),
    **names(_PATH, f"{_HERE}.conditional_distribution", "ConditionalDistribution"),
    **names(_PATH, f"{_HERE}.conditional_transformed_distribution", "ConditionalTransformedDistribution"),
    **names(_PATH, f"{_HERE}.sinh_arcsinh", "SinhArcsinh"),
    **names(_PATH, f"{_HERE}.kumaraswamy", "Kumaraswamy"),
    **names(_PATH, f"{_HERE}.vector", "VectorExponentialDiag VectorLaplaceDiag VectorSinhArcsinhDiag"),
    **names(_PATH, f"{_HERE}.wishart", "WishartCholesky WishartFull"),
    **names(_PATH, f"{_HERE}.quantized_distribution", "QuantizedDistribution"),
    **names(_PATH, f"{_HERE}.autoregressive", "Autoregressive"),
    **names(_PATH, f"{_HERE}.quadratures", _QUADRATURES),
    **names(_PATH, f"{_HERE}.poisson_lognormal", "PoissonLogNormalQuadratureCompound"),
    **names(_PATH, f"{_HERE}.vector_diffeomixture", "VectorDiffeomixture"),
    **names(
        _PATH,
        f"{_HERE}.moving_stats",
        "assign_log_moving_mean_exp assign_moving_mean_variance moving_mean_variance",
    ),
    **names(_PATH, f"{_HERE}.sample_stats", "auto_correlation percentile"),
    **names(_PATH, f"{_HERE}.seed_stream", "SeedStream"),
    **names(
        _PATH,
        f"{_HERE}.normal_conjugate_posteriors",
        "normal_conjugates_known_scale_posterior normal_conjugates_known_scale_predictive",
    ),
    **names(_PATH, f"{_CORE}.util", _FUNCTIONS),
    **names(_PATH, f"{_CORE}.normal", "NormalWithSoftplusScale"),
    **names(_PATH, f"{_CORE}.laplace", "LaplaceWithSoftplusScale"),
    **names(_PATH, f"{_CORE}.exponential", "ExponentialWithSoftplusRate"),
    **names(_PATH, f"{_CORE}.gamma", "GammaWithSoftplusConcentrationRate"),
    **names(_PATH, f"{_CORE}.beta", "BetaWithSoftplusConcentration"),
    **names(_PATH, f"{_CORE}.student_t", "StudentTWithAbsDfSoftplusScale"),
    **names(f"{_PATH}.bijectors", _BIJECTORS, _OF_THE_RELEASE),
    **names("python.ops.distributions.bijector", _BIJECTORS, "Bijector"),
    **names("python.ops.distributions.bijector_impl", _BIJECTORS, "Bijector"),
    **names("python.ops.distributions.identity_bijector", _BIJECTORS, "Identity"),
    **_bijectors("elementwise", "Softsign Square"),
    **_bijectors("parametric", "AffineScalar Gumbel Kumaraswamy"),
    **_bijectors("matrices", "FillTriangular MatrixInverseTriL ScaleTriL TransformDiagonal"),
    **_bijectors("vectors", "Ordered Permute"),
    **_bijectors("reshape", "Reshape"),
    **_bijectors("batch_normalization", "BatchNormalization"),
    **_bijectors(
        "flows",
        "MaskedAutoregressiveFlow RealNVP masked_autoregressive_default_template masked_dense"
        " real_nvp_default_template",
    ),
    **_private("mvn_linear_operator", "multivariate_normal", "MultivariateNormalLinearOperator"),
    **_private("vector_exponential_linear_operator", "vector", "VectorExponentialLinearOperator"),
    **_private("vector_laplace_linear_operator", "vector", "VectorLaplaceLinearOperator"),
    **_private("vector_student_t", "vector", "_VectorStudentT"),
    **_private("gumbel", "gumbel", "_Gumbel"),
    **_private("wishart", "wishart", "_WishartLinearOperator"),
    **_private("bijectors.weibull", "bijectors", "Weibull"),
    **_private("bijectors.weibull_impl", "bijectors", "Weibull"),
    **_private("bijectors.masked_autoregressive", "bijectors.flows", "_gen_mask MASK_INCLUSIVE MASK_EXCLUSIVE"),
    **_private("test_util", "test_util", "DiscreteScalarDistributionTestHelpers VectorDistributionTestHelpers"),
    **_private("shape", "shape", "_DistributionShape"),
    **_private("distribution_util", "scales", _SCALES),
    **_private("distribution_util", "sinh_arcsinh", _CHECKS),
    **_private("distribution_util", "mixture", "mixture_stddev"),
    **_private("distribution_util", "mixture_same_family", "pad_mixture_dimensions"),
    **_private("vector_diffeomixture", "interpolation", _INTERPOLATION),
}

ALIASES = same(_PATH, "distributions", _SAME)

ENDED = {f"{_PATH}.bijectors.SigmoidCentered": "1.5"}
