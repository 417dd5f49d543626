"""The checks of `compile`, `fit` and similar methods for models that are trained eagerly; 1.x checked all models.

tf_keras checks only models that are trained in a graph. With an eager model it accepts a loss for an output that does
not exist, and compares one array of targets with each of several outputs. This module applies the checks of its
`training_utils_v1`. As there, they apply to models that have inputs, and to arrays. `predict` gives a row for each row
of its arrays, or says that the model does not.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import tensorflow as tf

from tf2bridge.behaviour import in_force
from tf2bridge.behaviour.messages import logging
from tf2bridge.patching import put

_FED = ("fit", "evaluate", "train_on_batch", "test_on_batch")
_ASKED = ("predict", "predict_on_batch")
_ONE_OR_LIST = "Please provide as model inputs either a single array or a list of arrays. You passed: x={}"
_SPLIT = "validation_split"
_modes: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""Model -> the `sample_weight_mode` that it was compiled with."""


def of_compile(model: Any, loss: Any, metrics: Any, options: Mapping[str, Any]) -> None:
    """Raises ValueError or TypeError for arguments of `compile` that do not fit the outputs of a model."""
    loss_weights, sample_weight_mode = options.get("loss_weights"), options.get("sample_weight_mode")
    names = _outputs(model)
    _modes[model] = sample_weight_mode
    if names is None:
        return
    if loss is None and not model.losses:
        raise ValueError("The model cannot be compiled because it has no loss to optimize.")
    _training().prepare_loss_functions(loss, names)
    _of_outputs("loss_weights", loss_weights, names, isinstance(loss_weights, list))
    _of_outputs("sample_weight_mode", sample_weight_mode, names, isinstance(sample_weight_mode, list))
    if isinstance(sample_weight_mode, Mapping) and (
        missing := [name for name in names if name not in sample_weight_mode]
    ):
        raise ValueError(f"The output {missing[0]} is missing from the dictionary `sample_weight_mode`")
    for given in (metrics, options.get("weighted_metrics")):
        by_output = isinstance(given, list) and any(isinstance(metric, list) for metric in given)
        _of_outputs("metrics", given, names, by_output)
        if given and not isinstance(given, (list, tuple, Mapping)):
            raise TypeError(f"Type of `metrics` argument not understood. Expected a list or dictionary, found: {given}")


def of_strategy(strategy: Any) -> None:
    """Raises ValueError for a strategy with several replicas: tf_keras makes copies of the variables in its scope."""
    if strategy is not None and strategy.num_replicas_in_sync > 1:
        raise ValueError(
            f"compile(distribute=...) of a model that trains eagerly takes a strategy with one replica, and this one "
            f"has {strategy.num_replicas_in_sync}; make and compile the model under `with strategy.scope():` instead"
        )


