"""SavedModelEstimator: the meta graphs of a SavedModel as an Estimator."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.exporting import TAGS
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.estimator.receivers import checked_tensors
from tf2bridge.estimator.warm_start import WarmStartSettings
from tf2bridge.internals.saving import _SupervisedOutput, constants, loader_impl

v1 = tf.compat.v1

METHODS = {ModeKeys.TRAIN: "tensorflow/supervised/training", ModeKeys.EVAL: "tensorflow/supervised/eval"}


class SavedModelEstimator(Estimator):
    """Trains, evaluates and predicts with a SavedModel that `experimental_export_all_saved_models` wrote.

    Raises:
        ValueError: the directory is not a SavedModel.
        RuntimeError: the mode was not exported.
    """

    def __init__(self, saved_model_dir: str | bytes, model_dir: Any = None) -> None:
        folder: str = tf.compat.as_str_any(saved_model_dir)  # exporting returns bytes
        checkpoint = f"{folder}/variables/variables"
        if not v1.gfile.Exists(f"{checkpoint}.index"):
            raise ValueError(f"Directory provided has an invalid SavedModel format: {saved_model_dir!s}")
        names = [name for name, _ in v1.train.list_variables(checkpoint)]
        start = WarmStartSettings(checkpoint, names)
        super().__init__(self._model_fn_from_saved_model, model_dir, warm_start_from=start)
        self.saved_model_dir = folder
        self.saved_model_loader = loader_impl.SavedModelLoader(folder)
        self._available_modes = [mode for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if self._has(mode)]
        logging.info("Available modes for Estimator: %s", self._available_modes)

    def _has(self, mode: str) -> bool:
        try:
            return _key(mode) in self._meta_graph(mode).signature_def
        except RuntimeError:
            logging.warning("%s mode not found in SavedModel.", mode)
            return False

    def _meta_graph(self, mode: str) -> Any:
        return self.saved_model_loader.get_meta_graph_def_from_tags(TAGS[mode])

    def _create_and_assert_global_step(self, graph: Any) -> Any:
        """Does nothing: the SavedModel has its own global step."""
        del graph

    def _model_fn_from_saved_model(self, features: Any, labels: Any, mode: str) -> EstimatorSpec:
        if mode not in self._available_modes:
            raise RuntimeError(
                f"{mode} mode is not available in the SavedModel. Use saved_model_cli to check that the Metagraph for "
                "this mode has been exported."
            )
        graph = v1.get_default_graph()
        if v1.train.get_global_step(graph) is not None:
            raise RuntimeError(
                "Graph must not contain a global step tensor before the SavedModel is loaded. Please make sure that "
                "the input function does not create a global step."
            )
        meta_graph = self._meta_graph(mode)
        signature = meta_graph.signature_def[_key(mode)]
        names = {key: info.name for key, info in signature.outputs.items()}
        _, tensors = self.saved_model_loader.load_graph(
            graph, TAGS[mode], input_map=_input_map(signature, features, labels), return_elements=list(names.values())
        )
        scaffold = v1.train.Scaffold(local_init_op=loader_impl.get_init_op(meta_graph))
        v1.train.assert_global_step(v1.train.get_global_step(graph))
        outputs = dict(zip(names, tensors, strict=True))
        train_ops = v1.get_collection(constants.TRAIN_OP_KEY)
        for key in (constants.ASSETS_KEY, constants.LEGACY_INIT_OP_KEY, constants.MAIN_OP_KEY, constants.TRAIN_OP_KEY):
            del v1.get_collection_ref(key)[:]
        if mode == ModeKeys.PREDICT:
            return EstimatorSpec(mode, outputs, scaffold=scaffold)
        if signature.method_name != METHODS[mode]:
            raise RuntimeError(
                f"Invalid SignatureDef method name for mode {mode}.\n\tExpected: {METHODS[mode]}\n\t"
                f"Got: {signature.method_name}\nPlease ensure that the SavedModel was exported with "
                "`tf.estimator.experimental_export_all_saved_models()`."
            )
        kinds = _SupervisedOutput
        predictions = {key: value for key, value in outputs.items() if key.startswith(kinds.PREDICTIONS_NAME)}
        step = train_ops[0] if train_ops else None
        return EstimatorSpec(mode, predictions, outputs[kinds.LOSS_NAME], step, _metrics(outputs), scaffold=scaffold)


def _key(mode: str) -> str:
    return str(tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY) if mode == ModeKeys.PREDICT else mode


def _input_map(signature: Any, features: Any, labels: Any) -> dict[str, Any]:
    """Returns the tensors that replace the placeholders. Raises ValueError if a tensor is missing or does not fit."""
    given = {**checked_tensors(labels, "label")} if labels is not None else {}
    given.update(checked_tensors(features, "feature"))
    input_map = {}
    for key, info in signature.inputs.items():
        if key not in given:
            raise ValueError(
                f'Key "{key}" not found in features or labels passed in to the model function. All required keys: '
                f"{signature.inputs.keys()}"
            )
        tensor, dtype, shape = given[key], tf.as_dtype(info.dtype), tf.TensorShape(info.tensor_shape)
        if tensor.dtype != dtype or not tensor.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor shape and/or dtype validation failed for input {key}:\n\tExpected {dtype} of shape {shape}, "
                f"Got: {tensor.dtype} of shape {tensor.shape}"
            )
        name = info.name.partition(":")[0]
        input_map[name] = input_map[f"^{name}"] = tensor
    return input_map


def _metrics(outputs: dict[str, Any]) -> dict[str, Any]:
    """Returns the pairs metrics/NAME/value and metrics/NAME/update_op."""
    metrics = {}
    for key, value in outputs.items():
        head, _, kind = key.rpartition("/")
        update = f"{head}/{_SupervisedOutput.METRIC_UPDATE_SUFFIX}"
        named = head.startswith(f"{_SupervisedOutput.METRICS_NAME}/") and kind == _SupervisedOutput.METRIC_VALUE_SUFFIX
        if named and update in outputs:
            metrics[head] = (value, outputs[update])
    return metrics
