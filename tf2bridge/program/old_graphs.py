"""Names of networkx 1 and 2 that networkx 2.4 and 3.0 removed.

Source: the release notes of networkx 2.4 and 3.0. Classes whose names began with `Ordered` were the plain ones with
dictionaries that keep their order, which all dictionaries do since Python 3.7.
"""

from __future__ import annotations

import functools
import importlib
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ORDERED = {f"Ordered{kind}": kind for kind in ("Graph", "DiGraph", "MultiGraph", "MultiDiGraph")}
_COMPONENTS = ("connected", "strongly_connected", "weakly_connected", "biconnected")


def names(networkx: ModuleType) -> dict[str, Any]:
    """Returns the names that the package had."""
    classes = {old: getattr(networkx, new) for old, new in ORDERED.items()}
    subgraphs = {
        f"{kind}_component_subgraphs": _subgraphs(getattr(networkx, f"{kind}_components")) for kind in _COMPONENTS
    }
    return {
        **classes,
        **subgraphs,
        "to_numpy_matrix": functools.partial(_matrix, networkx.to_numpy_array),
        "from_numpy_matrix": networkx.from_numpy_array,
        "read_gpickle": _read_pickle,
        "write_gpickle": _write_pickle,
    }


def _subgraphs(components: Callable[[Any], Any]) -> Callable[..., Iterator[Any]]:
    def subgraphs(G: Any, copy: bool = True) -> Iterator[Any]:  # noqa: N803  # as networkx calls it
        """Yields the subgraph of each component."""
        for nodes in components(G):
            yield G.subgraph(nodes).copy() if copy else G.subgraph(nodes)

    return subgraphs


def _matrix(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    return importlib.import_module("numpy").asmatrix(function(*args, **options))


def _read_pickle(path: str) -> Any:
    return pickle.loads(Path(path).read_bytes())  # the program asks networkx to unpickle its own file


def _write_pickle(G: Any, path: str, protocol: int = pickle.HIGHEST_PROTOCOL) -> None:  # noqa: N803  # as networkx calls it
    Path(path).write_bytes(pickle.dumps(G, protocol))
