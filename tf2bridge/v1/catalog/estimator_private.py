"""Names of the private modules `tensorflow_estimator.python.estimator` and `tensorflow.python.estimator`."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_PATH = "python.estimator"
_HERE = "tf2bridge.estimator"
_HEADS = f"{_HERE}.heads"
_PARSING = f"{_HERE}.canned.parsing"
_MODEL_FNS = f"{_HERE}.canned.model_fns"
_MAPS = "EXPORT_TAG_MAP SIGNATURE_KEY_MAP"
_VERSIONS = "get_paths largest_export_versions mod_export_version negation one_of_every_n_export_versions union"

OWN = {
    **names(f"{_PATH}.gc", "tf2bridge.contrib.learn.versions", "Path"),
    **{f"{_PATH}.gc._{name}": f"tf2bridge.contrib.learn.versions:{name}" for name in _VERSIONS.split()},
    **names(f"{_PATH}.run_config", f"{_HERE}.cluster", "TaskType"),
    f"{_PATH}.run_config.get_default_session_config": f"{_HERE}.run_config:default_session_config",
    f"{_PATH}.estimator.EstimatorV2": f"{_HERE}.estimator:Estimator",
    f"{_PATH}.estimator._load_global_step_from_checkpoint_dir": f"{_HERE}.checks:saved_global_step",
    f"{_PATH}.keras._create_keras_model_fn": f"{_HERE}.keras_model_fn:model_fn_of",
    f"{_PATH}.estimator._write_dict_to_summary": f"{_HERE}.evaluation:write_metrics",
    **names(f"{_PATH}.head.head_utils", f"{_HEADS}.assertions", "_DEFAULT_SERVING_KEY"),
    f"{_PATH}.head.head_utils._initialize_variables": f"{_HEADS}.assertions:initialize_variables",
    f"{_PATH}.head.head_utils._assert_simple_summaries": f"{_HEADS}.assertions:assert_simple_summaries",
    f"{_PATH}.head.head_utils._assert_no_hooks": f"{_HEADS}.assertions:assert_no_hooks",
    f"{_PATH}.util.parse_input_fn_result": f"{_HERE}.input_results:parsed",
    f"{_PATH}.util._DatasetInitializerHook": f"{_HERE}.input_results:DatasetInitializerHook",
    **names(f"{_PATH}.early_stopping", f"{_HERE}.early_stopping", "read_eval_metrics"),
    f"{_PATH}.early_stopping._StopOnPredicateHook": f"{_HERE}.early_stopping:_AskingHook",
    f"{_PATH}.early_stopping._CheckForStoppingHook": f"{_HERE}.early_stopping:_FollowingHook",
    f"{_PATH}.early_stopping._get_or_create_stop_var": f"{_HERE}.early_stopping:_stop_variable",
    f"{_PATH}.hooks.hooks._StopAtCheckpointStepHook": f"{_HERE}.early_stopping:_WaitingHook",
    f"{_PATH}.training._TrainingExecutor": f"{_HERE}.executor:TrainingExecutor",
    f"{_PATH}.training._ContinuousEvalListener": f"{_HERE}.evaluating:ContinuousEvalListener",
    f"{_PATH}.training._NewCheckpointListenerForEvaluate": f"{_HERE}.evaluating:EvaluationListener",
    f"{_PATH}.training._StopAtSecsHook": f"{_HERE}.early_stopping:StopAtSecsHook",
    f"{_PATH}.training._EvalResult": f"{_HERE}.evaluating:EvalResult",
    f"{_PATH}.training._EvalStatus": f"{_HERE}.evaluating:EvalStatus",
    **names(f"{_PATH}.exporter", f"{_HERE}.exporters", "_loss_smaller"),
    f"{_PATH}.exporter._verify_compare_fn_args": f"{_HERE}.exporters:_check_compare_fn",
    **names(f"{_PATH}.export.export", f"{_HERE}.receivers", "SupervisedInputReceiver UnsupervisedInputReceiver"),
    f"{_PATH}.canned.head._Head": f"{_HEADS}.first:AnyHead",
    f"{_PATH}.head.sequential_head._SequentialHead": f"{_HEADS}.sequential:SequentialHead",
    f"{_PATH}.canned.head.LossSpec": f"{_HEADS}.first:Loss",
    f"{_PATH}.canned.head._binary_logistic_or_multi_class_head": f"{_HEADS}.first_classifiers:binary_or_multi_class",
    **dict.fromkeys(
        (
            f"{_PATH}.canned.head._multi_class_head_with_softmax_cross_entropy_loss",
            f"{_PATH}.canned.head._MultiClassHeadWithSoftmaxCrossEntropyLoss",
        ),
        f"{_HEADS}.first_classifiers:MultiClassHead",
    ),
    **dict.fromkeys(
        (
            f"{_PATH}.canned.head._binary_logistic_head_with_sigmoid_cross_entropy_loss",
            f"{_PATH}.canned.head._BinaryLogisticHeadWithSigmoidCrossEntropyLoss",
        ),
        f"{_HEADS}.first_classifiers:BinaryHead",
    ),
    f"{_PATH}.canned.head._regression_head": f"{_HEADS}.first_regression:RegressionHead",
    f"{_PATH}.inputs.queues.feeding_functions._enqueue_data": f"{_HERE}.inputs.enqueueing:enqueue_data",
    f"{_PATH}.canned.parsing_utils.classifier_parse_example_spec_v2": f"{_PARSING}:classifier_parse_example_spec_v2",
    f"{_PATH}.canned.parsing_utils.regressor_parse_example_spec_v2": f"{_PARSING}:regressor_parse_example_spec_v2",
    f"{_PATH}.canned.dnn._dnn_model_fn": f"{_MODEL_FNS}:dnn_model_fn",
    f"{_PATH}.canned.dnn_linear_combined._dnn_linear_combined_model_fn": f"{_MODEL_FNS}:combined_model_fn",
    f"{_PATH}.canned.baseline._baseline_logit_fn_builder": f"{_MODEL_FNS}:baseline_logit_fn_builder",
    f"{_PATH}.canned.linear._compute_fraction_of_zero": f"{_HERE}.canned.linear_model:fraction_of_zero",
    f"{_PATH}.model_fn.LOSS_METRIC_KEY": f"{_HEADS}.keys:LOSS",
    f"{_PATH}.model_fn.AVERAGE_LOSS_METRIC_KEY": f"{_HEADS}.keys:LOSS_MEAN",
    **names(f"{_PATH}.export.export_lib", "tensorflow.python.saved_model.model_utils.export_utils", _MAPS),
    f"{_PATH}.canned.optimizers.get_optimizer_instance": f"{_HERE}.canned.optimizers:optimizer_of",
}
