"""Features of 1.x for eagerly trained models that tf_keras has only for models trained in a graph.

- `class_weight` may have any integers as classes, such as {1: 0.5, 2: 2.0}, and sample weights beside it. tf_keras
  fails if sizes of shapes are objects. For a model with several outputs it may name the outputs.
- `get_losses_for` and `get_updates_for` of layers exist. None selects those that do not depend on an input.
- `compile` accepts `distribute=` with a strategy that has one replica. It accepts the first optimizers of Keras, and
  keeps the given metrics. An optimizer of `tf.train` that is wrapped with a counter of its own counts there.
  `target_tensors` may be inputs, which the targets take the place of. `predict` prints nothing.
- Several inputs reach `call` in a list, not in a tuple. A single input is passed as it is. A row that is a number is a
  row of one number, so that `call` gets [batch, 1].
- With `workers=0` the program's own thread makes the batches.
- A subclassed model has no default config. If the class defines one, the model is cloned by it, and not in place.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_keras import batch_sizes, eager_checks, eager_metrics
from tf2bridge.behaviour.old_keras.first_optimizers import for_eager_models
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_CONFIGURE = "_configure_dataset_and_inferred_steps"
_outputs: ContextVar[Sequence[str] | None] = ContextVar("_outputs", default=None)
"""The names of the outputs of the current model."""


def install() -> None:
    """Changes models and layers in this process."""
    adapters: Any = importlib.import_module("tf_keras.src.engine.data_adapter")
    layer: Any = importlib.import_module("tf_keras.src.engine.base_layer").Layer
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    generic: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
    put(layer, "get_losses_for", get_losses_for)
    put(layer, "get_updates_for", get_updates_for)
    put(adapters, "_make_class_weight_map_fn", _of_any_classes(adapters._make_class_weight_map_fn))
    handler = adapters.DataHandler
    put(handler, _CONFIGURE, _knowing_outputs(getattr(handler, _CONFIGURE)))
    put(model, "train_on_batch", _knowing_outputs(model.train_on_batch))
    put(model, "compile", _compiling(model.compile))
    eager_checks.install(model)
    eager_metrics.install(model)
    put(adapters, "_check_positive", _or_no_worker(adapters._check_positive))
    put(adapters, "unpack_x_y_sample_weight", _as_list(adapters.unpack_x_y_sample_weight))
    batch_sizes.install(model)
    put(model, "predict", _silently(model.predict))
    put(model, "get_config", generic.default(_only_where_it_is_made(model.get_config, generic.is_default)))


def get_losses_for(self: Any, inputs: Any) -> list[Any]:
    """Returns the penalties of a layer's weights for None, else those of what it computes from inputs."""
    callables = [made for layer in self._flatten_layers() for made in layer._callable_losses]
    unconditional = [loss for loss in (made() for made in callables) if loss is not None]
    if inputs is None:
        return unconditional
    of_inputs = [layer._eager_losses or layer._losses for layer in self._flatten_layers()]
    return [loss for losses in of_inputs for loss in losses]


def get_updates_for(self: Any, inputs: Any) -> list[Any]:
    """Returns no updates: an eager layer makes them as it computes."""
    del self, inputs
    return []


