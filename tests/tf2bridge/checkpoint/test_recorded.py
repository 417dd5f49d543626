"""The recorded checkpoints hold what the sessions that saved them held, as TensorFlow's own reader reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.checkpoint.recorded import ALL, FOLDER, RELEASES, unpacked


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def comparable(values: Any) -> Any:
    """As fixtures/checkpoints/record.py keeps values: texts as bytes, bfloat16 as float32."""
    values = np.asarray(values)
    if values.dtype == object:
        return values.astype("S")
    return values.astype("float32") if values.dtype.kind == "V" else values


@pytest.mark.parametrize("name", ALL)
def test_the_checkpoint_holds_what_the_session_held(name: str, parent: Path) -> None:
    import tensorflow as tf

    program_files = unpacked(name, parent)
    reader = tf.train.load_checkpoint(str(program_files.prefix))
    saved = program_files.part("saved")
    assert sorted(reader.get_variable_to_shape_map()) == sorted(saved)
    for variable, value in saved.items():
        np.testing.assert_array_equal(comparable(reader.get_tensor(variable)), value, err_msg=variable)


@pytest.mark.parametrize("program", ["sharded", "many"])
@pytest.mark.parametrize("release", RELEASES)
def test_the_older_format_holds_it_too(release: str, program: str, parent: Path) -> None:
    import tensorflow as tf

    program_files = unpacked(f"{release}/{program}", parent)
    pattern = "model-v1.ckpt-?????-of-?????" if program == "sharded" else "model-v1.ckpt"
    reader = tf.train.load_checkpoint(str(program_files.folder / pattern))
    for variable, value in program_files.part("saved").items():
        np.testing.assert_array_equal(comparable(reader.get_tensor(variable)), value, err_msg=variable)


@pytest.mark.parametrize("release", RELEASES)
def test_a_recording_is_small(release: str) -> None:
    assert max(path.stat().st_size for path in FOLDER.glob(f"{release}/*.zip")) < 30_000