def _of_outputs(argument: str, value: Any, names: list[str], is_by_output: bool) -> None:
    """Raises ValueError if a list or dict by outputs does not have one entry for each output of the model."""
    if isinstance(value, Mapping):
        generic: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
        generic.check_for_unexpected_keys(argument, value, names)
    elif is_by_output and len(value) != len(names):
        lists = "a list of lists as `metrics`" if argument == "metrics" else f"a list as {argument}"
        raise ValueError(
            f"When passing {lists}, it should have one entry per model output. The model has {len(names)} outputs, "
            f"but you passed {argument}={value}"
        )


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the method of a model, which first checks its arrays."""

    takes = inspect.signature(method)

    @functools.wraps(method)
    def checked(self: Any, x: Any = None, y: Any = None, *args: Any, **kwargs: Any) -> Any:
        _check_options(x, kwargs)
        x, y = _of_lists(x, getattr(self, "input_names", None)), _of_lists(y, getattr(self, "output_names", None))
        given = takes.bind_partial(self, x, y, *args, **kwargs).arguments
        _check_names(self, y, given)
        _check_classes(self, y, given.get("class_weight"))
        _check_samples(self, y, given.get("sample_weight"))
        compiled = getattr(self, "loss", None) is not None and _outputs(self) is not None
        if compiled and _are_arrays(x) and _are_arrays(y):
            _check_arrays(self, x, y)
        _check_composites(self, x)
        return method(self, x, y, *args, **kwargs)

    return checked


def _check_options(x: Any, options: Mapping[str, Any]) -> None:
    """Raises ValueError for inputs that are a number, and for options that do not fit the inputs."""
    if isinstance(x, (int, float)):
        raise ValueError(_ONE_OR_LIST.format(x))
    if options.get(_SPLIT) and isinstance(x, tf.data.Dataset):
        raise ValueError(f"`{_SPLIT}` argument is not supported when input `x` is a dataset or a dataset iterator.")
    if options.get("validation_steps") and options.get("validation_data") is None and not options.get(_SPLIT):
        raise ValueError("`validation_steps` should not be specified if `validation_data` is None.")


def install(model: Any) -> None:
    """Makes the methods of the class `model` check their arguments."""
    put(_training(), "prepare_loss_functions", _warning(_training().prepare_loss_functions))
    for name in _FED:
        put(model, name, _checked(getattr(model, name)))
    for name in _ASKED:
        put(model, name, _checked_inputs(getattr(model, name)))


def _checked_inputs(method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `predict`, which first checks its arrays. Up to 1.12 it took arrays of any size."""

    @functools.wraps(method)
    def checked(self: Any, x: Any = None, *args: Any, **kwargs: Any) -> Any:
        if hasattr(x, "tocoo") and self.save_spec() is None:
            raise ValueError(_ONE_OR_LIST.format(x))
        x = _of_lists(x, getattr(self, "input_names", None))
        arrays = _are_arrays(x)
        if _outputs(self) is not None and arrays and not in_force.before(1, 13):
            _standardized(self, x)
        _check_composites(self, x)
        outputs = method(self, x, *args, **kwargs)
        if arrays and kwargs.get("steps") is None:
            _check_rows(outputs, np.shape(tf.nest.flatten(x)[0])[:1])
        return outputs

    return checked


def _of_lists(data: Any, names: list[str] | None) -> Any:
    """Returns an array for each of the lists of numbers that are given for the inputs or outputs of a model."""
    if isinstance(data, list) and names and len(data) == len(names) and all(isinstance(part, list) for part in data):
        return [np.asarray(part) for part in data]
    return data


def _check_rows(outputs: Any, rows: tuple[int, ...]) -> None:
    """Raises ValueError if an output has not one row for each row of the inputs."""
    for output in tf.nest.flatten(outputs):
        shape = np.shape(output)
        if isinstance(output, (np.ndarray, np.generic, float)) and shape[:1] != rows:
            raise ValueError(
                "Mismatch between expected batch size and model output batch size. "
                f"Output shape = {shape}, expected output shape = shape {(*rows, *shape[1:])}"
            )


def _outputs(model: Any) -> list[str] | None:
    """Returns the names of the outputs of a model, or None if the model has no inputs."""
    return model.output_names if getattr(model, "_is_graph_network", False) else None


def _are_arrays(data: Any) -> bool:
    leaves = tf.nest.flatten(data)
    return bool(leaves) and all(isinstance(leaf, np.ndarray) and leaf.dtype != object for leaf in leaves)


def _check_classes(model: Any, y: Any, class_weight: Any) -> None:
    """Raises ValueError if targets have a class without a weight; tf_keras gives it the weight 0."""
    if not isinstance(class_weight, Mapping) or not class_weight or not _are_arrays(y) or isinstance(y, Mapping):
        return
    targets = tf.nest.flatten(y)
    weights = _training().standardize_class_weights(class_weight, _names(model, y))
    for target, of_classes in zip(targets, weights, strict=False):
        _training().standardize_weights(target, None, of_classes)


def _check_names(model: Any, y: Any, given: Mapping[str, Any]) -> None:
    """Raises ValueError if weights name outputs that a model does not have."""
    if not _are_arrays(y):
        return
    names = _names(model, y)
    for argument in ("sample_weight", "class_weight"):
        weights = given.get(argument)
        if isinstance(weights, Mapping) and weights and all(isinstance(key, str) for key in weights):
            generic: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
            generic.check_for_unexpected_keys(argument, weights, names)


