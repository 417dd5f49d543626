"""The facts that a rule may use about a file, and about the program that the file belongs to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codemods.positions import Positions

if TYPE_CHECKING:
    from codemods.named import Named
    from codemods.names import Names
    from codemods.project import Project
    from codemods.symbols import Symbol

_USUAL = {"tensorflow": "tf", "numpy": "np"}
_V1 = "tensorflow.compat.v1"


@dataclass(frozen=True)
class Era:
    """The TensorFlow release that a file was written for, and the evidence for it.

    Attributes:
        release: "0.12", "1.4", "1.12" or "1.15".
        evidence: Text that says how the release is known.
        certain: False if nothing decides between 0.x and 1.x. A call with two meanings then gets no SAFE rewrite.
        told: Whether the user named the release.
    """

    release: str
    evidence: str
    certain: bool
    told: bool = False

    @property
    def is_0x(self) -> bool:
        """Whether calls have the argument orders of 0.x."""
        return self.release.startswith("0.")


@dataclass(frozen=True, eq=False)
class Context:
    """One file, as a rule sees it.

    Attributes:
        path: The path in reports.
        text: The text, as Python 3.
        tree: The syntax tree of `text`.
        names: The meaning of each name.
        era: The TensorFlow release that the file was written for.
        target: The target of the rewrite, "compat" or "bridge".
        project: The facts about all files of the program.
        why_python2: The sign that the file was Python 2, or None. `text` and `tree` are its Python 3 form.
        newline: The line end for added lines.
        bridged: Whether a rewritten file of the program imports tf2bridge. It is set only for files that are checked
            last (`requirements.reads_last`).
    """

    path: str
    text: str
    tree: ast.Module
    names: Names
    era: Era
    target: str
    project: Project
    why_python2: str | None = None
    newline: str = "\n"
    bridged: bool = False

    @property
    def python2(self) -> bool:
        """Whether the file was Python 2."""
        return self.why_python2 is not None

    @cached_property
    def second(self) -> bool:
        """Whether this file, or its neighbours, already use TensorFlow 2."""
        from codemods.generation import is_second

        return not self.era.told and is_second(self.path, self.project)

    @cached_property
    def named(self) -> dict[ast.expr, Named | None]:
        """The cache of `answers.named`."""
        return {}

    @cached_property
    def called(self) -> dict[ast.Call, Symbol | None]:
        """The cache of `answers.called`."""
        return {}

    @cached_property
    def positions(self) -> Positions:
        """The positions of the nodes in the text."""
        return Positions(self.text.encode())

    @cached_property
    def may_ignore(self) -> bool:
        """Whether the file may have an ignore comment."""
        return "codemods:" in self.text

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines, without their newlines; line n of ast is `lines[n - 1]`."""
        return re.split(r"\r\n|\n|\r", self.text)

    def qualified(self, node: ast.AST) -> str | None:
        """Returns the full name of a Name or Attribute (or a Call's func), such as `tensorflow.nn.relu`."""
        return self.names.qualified(node)

    def prefixes(self, node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
        """Yields the sub-nodes of a dotted name with their qualified names, longest first: tf.a.b, tf.a, tf."""
        current: ast.expr = node
        while True:
            name = self.names.qualified(current)
            if name is not None:
                yield current, name
            if not isinstance(current, ast.Attribute):
                return
            current = current.value

    def parent(self, node: ast.AST) -> ast.AST | None:
        """Returns the node around this one; None for the module."""
        return self.names.parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt:
        """Returns the innermost statement around the node, or the node itself if it is a statement."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.names.parents.get(current)
        if current is None:
            raise ValueError("a module is in no statement")
        return current

    def source(self, node: ast.AST) -> str:
        """Returns the node's text in the file."""
        return self.positions.text(node)

    def spell(self, qualified: str) -> str:
        """Returns the spelling of a qualified name in this file, with its module-level alias of `tensorflow` if any."""
        v1 = self._alias_of_v1(qualified)
        if v1 is not None:
            return qualified.replace(_V1, v1, 1)
        head, _, rest = qualified.partition(".")
        alias = self.names.alias_of(head) or self._free_alias(head)
        return f"{alias}.{rest}" if rest else alias

    def _alias_of_v1(self, qualified: str) -> str | None:
        """Returns the file's alias of tensorflow.compat.v1, if it serves this name and `tensorflow` has no alias."""
        if not f"{qualified}.".startswith(f"{_V1}.") or self.names.alias_of("tensorflow"):
            return None
        return self.names.alias_of(_V1)

    def _free_alias(self, module: str) -> str:
        """Returns the usual alias of a module, or the module's name if the file uses that alias for something else."""
        usual = _USUAL.get(module, module)
        return module if self.names.binds(usual) else usual

    def needs(self, qualified: str) -> tuple[str, ...]:
        """Returns the imports that `spell(qualified)` needs. Imports that the file already has are not added again."""
        head = qualified.partition(".")[0]
        if head == "tf2bridge":
            return (f"import {'.'.join(qualified.split('.')[:2])}",)
        if self.names.alias_of(head) or self._alias_of_v1(qualified):
            return ()
        usual = self._free_alias(head)
        return (f"import {head} as {usual}" if usual != head else f"import {head}",)
