"""`tf.estimator`."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_PATH = "estimator"
_HERE = "tf2bridge.estimator"

_HOOKS = (
    "CheckpointSaverHook CheckpointSaverListener FeedFnHook FinalOpsHook GlobalStepWaiterHook LoggingTensorHook "
    "NanLossDuringTrainingError NanTensorHook ProfilerHook SecondOrStepTimer SessionRunArgs SessionRunContext "
    "SessionRunHook SessionRunValues StepCounterHook StopAtStepHook SummarySaverHook VocabInfo"
)

OWN = {
    **names(_PATH, f"{_HERE}.estimator", "Estimator"),
    **names(_PATH, f"{_HERE}.model_spec", "EstimatorSpec"),
    **names(_PATH, f"{_HERE}.mode_keys", "ModeKeys"),
    **names(_PATH, f"{_HERE}.run_config", "RunConfig"),
    **names(_PATH, f"{_HERE}.warm_start", "WarmStartSettings"),
}

ALIASES = {
    **same(_PATH, "train", _HOOKS),
}