def _names(model: Any, y: Any) -> list[str]:
    """Returns the names of the outputs; of a model without inputs those that Keras gives as many as there are."""
    return _outputs(model) or [f"output_{place + 1}" for place in range(len(tf.nest.flatten(y)))]


def _check_samples(model: Any, y: Any, sample_weight: Any) -> None:
    """Raises ValueError or TypeError if the weights of samples do not fit the outputs or their shapes."""
    names = _outputs(model)
    if names is None or sample_weight is None or not _are_arrays(y) or isinstance(y, Mapping):
        return
    targets = tf.nest.flatten(y)
    weights = _training().standardize_sample_weights(sample_weight, names)
    if not _are_arrays([weight for weight in weights if weight is not None]) or len(targets) != len(names):
        return
    mode = _modes.get(model)
    for place, (name, target, weight) in enumerate(zip(names, targets, weights, strict=True)):
        own = mode.get(name) if isinstance(mode, Mapping) else mode[place] if isinstance(mode, list) else mode
        _training().standardize_weights(target, weight, None, own)


def _check_composites(model: Any, x: Any) -> None:
    """Raises ValueError if the shapes of sparse or ragged inputs do not fit, for models that 1.15 traced."""
    leaves = tf.nest.flatten(x)
    of_values = any(isinstance(leaf, tf.SparseTensor | tf.RaggedTensor) or hasattr(leaf, "tocoo") for leaf in leaves)
    if of_values and _outputs(model) is not None and not in_force.before(1, 15) and not model.run_eagerly:
        _standardized(model, x)


def _check_arrays(model: Any, x: Any, y: Any) -> None:
    """Raises ValueError if the number or the shapes of the arrays do not fit the inputs and outputs."""
    losses = _training().prepare_loss_functions(model.loss, model.output_names)
    if None in losses:
        return  # no array is expected for an output without a loss
    given = _standardized(model, x)
    wanted = _training().standardize_input_data(y, model.output_names, None, False, "target")
    _training().check_array_lengths(given, wanted, None)
    outputs = [tuple(result.shape.as_list()) for result in tf.nest.flatten(model.outputs)]
    _training().check_loss_and_target_compatibility(wanted, losses, outputs)


def _standardized(model: Any, x: Any) -> Any:
    """Returns the arrays for the inputs. Raises ValueError if their number or, since 1.13, their shapes do not fit."""
    inputs = tf.nest.flatten(model.inputs)
    shapes = None if in_force.before(1, 13) else [tuple(source.shape.as_list()) for source in inputs]
    return _training().standardize_input_data(x, model.input_names, shapes, False, "input")


def loss_functions(model: Any) -> list[Any] | None:
    """Returns the loss of each output of a compiled model, which is None without a loss."""
    names = _outputs(model)
    return None if names is None else _training().prepare_loss_functions(model.loss, names)


def loss_weights(model: Any, given: Any) -> list[float] | None:
    """Returns the weight of each output's loss in the total, which is 1 where none is given."""
    names = _outputs(model)
    if names is None:
        return None
    return list(given) if isinstance(given, list) else [(given or {}).get(name, 1.0) for name in names]


def _warning(prepare: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function for the losses of outputs; its warning names the output, which tf_keras forgets to do."""

    @functools.wraps(prepare)
    def changed(loss: Any, output_names: list[str]) -> Any:
        if isinstance(loss, Mapping):
            missing = [name for name in output_names if name not in loss]
            for name in missing:
                logging.warning(
                    f"Output {name} missing from loss dictionary. We assume this was done on purpose. The fit and "
                    f"evaluate APIs will not be expecting any data to be passed to {name}."
                )
            loss = {**loss, **dict.fromkeys(missing)}
        return prepare(loss, output_names)

    return changed


def _training() -> Any:
    """Returns the module of tf_keras with the functions that check arrays."""
    return importlib.import_module("tf_keras.src.engine.training_utils_v1")
