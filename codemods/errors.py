"""Every error a user of codemods can cause: one class each, all derived from `CodemodsError`.

A message says what was wrong, where, why, and what to do next, in one line.
"""

from __future__ import annotations

from pathlib import Path

from codemods.printable import visible


class CodemodsError(Exception):
    """Root of the errors that codemods raises for wrong input; the command line prints them without a traceback.

    A message may quote names and texts of files: what a terminal would obey, or a new line, is an escape in it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class UnparsableError(CodemodsError):
    """A source text is neither Python 3 nor Python 2."""

    def __init__(self, path: Path | str, line: int, why: str) -> None:
        super().__init__(f"{path}:{line}: neither Python 3 nor Python 2 ({why}); mend this line by hand")
        self.line = line


class Python2Error(CodemodsError):
    """A Python 2 file is to be checked without the rule that converts it."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: Python 2 ({why}), and the rule that converts it is left out; add --select PY2")


class UndecodableError(CodemodsError):
    """The bytes of a source file are not text in the encoding they declare."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: not text in its declared encoding ({why}); write `# -*- coding: ... -*-` on line 1")


class NotANotebookError(CodemodsError):
    """The text of an .ipynb file is no notebook of a known format."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: no notebook of format 2, 3 or 4 ({why}); open it in Jupyter and save it again")


class OtherLanguageError(CodemodsError):
    """A notebook's cells are not Python."""

    def __init__(self, path: Path | str, language: str) -> None:
        super().__init__(f"{path}: a notebook of {language}, not of Python")
        self.language = language


class BrokenNotebookError(CodemodsError):
    """The rewritten cells of a notebook cannot be told apart: a defect, and the file is left as it was."""

    def __init__(self, path: Path | str, cell: int) -> None:
        super().__init__(
            f"{path}: the end of cell {cell} is lost in the rewritten text, so it is left as it was; report it"
        )


class BrokenRewriteError(CodemodsError):
    """The rewritten text would not parse: a defect of a rule, and the file is left as it was."""

    def __init__(self, path: Path | str, line: int, why: str, codes: str) -> None:
        super().__init__(
            f"{path}:{line}: the rewritten file would not parse ({why}), so it is left as it was; "
            f"leave out one of these rules with --ignore: {codes}"
        )


class NoSuchPathError(CodemodsError):
    """A named path does not exist."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: no such file or directory")


class NotRegularError(CodemodsError):
    """Something that is to be read is no regular file: a pipe, a socket, a device."""

    def __init__(self, path: Path | str, kind: str) -> None:
        super().__init__(f"{path}: {kind}, not a regular file; save its text in a file, or give it on standard input")
        self.what = kind


class TooLargeError(CodemodsError):
    """A file holds more bytes than are read of it."""

    def __init__(self, path: Path | str, size: int, limit: int) -> None:
        super().__init__(f"{path}: {size / 1e6:.1f} MB is above the limit of {limit / 1e6:g} MB")
        self.size = size


class TooCostlyError(CodemodsError):
    """A file takes more time than a file of its size may."""

    def __init__(self, path: Path | str, seconds: float) -> None:
        super().__init__(
            f"{path}: given up after {seconds:.0f} seconds of computing, more than a file of its size may take; "
            "leave it out, or split it"
        )


class TooNestedError(CodemodsError):
    """A file nests more deeply than Python goes."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: too deeply nested to be read; split its longest expression")


class OutOfMemoryError(CodemodsError):
    """There is not enough memory for a file."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: not enough memory to process it; leave it out, or give this process more")


class ProcessError(CodemodsError):
    """No more processes can be started."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no process can be started ({why}); use --jobs 1")


class TooDeepError(CodemodsError):
    """The directories of a tree that is to be copied nest too deeply."""

    def __init__(self, path: Path | str, limit: int) -> None:
        super().__init__(f"{path}: directories nest more than {limit} deep; name a directory inside it")


class OutputExistsError(CodemodsError):
    """An output directory exists and is not empty."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: exists and is not empty; name a new directory, or empty this one")


class OutputInsideSourceError(CodemodsError):
    """An output directory lies within the tree that is to be copied into it, or the other way round."""

    def __init__(self, path: Path | str, source: Path | str) -> None:
        super().__init__(f"{path}: overlaps the source tree {source}; name a directory outside it")


class OutputUnwritableError(CodemodsError):
    """An output cannot be written."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: cannot be written ({why}); name a place you may write to")


class PluginError(CodemodsError):
    """An entry point of the group `codemods.rules` gives no rules."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"the plugin {name!r} (entry point of codemods.rules) gives no rules: {why}; mend or remove it"
        )


class NoRevisionError(CodemodsError):
    """`--changed` names no revision, or there is no repository."""

    def __init__(self, path: Path | str, ref: str, why: str) -> None:
        super().__init__(f"{path}: --changed={ref}: {why}; name a revision that `git rev-parse` knows, paths first")


class GitFailedError(CodemodsError):
    """git cannot say what it holds of a work tree."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}, so it is not known what it holds of these files; mend that, or add --force")


class ConfigurationError(CodemodsError):
    """A `[tool.codemods]` table is wrong."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: [tool.codemods]: {why}")


class NativeMapError(CodemodsError):
    """A `native.toml` is wrong."""

    def __init__(self, path: Path | str, line: int, why: str) -> None:
        super().__init__(f"{path}:{line}: {why}" if line else f"{path}: {why}")
        self.line = line


class EvidenceError(CodemodsError):
    """The evidence of a trace cannot be read."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}; name a trace that `tf2bridge inspect` reads, or its evidence as .json")


class ForeignTraceError(CodemodsError):
    """A trace is of another program than the one that is to be rewritten."""

    def __init__(self, path: Path | str, file: str) -> None:
        super().__init__(f"{path}: was recorded of {file or 'no file'}, which is not here; name another trace")


class StaleTraceError(CodemodsError):
    """A program changed since it was recorded."""

    def __init__(self, path: Path | str, line: int, trace: Path | str, why: str) -> None:
        super().__init__(
            f"{path}:{line}: {why} at this line when {trace} was recorded, and now it holds something else; "
            "record the program again"
        )


class TraceWithoutNativeError(CodemodsError):
    """A trace was given, and the target does not use it."""

    def __init__(self, target: str) -> None:
        super().__init__(f"--trace: the target {target} does not use a trace; add --target native")


class IdiomaticWithoutNativeError(CodemodsError):
    """Optimizers of Keras were asked for, and the target has none."""

    def __init__(self, target: str) -> None:
        super().__init__(f"--idiomatic: the target {target} keeps the optimizers; add --target native")


class UnknownCodeError(CodemodsError):
    """A rule was named that does not exist."""

    def __init__(self, code: str, near: str | None = None) -> None:
        hint = f"did you mean {near}? " if near else ""
        super().__init__(f"no rule has the code {code!r}; {hint}`codemods rules` lists them all")


class UnknownVersionError(CodemodsError):
    """A release of TensorFlow was named that codemods cannot tell apart."""

    def __init__(self, version: str) -> None:
        super().__init__(f"--from-version {version!r}: use auto, or a release from 0.5 to 1.15 such as 0.12 or 1.4")
