"""Replaces methods of TensorFlow's sessions during a recording."""

import sys
import threading

from tf2bridge.proof.recording.encoding import describe
from tf2bridge.proof.recording.selection import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable

_METHODS = (
    "run",
    "partial_run",
    "partial_run_setup",
    "make_callable",
    "_make_callable_from_options",
    "_do_run",
    "close",
)


class Call(object):
    """One call while it is made.

    Attributes:
        kind: "run", "partial" or "callable".
        plan: what it fetches; None if that is nothing that TensorFlow takes.
        feed_dict: what is fed, as the program gave it, or a recorder that steers the program.
        fed: {tensor, or a reference to one, or its name: array}, as it went into TensorFlow; None before it did.
        results: the values of the plan's elements; None if the call failed.
        handle: of a partial run.
        steered: names of tensors that the recorder feeds, and does not record.
    """

    def __init__(self, session, kind, plan, feed_dict=None):
        # type: (Any, str, Plan | None, Any) -> None
        self.session, self.kind, self.plan, self.feed_dict = session, kind, plan, feed_dict
        self.fed = None  # type: Any
        self.results = None  # type: list[Any] | None
        self.error = None  # type: str | None
        self.handle = None  # type: int | None
        self.steered = set()  # type: set[str]


class Hooks(object):
    """Passes every call of a session to a recorder. The program gets the same results as without a recorder.

    Args:
        recorder: a `Recorder`: its `attempt` does a step, `begin` and `begin_named` make a `Call`, `record` writes it.
    """

    def __init__(self, recorder):
        # type: (Any) -> None
        self._recorder = recorder
        self._thread = threading.local()
        self.originals = {}  # type: dict[str, Any]

    def install(self):
        # type: () -> None
        """Replaces the methods; imports TensorFlow."""
        from tensorflow.python.client import session as client

        self._client = client
        self.originals = {name: vars(client.BaseSession)[name] for name in _METHODS if name in vars(client.BaseSession)}
        for name, original in self.originals.items():
            setattr(client.BaseSession, name, getattr(self, "_new_" + name.lstrip("_"))(original))

    def remove(self):
        # type: () -> None
        """Restores the methods."""
        for name, original in self.originals.items():
            setattr(self._client.BaseSession, name, original)

    def expansion(self, item):
        # type: (Any) -> Any
        """Returns TensorFlow's row (type, fetching, feeding, feeding of a partial run) for a leaf."""
        return next(row for row in self._client._REGISTERED_EXPANSIONS if isinstance(item, row[0]))

    def given(self, graph, feed_dict):
        # type: (Any, Any) -> list[tuple[Any, Any]]
        """Returns a feed_dict as (tensor, value)."""
        rows = []
        for key, value in self._client.nest.flatten_dict_items(feed_dict or {}).items():
            for part, given in self.expansion(key)[2](key, value):
                rows.append((graph.as_graph_element(part, allow_operation=False), given))
        return rows

    def _made(self, call, frame, fetches, make):
        # type: (Call, Any, Any, Callable[[Any], Any]) -> Any
        """Makes a call, records it, and returns the result for the program.

        If the program's result differs from the elements of the plan, both are fetched in one call: TensorFlow fetches
        a tensor once.
        """
        calls = vars(self._thread).setdefault("calls", [])
        calls.append(call)
        try:
            if call.plan is None:
                return make(fetches)
            if call.plan.form and call.kind != "callable":
                wanted = make(fetches)
                call.results = [wanted] if call.plan.form == "one" else list(wanted)
                return wanted
            wanted, call.results = make([fetches, call.plan.elements])
            return wanted
        except BaseException as problem:
            call.error = describe(problem)
            raise
        finally:
            calls.pop()
            self._recorder.attempt(self._recorder.record, call, frame)

    def _new_run(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def run(session, fetches, feed_dict=None, options=None, run_metadata=None):
            # type: (Any, Any, Any, Any, Any) -> Any
            frame = sys._getframe(1)
            call = self._recorder.attempt(self._recorder.begin, session, "run", fetches, feed_dict, frame)
            if call is None:
                return original(session, fetches, feed_dict, options, run_metadata)
            given = call.feed_dict
            return self._made(call, frame, fetches, lambda f: original(session, f, given, options, run_metadata))

        return run

    def _new_do_run(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def do_run(session, handle, target_list, fetch_list, feed_dict, *rest):
            # type: (Any, Any, Any, Any, Any, *Any) -> Any
            calls = getattr(self._thread, "calls", None)
            if calls and calls[-1].session is session and calls[-1].fed is None:
                calls[-1].fed = feed_dict
            return original(session, handle, target_list, fetch_list, feed_dict, *rest)

        return do_run

    def _new_partial_run_setup(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def partial_run_setup(session, fetches, feeds=None):
            # type: (Any, Any, Any) -> Any
            handle = original(session, fetches, feeds)
            self._recorder.attempt(self._recorder.handle, session, handle)
            return handle

        return partial_run_setup

    def _new_partial_run(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def partial_run(session, handle, fetches, feed_dict=None):
            # type: (Any, Any, Any, Any) -> Any
            frame = sys._getframe(1)
            call = self._recorder.attempt(self._recorder.begin, session, "partial", fetches, feed_dict, frame)
            if call is None:
                return original(session, handle, fetches, feed_dict)
            call.handle = self._recorder.attempt(self._recorder.handle, session, handle)
            return self._made(call, frame, fetches, lambda f: original(session, handle, f, feed_dict))

        return partial_run

    def _new_make_callable(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def make_callable(session, fetches, feed_list=None, accept_options=False):
            # type: (Any, Any, Any, bool) -> Any
            first = None
            if feed_list is None:  # else it calls `run`
                first = self._recorder.attempt(
                    self._recorder.begin, session, "callable", fetches, None, sys._getframe(1)
                )
            if first is None or first.plan is None:
                return original(session, fetches, feed_list, accept_options)
            inner = original(session, [fetches, first.plan.elements], None, accept_options)

            def recorded(*options, **named):
                # type: (*Any, **Any) -> Any
                call = Call(session, "callable", first.plan)
                return self._made(call, sys._getframe(1), fetches, lambda _: inner(*options, **named))

            return recorded

        return make_callable

    def _new_make_callable_from_options(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def make_callable_from_options(session, callable_options):
            # type: (Any, Any) -> Any
            first = self._recorder.attempt(self._recorder.begin_named, session, callable_options)
            if first is None:
                return original(session, callable_options)
            more = type(callable_options)()
            more.CopyFrom(callable_options)
            more.fetch.extend(first.plan.inner)
            inner, wanted = original(session, more), len(callable_options.fetch)
            feeds, targets = list(callable_options.feed), [None] * len(callable_options.target)

            def recorded(*values, **named):
                # type: (*Any, **Any) -> Any
                call = Call(session, "callable", first.plan)
                call.fed = dict(zip(feeds, values))

                def make(_):
                    # type: (Any) -> Any
                    got = inner(*values, **named)
                    return got[:wanted], list(got[:wanted]) + targets + list(got[wanted:])

                return self._made(call, sys._getframe(1), None, make)

            return recorded

        return make_callable_from_options

    def _new_close(self, original):
        # type: (Callable[..., Any]) -> Callable[..., Any]
        def close(session):
            # type: (Any) -> None
            self._recorder.attempt(self._recorder.closing, session)
            original(session)

        return close
