"""Finds the vocabulary files of a graph's tables: the recorded paths are those of the machine that made the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath

from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.formats.graphs.refusals import NoVocabularyError


@dataclass(frozen=True)
class Vocabularies:
    """The vocabulary files that a user gives.

    `given` is name -> file. A name is the recorded path, its last part, or the tensor that holds the path.
    """

    given: Mapping[str, str | Path] = field(default_factory=dict)

    def path(self, graph: LegacyGraph, endpoint: str, recorded: str, permitted: bool) -> Path:
        """Returns the vocabulary file for a recorded path.

        It is the file that the user gives, an asset of the SavedModel, or the file of the same name beside the graph.

        Args:
            graph: the graph.
            endpoint: the tensor that holds the path.
            recorded: the path in the graph.
            permitted: whether the recorded path itself may be read.

        Raises:
            NoVocabularyError: there is no such file.
        """
        name = PureWindowsPath(recorded).name  # it splits paths with slashes, too
        for key in (endpoint, node_of(endpoint), recorded, name):
            if key in self.given:
                return self._existing(Path(self.given[key]), endpoint, recorded)
        beside = graph.path.parent / name
        files = [path for path in (graph.assets.get(endpoint), beside) if path is not None and name and path.is_file()]
        if files:
            return files[0]
        if permitted:
            return self._existing(Path(recorded), endpoint, recorded)
        raise NoVocabularyError(graph.path, endpoint, recorded)

    def _existing(self, path: Path, endpoint: str, recorded: str) -> Path:
        if not path.is_file():
            raise NoVocabularyError(path, endpoint, recorded)
        return path
