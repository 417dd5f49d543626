"""Estimator: trains, evaluates, uses and exports the model of a model_fn, and keeps checkpoints and events."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator import prediction
from tf2bridge.estimator.checks import (
    check_model_fn,
    checked_hooks,
    checked_listeners,
    parameter_server_devices,
    saved_global_step,
    with_directory,
)
from tf2bridge.estimator.cluster import TaskType
from tf2bridge.estimator.graphs import new_graph
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.run_config import RunConfig
from tf2bridge.estimator.steps import Steps
from tf2bridge.estimator.warm_start import settings

v1 = tf.compat.v1

MAY_OVERRIDE = {"model_fn", "_create_and_assert_global_step", "_export_all_saved_models"}


class Estimator(Steps):
    """Trains, evaluates and uses the model of a `model_fn(features, labels, mode, params, config)`.

    Every use builds a graph of its own and takes the variables from the latest checkpoint of `model_dir`. Private
    methods on which subclasses of that time rely have the names of 1.15.5.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any],
        model_dir: Any = None,
        config: Any = None,
        params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        self._assert_members_are_not_overridden()
        self._config = with_directory(config, model_dir)
        self._train_distribution = self._config.train_distribute
        self._eval_distribution = self._config.eval_distribute
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        logging.info("Using config: %s", str(vars(self._config)))
        self._device_fn = self._config.device_fn or parameter_server_devices(self._config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = settings(warm_start_from)

    @property
    def model_dir(self) -> str:
        """Returns the directory of checkpoints and events."""
        directory: str = self._model_dir
        return directory

    @property
    def config(self) -> RunConfig:
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> Any:
        """A copy of the `params` of the model_fn."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., Any]:
        """The model_fn as a function (features, labels, mode, config) -> EstimatorSpec."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_value(self, name: str) -> Any:
        """Returns the array of a variable in the latest checkpoint. Raises ValueError if there is none yet."""
        self._check_trained()
        return v1.train.load_variable(self.model_dir, name)

    def get_variable_names(self) -> list[str]:
        """Returns the names of all variables in the latest checkpoint. Raises ValueError if there is none yet."""
        self._check_trained()
        return [name for name, _ in v1.train.list_variables(self.model_dir)]

    def latest_checkpoint(self) -> str | None:
        """Returns the path of the latest checkpoint, or None."""
        path: str | None = v1.train.latest_checkpoint(self.model_dir)
        return path

    def eval_dir(self, name: str | None = None) -> str:
        """Returns the directory of the events of `evaluate(name=name)`."""
        return f"{self._model_dir}/eval_{name}" if name else f"{self._model_dir}/eval"

    def train(
        self,
        input_fn: Callable[..., Any],
        hooks: Any = None,
        steps: int | None = None,
        max_steps: int | None = None,
        saving_listeners: Any = None,
    ) -> Estimator:
        """Trains `steps` more steps, or up to `max_steps` in all, or until the input ends.

        Returns:
            The estimator itself.

        Raises:
            ValueError: Both limits are given, or one that is not positive, or this task does not train.
            TypeError: The hooks or listeners are wrong.
        """
        if self.config.task_type in (TaskType.EVALUATOR, TaskType.PS):
            raise ValueError(
                "Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate which calls "
                f"proper API according to given configuration. Current configuration: {self.config}."
            )
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {value}")
        if max_steps is not None and max_steps <= saved_global_step(self._model_dir):
            logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks = [*checked_hooks(hooks), *self._convert_train_steps_to_hooks(steps, max_steps)]
        loss = self._train_model(input_fn, hooks, checked_listeners(saving_listeners))
        logging.info("Loss for final step: %s.", loss)
        return self

    def evaluate(
        self,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Any = None,
        checkpoint_path: str | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Returns the metrics, "loss" and "global_step" over `steps` batches, or over the whole input.

        Without `checkpoint_path`, the latest checkpoint is evaluated; without any checkpoint, the initial values are.

        Raises:
            ValueError: `steps` is not positive.
            TypeError: The hooks are wrong.
        """
        hooks = [*checked_hooks(hooks), *self._convert_eval_steps_to_hooks(steps)]
        checkpoint_path = checkpoint_path or self._latest_for("evaluate")
        with new_graph():
            ready = self._evaluate_build_graph(input_fn, hooks, checkpoint_path)
            return self._evaluate_run(
                checkpoint_path=checkpoint_path,
                scaffold=ready.scaffold,
                update_op=ready.update,
                eval_dict=ready.values,
                all_hooks=ready.hooks,
                output_dir=self.eval_dir(name),
            )

    def predict(
        self,
        input_fn: Callable[..., Any],
        predict_keys: Any = None,
        hooks: Any = None,
        checkpoint_path: str | None = None,
        yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields the predictions for each example of the input, or for each batch.

        Raises:
            ValueError: `predict_keys` names no prediction, or the arrays of a batch differ in length.
        """
        hooks = checked_hooks(hooks)
        checkpoint_path = checkpoint_path or self._latest_for("predict")
        with new_graph() as graph:
            v1.set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            features, input_hooks = self._get_features_from_input_fn(input_fn, ModeKeys.PREDICT)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            self._maybe_warm_start(checkpoint_path)
            fetched = prediction.chosen(spec.predictions, predict_keys)
            creator = v1.train.ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path,
                master=self._config.master,
                scaffold=spec.scaffold,
                config=self._session_config,
            )
            all_hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            with v1.train.MonitoredSession(session_creator=creator, hooks=all_hooks) as session:
                while not session.should_stop():
                    batch = session.run(fetched)
                    yield from prediction.examples(batch) if yield_single_examples else [batch]

    def export_saved_model(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Any,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        experimental_mode: str = ModeKeys.PREDICT,
    ) -> Any:
        """Writes a SavedModel of one mode below `export_dir_base`; returns its path, bytes.

        Raises ValueError without a receiver function or a checkpoint.
        """
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        receivers = {experimental_mode: serving_input_receiver_fn}
        return self.experimental_export_all_saved_models(
            export_dir_base, receivers, assets_extra, as_text, checkpoint_path
        )

    def experimental_export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: Mapping[str, Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
    ) -> Any:
        """Writes a SavedModel with a meta graph for each mode in the map; returns its path, bytes."""
        return self._export_all_saved_models(
            export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path, strip_default_attrs=True
        )

    def export_savedmodel(
        self,
        export_dir_base: Any,
        serving_input_receiver_fn: Any,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> Any:
        """Does the same as `export_saved_model`, under its older name, and keeps default attributes of ops."""
        if not serving_input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        receivers = {ModeKeys.PREDICT: serving_input_receiver_fn}
        return self._export_all_saved_models(
            export_dir_base, receivers, assets_extra, as_text, checkpoint_path, strip_default_attrs
        )

    def _latest_for(self, use: str) -> str | None:
        path = self.latest_checkpoint()
        if not path:
            logging.info(
                f"Could not find trained model in model_dir: {self._model_dir}, running initialization to {use}."
            )
        return path

    def _check_trained(self) -> None:
        if not self.latest_checkpoint():
            raise ValueError(f"Could not find trained model in model_dir: {self.model_dir}.")

    def _assert_members_are_not_overridden(self) -> None:
        """Raises ValueError if a subclass overrides a public method. Programs change these by the model_fn."""
        mine = {name for name in dir(Estimator) if not name.startswith("__")} - MAY_OVERRIDE
        other = [name for name in mine if name in type(self).__dict__]
        changed = [name for name in other if getattr(Estimator, name) != getattr(type(self), name)]
        if changed and type(self).__name__ != "TPUEstimator":
            raise ValueError(
                f"Subclasses of Estimator cannot override members of Estimator. {type(self)} does override {changed}"
            )
