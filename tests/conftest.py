"""What every test shares."""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Iterator

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
    assert runs_eagerly(), "a test module that was imported switched this process to graphs"
    yield
    in_force = sys.modules.get("tf2bridge.behaviour.in_force")
    assert in_force is None or in_force.enabled() is None, "tf2bridge.v1.enable was called in this process"
    assert runs_eagerly(), "a test of this module switched this process to graphs, or left a graph as the default"


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Names the test module whose import switches the process: without this, tests of other modules fail."""
    before = runs_eagerly()
    report = yield
    if before and not runs_eagerly():
        report.outcome, report.longrepr = "failed", f"{collector.nodeid} switches this process to graphs when imported"
    return report


def runs_eagerly() -> bool:
    """Whether this process is one of TensorFlow 2, as far as it has imported TensorFlow."""
    tensorflow = sys.modules.get("tensorflow")
    return tensorflow is None or not hasattr(tensorflow, "executing_eagerly") or tensorflow.executing_eagerly()
