"""`tf.contrib.estimator`."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_PATH = "contrib.estimator"
_HERE = "tf2bridge.contrib.estimator"

_HEADS = (
    "binary_classification_head logistic_regression_head multi_class_head multi_head multi_label_head "
    "poisson_regression_head regression_head"
)
_EXPERIMENTAL = (
    "InMemoryEvaluatorHook make_early_stopping_hook make_stop_at_checkpoint_step_hook stop_if_higher_hook "
    "stop_if_lower_hook stop_if_no_decrease_hook stop_if_no_increase_hook build_raw_supervised_input_receiver_fn "
    "call_logit_fn dnn_logit_fn_builder linear_logit_fn_builder"
)

OWN = {
    **names(_PATH, f"{_HERE}.heads", _HEADS),
    **names(_PATH, f"{_HERE}.extending", "clip_gradients_by_norm forward_features"),
    **names(_PATH, f"{_HERE}.exporting", "export_saved_model_for_mode export_all_saved_models"),
    **names(_PATH, f"{_HERE}.replication", "replicate_model_fn TowerOptimizer"),
    **names(_PATH, f"{_HERE}.saved_model", "SavedModelEstimator"),
    **names(_PATH, "tf2bridge.estimator.receivers", "build_supervised_input_receiver_fn_from_input_fn"),
}

ALIASES = {
    **same(_PATH, "estimator", "add_metrics BaselineEstimator DNNEstimator DNNLinearCombinedEstimator LinearEstimator"),
    **same(_PATH, "estimator.experimental", _EXPERIMENTAL),
}
