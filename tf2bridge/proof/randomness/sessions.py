"""Sessions feed each run the seeds of its draws."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from tf2bridge.patching import put
from tf2bridge.proof.randomness import graphs
from tf2bridge.proof.randomness.refusals import UncontrolledCallError


def install(control: Any) -> None:
    """Hooks all that runs a graph in a session."""
    from tf2bridge.internals.sessions import session as client

    base = client.BaseSession
    original = base.run

    @functools.wraps(original)
    def run(self: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        handler = client._FetchHandler(self.graph, fetches, {})
        wanted = [*handler.fetches(), *handler.targets()]
        added = graphs.feeds(control, self.graph, wanted, list(_fed(client, self.graph, feed_dict)))
        if added is not None:
            feed_dict = {**(feed_dict or {}), added[0]: added[1]}
        return original(self, fetches, feed_dict, options, run_metadata)

    def make_callable(self: Any, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Any:
        del accept_options  # `run` takes options always
        return lambda *given, **options: self.run(fetches, dict(zip(feed_list or [], given, strict=True)), **options)

    put(base, "run", run)
    put(base, "make_callable", functools.wraps(base.make_callable)(make_callable))
    put(base, "_make_callable_from_options", _from_options(control, base._make_callable_from_options))
    put(base, "partial_run_setup", _refused)


def _fed(client: Any, graph: Any, feed_dict: Any) -> Iterator[Any]:
    """Yields the tensors that are fed; what cannot be fed, `run` itself refuses."""
    for key, value in client.nest.flatten_dict_items(feed_dict or {}).items():
        expand = next((row[2] for row in client._REGISTERED_EXPANSIONS if isinstance(key, row[0])), None)
        for part, _ in expand(key, value) if expand else ():
            yield graph.as_graph_element(part, allow_operation=False)


def _from_options(control: Any, original: Any) -> Any:
    """Returns what the old Keras runs its graphs by."""

    @functools.wraps(original)
    def make(self: Any, options: Any) -> Any:
        graph = self.graph
        fetched = [graph.as_graph_element(name) for name in (*options.fetch, *options.target)]
        fed = [graph.as_graph_element(name) for name in options.feed]
        if graphs.draws_of(control, graph, fetched, fed) is None:
            return original(self, options)
        changed = type(options)()
        changed.CopyFrom(options)
        changed.feed.append(f"{graphs.PLACEHOLDER}:0")
        made = original(self, changed)

        def call(*given: Any, **more: Any) -> Any:
            added = graphs.feeds(control, graph, fetched, fed)
            assert added is not None
            return made(*given, added[1], **more)

        return call

    return make


def _refused(*_: Any, **__: Any) -> Any:
    raise UncontrolledCallError("Session.partial_run", "run what you need in one Session.run")
