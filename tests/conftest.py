"""What every test shares."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def without_the_switch_of_tensorflow_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """TensorFlow 2 sets TF2_BEHAVIOR when it is imported; a genuine 1.15 that inherits it runs eagerly."""
    monkeypatch.delenv("TF2_BEHAVIOR", raising=False)
