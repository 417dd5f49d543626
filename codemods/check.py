"""Checks one file with all rules at once.

ast finds the hits, and LibCST rewrites the smallest expression that changes.

`check_source` does not raise: an error of one file is that file's result.
"""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import replace

from codemods import era
from codemods.context import Context, Era
from codemods.edit import Marked, Rewritten, rewrite
from codemods.errors import CodemodsError
from codemods.limits import limited
from codemods.names import Names
from codemods.prepare import Prepared
from codemods.project import Project
from codemods.registry import dispatch
from codemods.results import Changed, Failed, FileResult, Unchanged
from codemods.rule import Finding, Rule, Use
from codemods.settings import Settings, codes
from codemods.source import SourceFile

# Edits that exclude each other are made one after the other; more rounds than this means that rules undo each other.
_ROUNDS = 6
_OF_A_PACKAGE = (Use, ast.Call)
_IGNORE = re.compile(r"#\s*codemods:\s*ignore(?:\[([A-Za-z0-9, ]*)\])?")


def check_source(
    prepared: Prepared,
    settings: Settings,
    project: Project,
    rules: tuple[Rule, ...] | None = None,
    bridged: bool = False,
) -> FileResult:
    """Checks one file with every chosen rule (of `rules`, or of all), and returns its findings and new text.

    `bridged`: as `Context.bridged`.
    """
    source = prepared.source
    try:
        with limited(source.path, len(source.text)):
            text, findings = _rounds(prepared, settings, project, rules, bridged)
        findings = tuple(_placed(finding, source) for finding in findings)
        if text == source.text:
            bridged = "tf2bridge" in source.text
            return Unchanged(source.path, findings, bridged, bridged or "tensorflow" in source.text)
        return Changed(source.path, findings, source.encode(source.text), source.encode(text))
    except CodemodsError as error:
        return Failed(source.path, str(error))
    except Exception as error:  # a rule's defect must not stop the rest of the tree
        return Failed(source.path, f"{source.path}: a rule failed ({type(error).__name__}: {error}); please report it")


def _rounds(
    prepared: Prepared, settings: Settings, project: Project, rules: tuple[Rule, ...] | None, bridged: bool
) -> tuple[str, tuple[Finding, ...]]:
    """Applies edits together where possible, in several rounds until no edit has to wait."""
    decided = era.fixed(settings.from_version) or era.decide(prepared.facts, project)
    context = _context(prepared, prepared.text, prepared.read(), decided, settings, project, bridged)
    findings: list[Finding] = []
    rounds: list[Rewritten] = []
    last = False
    for number in range(_ROUNDS):
        marked = [m for m in find(context, settings, rules, number == 0, last) if not _is_ignored(m, context)]
        rounds.append(rewrite(context, marked, settings))
        late = {id(m) for m in rounds[-1].waiting}
        done = [m for m in marked if id(m) not in late and not m.hit.silent]
        made = [_finding(m, context, settings) for m in done if number == 0 or last or m.applies(settings)]
        findings += [_before(finding, rounds[:-1]) for finding in made]
        if not late and (last or not dispatch(settings, rules, last=True)):
            break
        last = not late
        text = rounds[-1].text
        context = _context(prepared, text, prepared.read_text(text), decided, settings, project, bridged)
    else:
        left = [replace(_finding(m, context, settings), fixed=False) for m in rounds[-1].waiting]
        findings += [_before(finding, rounds[:-1]) for finding in left]
    findings = _original_lines(findings, prepared)
    return rounds[-1].text, tuple(sorted(findings, key=lambda f: (f.line, f.column, f.code)))


def _before(finding: Finding, rounds: list[Rewritten]) -> Finding:
    """Returns the finding with the line numbers of the text before these rounds."""
    line, end_line = finding.line, finding.end_line
    for made in reversed(rounds):
        line, end_line = made.old_line(line), made.old_line(end_line)
    return replace(finding, line=line, end_line=end_line) if rounds else finding


def _placed(finding: Finding, source: SourceFile) -> Finding:
    """Returns the finding with its place in the file, such as a cell of a notebook."""
    cell, line = source.place(finding.line)
    if cell is None:
        return finding
    return replace(finding, cell=cell, line=line, end_line=max(line, source.place(finding.end_line)[1]))