def _compiling(compile_model: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(compile_model)
    def changed(self: Any, optimizer: Any = "rmsprop", loss: Any = None, metrics: Any = None, **kwargs: Any) -> Any:
        eager_checks.of_compile(self, loss, metrics, kwargs)
        eager_checks.of_strategy(kwargs.pop("distribute", None))
        if _are_inputs(kwargs.get("target_tensors")):
            del kwargs["target_tensors"]
        compile_model(self, for_eager_models(optimizer), loss, metrics, **kwargs)
        eager_metrics.of_compiled(self)
        self.__dict__["loss_functions"] = eager_checks.loss_functions(self)
        self.__dict__["_loss_weights_list"] = eager_checks.loss_weights(self, kwargs.get("loss_weights"))
        counter = getattr(optimizer, "iterations", None)
        if isinstance(optimizer, _wrapper()) and isinstance(self.optimizer, _wrapper()):
            self.optimizer.iterations = counter
        self.__dict__["_compile_metrics"] = metrics or []  # no layer tracks them

    return changed


def _wrapper() -> Any:
    """Returns the class that makes an optimizer of `tf.train` one of Keras."""
    return importlib.import_module("tf_keras.src.optimizers.optimizer_v1").TFOptimizer


def _are_inputs(tensors: Any) -> bool:
    """Returns whether these are results of `tf.keras.Input` alone."""
    keras_tensor: Any = importlib.import_module("tf_keras.src.engine.keras_tensor").KerasTensor
    leaves = tf.nest.flatten(tensors)
    return bool(leaves) and all(isinstance(leaf, keras_tensor) and leaf.node.is_input for leaf in leaves)


def _as_list(unpack: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function that unpacks the data of a step, with inputs in a list instead of a tuple."""

    @functools.wraps(unpack)
    def changed(data: Any) -> Any:
        x, y, weights = unpack(data)
        if type(x) in (list, tuple):  # a tuple with names stays as it is
            x = x[0] if len(x) == 1 else list(x)
        return tf.nest.map_structure(_as_rows, x), y, weights

    return changed


def _as_rows(tensor: Any) -> Any:
    """Returns a tensor [batch] as [batch, 1]. A model with inputs undoes it where it does not fit them."""
    return tf.expand_dims(tensor, -1) if isinstance(tensor, tf.Tensor) and tensor.shape.rank == 1 else tensor


def _or_no_worker(check: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the check of counts, which accepts `workers=0`: the program's own thread then makes the batches."""

    @functools.wraps(check)
    def checked(name: str, value: Any) -> Any:
        return value if name == "workers" and value == 0 else check(name, value)

    return checked


def _silently(predict: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(predict)
    def changed(self: Any, x: Any, batch_size: Any = None, verbose: Any = 0, *args: Any, **kwargs: Any) -> Any:
        return predict(self, x, batch_size, verbose, *args, **kwargs)

    return changed


def _only_where_it_is_made(get_config: Callable[..., Any], is_default: Callable[..., bool]) -> Callable[..., Any]:
    @functools.wraps(get_config)
    def config(self: Any) -> Any:
        if is_default(self.get_config):
            raise _NoConfigError(f"{type(self).__name__} has no config: a subclass model cannot be copied by one")
        return get_config(self)

    return config


class _NoConfigError(NotImplementedError, ValueError):
    """The error of a model without a config. `get_config` raised the first base class, `clone_model` the second."""


def _knowing_outputs(configure: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the method that gets class weights, which then knows the outputs of its model."""

    return during(
        configure, _outputs, lambda self, *_, **__: getattr(getattr(self, "_model", self), "output_names", None)
    )


def _of_any_classes(made: Any) -> Any:
    """Returns the function that turns class weights into a function with a weight for each sample."""

    @functools.wraps(made)
    def changed(class_weight: Mapping[Any, Any] | Sequence[Any]) -> Any:
        if not isinstance(class_weight, Mapping):
            names = _outputs.get() or [f"output_{number + 1}" for number in range(len(class_weight))]
            by_name = dict(zip(names, class_weight, strict=True))
            class_weight = {name: weights for name, weights in by_name.items() if weights is not None}
        if any(isinstance(label, str) for label in class_weight):
            return _of_outputs(changed, class_weight, _outputs.get())
        classes = sorted(class_weight)
        if not all(hasattr(label, "__index__") for label in classes):
            return made(class_weight)
        by_place = made({place: class_weight[label] for place, label in enumerate(classes)})
        in_order = classes == list(range(len(classes)))

        def weighted(*data: Any) -> Any:
            adapters: Any = importlib.import_module("tf_keras.src.engine.data_adapter")
            x, y, given = adapters.unpack_x_y_sample_weight(data)
            weights = by_place(x, y if in_order else _places(y, classes), None)[2]
            return data[0], y, weights if given is None else tf.cast(weights, given.dtype) * given

        return weighted

    return changed


def _of_outputs(make: Callable[..., Any], class_weight: Mapping[str, Any], named: Sequence[str] | None) -> Any:
    """Returns a function with sample weights for each output; given weights, or 1, without class weights.

    It hands on the inputs as they are in the data set, for which a list of them is one tensor.
    """
    if named:
        _check_names(class_weight, named)

    def weighted(*data: Any) -> Any:
        adapters: Any = importlib.import_module("tf_keras.src.engine.data_adapter")
        _, y, given = adapters.unpack_x_y_sample_weight(data)
        names = named or _generic_names(y)
        _check_names(class_weight, names)
        weights = {}
        for name, labels in _by_name(y, names).items():
            if labels.shape.rank is not None and labels.shape.rank > 2 and name in class_weight:
                raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
            own = _by_name(given, names).get(name)
            if name in class_weight:
                own = make(class_weight[name])(None, labels, own)[2]
            weights[name] = tf.ones(tf.shape(labels)[:1]) if own is None else own
        return data[0], y, weights if isinstance(y, Mapping) else type(y)(weights[name] for name in names)

    return weighted


def _check_names(class_weight: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raises ValueError for the name of an output that the model has not."""
    generic: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
    generic.check_for_unexpected_keys("class_weight", class_weight, list(names))


def _generic_names(y: Any) -> list[str]:
    """Returns the names of the outputs of a model that was not called yet."""
    return sorted(y) if isinstance(y, Mapping) else [f"output_{number + 1}" for number in range(len(y))]


def _by_name(values: Any, names: Sequence[str]) -> Mapping[str, Any]:
    if values is None:
        return {}
    return values if isinstance(values, Mapping) else dict(zip(names, values, strict=True))


def _places(y: Any, classes: list[int]) -> Any:
    """Returns the index of each sample's class. An unknown class is an InvalidArgumentError when the graph runs."""
    if y.shape.rank is not None and y.shape.rank > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    if y.shape.rank == 2:
        y = tf.argmax(y, -1) if y.shape[-1] != 1 else y[:, 0]
    labels, known = tf.cast(tf.round(y), tf.int64), tf.constant(classes, tf.int64)
    places = tf.minimum(tf.searchsorted(known, labels), len(classes) - 1)
    text = "`class_weight` must contain all classes in the data."
    with tf.control_dependencies([tf.debugging.assert_equal(tf.gather(known, places), labels, text)]):
        return tf.identity(places)
