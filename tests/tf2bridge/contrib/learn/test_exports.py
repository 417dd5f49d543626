"""What an Estimator of contrib.learn refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tf2bridge.contrib.learn.estimators.estimator import Estimator
from tf2bridge.contrib.learn.estimators.model_fn import NotFittedError
from tf2bridge.contrib.learn.refusals import SessionBundleError


def model_fn(features: Any, labels: Any, mode: str) -> Any:
    raise AssertionError(f"nothing is to be built: {features}, {labels}, {mode}")


def test_an_estimator_that_was_not_trained_is_not_exported(tmp_path: Path) -> None:
    estimator = Estimator(model_fn, model_dir=str(tmp_path))
    with pytest.raises(NotFittedError, match="trained model"):
        estimator.export_savedmodel(str(tmp_path), lambda: None)


def test_session_bundles_are_not_written(tmp_path: Path) -> None:
    estimator = Estimator(model_fn, model_dir=str(tmp_path))
    with pytest.raises(SessionBundleError, match="export_savedmodel"):
        estimator.export(str(tmp_path))