def _original_lines(findings: list[Finding], prepared: Prepared) -> list[Finding]:
    """Returns findings of converted text with the line numbers of the Python 2 text."""
    if prepared.text == prepared.source.text:
        return findings
    old, new = (re.split(r"\r\n|\n|\r", text) for text in (prepared.source.text, prepared.text))
    line_of: dict[int, int] = {}
    for _, start, end, new_start, new_end in difflib.SequenceMatcher(None, old, new).get_opcodes():
        for number in range(new_start, new_end):
            line_of[number + 1] = min(start + number - new_start, max(end - 1, start)) + 1
    return [
        replace(f, line=line_of.get(f.line, f.line), end_line=line_of.get(f.end_line, f.end_line)) for f in findings
    ]


def _context(
    prepared: Prepared, text: str, names: Names, decided: Era, settings: Settings, project: Project, bridged: bool
) -> Context:
    return Context(
        path=prepared.facts.path,
        text=text,
        tree=names.tree,
        names=names,
        era=decided,
        target=settings.target,
        project=project,
        why_python2=prepared.why_python2,
        newline=prepared.source.newline,
        bridged=bridged,
    )


def find(
    context: Context,
    settings: Settings,
    rules: tuple[Rule, ...] | None = None,
    first: bool = True,
    last: bool = False,
) -> list[Marked]:
    """Yields every hit of every rule on a file.

    With `last`, only of rules for the finished text. Other rules for whole files see only the text at `first`.
    """
    hits: list[Marked] = []
    for kind, wanting in dispatch(settings, rules, last).items():
        by_package: dict[str, tuple[Rule, ...]] = {}
        for node in _nodes(context, kind) if first or last or kind is not ast.Module else ():
            package = (context.qualified(node) or "").partition(".")[0] if kind in _OF_A_PACKAGE else None
            for rule in _interested(wanting, package, by_package):
                for hit in rule.find(node, context):
                    hits.append(Marked(rule, hit, hit.safety or rule.safety))
    return hits


def _interested(wanting: tuple[Rule, ...], package: str | None, known: dict[str, tuple[Rule, ...]]) -> tuple[Rule, ...]:
    """Returns the rules that check names of the package. `known` is a cache of the answers."""
    if package is None:
        return wanting
    if package not in known:
        known[package] = tuple(rule for rule in wanting if not rule.packages or package in rule.packages)
    return known[package]


def _nodes(context: Context, kind: type[ast.AST]) -> list[ast.AST]:
    if kind is Use:
        return [chain for chain in context.names.chains if context.names.qualified(chain)]
    return context.names.nodes.get(kind, [])


def _is_ignored(marked: Marked, context: Context) -> bool:
    """Returns whether a comment on the lines of the hit, or on the last line of its statement, excludes it."""
    if not context.may_ignore or isinstance(marked.hit.node, ast.Module):
        return False
    node = marked.hit.node
    statement = context.statement(node)
    lines = context.lines
    last = statement.end_lineno or statement.lineno
    spots = {node.lineno, getattr(node, "end_lineno", 0)}  # type: ignore[attr-defined]
    if not hasattr(statement, "body"):
        spots |= {statement.lineno, last}
    for number in spots:
        match = _IGNORE.search(lines[number - 1]) if 0 < number <= len(lines) else None
        if match and (match[1] is None or marked.rule.code.startswith(codes(match[1]))):
            return True
    return False


def _finding(marked: Marked, context: Context, settings: Settings) -> Finding:
    node = marked.hit.node
    of_file = isinstance(node, ast.Module)
    line, column = (1, 1) if of_file else _point(context, node.lineno, node.col_offset)  # type: ignore[attr-defined]
    end_line, end_column = (1, 1) if of_file else _point(context, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    return Finding(
        code=marked.rule.code,
        name=marked.rule.name,
        message=marked.hit.message,
        path=context.path,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        safety=marked.safety,
        fixed=marked.applies(settings),
        fixable=marked.hit.changes,
    )


def _point(context: Context, line: int, offset: int) -> tuple[int, int]:
    """Returns a line and a column in characters, counted from 1. ast counts bytes."""
    if context.text.isascii():
        return line, offset + 1
    start = context.positions.starts[line - 1]
    return line, len(context.positions.data[start : start + offset].decode(errors="replace")) + 1
