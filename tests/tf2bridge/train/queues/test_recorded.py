"""Under the genuine releases, the queues still give what is recorded of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import oracles
from tests.tf2bridge.train.queues.inputs import HOME, RELEASES


@pytest.mark.oracle
def test_queues_of_the_releases_give_what_is_recorded() -> None:
    oracles.require(*RELEASES)
    command = [sys.executable, str(HOME / "record.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
