"""What every test shares."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tf2bridge import kernels

kernels.choose()  # before any test imports TensorFlow; processes that tests start inherit it

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # how fast an example is made says how busy the machine is

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what runs in its background, and all of its
    signal.signal(signal.SIGINT, signal.default_int_handler)  # processes after it: tests that send SIGINT would wait


@pytest.fixture(autouse=True)
def without_the_switch_of_tensorflow_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """TensorFlow 2 sets TF2_BEHAVIOR when it is imported; a genuine 1.15 that inherits it runs eagerly."""
    monkeypatch.delenv("TF2_BEHAVIOR", raising=False)


@pytest.fixture(autouse=True, scope="module")
def process_as_it_was() -> Iterator[None]:
    """A test that switches its whole process to TF 1.x changes what later tests see: it needs a process of its own."""
    yield
    switch = sys.modules.get("tf2bridge.v1.switch")
    assert switch is None or switch.enabled() is None, "tf2bridge.v1.enable was called in this process"
