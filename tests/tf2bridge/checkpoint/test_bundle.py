"""V2 checkpoints are read as TensorFlow reads them: those of four genuine releases, of Keras and of an estimator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tf2bridge.checkpoint.against_tensorflow import check_same_tensors
from tests.tf2bridge.graph import recorded

FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.12.3", "1.15.5"])
def test_every_recorded_checkpoint(release: str, tmp_path_factory: Any) -> None:
    names = [name for name in recorded.ALL if name.startswith(f"{release}/")]
    folders = [recorded.unpacked(name, tmp_path_factory.getbasetemp()).folder for name in names]
    found = [index for folder in folders for index in sorted(folder.rglob("*.index"))]
    assert len(found) >= len(names) > 20
    for index in found:
        check_same_tensors(index.with_suffix(""))


@pytest.mark.parametrize("prefix", ["estimator/model.ckpt-5", "keras_files/weights"])
def test_data_in_several_files(prefix: str) -> None:
    assert check_same_tensors(FIXTURES / prefix) > 3
