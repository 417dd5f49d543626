"""TPUEstimator on a CPU or GPU. It does the same as genuine TensorFlow with use_tpu=False, also with use_tpu=True."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging
from tf2bridge.contrib.tpu.tpu_config import ExportSavedModelApiVersion, InputPipelineConfig, RunConfig
from tf2bridge.contrib.tpu.tpu_context import _get_tpu_context
from tf2bridge.contrib.tpu.tpu_estimator_spec import TPUEstimatorSpec
from tf2bridge.contrib.tpu.util import check_positive_integer, parse_iterations_per_loop
from tf2bridge.estimator.checks import check_model_fn
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.internals.support import fn_args

v1 = tf.compat.v1
RESERVED = ("batch_size", "context")
NOTICE = "TPUEstimator(use_tpu=True): there are no TPUs here; the model runs on the CPU or GPU, as with use_tpu=False."


class TPUEstimator(Estimator):
    """An Estimator that hands the batch size of each mode to input_fn and model_fn, as `params["batch_size"]`.

    Raises ValueError or TypeError for arguments that 1.15.5 refused. `params["use_tpu"]` is False.
    """

    def __init__(
        self,
        model_fn: Any = None,
        model_dir: Any = None,
        config: Any = None,
        params: Any = None,
        use_tpu: bool = True,
        train_batch_size: int | None = None,
        eval_batch_size: int | None = None,
        predict_batch_size: int | None = None,
        batch_axis: Any = None,
        eval_on_tpu: bool = True,
        export_to_tpu: bool = True,
        export_to_cpu: bool = True,
        warm_start_from: Any = None,
        embedding_config_spec: Any = None,
        export_saved_model_api_version: Any = ExportSavedModelApiVersion.V1,
    ) -> None:
        del batch_axis, export_to_tpu, export_to_cpu
        if not isinstance(config, RunConfig):
            raise ValueError(f"config must be a tf.contrib.tpu.RunConfig, given: {config}")
        if params is not None and any(key in params for key in RESERVED):
            raise ValueError(f"TPUEstimator sets params {RESERVED} itself, but they are given: {params}")
        if not isinstance(export_saved_model_api_version, ExportSavedModelApiVersion):
            raise ValueError(
                f"export_saved_model_api_version is {export_saved_model_api_version}; it must be one of "
                "ExportSavedModelApiVersion"
            )
        sizes = (train_batch_size, eval_batch_size, predict_batch_size)
        if use_tpu:
            _check_sizes(config, *sizes)
            logging.warning(NOTICE)
        if embedding_config_spec is not None:
            raise ValueError("embedding_config_spec needs the memory of a TPU; use tf.nn.embedding_lookup in the model")
        check_model_fn(model_fn, params)
        self._log_every_n_steps = config.log_step_count_steps
        self._is_input_fn_invoked: bool | None = None
        self._ctx = _get_tpu_context(config, *sizes, use_tpu, eval_on_tpu, embedding_config_spec)
        super().__init__(
            self._augmented(model_fn),
            model_dir,
            config.replace(log_step_count_steps=None),
            params or {},
            warm_start_from,
        )
        self._log_every_n_secs = None
        loop = parse_iterations_per_loop(config.tpu_config.iterations_per_loop)
        if loop.unit == "seconds":
            self._log_every_n_steps, self._log_every_n_secs = None, loop.value
        elif self._log_every_n_steps is not None:
            self._log_every_n_steps = math.ceil(self._log_every_n_steps / loop.value)

    def _create_global_step(self, graph: Any) -> Any:
        """Returns the global step as a resource variable, which TPUs need."""
        if v1.train.get_global_step(graph) is not None:
            raise ValueError("the graph has a global step already")
        keys = v1.GraphKeys
        with graph.as_default(), graph.name_scope(None):
            return v1.get_variable(
                keys.GLOBAL_STEP,
                shape=[],
                dtype=tf.int64,
                initializer=v1.zeros_initializer(),
                trainable=False,
                use_resource=True,
                collections=[keys.GLOBAL_VARIABLES, keys.GLOBAL_STEP],
            )

    def _call_input_fn(self, input_fn: Callable[..., Any], mode: str, input_context: Any = None) -> Any:
        del input_context
        takes = fn_args(input_fn)
        if "params" not in takes:
            raise ValueError(
                f"input_fn ({input_fn}) must take params: it is given the batch size in params['batch_size']"
            )
        params = self.params
        with self._ctx.with_mode(mode) as context:
            _set(params, "batch_size", context.batch_size_for_input_fn)
        given = {"params": params, "config": self.config, "mode": mode}
        self._is_input_fn_invoked = True
        with tf.device("/device:CPU:0"):
            return input_fn(**{name: value for name, value in given.items() if name in takes})

    def _validate_features_in_predict_input(self, features: Any) -> None:
        pass

    def _augmented(self, model_fn: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the model_fn with the batch size in its params, and with an EstimatorSpec as result."""

        def augmented(features: Any, labels: Any, mode: str, config: Any, params: Any) -> Any:
            exporting, self._is_input_fn_invoked = not self._is_input_fn_invoked, None
            spec = self._spec(model_fn, features, labels, mode, config, params, exporting)
            if self._log_every_n_steps is None and self._log_every_n_secs is None:
                return spec
            hook = self._examples_hook(mode, config)
            return spec._replace(training_hooks=(*spec.training_hooks, hook))

        return augmented

    def _spec(
        self, model_fn: Any, features: Any, labels: Any, mode: str, config: Any, params: Any, exporting: bool
    ) -> Any:
        takes = fn_args(model_fn)
        if "labels" not in takes and labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        if "params" not in takes:
            raise ValueError(
                f"model_fn ({model_fn}) must take params: it is given the batch size in params['batch_size']"
            )
        params = copy.deepcopy(params)
        if not exporting:
            with self._ctx.with_mode(mode) as context:
                _set(params, "batch_size", context.batch_size_for_model_fn)
        _set(params, "use_tpu", False)
        given = {"labels": labels, "mode": mode, "config": copy.deepcopy(config), "params": params}
        logging.info("Running %s on CPU", mode)
        spec = model_fn(features=features, **{name: value for name, value in given.items() if name in takes})
        return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec

    def _examples_hook(self, mode: str, config: Any) -> Any:
        with self._ctx.with_mode(mode) as context:
            size = context.global_batch_size
        directory = self.model_dir if not config or config.save_summary_steps else None
        return ExamplesPerSecondHook(size, self._log_every_n_steps, self._log_every_n_secs, directory)


