"""The steps that an Estimator is made of: one call of an input_fn or a model_fn, one graph, one loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.estimator import evaluation, exporting, input_results, training
from tf2bridge.estimator.graphs import new_graph
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.estimator.run_config import RunConfig
from tf2bridge.estimator.warm_start import WarmStartSettings, warm_start
from tf2bridge.internals.support import fn_args
from tf2bridge.internals.training import evaluation as tf_evaluation
from tf2bridge.internals.training import training_util

v1 = tf.compat.v1


class Steps:
    """The methods that subclasses of Estimator may override or call, with their names of 1.15.5."""

    _config: RunConfig
    _model_dir: str
    _model_fn: Callable[..., Any]
    _device_fn: Any
    _warm_start_settings: WarmStartSettings | None
    _summarizes_loss = True
    """Whether a summary of the loss is added to a model without one. contrib.learn added none."""
    _measures_loss = False
    """Whether a model may have a metric named "loss", as heads of contrib.learn have."""
    params: Any
    config: Any

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, input_context: Any = None) -> Any:
        takes = fn_args(input_fn)
        given = {"mode": mode, "params": self.params, "config": self.config}
        if input_context:
            given["input_context"] = input_context
        with tf.device("/cpu:0"):
            return input_fn(**{name: value for name, value in given.items() if name in takes})

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        takes = fn_args(self._model_fn)
        if "labels" not in takes and labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        given = {"labels": labels, "mode": mode, "params": self.params, "config": config}
        logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **{name: value for name, value in given.items() if name in takes})
        logging.info("Done calling model_fn.")
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _get_features_and_labels_from_input_fn(self, input_fn: Any, mode: str) -> tuple[Any, Any, list[Any]]:
        return input_results.parsed(self._call_input_fn(input_fn, mode))

    def _get_features_from_input_fn(self, input_fn: Any, mode: str) -> tuple[Any, list[Any]]:
        features, _, hooks = self._get_features_and_labels_from_input_fn(input_fn, mode)
        self._validate_features_in_predict_input(features)
        return features, hooks

    def _validate_features_in_predict_input(self, features: Any) -> None:
        if not input_results.ends(features):
            logging.warning(
                "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields "
                "forever. This is probably a mistake."
            )

    def _create_global_step(self, graph: Any) -> Any:
        return v1.train.create_global_step(graph)

    def _create_and_assert_global_step(self, graph: Any) -> Any:
        step = self._create_global_step(graph)
        assert step is v1.train.get_global_step()
        assert step.dtype.is_integer
        return step

    def _convert_train_steps_to_hooks(self, steps: int | None, max_steps: int | None) -> list[Any]:
        if steps is None and max_steps is None:
            return []
        return [v1.train.StopAtStepHook(steps, max_steps)]

    def _convert_eval_steps_to_hooks(self, steps: int | None) -> list[Any]:
        if steps is None:
            return []
        if steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        return [tf_evaluation._StopAfterNEvalsHook(num_evals=steps)]

    def _train_model(self, input_fn: Any, hooks: list[Any], saving_listeners: list[Any]) -> Any:
        with new_graph() as graph, graph.device(self._device_fn):
            v1.set_random_seed(self._config.tf_random_seed)
            if self._create_and_assert_global_step(graph) is not None:
                training_util._get_or_create_global_step_read(graph)
            features, labels, input_hooks = self._get_features_and_labels_from_input_fn(input_fn, ModeKeys.TRAIN)
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            step = v1.train.get_global_step(graph)
            return self._train_with_estimator_spec(spec, input_hooks, hooks, step, saving_listeners)

    def _train_with_estimator_spec(
        self, spec: Any, worker_hooks: list[Any], hooks: list[Any], global_step: Any, saving_listeners: list[Any]
    ) -> Any:
        if self._warm_start_settings:
            warm_start(self._warm_start_settings)
        if self._summarizes_loss:
            training.add_loss_summary(spec)
        return training.train(spec, self._config, [*worker_hooks, *hooks], global_step, saving_listeners)

    def _evaluate_build_graph(self, input_fn: Any, hooks: list[Any], checkpoint_path: str | None = None) -> Any:
        v1.set_random_seed(self._config.tf_random_seed)
        self._create_and_assert_global_step(v1.get_default_graph())
        features, labels, input_hooks = self._get_features_and_labels_from_input_fn(input_fn, ModeKeys.EVAL)
        spec = self._call_model_fn(features, labels, ModeKeys.EVAL, self.config)
        measured = evaluation.metrics(spec, self._measures_loss)
        self._maybe_warm_start(checkpoint_path)
        return evaluation.evaluation_of(spec, input_hooks, hooks, measured)

    def _evaluate_run(
        self,
        checkpoint_path: str | None,
        scaffold: Any,
        update_op: Any,
        eval_dict: dict[str, Any],
        all_hooks: list[Any],
        output_dir: str,
    ) -> dict[str, Any]:
        ready = evaluation.Evaluation(scaffold, update_op, eval_dict, all_hooks)
        return evaluation.run(ready, self._config, checkpoint_path, output_dir)

    def _export_all_saved_models(
        self,
        export_dir_base: Any,
        input_receiver_fn_map: Mapping[str, Any],
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = True,
    ) -> Any:
        path = checkpoint_path or v1.train.latest_checkpoint(self._model_dir) or self._warm_checkpoint()
        return exporting.export(
            self._build_for_export,
            self._config,
            export_dir_base,
            input_receiver_fn_map,
            path,
            assets_extra,
            as_text,
            strip_default_attrs,
        )

    def _build_for_export(self, graph: Any, receiver_fn: Any, mode: str) -> tuple[Any, Any]:
        self._create_and_assert_global_step(graph)
        v1.set_random_seed(self._config.tf_random_seed)
        receiver = receiver_fn()
        labels = getattr(receiver, "labels", None)
        return receiver, self._call_model_fn(receiver.features, labels, mode, self.config)

    def _maybe_warm_start(self, checkpoint_path: str | None) -> None:
        if not checkpoint_path and self._warm_start_settings:
            warm_start(self._warm_start_settings)

    def _warm_checkpoint(self) -> str:
        if not self._warm_start_settings:
            raise ValueError(f"Couldn't find trained model at {self._model_dir}.")
        path: str = self._warm_start_settings.ckpt_to_initialize_from
        return v1.train.latest_checkpoint(path) if v1.gfile.IsDirectory(path) else path
