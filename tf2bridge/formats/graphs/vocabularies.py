"""Where the files are that a graph fills its tables from: the path in it is that of the machine it was made on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath

from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.formats.graphs.refusals import NoVocabularyError


@dataclass(frozen=True)
class Vocabularies:
    """`given`: name -> the file to read instead. A name is the recorded path, its last part, or the path's tensor."""

    given: Mapping[str, str | Path] = field(default_factory=dict)

    def path(self, graph: LegacyGraph, endpoint: str, recorded: str, permitted: bool) -> Path:
        """Returns the file for a recorded path, held by a tensor: one given by the user, an asset of the SavedModel,
        or one of the same name beside the graph. The recorded path itself only if `permitted`.

        Raises NoVocabularyError where there is none.
        """
        name = PureWindowsPath(recorded).name  # of a path with slashes too
        for key in (endpoint, node_of(endpoint), recorded, name):
            if key in self.given:
                return self._existing(Path(self.given[key]), endpoint, recorded)
        beside = graph.path.parent / name
        found = [path for path in (graph.assets.get(endpoint), beside) if path is not None and name and path.is_file()]
        if found:
            return found[0]
        if permitted:
            return self._existing(Path(recorded), endpoint, recorded)
        raise NoVocabularyError(graph.path, endpoint, recorded)

    def _existing(self, path: Path, endpoint: str, recorded: str) -> Path:
        if not path.is_file():
            raise NoVocabularyError(path, endpoint, recorded)
        return path
