"""The signatures of a SavedModel of contrib.learn: each input with each output of the model."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.estimators.model_fn import InputFnOps, PredictionKey, ProblemType

v1 = tf.compat.v1

DEFAULT_INPUT_ALTERNATIVE_KEY = "default_input_alternative"
FEATURES_INPUT_ALTERNATIVE_KEY = "features_input_alternative"
_DEFAULT_OUTPUT = "default_output_alternative"
_SERVING = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_CLASSES = (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION)


def build_standardized_signature_def(input_tensors: Any, output_tensors: Any, problem_type: Any) -> Any:
    """Returns a signature with the standard names of the problem type. Raises ValueError without inputs or outputs."""
    if not input_tensors:
        raise ValueError("input_tensors must be provided.")
    if not output_tensors:
        raise ValueError("output_tensors must be provided.")
    build = v1.saved_model
    if len(input_tensors) == 1 and problem_type in _CLASSES:
        classes, scores = _classes_and_scores(output_tensors)
        if classes is not None or scores is not None:
            return build.classification_signature_def(*input_tensors.values(), classes, scores)
    if len(input_tensors) == len(output_tensors) == 1 and problem_type == ProblemType.LINEAR_REGRESSION:
        return build.regression_signature_def(*input_tensors.values(), *output_tensors.values())
    return build.predict_signature_def(input_tensors, output_tensors)


def _classes_and_scores(outputs: Any) -> tuple[Any, Any]:
    """Returns the names of the outputs. A single output is named by its problem type."""
    classes = outputs.get(PredictionKey.CLASSES)
    if classes is not None and classes.dtype != tf.string:
        classes = None
    scores = outputs.get(PredictionKey.SCORES)
    if scores is None:
        scores = outputs.get(PredictionKey.PROBABILITIES)
    if classes is None and scores is None and len(outputs) == 1:
        (single,) = outputs.values()
        return (single, None) if single.dtype == tf.string else (None, single)
    return classes, scores


def get_input_alternatives(input_ops: Any) -> tuple[dict[str, Any], Any]:
    """Returns ({key: inputs}, features) of the result of an input_fn. Raises ValueError without features."""
    named = {}
    if isinstance(input_ops, InputFnOps):
        features, _, default_inputs = input_ops
        named[DEFAULT_INPUT_ALTERNATIVE_KEY] = default_inputs
    else:
        features, _ = input_ops
    if not features:
        raise ValueError("Features must be defined.")
    return named, features


def get_output_alternatives(model_fn_ops: Any, default_output_alternative_key: str | None = None) -> tuple[Any, Any]:
    """Returns ({key: outputs}, the key served by default). Raises ValueError if the default is ambiguous."""
    outputs, wanted = model_fn_ops.output_alternatives, default_output_alternative_key
    if not outputs:
        if wanted:
            raise ValueError(
                f"Requested default_output_alternative: {wanted}, but available output_alternatives are: []"
            )
        predictions = model_fn_ops.predictions
        if not isinstance(predictions, dict):
            predictions = {PredictionKey.GENERIC: predictions}
        return {_DEFAULT_OUTPUT: (ProblemType.UNSPECIFIED, predictions)}, _DEFAULT_OUTPUT
    if wanted and wanted not in outputs:
        raise ValueError(
            f"Requested default_output_alternative: {wanted}, but available output_alternatives are: {sorted(outputs)}"
        )
    if not wanted and len(outputs) > 1:
        raise ValueError(
            f"Please specify a default_output_alternative.  Available output_alternatives are: {sorted(outputs)}"
        )
    return outputs, wanted or next(iter(outputs))


def build_all_signature_defs(
    input_alternatives: Any, output_alternatives: Any, actual_default_output_alternative_key: Any
) -> dict[str, Any]:
    """Returns the signatures of all pairs "input:output", and the default. Raises ValueError without default input."""
    signatures = {
        f"{input_key}:{output_key or 'None'}": build_standardized_signature_def(inputs, outputs, problem)
        for input_key, inputs in input_alternatives.items()
        for output_key, (problem, outputs) in output_alternatives.items()
    }
    default = input_alternatives.get(DEFAULT_INPUT_ALTERNATIVE_KEY)
    if not default:
        raise ValueError("A default input_alternative must be provided.")
    problem, outputs = output_alternatives[actual_default_output_alternative_key]
    return {**signatures, _SERVING: build_standardized_signature_def(default, outputs, problem)}
