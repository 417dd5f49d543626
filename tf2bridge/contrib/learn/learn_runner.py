"""`learn_runner`: makes an Experiment and runs one of its schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.contrib.learn.estimators.run_config import RunConfig
from tf2bridge.contrib.learn.experiment import Experiment
from tf2bridge.contrib.training.hparam.hparams import HParams

SCHEDULES = {"master": "train_and_evaluate", "ps": "run_std_server", "worker": "train"}


def run(
    experiment_fn: Callable[..., Any],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: Any = None,
    hparams: Any = None,
) -> Any:
    """Calls `experiment_fn(output_dir)`, or `experiment_fn(run_config, hparams)`, and runs its schedule.

    Returns the result of the schedule. Raises ValueError or TypeError if arguments contradict each other, the function
    returns no Experiment, or the schedule is unknown.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is not None:
        experiment = _checked(experiment_fn)(run_config, hparams)
    else:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        experiment = _experiment(experiment_fn(output_dir=output_dir))
    schedule = schedule or _default_schedule(run_config or experiment.estimator.config)
    return _scheduled(experiment, schedule)()


def tune(experiment_fn: Callable[..., Any], tuner: Any) -> None:
    """Runs the experiments that `tuner` asks for."""
    while tuner.next_trial():
        tuner.run_experiment(_checked(experiment_fn, needs_hparams=True))


def _experiment(experiment: Any) -> Experiment:
    if not isinstance(experiment, Experiment):
        raise TypeError(f"Experiment builder did not return an Experiment instance, got {type(experiment)} instead.")
    return experiment


def _checked(experiment_fn: Callable[..., Any], needs_hparams: bool = False) -> Callable[..., Experiment]:
    """Returns the function with checks of its arguments and of the configuration of its estimator."""

    def checked(run_config: Any, hparams: Any) -> Experiment:
        if not isinstance(run_config, RunConfig):
            raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
        if not run_config.model_dir:
            raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
        if hparams is not None and not isinstance(hparams, HParams):
            raise ValueError("`hparams` must be `HParams` instance")
        if needs_hparams and hparams is None:
            raise ValueError("`hparams` cannot be `None`.")
        expected = run_config.uid()
        experiment = _experiment(experiment_fn(run_config, hparams))
        config = experiment.estimator.config
        if not hasattr(config, "uid"):
            raise RuntimeError(
                "Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment: it has another one, "
                "or its argument `config` is not set."
            )
        if config.uid() != expected:
            raise RuntimeError(
                "`RunConfig` instance is expected to be used by the `Estimator` inside the `Experiment`. "
                f"expected {expected}, but got {config.uid()}"
            )
        return experiment

    return checked


def _default_schedule(config: Any) -> str:
    spec = config.cluster_spec if config else None
    tasks = sum(len(spec.job_tasks(job)) for job in spec.jobs) if spec else 0
    if tasks <= 1:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("Must specify a schedule")
    if config.task_type not in SCHEDULES:
        raise ValueError(f"No default schedule for task type: {config.task_type}")
    return SCHEDULES[config.task_type]


def _scheduled(experiment: Experiment, schedule: str) -> Callable[[], Any]:
    known = [name for name in dir(experiment) if not name.startswith("_") and callable(getattr(experiment, name))]
    if not hasattr(experiment, schedule):
        raise ValueError(f"Schedule references non-existent task {schedule}; there are {', '.join(known)}")
    task = getattr(experiment, schedule)
    if not callable(task):
        raise TypeError(f"Schedule references non-callable member {schedule}; there are {', '.join(known)}")
    checked: Callable[[], Any] = task
    return checked
