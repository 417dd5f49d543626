"""`tf.keras.estimator.model_to_estimator`: an Estimator that trains copies of a Keras model."""

from __future__ import annotations

import os
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier
from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator.checks import with_directory
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.graphs import new_graph
from tf2bridge.estimator.keras_model_fn import backend, clone, model_fn_of
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.run_config import RunConfig

v1 = tf.compat.v1

_SUBCLASSED = (
    "You are creating an Estimator from a Keras model manually subclassed from `Model`, that was already called on "
    "some inputs (and thus already had weights). We are currently unable to preserve the model's state (its weights) "
    "as part of the estimator in this case. Be warned that the estimator has been created using a freshly initialized "
    "version of your model.\nNote that this doesn't affect the state of the model instance you passed as `keras_model` "
    "argument."
)


def model_to_estimator(
    keras_model: Any = None,
    keras_model_path: Any = None,
    custom_objects: Any = None,
    model_dir: Any = None,
    config: Any = None,
    checkpoint_format: str | None = "saver",
) -> Estimator:
    """Returns an Estimator whose model_fn clones the compiled `keras_model`, or the one in the file `keras_model_path`.

    It starts from the weights that the model has, which are saved in `model_dir/keras`; a subclassed model starts
    afresh. Checkpoints name variables ("saver") or objects ("checkpoint"). Predictions are named as the outputs,
    metrics as in `fit`; features may be {"features": ..., "sample_weights": ...}.
    Raises ValueError for none or two models, one not compiled, and another checkpoint format.
    """
    if not (keras_model or keras_model_path):
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    config = with_directory(config, model_dir)
    model = keras_model or _loaded(keras_model_path)
    object_based = _is_object_based(checkpoint_format, model)
    if not getattr(model, "optimizer", None):
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with `model.compile()` "
            "before calling `model_to_estimator()`."
        )
    model_fn = model_fn_of(model, custom_objects, object_based)
    if not _has_values(model):
        backend().set_session(v1.Session(config=config.session_config))
    elif config.session_config.HasField("gpu_options"):
        logging.warning(
            "The Keras backend session has already been set. "
            "The _session_config passed to model_to_estimator will not be used."
        )
    start = None
    if model._is_graph_network:
        start = _first_checkpoint(model, custom_objects, config, object_based)
    elif model.built:
        logging.warning(_SUBCLASSED)
    return Estimator(model_fn, config=config, warm_start_from=start)


def _loaded(path: Any) -> Any:
    path = os.fspath(path)
    if path.startswith("gs://") or "storage.googleapis.com" in path:
        raise ValueError(f"keras_model_path={path!r} is in Google's storage: copy the file, and pass its local path.")
    logging.info("Loading models from %s", path)
    return supplier(KERAS).models.load_model(path)


def _is_object_based(checkpoint_format: str | None, model: Any) -> bool:
    if checkpoint_format == "saver":
        return False
    if checkpoint_format not in (None, "checkpoint"):
        raise ValueError(f'Checkpoint format must be one of "checkpoint" or "saver". Got {checkpoint_format}')
    if not (model._is_graph_network or isinstance(model, supplier("tf_keras").Sequential)):
        raise ValueError("Object-based checkpoints are currently not supported with subclassed models.")
    return True


def _has_values(model: Any) -> bool:
    """Returns whether the weights are initialized. In graphs Keras initializes them when it first returns a session."""
    if v1.executing_eagerly_outside_functions():
        return True
    return any(hasattr(weight, "_keras_initialized") for layer in model.layers for weight in layer.weights)


def _first_checkpoint(model: Any, custom_objects: Any, config: RunConfig, object_based: bool) -> str:
    """Returns the path of the first checkpoint, from which training starts unless `model_dir` has another one."""
    directory = f"{config.model_dir}/keras"
    if checkpoint := v1.train.latest_checkpoint(directory):
        return str(checkpoint)
    values = model.get_weights() if _has_values(model) else None
    v1.gfile.MakeDirs(directory)
    path = f"{directory}/keras_model.ckpt"
    with new_graph():
        v1.set_random_seed(config.tf_random_seed)
        v1.train.create_global_step()
        copy = clone(model, ModeKeys.TRAIN, custom_objects)
        copy._make_train_function()
        with v1.Session(config=config.session_config) as session:
            if values:
                copy.set_weights(values)
            backend()._initialize_variables(session)
            if object_based:
                copy._track_trackable(v1.train.get_global_step(), "estimator_global_step")
                copy.save_weights(path)
            else:
                v1.train.Saver().save(session, path)
    return path
