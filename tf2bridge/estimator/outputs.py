"""The kinds of output of an exported model: TensorFlow's own classes, which its exporter still reads."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.internals.saving import ClassificationOutput, EvalOutput, ExportOutput, PredictOutput, RegressionOutput

__all__ = [
    "ClassificationOutput",
    "EvalOutput",
    "ExportOutput",
    "PredictOutput",
    "RegressionOutput",
    "checked_outputs",
]

_DEFAULT = tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY


def checked_outputs(export_outputs: Any, predictions: Any) -> dict[str, Any]:
    """Returns the outputs to export, with a default: the single output, or the predictions without any output.

    The texts of the errors are those of 1.15.

    Raises:
        TypeError: The outputs are of another type.
        ValueError: There are several outputs without a default.
    """
    if export_outputs is None:
        return {_DEFAULT: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    if not all(isinstance(value, ExportOutput) for value in export_outputs.values()):
        raise TypeError(f"Values in export_outputs must be ExportOutput objects. Given: {export_outputs}")
    if len(export_outputs) == 1:
        export_outputs.setdefault(_DEFAULT, *export_outputs.values())
    elif export_outputs and _DEFAULT not in export_outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default.  Do this by naming "
            "one of them with signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return export_outputs