class ExamplesPerSecondHook(v1.train.StepCounterHook):  # type: ignore[name-defined,misc]
    """Logs and writes steps and examples per second."""

    def __init__(
        self,
        batch_size: Any,
        every_n_steps: int | None = 100,
        every_n_secs: int | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        self._batch_size = batch_size
        super().__init__(every_n_steps, every_n_secs, output_dir, summary_writer)

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        steps = elapsed_steps / elapsed_time
        rates = {"global_step/sec": steps}
        if self._batch_size is not None:
            rates["examples/sec"] = self._batch_size * steps
        for tag, rate in rates.items():
            if self._summary_writer is not None:
                value = v1.Summary.Value(tag=tag, simple_value=rate)
                self._summary_writer.add_summary(v1.Summary(value=[value]), global_step)
            logging.info("%s: %g", tag, rate)


def _set(params: Any, key: str, value: Any) -> None:
    """Sets a key of a dictionary or of HParams, unless the value is None."""
    if value is None:
        return
    if not hasattr(params, "set_hparam"):
        params[key] = value
    elif key in params:
        params.set_hparam(key, value)
    else:
        params.add_hparam(key, value)


def _check_sizes(config: RunConfig, train: Any, evaluation: Any, prediction: Any) -> None:
    if train is None:
        raise ValueError("train_batch_size cannot be None with use_tpu=True")
    check_positive_integer(train, "train_batch_size")
    for name, size in (("eval_batch_size", evaluation), ("predict_batch_size", prediction)):
        if size is not None:
            check_positive_integer(size, name)
    spread = config.tpu_config
    per_shard = spread.per_host_input_for_training is InputPipelineConfig.PER_SHARD_V1
    if per_shard and spread.num_cores_per_replica:
        raise ValueError("model parallelism needs input for each host: change per_host_input_for_training")


def model_fn_inference_on_tpu(
    model_fn: Any, features: Any, labels: Any = None, config: Any = None, params: Any = None, batch_config: Any = None
) -> Any:
    """Returns the EstimatorSpec of `model_fn` for prediction; here it runs on the CPU or GPU, without batching."""
    del batch_config
    params = copy.deepcopy(params or {})
    _set(params, "use_tpu", False)
    takes = fn_args(model_fn)
    given = {"labels": labels, "mode": "infer", "config": config, "params": params}
    spec = model_fn(features=features, **{name: value for name, value in given.items() if name in takes})
    return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec
