"""Under the genuine releases, the queues still give what is recorded of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tf2bridge.train.queues.inputs import HOME, RELEASES

ORACLES = Path(os.environ.get("TF_ORACLES") or Path.home() / ".cache" / "tf-oracles")


@pytest.mark.oracle
@pytest.mark.skipif(
    not all((ORACLES / release / ".ready").exists() for release in RELEASES),
    reason="the genuine releases are not installed: fixtures/oracles.sh builds them",
)
def test_queues_of_the_releases_give_what_is_recorded() -> None:
    command = [sys.executable, str(HOME / "record.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
