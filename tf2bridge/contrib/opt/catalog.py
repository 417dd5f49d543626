"""`tf.contrib.opt`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.opt"
_HERE = "tf2bridge.contrib.opt"

_WEIGHT_DECAY = "AdamWOptimizer MomentumWOptimizer DecoupledWeightDecayExtension extend_with_decoupled_weight_decay"
_DECAYS = "get_linear_decay_fn get_cosine_decay_fn get_restart_decay_fn"

OWN = {
    **names(_PATH, f"{_HERE}.lazy_adam_optimizer", "LazyAdamOptimizer"),
    **names(_PATH, f"{_HERE}.nadam_optimizer", "NadamOptimizer"),
    **names(_PATH, f"{_HERE}.adam_gs_optimizer", "AdamGSOptimizer"),
    **names(_PATH, f"{_HERE}.lazy_adam_gs_optimizer", "LazyAdamGSOptimizer"),
    **names(_PATH, f"{_HERE}.adamax", "AdaMaxOptimizer"),
    **names(_PATH, f"{_HERE}.addsign", "AddSignOptimizer"),
    **names(_PATH, f"{_HERE}.powersign", "PowerSignOptimizer"),
    **names("contrib.opt.python.training.sign_decay", f"{_HERE}.sign_decay", _DECAYS),
    **names(_PATH, f"{_HERE}.weight_decay_optimizers", _WEIGHT_DECAY),
    **names(_PATH, f"{_HERE}.moving_average_optimizer", "MovingAverageOptimizer"),
    **names(_PATH, f"{_HERE}.variable_clipping_optimizer", "VariableClippingOptimizer"),
    **names(_PATH, f"{_HERE}.multitask_optimizer_wrapper", "MultitaskOptimizerWrapper clip_gradients_by_global_norm"),
    **names(_PATH, f"{_HERE}.lars_optimizer", "LARSOptimizer"),
    **names(_PATH, f"{_HERE}.reg_adagrad_optimizer", "RegAdagradOptimizer"),
    **names(_PATH, f"{_HERE}.shampoo", "ShampooOptimizer"),
    **names(
        "contrib.opt.python.training.matrix_functions",
        f"{_HERE}.matrix_functions",
        "matrix_square_root matrix_inverse_pth_root",
    ),
    **names(_PATH, f"{_HERE}.drop_stale_gradient_optimizer", "DropStaleGradientOptimizer"),
    **names(_PATH, f"{_HERE}.external_optimizer", "ExternalOptimizerInterface ScipyOptimizerInterface"),
}
