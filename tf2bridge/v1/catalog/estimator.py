"""`tf.estimator`."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_PATH = "estimator"
_HERE = "tf2bridge.estimator"
_EXPERIMENTAL = "estimator.experimental"

_HOOKS = (
    "CheckpointSaverHook CheckpointSaverListener FeedFnHook FinalOpsHook GlobalStepWaiterHook LoggingTensorHook "
    "NanLossDuringTrainingError NanTensorHook ProfilerHook SecondOrStepTimer SessionRunArgs SessionRunContext "
    "SessionRunHook SessionRunValues StepCounterHook StopAtStepHook SummarySaverHook VocabInfo"
)
_EARLY = (
    "make_early_stopping_hook make_stop_at_checkpoint_step_hook stop_if_higher_hook stop_if_lower_hook "
    "stop_if_no_decrease_hook stop_if_no_increase_hook"
)
_RECEIVERS = (
    "ServingInputReceiver TensorServingInputReceiver build_parsing_serving_input_receiver_fn "
    "build_raw_serving_input_receiver_fn"
)
_OUTPUTS = "ExportOutput ClassificationOutput RegressionOutput PredictOutput"

OWN = {
    **names(_PATH, f"{_HERE}.estimator", "Estimator"),
    **names(_PATH, f"{_HERE}.model_spec", "EstimatorSpec"),
    **names(_PATH, f"{_HERE}.mode_keys", "ModeKeys"),
    "python.saved_model.model_utils.mode_keys.EstimatorModeKeys": f"{_HERE}.mode_keys:ModeKeys",
    **names(_PATH, f"{_HERE}.run_config", "RunConfig"),
    **names(_PATH, f"{_HERE}.warm_start", "WarmStartSettings"),
    **names(_PATH, f"{_HERE}.train_and_evaluate", "train_and_evaluate"),
    **names(_PATH, f"{_HERE}.specs", "TrainSpec EvalSpec"),
    **names(_PATH, f"{_HERE}.exporters", "Exporter BestExporter FinalExporter LatestExporter"),
    **names(_PATH, f"{_HERE}.extending", "add_metrics"),
    **names(_PATH, f"{_HERE}.canned.linear", "LinearClassifier LinearEstimator LinearRegressor"),
    **names(_PATH, f"{_HERE}.canned.dnn", "DNNClassifier DNNEstimator DNNRegressor"),
    **names(
        _PATH,
        f"{_HERE}.canned.combined",
        "DNNLinearCombinedClassifier DNNLinearCombinedEstimator DNNLinearCombinedRegressor",
    ),
    **names(_PATH, f"{_HERE}.canned.baseline", "BaselineClassifier BaselineEstimator BaselineRegressor"),
    **names(_PATH, f"{_HERE}.canned.parsing", "classifier_parse_example_spec regressor_parse_example_spec"),
    **names(_PATH, f"{_HERE}.heads.head", "Head"),
    **names(_PATH, f"{_HERE}.heads.classifiers", "BinaryClassHead MultiClassHead"),
    **names(_PATH, f"{_HERE}.heads.multi_label", "MultiLabelHead"),
    **names(_PATH, f"{_HERE}.heads.multi", "MultiHead"),
    **names(_PATH, f"{_HERE}.heads.regression", "RegressionHead LogisticRegressionHead PoissonRegressionHead"),
    **names("keras.estimator", f"{_HERE}.keras_model", "model_to_estimator"),
    **names("estimator.inputs", f"{_HERE}.inputs.numpy_input", "numpy_input_fn"),
    **names("estimator.inputs", f"{_HERE}.inputs.pandas_input", "pandas_input_fn"),
    **names("estimator.export", f"{_HERE}.receivers", _RECEIVERS),
    **names("estimator.export", f"{_HERE}.outputs", _OUTPUTS),
    **names(_EXPERIMENTAL, f"{_HERE}.early_stopping", _EARLY),
    **names(_EXPERIMENTAL, f"{_HERE}.in_memory", "InMemoryEvaluatorHook"),
    **names(_EXPERIMENTAL, f"{_HERE}.extending", "call_logit_fn"),
    **names(_EXPERIMENTAL, f"{_HERE}.receivers", "build_raw_supervised_input_receiver_fn"),
    **names(_EXPERIMENTAL, f"{_HERE}.canned.dnn_model", "dnn_logit_fn_builder"),
    **names(_EXPERIMENTAL, f"{_HERE}.canned.linear_model", "linear_logit_fn_builder"),
}

ALIASES = {
    **same(_PATH, "train", _HOOKS),
    "contrib.keras.estimator.model_to_estimator": "keras.estimator.model_to_estimator",
}
