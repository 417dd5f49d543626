"""Lists the uses of TensorFlow in a tree that do not work today: names, imports and calls, with their places.

It uses the data beside this file, and never imports TensorFlow in this process. `codemods check --resolve` prints the
list. A child process then imports the names that exist according to the data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from codemods.calls import is_plain
from codemods.generation import is_second
from codemods.names import Names, root_of
from codemods.plain import builds_the_same, is_the_same
from codemods.project import Project
from codemods.rule import Finding
from codemods.scopes import stands_for
from codemods.settings import Settings
from codemods.source import SourceFile
from codemods.symbols import Answer, loaded, longest
from codemods.symbols.exports import State, binds, guarded, status

_HEADS = ("tensorflow.", "tf2bridge.v1.", "tf2bridge.v0.")


class Kind(Enum):
    """The kind of a dead use. CHANGED: the name exists, with another meaning than in TensorFlow 1 (`tf.where`)."""

    NAME = "name"
    IMPORT = "import"
    CALL = "call"
    CHANGED = "changed"


@dataclass(frozen=True)
class Dead:
    """A use that does not work on TensorFlow 2.21 with tf2bridge. `reported`: whether a finding covers its line."""

    line: int
    name: str
    kind: Kind
    reason: str
    path: str = ""
    cell: int | None = None
    reported: bool = False


@dataclass(frozen=True)
class Census:
    """Counts of uses and imports of TensorFlow, and the dead ones.

    Attributes:
        uses: The number of uses of TensorFlow's names.
        imports: The number of imports of its modules.
        dead: The uses and imports that do not work.
        unread: The paths of files that could not be read.
        there: The uses that must be importable, in the form of dead ones. `name` is the argument of `loaded.failures`.
        tried: Whether the uses in `there` have been imported.
    """

    uses: int
    imports: int
    dead: tuple[Dead, ...]
    unread: tuple[str, ...] = ()
    there: tuple[Dead, ...] = ()
    tried: bool = False

    @property
    def unreported(self) -> tuple[Dead, ...]:
        """The dead uses that no finding covers."""
        return tuple(use for use in self.dead if not use.reported)


def take(sources: Iterable[SourceFile], findings: Iterable[Finding] = ()) -> Census:
    """Returns the census of the texts. `findings` are the findings of a check of the same texts."""
    from codemods.batch import gather  # the engine's rules answer from this package

    batch, project = gather(Settings(), sources)
    reported = {(f.path, f.cell, line) for f in findings for line in range(f.line, f.end_line + 1)}
    uses = imports = 0
    dead: list[Dead] = []
    importable: list[Dead] = []
    for item in batch.ready:
        names = item.read()
        chains = [chain for chain in names.chains if (names.qualified(chain) or "").startswith(_HEADS)]
        uses += len(chains)
        imports += sum(1 for _ in _imported(names))
        uses_found = [*_dead_uses(names, chains, _in_graph_mode(item.facts.path, project)), *_dead_imports(names)]
        dead += [_placed(use, item.source, reported) for use in uses_found]
        importable += [_placed(use, item.source, reported) for use in _there(names, chains)]
    unread = tuple(item.path for item in batch.unready)
    return Census(uses, imports, _in_order(dead), unread, tuple(importable))


def _in_order(dead: Iterable[Dead]) -> tuple[Dead, ...]:
    return tuple(sorted(dead, key=lambda row: (row.path, row.cell or 0, row.line)))


def _there(names: Names, chains: list[ast.Name | ast.Attribute]) -> Iterator[Dead]:
    """Yields the names that exist according to the data and that the program needs."""
    tried = guarded(names)
    for node, full_name in _imported(names):
        if node not in tried and status(full_name).state is not State.MISSING:
            yield Dead(node.lineno, _taken(node, full_name), Kind.IMPORT, "")
    for chain in chains:
        now = status(names.qualified(chain) or "")
        if chain not in tried and now.state is State.OK:
            yield Dead(chain.lineno, now.part, Kind.NAME, "")


def _taken(node: ast.stmt, full_name: str) -> str:
    if isinstance(node, ast.ImportFrom):
        return f"{node.module}:{full_name.removeprefix(str(node.module)).lstrip('.') or '*'}"
    return full_name


def tried(census: Census) -> Census:
    """Returns the census after all names in `there` have been imported. Names that cannot be imported are dead.

    An import of tf2bridge that the data do not know counts as alive if it works. Without TensorFlow in this Python, the
    census is returned unchanged.
    """
    doubted = [row for row in census.dead if row.kind is Kind.IMPORT and row.name.startswith("tf2bridge.")]
    failed = loaded.failures(row.name for row in (*census.there, *doubted))
    if failed is None:
        return census
    alive = {row for row in doubted if row.name not in failed}
    known = {(row.path, row.cell, row.line) for row in census.dead}
    more = [
        replace(row, name=row.name.replace(":", ".").removesuffix(".*"), reason=failed[row.name])
        for row in census.there
        if row.name in failed and (row.path, row.cell, row.line) not in known
    ]
    return replace(census, dead=_in_order({*census.dead, *more} - alive), tried=True)


def _placed(dead: Dead, source: SourceFile, reported: set[tuple[str, int | None, int]]) -> Dead:
    cell, line = source.place(dead.line)
    is_reported = (source.path, cell, line) in reported
    return replace(dead, path=source.path, cell=cell, line=line, reported=is_reported)


def of_paths(paths: Iterable[Path], settings: Settings) -> Census:
    """Returns the census of files and directories on disk, with the findings of a check."""
    from codemods.engine import check_paths
    from codemods.reading import read
    from codemods.results import Changed, Unchanged

    findings: list[Finding] = []
    sources: list[SourceFile] = []
    for result in check_paths(paths, settings):
        if not isinstance(result, Changed | Unchanged):
            continue
        findings += result.findings
        source = read(Path(result.path), settings)
        sources += [source] if isinstance(source, SourceFile) else []
    return take({source.path: source for source in sources}.values(), findings)


def _in_graph_mode(path: str, project: Project) -> bool:
    """Returns whether the file does not use TensorFlow 2, and belongs to a program that switches graph mode on."""
    if is_second(path, project):
        return False
    around = project.reaches(path) | project.reached_by(path)
    return any(project.files[file].switched for file in around)


def _dead_uses(names: Names, chains: list[ast.Name | ast.Attribute], graph: bool) -> Iterator[Dead]:
    calls = {call.func: call for call in names.nodes.get(ast.Call, []) if isinstance(call, ast.Call)}
    tried = guarded(names)
    for chain in chains:
        full_name = names.qualified(chain) or ""
        if isinstance(chain, ast.Name) and names.bindings(chain) and _is_import(names, chain):
            now = status(full_name)
            if now.state is State.MISSING:  # the import is reported
                continue
        now = status(full_name)
        line = chain.lineno
        call = calls.get(chain)
        if call is not None and (gone := stands_for(call)):
            yield Dead(line, gone, Kind.NAME, f"{status(gone).part} does not exist; its first use raises an error")
            continue
        if now.state is State.MISSING:
            if not _root_is_dead(chain, names) and chain not in tried:
                yield Dead(line, full_name, Kind.NAME, f"{now.part} does not exist")
            continue
        if graph and (reason := _changed(full_name, call)):
            yield Dead(line, full_name, Kind.CHANGED, reason)
        if call is not None and now.takes is not None and now.part == full_name and (why := _unbound(call, now.takes)):
            yield Dead(line, full_name, Kind.CALL, f"{full_name} {why}")


def _unbound(call: ast.Call, takes: str) -> str | None:
    positional = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
    keywords = [keyword.arg for keyword in call.keywords if keyword.arg]
    return binds(takes, len(positional), keywords, open_ended=not is_plain(call))


def _changed(full_name: str, call: ast.Call | None) -> str | None:
    """Returns why a plain tf.X of a graph-mode program should be tf.compat.v1.X or tf2bridge.v1.X; else None."""
    if not full_name.startswith("tensorflow.") or full_name.startswith(("tensorflow.compat.", "tensorflow.python.")):
        return None
    match = longest(full_name.removeprefix("tensorflow."))
    if match is None or match[0].module or match[0].answer not in (Answer.COMPAT, Answer.BRIDGE):
        return None
    if full_name == f"tensorflow.{match[0].name}" and _is_plain(call, match[0].name):
        return None
    return f"{match[0].qualified} computes what it computed in TensorFlow 1"


def _is_plain(call: ast.Call | None, name: str) -> bool:
    return is_the_same(name) if call is None else builds_the_same(call, name)


def _is_import(names: Names, root: ast.Name) -> bool:
    return any(binding.imported for binding in names.bindings(root))


def _root_is_dead(chain: ast.Name | ast.Attribute, names: Names) -> bool:
    """Returns whether the import or alias at the start of the name is dead. Then the import counts once instead."""
    root = root_of(chain)
    full_name = names.qualified(root) if root is not None else None
    if full_name is None or full_name in ("tensorflow", "tensorflow.compat.v1"):
        return False
    return status(full_name).state is State.MISSING


def _imported(names: Names) -> Iterator[tuple[ast.stmt, str]]:
    """Yields each name of TensorFlow in an import statement, with the statement."""
    for node in names.nodes.get(ast.Import, []):
        assert isinstance(node, ast.Import)
        yield from ((node, alias.name) for alias in node.names if alias.name.startswith(_HEADS))
    for node in names.nodes.get(ast.ImportFrom, []):
        assert isinstance(node, ast.ImportFrom)
        module = node.module or ""
        if node.level == 0 and f"{module}.".startswith(_HEADS):
            yield from ((node, module if alias.name == "*" else f"{module}.{alias.name}") for alias in node.names)


def _dead_imports(names: Names) -> Iterator[Dead]:
    tried = guarded(names)
    for node, full_name in _imported(names):
        now = status(full_name)
        if now.state is State.MISSING and node not in tried:
            yield Dead(node.lineno, full_name, Kind.IMPORT, f"{now.part} does not exist")


def show(paths: Iterable[Path], settings: Settings) -> Census:
    """Prints the census of the files on disk: the dead uses on stdout, their counts on stderr."""
    import click

    from codemods.printable import printable

    census = tried(of_paths(paths, settings))
    for use in census.dead:
        cell = "" if use.cell is None else f"cell {use.cell}:"
        note = "" if use.reported else " [reported by no rule]"
        click.echo(printable(f"{use.path}:{cell}{use.line}: {use.name}: {use.reason}{note}"))
    click.echo(sentence(census), err=True)
    return census


def sentence(census: Census) -> str:
    """Returns the counts as one line."""
    by_kind = {kind: [use for use in census.dead if use.kind is kind] for kind in Kind}
    counts = f"{len(by_kind[Kind.NAME]) + len(by_kind[Kind.CALL])} dead uses, {len(by_kind[Kind.IMPORT])} dead imports"
    changed = f", {len(by_kind[Kind.CHANGED])} of another meaning" if by_kind[Kind.CHANGED] else ""
    silent = len(census.unreported)
    reported_note = "each reported at its line" if not silent else f"{silent} of them reported by no rule"
    reported_note = f" ({reported_note})" if census.dead else ""
    import_note = "" if census.tried else "; not imported, as this Python has no TensorFlow"
    return (
        f"{census.uses} uses of TensorFlow and {census.imports} imports: {counts}{changed}{reported_note}{import_note}"
    )
