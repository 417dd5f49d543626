"""`tf.contrib.opt`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.opt"
_HERE = "tf2bridge.contrib.opt"

_WEIGHT_DECAY = "AdamWOptimizer MomentumWOptimizer DecoupledWeightDecayExtension extend_with_decoupled_weight_decay"
_DECAYS = "get_linear_decay_fn get_cosine_decay_fn get_restart_decay_fn"

OWN = {
    **names(_PATH, f"{_HERE}.adam", "LazyAdamOptimizer NadamOptimizer"),
    **names(_PATH, f"{_HERE}.adam_steps", "AdamGSOptimizer LazyAdamGSOptimizer AdaMaxOptimizer"),
    **names(_PATH, f"{_HERE}.sign", "AddSignOptimizer PowerSignOptimizer"),
    **names("contrib.opt.python.training.sign_decay", f"{_HERE}.sign", _DECAYS),
    **names(_PATH, f"{_HERE}.weight_decay", _WEIGHT_DECAY),
    **names(_PATH, f"{_HERE}.moving_average", "MovingAverageOptimizer"),
    **names(
        _PATH,
        f"{_HERE}.clipping",
        "VariableClippingOptimizer MultitaskOptimizerWrapper clip_gradients_by_global_norm",
    ),
    **names(_PATH, f"{_HERE}.layerwise", "LARSOptimizer RegAdagradOptimizer"),
    **names(_PATH, f"{_HERE}.shampoo", "ShampooOptimizer"),
    **names(
        "contrib.opt.python.training.matrix_functions",
        f"{_HERE}.matrix_functions",
        "matrix_square_root matrix_inverse_pth_root",
    ),
    **names(_PATH, f"{_HERE}.stale", "DropStaleGradientOptimizer"),
    **names(_PATH, f"{_HERE}.external", "ExternalOptimizerInterface ScipyOptimizerInterface"),
}
