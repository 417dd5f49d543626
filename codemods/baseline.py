"""`--add-ignores`: writes a comment on each line with a finding, so that later runs report only new findings."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from codemods import parsing
from codemods.errors import CodemodsError
from codemods.regular import read_regular
from codemods.results import Changed, Failed, FileResult, Unchanged
from codemods.rule import Finding
from codemods.source import decode
from codemods.write import write_atomically

_COMMENT = re.compile(r"#\s*codemods:\s*ignore\[([A-Za-z0-9, ]*)\]")


@dataclass(frozen=True)
class Baseline:
    """The numbers of findings with a comment and of their files, the other findings, and the failures."""

    ignored: int
    files: int
    left: tuple[Finding, ...]
    failed: tuple[Failed, ...]


def add(results: Sequence[FileResult]) -> Baseline:
    """Writes the comments, except for findings of a whole file, of Python 2, notebooks and lists of requirements."""
    ignored = files = 0
    left: list[Finding] = []
    failed = [result for result in results if isinstance(result, Failed)]
    for result in results:
        if not isinstance(result, Changed | Unchanged) or not result.findings:
            continue
        try:
            done = _add(result.path, result.findings)
        except CodemodsError as error:
            failed.append(Failed(result.path, str(error)))
            continue
        ignored, files = ignored + len(done), files + bool(done)
        left += [finding for finding in result.findings if finding not in done]
    return Baseline(ignored, files, tuple(left), tuple(failed))


def _add(path: str, findings: Iterable[Finding]) -> list[Finding]:
    source = decode(read_regular(Path(path)), path)
    if not path.endswith(".py") or parsing.syntax_error(source.text) is not None:
        return []
    tree = parsing.parse(source.text)
    lines = re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z", source.text)
    closed = _closed_lines(lines)
    wanted: dict[int, list[Finding]] = {}
    for finding in findings:
        spot = next(
            (line for line in (finding.line, finding.end_line, *_last_line(tree, finding)) if line in closed), None
        )
        is_point = finding.end_line == finding.line and finding.end_column == finding.column
        if spot is not None and not is_point:
            wanted.setdefault(spot, []).append(finding)
    for number, on_line in wanted.items():
        lines[number - 1] = _commented(lines[number - 1], [finding.code for finding in on_line])
    text = "".join(lines)
    if ast.dump(parsing.parse(text)) != ast.dump(tree):
        return []
    write_atomically(Path(path), source.encode(text))
    return [finding for on_line in wanted.values() for finding in on_line]


def _closed_lines(lines: list[str]) -> frozenset[int]:
    """Returns the lines that may end with a comment: no string and no backslash continues on the next line."""
    open_lines: set[int] = {number for number, line in enumerate(lines, start=1) if line.rstrip("\r\n").endswith("\\")}
    for token in tokenize.generate_tokens(io.StringIO("".join(lines), newline="").readline):
        if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.DEDENT, tokenize.INDENT):
            open_lines.update(range(token.start[0], token.end[0]))
    return frozenset(range(1, len(lines) + 1)) - open_lines


def _last_line(tree: ast.Module, finding: Finding) -> list[int]:
    """Returns the last line of the simple statement with a finding. The engine also looks for a comment there."""
    return [
        node.end_lineno or node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and not hasattr(node, "body")
        and node.lineno <= finding.line <= (node.end_lineno or node.lineno)
    ]


def _commented(line: str, codes: Iterable[str]) -> str:
    body = line.rstrip("\r\n")
    present = _COMMENT.search(body)
    listed = [code.strip() for code in present[1].split(",") if code.strip()] if present else []
    comment = f"# codemods: ignore[{', '.join(dict.fromkeys([*listed, *sorted(codes)]))}]"
    new = body[: present.start()] + comment + body[present.end() :] if present else f"{body}  {comment}"
    return new + line[len(body) :]
