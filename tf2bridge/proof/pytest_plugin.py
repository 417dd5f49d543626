"""The pytest plugin: fixtures `tf1_graph`, `equivalence` and `trace`, the mark `tf1` and `--tf2bridge-update`.

Every pytest run of an environment imports it: TensorFlow and NumPy are not, before a test asks for a fixture.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tf2bridge.errors import BridgeError

if TYPE_CHECKING:
    from tf2bridge.proof.testing.graphs import TF1Graph
    from tf2bridge.proof.testing.tracing import TestTrace

_UPDATE = "tf2bridge_update"
_COUNTS = "tf2bridge_counts"
_COUNTED = pytest.StashKey[dict[str, int]]()
"""How many tensors were "compared", and how many "stored"."""
_MARK = (
    "tf1(seed=None, api='1.15'): the test builds and runs a TF 1.x graph of its own, with this graph seed and the op "
    "seeds and behaviour of that release (tf2bridge)"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--tf2bridge-update` and `--tf2bridge-update=force`."""
    group = parser.getgroup("tf2bridge", "proof of migrated TensorFlow code")
    group.addoption(
        "--tf2bridge-update",
        action="store_const",
        const="new",
        default="",
        dest=_UPDATE,
        help="Store the traces and values of the tests, as computed here; those of genuine TensorFlow 1.x are kept.",
    )
    group.addoption(
        "--tf2bridge-update=force",  # an option of its own: an optional value would swallow the path after it
        action="store_const",
        const="force",
        dest=_UPDATE,
        help="Store them in place of those of genuine TensorFlow, too.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Registers the mark."""
    config.addinivalue_line("markers", _MARK)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test marked `tf1` has its graph whether or not it names the fixture."""
    names = getattr(item, "fixturenames", None)
    if names is not None and "tf1_graph" not in names and item.get_closest_marker("tf1") is not None:
        names.append("tf1_graph")


@pytest.fixture
def tf1_graph(request: pytest.FixtureRequest) -> Iterator[TF1Graph]:
    """Yields a default graph for one test, with `session`, `run` and `initialize`; nothing of it outlives the test."""
    mark = request.node.get_closest_marker("tf1")
    with ExitStack() as stack:
        with _saying():
            from tf2bridge.proof.testing.graphs import tf1_graph as isolated

            entered = stack.enter_context(isolated(*(mark.args if mark else ()), **(mark.kwargs if mark else {})))
        yield entered


class Equivalence:
    """`equivalence(old, new, inputs)` is `proof.assert_equivalent`; `equivalence.golden(name, values)` compares with
    what is stored as `<folder of the test>/golden/<test>.<name>.npz`."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request
        self.asked = False
        """Whether the test has asked for a comparison, even if the comparison failed."""

    def __call__(
        self,
        old: Any,
        new: Any,
        inputs: Any = None,
        *,
        rtol: float | None = None,
        atol: float | None = None,
        names: Sequence[str] | None = None,
        plan: Any = None,
        match: str = "",
        subset: bool = False,
        initial: bool = False,
        every_tensor: bool = False,
        starts: Any = None,
        ranges: Mapping[str, tuple[float, float]] | None = None,
    ) -> Any:
        """Returns the rows of the comparison, or fails with its table. The arguments are those of `assert_equivalent`.

        The test fails with one line for an error of the user.
        """
        __tracebackhide__ = True
        self.asked = True
        with _saying():
            from tf2bridge.proof.testing.equivalence import assert_equivalent

            rows = assert_equivalent(
                old,
                new,
                inputs,
                rtol=rtol,
                atol=atol,
                names=names,
                plan=plan,
                match=match,
                subset=subset,
                initial=initial,
                every_tensor=every_tensor,
                starts=starts,
                ranges=ranges,
            )
            _count(self._request.config, compared=len(rows))
            return rows

    def golden(self, name: str, values: Any, *, rtol: float | None = None, atol: float | None = None) -> None:
        """Compares an array, or a nest of them, with the stored one; `--tf2bridge-update` stores it."""
        __tracebackhide__ = True
        from tf2bridge.proof.numbers.tolerance import Tolerance
        from tf2bridge.proof.testing.golden import held_to

        self.asked = True
        with _saying():
            tolerance, update = Tolerance(rtol, atol), _update(self._request)
            count = held_to(_stored(self._request, "golden", f".{name}.npz"), values, tolerance, update)
            _count(self._request.config, **{"stored" if update else "compared": count})


@pytest.fixture
def equivalence(request: pytest.FixtureRequest) -> Equivalence:
    """Asserts that old and new compute the same, `equivalence(old, new, inputs)`, or what is stored."""
    with _saying():
        from tf2bridge.proof.replaying.process import require_tensorflow

        require_tensorflow("the fixture `equivalence`")
    return Equivalence(request)


@pytest.fixture
def trace(request: pytest.FixtureRequest) -> Iterator[TestTrace]:
    """Records what the test's sessions run and, when it has passed, compares it with `<folder>/traces/<test>.trace`."""
    with _saying():
        from tf2bridge.proof.testing.tracing import TestTrace

        path = _stored(request, "traces", ".trace")
        recording = TestTrace(path, request.path.parent, request.node.nodeid, _update(request))
    try:
        yield recording
    finally:
        recording.discard()


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
    """The comparison with the stored trace is part of the test, so that it fails and has no error in its teardown."""
    outcome = yield
    if outcome.excinfo is not None:
        return
    equivalence: Any = pyfuncitem.funcargs.get("equivalence")
    recording: Any = pyfuncitem.funcargs.get("trace")
    try:
        if isinstance(equivalence, Equivalence) and not equivalence.asked:
            raise AssertionError(f"{pyfuncitem.nodeid} asks for `equivalence`, but compared nothing with it")
        if type(recording).__name__ == "TestTrace":
            count = recording.finish()
            _count(pyfuncitem.config, **{"stored" if _update(pyfuncitem) else "compared": count})
    except (BridgeError, AssertionError) as error:
        outcome.force_exception(pytest.fail.Exception(str(error), pytrace=False))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says how many tensors were compared, and how many were stored, which compares nothing."""
    counted = config.stash.get(_COUNTED, {})
    if counted.get("compared"):
        terminalreporter.write_line(f"tf2bridge: {counted['compared']} tensors compared")
    if counted.get("stored"):
        message = f"tf2bridge: {counted['stored']} tensors stored, which compares nothing: run again without the update"
        terminalreporter.write_line(message, red=True)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Adds what a worker of pytest-xdist counted."""
    _count(node.config, **getattr(node, "workeroutput", {}).get(_COUNTS, {}))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hands what a worker of pytest-xdist counted to the process that sums up; there, an update is no success."""
    counted = session.config.stash.get(_COUNTED, {})
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_COUNTS] = counted
    elif counted.get("stored") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _count(config: pytest.Config, **more: int) -> None:
    counted = config.stash.setdefault(_COUNTED, {})
    for kind, count in more.items():
        counted[kind] = counted.get(kind, 0) + count


@contextmanager
def _saying() -> Iterator[None]:
    """Says an error of the user's in one line, without a traceback of ours."""
    __tracebackhide__ = True
    try:
        yield
    except BridgeError as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


def _stored(request: pytest.FixtureRequest, folder: str, suffix: str) -> Path:
    from tf2bridge.proof.testing.places import stored_at

    return stored_at(request.path, request.node.nodeid, folder, suffix)


def _update(request: pytest.FixtureRequest | pytest.Item) -> str:
    return str(request.config.getoption(_UPDATE))
