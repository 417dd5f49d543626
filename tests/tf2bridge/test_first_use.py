"""What `import tf2bridge` costs, and what it shows."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tf2bridge
from tf2bridge import checkpoint, proof, train


@pytest.mark.parametrize("package", [tf2bridge, checkpoint, proof, train], ids=lambda package: package.__name__)
def test_every_public_name_is_shown_and_is_there(package: object) -> None:
    assert dir(package)
    assert all(getattr(package, name) is not None for name in dir(package))


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"module 'tf2bridge\.train' has no attribute 'Superviser'"):
        _ = train.Superviser


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = "import sys, tf2bridge, tf2bridge.train, tf2bridge.checkpoint, tf2bridge.proof\n"
    code += "print({'tensorflow', 'numpy'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
