"""The result for a file, as a sum type: code that reads a result has to treat every case."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.rule import Finding


@dataclass(frozen=True)
class Changed:
    """The file has a new text. Findings with `fixed` are fixed in it."""

    path: str
    findings: tuple[Finding, ...]
    before: bytes
    after: bytes


@dataclass(frozen=True)
class Unchanged:
    """Nothing can be rewritten; there may be findings for a person.

    `bridged`: the text already names tf2bridge. `speaks_of_tensorflow`: the text names TensorFlow.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    bridged: bool = False
    speaks_of_tensorflow: bool = True


@dataclass(frozen=True)
class Skipped:
    """The file was not checked, for a reason."""

    path: str
    reason: str


@dataclass(frozen=True)
class Failed:
    """The file could not be processed, and is left byte for byte as it was."""

    path: str
    error: str


FileResult = Changed | Unchanged | Skipped | Failed


def mentions_tensorflow(result: FileResult) -> bool:
    """Returns whether a file names TensorFlow, or could not be checked."""
    if isinstance(result, Changed):
        return b"tensorflow" in result.before or b"tf2bridge" in result.after
    return not isinstance(result, Unchanged) or result.speaks_of_tensorflow


def is_bridged(result: FileResult) -> bool:
    """Returns whether the resulting file imports tf2bridge."""
    if isinstance(result, Changed):
        return b"tf2bridge" in result.after
    return isinstance(result, Unchanged) and result.bridged
