"""What every test shares."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests import sharing
from tf2bridge import kernels

if TYPE_CHECKING:
    from xdist.scheduler import Scheduling

kernels.choose()  # before any test imports TensorFlow; processes that tests start inherit it

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # how fast an example is made says how busy the machine is

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what runs in its background, and all of its
    signal.signal(signal.SIGINT, signal.default_int_handler)  # processes after it: tests that send SIGINT would wait

gc.set_threshold(100_000, 10, 100)  # else a seventh of a run looks for reference cycles in what TensorFlow keeps


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Shares the tests of a run with `--dist loadgroup` among its workers."""
    return sharing.scheduler(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Has the files that take longest run first, where several workers share the tests."""
    if hasattr(config, "workerinput"):
        sharing.longest_first(items)


@pytest.fixture(autouse=True)
def without_the_switch_of_tensorflow_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """TensorFlow 2 sets TF2_BEHAVIOR when it is imported; a genuine 1.15 that inherits it runs eagerly."""
    monkeypatch.delenv("TF2_BEHAVIOR", raising=False)


@pytest.fixture
def old_control_flow() -> Iterator[None]:
    """Graphs have the operations of TensorFlow 1.x for conditions and loops, such as `Switch` and `Merge`."""
    from tensorflow.compat import v1

    was = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    yield
    if was:
        v1.enable_control_flow_v2()


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
