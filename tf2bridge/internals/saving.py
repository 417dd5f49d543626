"""SavedModels and frozen graphs."""

from tf2bridge.internals.loading import loader

NAMES = {
    "ClassificationOutput": "tensorflow.python.saved_model.model_utils.export_output:ClassificationOutput",
    "EvalOutput": "tensorflow.python.saved_model.model_utils.export_output:EvalOutput",
    "ExportOutput": "tensorflow.python.saved_model.model_utils.export_output:ExportOutput",
    "PredictOutput": "tensorflow.python.saved_model.model_utils.export_output:PredictOutput",
    "RegressionOutput": "tensorflow.python.saved_model.model_utils.export_output:RegressionOutput",
    "_SupervisedOutput": "tensorflow.python.saved_model.model_utils.export_output:_SupervisedOutput",
    "constants": "tensorflow.python.saved_model.constants",
    "export_output": "tensorflow.python.saved_model.model_utils.export_output",
    "export_utils": "tensorflow.python.saved_model.model_utils.export_utils",
    "freeze_graph": "tensorflow.python.tools.freeze_graph",
    "loader_impl": "tensorflow.python.saved_model.loader_impl",
    "mode_keys": "tensorflow.python.saved_model.model_utils.mode_keys",
    "nested_structure_coder": "tensorflow.python.saved_model.nested_structure_coder",
}

__getattr__ = loader(NAMES, globals())
