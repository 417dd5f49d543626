"""`tf.keras.__version__` is that of each release."""

from __future__ import annotations

import pytest

from tests.same_text import lines

_PROGRAM = """
import {module} as tf
{enable}
from {module}.python.keras import __version__
print(tf.keras.__version__, __version__)
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_version_is_that_of_the_release(release: str) -> None:
    there = lines(_PROGRAM, release)
    assert there[0].endswith("-tf")
    assert lines(_PROGRAM, None, release) == there
