"""`tf.estimator`, its private modules, and the feature columns that TensorFlow 2 computes otherwise.

The private modules are `tensorflow_estimator.python.estimator` and `tensorflow.python.estimator`.
"""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

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

_PRIVATE = "python.estimator"
_HEAD_MODULES = f"{_HERE}.heads"
_PARSING = f"{_HERE}.canned.parsing"
_MODEL_FNS = f"{_HERE}.canned.model_fns"
_MAPS = "EXPORT_TAG_MAP SIGNATURE_KEY_MAP"
_VERSIONS = "get_paths largest_export_versions mod_export_version negation one_of_every_n_export_versions union"

_COLUMNS = "python.feature_column"
_LINEAR = f"{_HERE}.canned.linear_layer"
_IDENTITY = f"{_HERE}.identity_column"

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
    **names(
        "feature_column",
        _IDENTITY,
        "categorical_column_with_identity sequence_categorical_column_with_identity",
    ),
    **names(f"{_COLUMNS}.feature_column_v2", _IDENTITY, "categorical_column_with_identity"),
    **names(f"{_COLUMNS}.feature_column_lib", _IDENTITY, "categorical_column_with_identity"),
    f"{_COLUMNS}.feature_column._categorical_column_with_identity": f"{_IDENTITY}:first_identity_column",
    f"{_COLUMNS}.feature_column_v2._LinearModelLayer": f"{_LINEAR}:LinearModelLayer",
    f"{_COLUMNS}.feature_column_v2.LinearModel": f"{_LINEAR}:LinearModel",
    **names(f"{_PRIVATE}.gc", "tf2bridge.estimator.gc", "Path"),
    **{f"{_PRIVATE}.gc._{name}": f"tf2bridge.estimator.gc:{name}" for name in _VERSIONS.split()},
    **names(f"{_PRIVATE}.run_config", f"{_HERE}.cluster", "TaskType"),
    f"{_PRIVATE}.run_config.get_default_session_config": f"{_HERE}.run_config:default_session_config",
    f"{_PRIVATE}.estimator.EstimatorV2": f"{_HERE}.estimator:Estimator",
    f"{_PRIVATE}.estimator._load_global_step_from_checkpoint_dir": f"{_HERE}.checks:saved_global_step",
    f"{_PRIVATE}.keras._create_keras_model_fn": f"{_HERE}.keras_model_fn:model_fn_of",
    f"{_PRIVATE}.estimator._write_dict_to_summary": f"{_HERE}.evaluation:write_metrics",
    **names(f"{_PRIVATE}.head.head_utils", f"{_HEAD_MODULES}.assertions", "_DEFAULT_SERVING_KEY"),
    f"{_PRIVATE}.head.head_utils._initialize_variables": f"{_HEAD_MODULES}.assertions:initialize_variables",
    f"{_PRIVATE}.head.head_utils._assert_simple_summaries": f"{_HEAD_MODULES}.assertions:assert_simple_summaries",
    f"{_PRIVATE}.head.head_utils._assert_no_hooks": f"{_HEAD_MODULES}.assertions:assert_no_hooks",
    f"{_PRIVATE}.util.parse_input_fn_result": f"{_HERE}.input_results:parsed",
    f"{_PRIVATE}.util._DatasetInitializerHook": f"{_HERE}.input_results:DatasetInitializerHook",
    **names(f"{_PRIVATE}.early_stopping", f"{_HERE}.early_stopping", "read_eval_metrics"),
    f"{_PRIVATE}.early_stopping._StopOnPredicateHook": f"{_HERE}.early_stopping:_AskingHook",
    f"{_PRIVATE}.early_stopping._CheckForStoppingHook": f"{_HERE}.early_stopping:_FollowingHook",
    f"{_PRIVATE}.early_stopping._get_or_create_stop_var": f"{_HERE}.early_stopping:_stop_variable",
    f"{_PRIVATE}.hooks.hooks._StopAtCheckpointStepHook": f"{_HERE}.early_stopping:_WaitingHook",
    f"{_PRIVATE}.training._TrainingExecutor": f"{_HERE}.executor:TrainingExecutor",
    f"{_PRIVATE}.training._ContinuousEvalListener": f"{_HERE}.evaluating:ContinuousEvalListener",
    f"{_PRIVATE}.training._NewCheckpointListenerForEvaluate": f"{_HERE}.evaluating:EvaluationListener",
    f"{_PRIVATE}.training._StopAtSecsHook": f"{_HERE}.early_stopping:StopAtSecsHook",
    f"{_PRIVATE}.training._EvalResult": f"{_HERE}.evaluating:EvalResult",
    f"{_PRIVATE}.training._EvalStatus": f"{_HERE}.evaluating:EvalStatus",
    **names(f"{_PRIVATE}.exporter", f"{_HERE}.exporters", "_loss_smaller"),
    f"{_PRIVATE}.exporter._verify_compare_fn_args": f"{_HERE}.exporters:_check_compare_fn",
    **names(f"{_PRIVATE}.export.export", f"{_HERE}.receivers", "SupervisedInputReceiver UnsupervisedInputReceiver"),
    f"{_PRIVATE}.canned.head._Head": f"{_HEAD_MODULES}.first:AnyHead",
    f"{_PRIVATE}.head.sequential_head._SequentialHead": f"{_HEAD_MODULES}.sequential:SequentialHead",
    f"{_PRIVATE}.canned.head.LossSpec": f"{_HEAD_MODULES}.first:Loss",
    f"{_PRIVATE}.canned.head._binary_logistic_or_multi_class_head": (
        f"{_HEAD_MODULES}.first_classifiers:binary_or_multi_class"
    ),
    **dict.fromkeys(
        (
            f"{_PRIVATE}.canned.head._multi_class_head_with_softmax_cross_entropy_loss",
            f"{_PRIVATE}.canned.head._MultiClassHeadWithSoftmaxCrossEntropyLoss",
        ),
        f"{_HEAD_MODULES}.first_classifiers:MultiClassHead",
    ),
    **dict.fromkeys(
        (
            f"{_PRIVATE}.canned.head._binary_logistic_head_with_sigmoid_cross_entropy_loss",
            f"{_PRIVATE}.canned.head._BinaryLogisticHeadWithSigmoidCrossEntropyLoss",
        ),
        f"{_HEAD_MODULES}.first_classifiers:BinaryHead",
    ),
    f"{_PRIVATE}.canned.head._regression_head": f"{_HEAD_MODULES}.first_regression:RegressionHead",
    f"{_PRIVATE}.inputs.queues.feeding_functions._enqueue_data": f"{_HERE}.inputs.enqueueing:enqueue_data",
    f"{_PRIVATE}.canned.parsing_utils.classifier_parse_example_spec_v2": f"{_PARSING}:classifier_parse_example_spec_v2",
    f"{_PRIVATE}.canned.parsing_utils.regressor_parse_example_spec_v2": f"{_PARSING}:regressor_parse_example_spec_v2",
    f"{_PRIVATE}.canned.dnn._dnn_model_fn": f"{_MODEL_FNS}:dnn_model_fn",
    f"{_PRIVATE}.canned.dnn_linear_combined._dnn_linear_combined_model_fn": f"{_MODEL_FNS}:combined_model_fn",
    f"{_PRIVATE}.canned.baseline._baseline_logit_fn_builder": f"{_MODEL_FNS}:baseline_logit_fn_builder",
    f"{_PRIVATE}.canned.linear._compute_fraction_of_zero": f"{_HERE}.canned.linear_model:fraction_of_zero",
    f"{_PRIVATE}.model_fn.LOSS_METRIC_KEY": f"{_HEAD_MODULES}.keys:LOSS",
    f"{_PRIVATE}.model_fn.AVERAGE_LOSS_METRIC_KEY": f"{_HEAD_MODULES}.keys:LOSS_MEAN",
    **names(f"{_PRIVATE}.export.export_lib", "tensorflow.python.saved_model.model_utils.export_utils", _MAPS),
    f"{_PRIVATE}.canned.optimizers.get_optimizer_instance": f"{_HERE}.canned.optimizers:optimizer_of",
}

ALIASES = {
    **same(_PATH, "train", _HOOKS),
    "contrib.keras.estimator.model_to_estimator": "keras.estimator.model_to_estimator",
}
