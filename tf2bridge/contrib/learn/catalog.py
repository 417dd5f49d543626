"""`tf.contrib.learn`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.learn"
_HERE = "tf2bridge.contrib.learn"
_DATASETS = "contrib.learn.datasets"
_MNIST = "read_data_sets DataSet extract_images extract_labels load_mnist dense_to_one_hot"
_LOADERS = "load_iris load_boston"
_FILES = "Dataset Datasets load_csv_with_header load_csv_without_header shrink_csv maybe_download"
_PREPROCESSING = "contrib.learn.preprocessing"
_PRIVATE = "contrib.learn.python.learn"
_SESSIONS = (
    "MonitoredSession MonitoredTrainingSession ChiefSessionCreator WorkerSessionCreator SingularMonitoredSession "
    "Scaffold SessionRunHook SessionRunArgs SessionRunContext SessionRunValues"
)
_STRATEGIES = (
    "make_export_strategy make_parsing_export_strategy make_best_model_export_strategy extend_export_strategy "
    "garbage_collect_exports get_most_recent_export get_temp_export_dir get_timestamped_export_dir"
)
_SIGNATURES = (
    "DEFAULT_INPUT_ALTERNATIVE_KEY FEATURES_INPUT_ALTERNATIVE_KEY build_standardized_signature_def "
    "build_all_signature_defs get_input_alternatives get_output_alternatives"
)
_SERVING = "build_default_serving_input_fn build_parsing_serving_input_fn"
_VERSIONS = "Path get_paths largest_export_versions mod_export_version negation one_of_every_n_export_versions union"
_UTILS = "contrib.learn.utils"
_EXPORTS = "contrib.learn.utils.saved_model_export_utils"
_HEADS = "regression_head poisson_regression_head multi_class_head binary_svm_head multi_label_head"
_DNN = "DNNClassifier DNNRegressor DNNEstimator"
_LINEAR = "LinearClassifier LinearRegressor LinearEstimator"
_COMBINED = "DNNLinearCombinedClassifier DNNLinearCombinedRegressor DNNLinearCombinedEstimator"
_MONITORS = "contrib.learn.monitors"
_REPORTING = "PrintTensor LoggingTrainable CaptureVariable GraphDump NanLoss StepCounter"
_SAVING = "SummarySaver CheckpointSaver get_default_monitors"
_LOOPS = "contrib.learn.graph_actions"
_INFERRED = "infer_real_valued_columns_from_input infer_real_valued_columns_from_input_fn"
_ESTIMATORS = f"{_PRIVATE}.estimators"
_SIGNED = (
    "TensorSignature tensors_compatible create_signatures create_placeholders_from_signatures "
    "create_example_parser_from_signatures"
)
_READERS = (
    "read_batch_examples read_batch_features read_batch_record_features "
    "read_keyed_batch_examples read_keyed_batch_examples_shared_queue read_keyed_batch_features "
    "read_keyed_batch_features_shared_queue"
)
_REGRESSIONS = "linear_regression linear_regression_zero_init logistic_regression logistic_regression_zero_init"
_REGRESSION_LOSSES = "mean_squared_error_regressor softmax_classifier"
_FRAMES = "extract_pandas_data extract_pandas_labels extract_pandas_matrix"
_IO = f"{_PRIVATE}.learn_io.graph_io"
_OLD_MODULES = "estimators experiment metric_spec model_fn prediction_key run_config"
"""Modules that 0.12 showed beside what they hold."""

OWN = {
    **names(_PREPROCESSING, f"{_HERE}.preprocessing.text", "VocabularyProcessor tokenizer"),
    **names(_PREPROCESSING, f"{_HERE}.preprocessing.processors", "ByteProcessor CategoricalProcessor"),
    **names(_PREPROCESSING, f"{_HERE}.preprocessing.categorical_vocabulary", "CategoricalVocabulary"),
    f"{_PREPROCESSING}.TOKENIZER_RE": f"{_HERE}.preprocessing.text:TOKENS",
    **names(_PATH, f"{_HERE}.preprocessing.text", "ModeKeys"),
    **names(_PATH, f"{_HERE}.estimators.model_fn", "ModelFnOps InputFnOps NotFittedError ProblemType PredictionKey"),
    **names(_PATH, f"{_HERE}.metric_spec", "MetricSpec"),
    **names(_PATH, f"{_HERE}.estimators.run_config", "RunConfig"),
    **names(_PATH, f"{_HERE}.estimators.cluster_config", "TaskType"),
    **names(_PATH, f"{_HERE}.learn_io.pandas_io", _FRAMES),
    **names(f"{_PRIVATE}.learn_io", f"{_HERE}.learn_io.pandas_io", "HAS_DASK HAS_PANDAS"),
    **names(_PATH, f"{_HERE}.estimators.estimator", "Estimator"),
    **names(_PATH, f"{_HERE}.sk_compat", "SKCompat"),
    **names(_PATH, f"{_HERE}.experiment", "Experiment"),
    **names(f"{_ESTIMATORS}.metric_key", f"{_HERE}.heads.metric_key", "MetricKey"),
    **names(_PATH, f"{_HERE}.heads.head", "Head"),
    **names(_PATH, f"{_HERE}.heads.functions", f"{_HEADS} multi_head"),
    f"{_PATH}.head.loss_only_head": f"{_HERE}.heads.functions:loss_only_head",
    **names(_PATH, f"{_HERE}.heads.several", "no_op_train_fn"),
    **names(_PATH, f"{_HERE}.canned.dnn", _DNN),
    **names(_PATH, f"{_HERE}.canned.linear", _LINEAR),
    **names(_PATH, f"{_HERE}.canned.dnn_linear_combined", _COMBINED),
    **names(_PATH, f"{_HERE}.canned.debug", "LogisticRegressor"),
    **names(f"{_ESTIMATORS}.debug", f"{_HERE}.canned.debug", "DebugClassifier DebugRegressor debug_model_fn"),
    **names(f"{_ESTIMATORS}._sklearn", f"{_HERE}.scores", "accuracy_score mean_squared_error train_test_split"),
    **names(f"{_ESTIMATORS}.tensor_signature", f"{_HERE}.estimators.tensor_signature", _SIGNED),
    f"{_ESTIMATORS}.dnn._dnn_model_fn": f"{_HERE}.canned.dnn:dnn_model_fn",
    f"{_ESTIMATORS}.linear._linear_model_fn": f"{_HERE}.canned.linear:linear_model_fn",
    f"{_ESTIMATORS}.dnn_linear_combined._dnn_linear_combined_model_fn": (
        f"{_HERE}.canned.dnn_linear_combined_model:combined_model_fn"
    ),
    f"{_ESTIMATORS}.dnn_linear_combined._get_embedding_variable": f"{_HERE}.canned.network:embedding_variables",
    f"{_ESTIMATORS}.dnn_linear_combined._linear_learning_rate": f"{_HERE}.canned.linear:learning_rate",
    **names(_PATH, f"{_HERE}.inferred_columns", _INFERRED),
    **names(_MONITORS, f"{_HERE}.monitors.base", "BaseMonitor EveryN StopAtStep"),
    **names(_MONITORS, f"{_HERE}.monitors.reporting", _REPORTING),
    **names(_MONITORS, f"{_HERE}.monitors.saving", _SAVING),
    **names(_MONITORS, f"{_HERE}.monitors.validation", "ValidationMonitor"),
    **names(_MONITORS, f"{_HERE}.monitors.hooks", "RunHookAdapterForMonitors replace_monitors_with_hooks"),
    f"{_MONITORS}._as_graph_element": f"{_HERE}.monitors.hooks:graph_element",
    **names(_LOOPS, f"{_HERE}.graph_actions.loops", "train run_n run_feeds run_feeds_iter infer"),
    **names(_LOOPS, f"{_HERE}.graph_actions.loops", "clear_summary_writers get_summary_writer"),
    f"{_LOOPS}.evaluate": f"{_HERE}.graph_actions.evaluation:evaluate",
    **names(_PATH, f"{_HERE}.utils.saved_model_export_utils", "ExportStrategy make_export_strategy"),
    **names(_EXPORTS, f"{_HERE}.utils.saved_model_export_utils", _STRATEGIES),
    **names(_EXPORTS, f"{_HERE}.utils.signatures", _SIGNATURES),
    **names(_EXPORTS, f"{_HERE}.utils.best_model", "BestModelSelector"),
    **names(f"{_UTILS}.input_fn_utils", f"{_HERE}.utils.input_fn_utils", _SERVING),
    **names(f"{_UTILS}.gc", "tf2bridge.estimator.gc", _VERSIONS),
    **names(f"{_PATH}.models", f"{_HERE}.models", _REGRESSIONS),
    **names(f"{_PATH}.ops", f"{_HERE}.models", _REGRESSION_LOSSES),
    **names(_PATH, f"{_HERE}.learn_io.graph_io", _READERS),
    f"{_IO}.queue_parsed_features": f"{_HERE}.learn_io.queue_parsed_features:queue_parsed_features",
    f"{_IO}.KEY_FEATURE_NAME": f"{_HERE}.learn_io.graph_io:KEY_FEATURE_NAME",
    f"{_IO}._get_file_names": f"{_HERE}.learn_io.graph_io:file_names",
    f"{_IO}._read_keyed_batch_examples_helper": f"{_HERE}.learn_io.graph_io:read_examples",
    f"{_PATH}.io.generator_input_fn": f"{_HERE}.learn_io.generator_io:generator_input_fn",
    **names(_PATH, f"{_HERE}.interfaces", "Evaluable Trainable"),
    **names(f"{_PATH}.learn_runner", f"{_HERE}.learn_runner", "run tune"),
    **names(f"{_DATASETS}.mnist", f"{_HERE}.datasets.mnist", _MNIST),
    **names(_DATASETS, f"{_HERE}.datasets.base", f"{_LOADERS} load_dataset make_dataset DATASETS SYNTHETIC"),
    **names(f"{_DATASETS}.base", f"{_HERE}.datasets.base", _FILES),
    **names(f"{_DATASETS}.synthetic", f"{_HERE}.datasets.synthetic", "circles spirals"),
    **names(f"{_DATASETS}.text_datasets", f"{_HERE}.datasets.base", "load_dbpedia"),
    **names(f"{_PRIVATE}.estimators.run_config", f"{_HERE}.estimators.cluster_config", "ClusterConfig Environment"),
}

ALIASES = {
    f"{_PRIVATE}.preprocessing.text": _PREPROCESSING,
    f"{_PRIVATE}.datasets.mnist": f"{_DATASETS}.mnist",
    f"{_PRIVATE}.datasets.base": f"{_DATASETS}.base",
    **same(f"{_PRIVATE}.monitored_session", "train", _SESSIONS),
    **same(f"{_DATASETS}.base", _DATASETS, _LOADERS),
    f"{_DATASETS}.synthetic.Dataset": f"{_DATASETS}.base.Dataset",
    f"{_PREPROCESSING}.text": _PREPROCESSING,
    f"{_PREPROCESSING}.categorical.CategoricalProcessor": f"{_PREPROCESSING}.CategoricalProcessor",
    f"{_PREPROCESSING}.categorical_vocabulary.CategoricalVocabulary": f"{_PREPROCESSING}.CategoricalVocabulary",
    f"{_EXPORTS}.export_strategy.ExportStrategy": f"{_PATH}.ExportStrategy",
    **same(_PATH, f"{_UTILS}.input_fn_utils", "build_parsing_serving_input_fn"),
    **same(_UTILS, f"{_UTILS}.input_fn_utils", _SERVING),
    **same(_UTILS, _PATH, "InputFnOps"),
    **same(f"{_UTILS}.input_fn_utils", _PATH, "InputFnOps"),
    f"{_EXPORTS}.gc": f"{_UTILS}.gc",
    f"{_EXPORTS}.input_fn_utils": f"{_UTILS}.input_fn_utils",
    f"{_PATH}.NanLossDuringTrainingError": "train.NanLossDuringTrainingError",
    f"{_MONITORS}.NanLossDuringTrainingError": "train.NanLossDuringTrainingError",
    **{f"{_PATH}.{module}": _PATH for module in _OLD_MODULES.split()},
    **same(_PATH, _LOOPS, "train evaluate run_n run_feeds infer"),
    **same(f"{_PATH}.head", _PATH, f"{_HEADS} multi_head no_op_train_fn Head"),
    **{f"{_PATH}.head._{name}": f"{_PATH}.{name}" for name in f"{_HEADS} multi_head".split()},
    f"{_PATH}.MetricKey": f"{_ESTIMATORS}.metric_key.MetricKey",
    f"{_PATH}.metric_key.MetricKey": f"{_ESTIMATORS}.metric_key.MetricKey",
    f"{_ESTIMATORS}._sklearn.NotFittedError": f"{_PATH}.NotFittedError",
    **same(f"{_PATH}.tensor_signature", f"{_ESTIMATORS}.tensor_signature", _SIGNED),
    f"{_PATH}.session_run_hook": "train",
    **{
        name: target
        for path in (f"{_PATH}.io", f"{_PATH}.graph_io", f"{_PATH}.io.graph_io", _IO)
        for name, target in same(path, _PATH, _READERS).items()
    },
    **{f"{_PATH}.{path}.KEY_FEATURE_NAME": f"{_IO}.KEY_FEATURE_NAME" for path in ("graph_io", "io.graph_io")},
    **{
        f"{path}.queue_parsed_features": f"{_IO}.queue_parsed_features"
        for path in (_PATH, f"{_PATH}.io", f"{_PATH}.graph_io", f"{_PATH}.io.graph_io")
    },
    **same(f"{_PATH}.io", _PATH, _FRAMES),
    **same(f"{_PATH}.io.pandas_io", _PATH, _FRAMES),
    f"{_PATH}.io.generator_io.generator_input_fn": f"{_PATH}.io.generator_input_fn",
    f"{_PRIVATE}.learn_io.generator_io.generator_input_fn": f"{_PATH}.io.generator_input_fn",
    **same(f"{_PATH}.io.graph_io.input_pipeline_ops", "contrib.input_pipeline", "obtain_next seek_next"),
    f"{_PATH}.basic_session_run_hooks": "train",
    f"{_PATH}.models.contrib_rnn": "contrib.rnn",
    **same(f"{_PRIVATE}.models", f"{_PATH}.models", _REGRESSIONS),
    **{
        name: target
        for path in (f"{_PATH}.models.losses_ops", f"{_PATH}.ops.losses_ops", f"{_PRIVATE}.ops.losses_ops")
        for name, target in same(path, f"{_PATH}.ops", _REGRESSION_LOSSES).items()
    },
    f"{_PATH}.ops.rnn": "contrib.rnn",
    f"{_PATH}.head.framework_lib": "contrib.framework",
    f"{_PATH}.graph_actions.contrib_variables": "contrib.framework",
    f"{_PATH}.graph_actions.summary_pb2": "contrib.testing.summary_pb2",
    f"{_PATH}.io.numpy_io.core_numpy_input_fn": "estimator.inputs.numpy_input_fn",
    f"{_PATH}.io.pandas_io.core_pandas_input_fn": "estimator.inputs.pandas_input_fn",
    **same(f"{_PATH}.io", "estimator.inputs", "numpy_input_fn pandas_input_fn"),
    f"{_PATH}.io.numpy_io.numpy_input_fn": "estimator.inputs.numpy_input_fn",
    f"{_PATH}.io.pandas_io.pandas_input_fn": "estimator.inputs.pandas_input_fn",
}
