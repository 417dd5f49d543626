"""The older functions for what Estimators export themselves."""

from __future__ import annotations

from typing import Any

from tf2bridge.estimator.mode_keys import ModeKeys


def export_saved_model_for_mode(
    estimator: Any,
    export_dir_base: Any,
    input_receiver_fn: Any,
    assets_extra: Any = None,
    as_text: bool = False,
    checkpoint_path: Any = None,
    mode: str = ModeKeys.PREDICT,
) -> Any:
    """Calls Estimator.export_saved_model."""
    return estimator.export_saved_model(
        export_dir_base, input_receiver_fn, assets_extra, as_text, checkpoint_path, experimental_mode=mode
    )


def export_all_saved_models(
    estimator: Any,
    export_dir_base: Any,
    input_receiver_fn_map: Any,
    assets_extra: Any = None,
    as_text: bool = False,
    checkpoint_path: Any = None,
) -> Any:
    """Calls Estimator.experimental_export_all_saved_models."""
    return estimator.experimental_export_all_saved_models(
        export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path
    )
