"""What became of a file: a sum type, so that whoever looks at a result has to think of every case."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.rule import Finding


@dataclass(frozen=True)
class Changed:
    """There is a new text; `findings` marked `fixed` are mended in it."""

    path: str
    findings: tuple[Finding, ...]
    before: bytes
    after: bytes


@dataclass(frozen=True)
class Unchanged:
    """Nothing can be rewritten; there may be findings for a person.

    `bridged`: its text names tf2bridge already. `speaks_of_tensorflow`: or TensorFlow.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    bridged: bool = False
    speaks_of_tensorflow: bool = True


@dataclass(frozen=True)
class Skipped:
    """The file was not looked at, for a reason."""

    path: str
    reason: str


@dataclass(frozen=True)
class Failed:
    """The file could not be processed, and is left byte for byte as it was."""

    path: str
    error: str


FileResult = Changed | Unchanged | Skipped | Failed


def mentions_tensorflow(result: FileResult) -> bool:
    """Whether a file speaks of TensorFlow, or could not be looked at."""
    if isinstance(result, Changed):
        return b"tensorflow" in result.before or b"tf2bridge" in result.after
    return not isinstance(result, Unchanged) or result.speaks_of_tensorflow


def is_bridged(result: FileResult) -> bool:
    """Whether a file, as it is to be, imports tf2bridge."""
    if isinstance(result, Changed):
        return b"tf2bridge" in result.after
    return isinstance(result, Unchanged) and result.bridged
