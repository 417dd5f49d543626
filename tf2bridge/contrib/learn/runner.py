"""`learn_runner`: makes an Experiment and runs one of its schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.contrib.learn.experiment import Experiment
from tf2bridge.contrib.learn.run_config import RunConfig

SCHEDULES = {"master": "train_and_evaluate", "ps": "run_std_server", "worker": "train"}


def run(
    experiment_fn: Callable[..., Any],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: Any = None,
    hparams: Any = None,
) -> Any:
    """Calls `experiment_fn(output_dir)`, or `experiment_fn(run_config, hparams)`, and runs its schedule.

    Returns what the schedule returns. Raises ValueError or TypeError for arguments that contradict each other, a
    function that makes no Experiment, or an unknown schedule.
    """
    if (output_dir is None) == (run_config is None):
        raise ValueError("give either output_dir or run_config")
    if not callable(experiment_fn):
        raise TypeError(f"experiment_fn must be a function, not {experiment_fn}")
    if run_config is not None:
        experiment = _checked(experiment_fn)(run_config, hparams)
    else:
        if not output_dir:
            raise ValueError("output_dir must not be empty")
        if hparams is not None:
            raise ValueError("hparams need a run_config")
        experiment = _experiment(experiment_fn(output_dir=output_dir))
    schedule = schedule or _default_schedule(run_config or experiment.estimator.config)
    return _scheduled(experiment, schedule)()


def tune(experiment_fn: Callable[..., Any], tuner: Any) -> None:
    """Runs the experiments that `tuner` asks for."""
    while tuner.next_trial():
        tuner.run_experiment(_checked(experiment_fn, needs_hparams=True))


def _experiment(found: Any) -> Experiment:
    if not isinstance(found, Experiment):
        raise TypeError(f"experiment_fn returned a {type(found).__name__}, not an Experiment")
    return found


def _checked(experiment_fn: Callable[..., Any], needs_hparams: bool = False) -> Callable[..., Experiment]:
    """The function with checks of what it is given, and that its estimator has that configuration."""

    def checked(run_config: Any, hparams: Any) -> Experiment:
        if not isinstance(run_config, RunConfig):
            raise ValueError("run_config must be a tf.contrib.learn.RunConfig")
        if not run_config.model_dir:
            raise ValueError("run_config must have a model_dir")
        if needs_hparams and hparams is None:
            raise ValueError("hparams cannot be None")
        experiment = _experiment(experiment_fn(run_config, hparams))
        config = experiment.estimator.config
        if not hasattr(config, "uid") or config.uid() != run_config.uid():
            raise RuntimeError("experiment_fn must give the run_config that it is given to the Estimator")
        return experiment

    return checked


def _default_schedule(config: Any) -> str:
    spec = config.cluster_spec if config else None
    tasks = sum(len(spec.job_tasks(job)) for job in spec.jobs) if spec else 0
    if tasks <= 1:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("a task of a cluster needs a schedule")
    if config.task_type not in SCHEDULES:
        raise ValueError(f"there is no default schedule for the task {config.task_type!r}; give one")
    return SCHEDULES[config.task_type]


def _scheduled(experiment: Experiment, schedule: str) -> Callable[[], Any]:
    known = [name for name in dir(experiment) if not name.startswith("_") and callable(getattr(experiment, name))]
    if not hasattr(experiment, schedule):
        raise ValueError(f"there is no schedule {schedule!r}; there are {', '.join(known)}")
    task = getattr(experiment, schedule)
    if not callable(task):
        raise TypeError(f"{schedule!r} is no schedule; there are {', '.join(known)}")
    found: Callable[[], Any] = task
    return found
