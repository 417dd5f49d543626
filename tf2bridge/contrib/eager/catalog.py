"""`tf.contrib.eager`, which programs also import as `tensorflow.contrib.eager.python.tfe`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.eager"
_HERE = "tf2bridge.contrib.eager"
_CONTEXT = (
    "ASYNC SYNC DEVICE_PLACEMENT_EXPLICIT DEVICE_PLACEMENT_SILENT DEVICE_PLACEMENT_WARN async_clear_error async_wait "
    "execution_mode set_execution_mode set_server_def"
)
_PROGRAMS = "enable_eager_execution run defun Iterator Saver get_optimizer_variables num_gpus list_devices"
_CALLBACKS = (
    "ExecutionCallback add_execution_callback clear_execution_callbacks errstate inf_callback inf_nan_callback "
    "nan_callback seterr"
)
_METRICS = "Metric Mean Accuracy CategoricalAccuracy BinaryAccuracy SparseAccuracy"
_BACKPROP = "tensorflow.python.eager.backprop"
_TESTS = "tensorflow.python.framework.test_util"

OWN = {
    **names(_PATH, f"{_HERE}.tfe", _PROGRAMS),
    **names("contrib.eager.metrics", f"{_HERE}.metrics_impl", _METRICS),
    **names(_PATH, f"{_HERE}.network", "Network Sequential"),
    **names(_PATH, f"{_HERE}.execution_callbacks", _CALLBACKS),
    "python.eager.execution_callbacks.InfOrNanError": f"{_HERE}.execution_callbacks:InfOrNanError",
    **names(_PATH, "tensorflow.python.eager.context", _CONTEXT),
    **names(_PATH, _BACKPROP, "gradients_function"),
    f"{_PATH}.implicit_gradients": f"{_BACKPROP}:implicit_grad",
    f"{_PATH}.implicit_value_and_gradients": f"{_BACKPROP}:implicit_val_and_grad",
    f"{_PATH}.value_and_gradients_function": f"{_BACKPROP}:val_and_grad_function",
    f"{_PATH}.Variable": "tensorflow.python.ops.resource_variable_ops:ResourceVariable",
    f"{_PATH}.EagerVariableStore": "tensorflow.python.ops.variable_scope:EagerVariableStore",
    f"{_PATH}.Checkpointable": "tensorflow.python.trackable.autotrackable:AutoTrackable",
    f"{_PATH}.make_template": "tensorflow.python.ops.template:make_template_internal",
    f"{_PATH}.run_test_in_graph_and_eager_modes": f"{_TESTS}:run_in_graph_and_eager_modes",
    f"{_PATH}.run_all_tests_in_graph_and_eager_modes": f"{_TESTS}:run_all_in_graph_and_eager_modes",
    f"{_PATH}.connect_to_remote_host": "tensorflow.python.eager.remote:connect_to_remote_host",
}

ALIASES = {
    **same(_PATH, "", "GradientTape TensorSpec custom_gradient executing_eagerly function"),
    "contrib.eager.Checkpoint": "train.Checkpoint",
    "contrib.eager.in_eager_mode": "executing_eagerly",
    "contrib.eager.py_func": "py_function",
    "contrib.eager.python.tfe": "contrib.eager",
    "contrib.eager.python.metrics": "contrib.eager.metrics",
    "contrib.eager.python.metrics_impl": "contrib.eager.metrics",
    "enable_eager_execution": "contrib.eager.enable_eager_execution",
}
