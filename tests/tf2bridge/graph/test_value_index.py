"""Which input a `Merge` of TF 1.x took: its second output, as the 1.15.5 session gave it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tf2bridge
from tests.tf2bridge.graph.recorded import unpacked


@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.12.3", "1.15.5"])
@pytest.mark.parametrize("output", ["index", "swapped", "straight", "sum"])
def test_the_number_of_the_input_is_that_of_the_release(release: str, output: str, tmp_path_factory: Any) -> None:
    model = unpacked(f"{release}/merge_index", tmp_path_factory.getbasetemp())
    feeds = model.part("in")
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=[model.tensors("out")[output]])
    given = {name: feeds[name] for name in module.inputs}
    assert module(given).numpy() == model.part("out")[output]
    other = module(given | {"flag": np.array(False)}).numpy()
    assert other == {"index": 0, "swapped": 1, "straight": 0}.get(output, other)


def test_value_and_number_come_together(tmp_path_factory: Any, tmp_path: Path) -> None:
    model = unpacked("1.15.5/merge_index", tmp_path_factory.getbasetemp())
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=["straight", "straight:1"])
    outputs = module.function(["x", "flag"], ["straight:0", "straight:1"])(
        *(model.part("in")[name] for name in ("x", "flag"))
    )
    assert outputs[1].numpy() == 1
    module.export(tmp_path / "new")
