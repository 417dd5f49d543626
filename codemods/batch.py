"""A batch: some files of a run, from their first reading to their results. One process works on one batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from codemods.check import check_source
from codemods.errors import CodemodsError
from codemods.facts import Facts
from codemods.limits import limited
from codemods.prepare import Prepared, Unready, facts_of_text, prepare
from codemods.project import Project
from codemods.results import Failed, FileResult
from codemods.rule import Rule
from codemods.settings import Settings
from codemods.source import SourceFile

# Trees and names of this much text are kept from the first reading to the second (about 30 bytes a character); those
# of one file alone always: it is only ever one tree.
_KEPT_CHARACTERS = 2_000_000

Tell = Callable[[], None]


def quiet() -> None:
    """Does nothing when a step is done."""


class Batch:
    """The files of one process. They are prepared, then get the meaning of star imports, then are checked."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.ready: list[Prepared] = []
        self.unready: list[Unready] = []

    def prepare(self, sources: Iterable[SourceFile], tell: Tell = quiet) -> list[Facts]:
        """Parses every file, and converts Python 2 first. Returns the facts of the readable files."""
        sources = list(sources)
        kept = 0
        for source in sources:
            kept += len(source.text)
            convert = self.settings.at(source.path).wants("PY2001")
            kept_names = kept < _KEPT_CHARACTERS or len(sources) == 1
            result = prepare(source, convert, kept_names, with_tensorflow=self.settings.target != "bridge")
            if isinstance(result, Prepared):
                self.ready.append(result)
            else:
                self.unready.append(result)
            tell()
        return [item.facts for item in self.ready]

    def inherit(self, project: Project) -> list[Facts]:
        """Gives the files the names of their star imports from local modules. Returns the facts that have changed."""
        changed: list[Facts] = []
        ready: list[Prepared] = []
        for item in self.ready:
            try:
                ready.append(_with_names(item, project) if project.stars(item.facts.path) else item)
            except CodemodsError as error:
                self.unready.append(Unready(item.source.path, str(error)))
                continue
            if ready[-1] is not item:
                changed.append(ready[-1].facts)
        self.ready = ready
        return changed

    def check(
        self,
        project: Project,
        chosen: Callable[[str], bool],
        tell: Tell = quiet,
        rules: tuple[Rule, ...] | None = None,
        bridged: bool = False,
    ) -> Iterator[FileResult]:
        """Yields the result of every chosen file by `rules` (None: all). Unreadable files come first.

        `bridged`: as `Context.bridged`.
        """
        yield from (Failed(item.path, item.error) for item in self.unready if chosen(item.path))
        for index, item in enumerate(self.ready):
            if chosen(item.source.path):
                yield check_source(item, self.settings.at(item.source.path), project, rules, bridged)
                self.ready[index] = replace(item, names=None)  # its tree is no longer needed
                tell()


def _with_names(item: Prepared, project: Project) -> Prepared:
    """Returns the file with its names from star imports, or the file itself if it has none."""
    with limited(item.source.path, len(item.source.text)):
        names = item.read()
        inherited = project.inherited(item.facts.path, frozenset(node.id for node in names.scopes))
        if not inherited:
            return item
        names.inherit(inherited)
        facts = facts_of_text(item.source.path, names)
    return replace(item, facts=facts, names=item.names and names, inherited=inherited)


def gather(settings: Settings, sources: Iterable[SourceFile], tell: Tell = quiet) -> tuple[Batch, Project]:
    """Returns one batch of all the files, ready to be checked, and their project."""
    batch = Batch(settings)
    files = {facts.path: facts for facts in batch.prepare(sources, tell)}
    files.update((facts.path, facts) for facts in batch.inherit(Project(dict(files))))
    return batch, Project(files)
