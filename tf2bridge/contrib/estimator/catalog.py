"""`tf.contrib.estimator`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.estimator"
_HERE = "tf2bridge.contrib.estimator"
_TOWERS = "contrib.estimator.python.estimator.replicate_model_fn"

_HEADS = (
    "binary_classification_head logistic_regression_head multi_class_head multi_head multi_label_head "
    "poisson_regression_head regression_head"
)
_EXPERIMENTAL = (
    "InMemoryEvaluatorHook make_early_stopping_hook make_stop_at_checkpoint_step_hook stop_if_higher_hook "
    "stop_if_lower_hook stop_if_no_decrease_hook stop_if_no_increase_hook build_raw_supervised_input_receiver_fn "
    "call_logit_fn dnn_logit_fn_builder linear_logit_fn_builder"
)
_RNN = "contrib.estimator.python.estimator.rnn"
_RNN_PARTS = "make_rnn_cell_fn rnn_logit_fn_builder rnn_model_fn select_last_activations"
_ANNOTATIONS = "LayerAnnotationsCollectionNames"

OWN = {
    **names(_PATH, f"{_HERE}.head", _HEADS),
    **names(_PATH, f"{_HERE}.extenders", "clip_gradients_by_norm forward_features"),
    **names(_PATH, f"{_HERE}.export", "export_saved_model_for_mode export_all_saved_models"),
    **names(_PATH, f"{_HERE}.replicate_model_fn.replication", "replicate_model_fn"),
    **names(_PATH, f"{_HERE}.rnn", "RNNClassifier RNNEstimator"),
    **names(_RNN, f"{_HERE}.rnn", "USE_DEFAULT"),
    **{f"{_RNN}._{name}": f"{_HERE}.rnn:{name}" for name in _RNN_PARTS.split()},
    **names(
        _PATH,
        f"{_HERE}.dnn_with_layer_annotations",
        "DNNClassifierWithLayerAnnotations DNNRegressorWithLayerAnnotations",
    ),
    **names(
        f"{_PATH}.python.estimator.dnn_with_layer_annotations", f"{_HERE}.dnn_with_layer_annotations", _ANNOTATIONS
    ),
    **names(_PATH, f"{_HERE}.replicate_model_fn.towers", "TowerOptimizer"),
    "contrib.estimator.python.estimator.exporter.StepsExporter": f"{_HERE}.exporter:StepsExporter",
    f"{_TOWERS}._VariableDistributionMode": f"{_HERE}.replicate_model_fn.replication:VariableDistributionMode",
    f"{_TOWERS}._replicate_model_fn_with_mode": f"{_HERE}.replicate_model_fn.replication:replicate_model_fn_with_mode",
    f"{_TOWERS}._get_local_devices": f"{_HERE}.replicate_model_fn.replication:local_devices",
    f"{_TOWERS}._get_loss_towers": f"{_HERE}.replicate_model_fn.replication:get_loss_towers",
    f"{_TOWERS}._local_device_setter": f"{_HERE}.replicate_model_fn.replication:local_device_setter",
    f"{_TOWERS}._compute_sum_on_device": f"{_HERE}.replicate_model_fn.towers:summed",
    f"{_TOWERS}._concat_tensor_dicts": f"{_HERE}.replicate_model_fn.shards:concat_tensor_dicts",
    f"{_TOWERS}._eval_spec": f"{_HERE}.replicate_model_fn.shards:eval_spec",
    f"{_TOWERS}._predict_spec": f"{_HERE}.replicate_model_fn.shards:predict_spec",
    f"{_TOWERS}._train_spec": f"{_HERE}.replicate_model_fn.shards:train_spec",
    f"{_TOWERS}._reduce_metric_variables": f"{_HERE}.replicate_model_fn.shards:reduce_metric_variables",
    f"{_TOWERS}._split_batch": f"{_HERE}.replicate_model_fn.shards:split_batch",
    **names(_PATH, f"{_HERE}.saved_model_estimator", "SavedModelEstimator"),
    **names(_PATH, "tf2bridge.estimator.receivers", "build_supervised_input_receiver_fn_from_input_fn"),
}

ALIASES = {
    **same(_PATH, "estimator", "add_metrics BaselineEstimator DNNEstimator DNNLinearCombinedEstimator LinearEstimator"),
    **same(_PATH, "estimator.experimental", _EXPERIMENTAL),
}
