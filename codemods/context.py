"""What a rule may know about the file it looks at, and about the program the file belongs to."""

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
    """The TensorFlow release a file was written for ("0.12", "1.4", "1.12", "1.15"), and how that is known.

    `certain` False: nothing decides between 0.x and 1.x, so a call that means different things is not to be touched
    as SAFE. `told`: the user said so.
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
    """One file under the eyes of a rule.

    `why_python2`: what showed that the file was Python 2 (`text` and `tree` are already its Python 3 form), or None.
    `target`: compat or bridge. `newline`: what ends a line that is added. `bridged`: a rewritten file of the program
    imports tf2bridge; only files that are looked at last are told (`requirements.reads_last`).
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
        """Whether the file is of TensorFlow 2 already, as its names or those of the files around it say."""
        from codemods.generation import is_second

        return not self.era.told and is_second(self.path, self.project)

    @cached_property
    def named(self) -> dict[ast.expr, Named | None]:
        """What `answers.named` has found so far."""
        return {}

    @cached_property
    def called(self) -> dict[ast.Call, Symbol | None]:
        """What `answers.called` has found so far."""
        return {}

    @cached_property
    def positions(self) -> Positions:
        """Where the nodes are in the text."""
        return Positions(self.text.encode())

    @cached_property
    def may_ignore(self) -> bool:
        """Whether the file may hold an ignore comment at all."""
        return "codemods:" in self.text

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines, without their newlines; line n of ast is `lines[n - 1]`."""
        return re.split(r"\r\n|\n|\r", self.text)

    def qualified(self, node: ast.AST) -> str | None:
        """The full name that a Name or Attribute (or a Call's func) stands for, such as `tensorflow.nn.relu`."""
        return self.names.qualified(node)

    def prefixes(self, node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
        """The dotted name's sub-nodes with their qualified names, longest first: tf.a.b, tf.a, tf."""
        current: ast.expr = node
        while True:
            name = self.names.qualified(current)
            if name is not None:
                yield current, name
            if not isinstance(current, ast.Attribute):
                return
            current = current.value

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that holds this one; None for the module."""
        return self.names.parents.get(node)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds the node (or is it)."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.names.parents.get(current)
        if current is None:
            raise ValueError("a module is in no statement")
        return current

    def source(self, node: ast.AST) -> str:
        """The node's text as it stands in the file."""
        return self.positions.text(node)

    def spell(self, qualified: str) -> str:
        """How this file writes a qualified name: by its own module-level alias of `tensorflow` if it has one."""
        v1 = self._alias_of_v1(qualified)
        if v1 is not None:
            return qualified.replace(_V1, v1, 1)
        head, _, rest = qualified.partition(".")
        alias = self.names.alias_of(head) or self._free_alias(head)
        return f"{alias}.{rest}" if rest else alias

    def _alias_of_v1(self, qualified: str) -> str | None:
        """The file's alias of tensorflow.compat.v1, if the name lies there and nothing else has an alias."""
        if not f"{qualified}.".startswith(f"{_V1}.") or self.names.alias_of("tensorflow"):
            return None
        return self.names.alias_of(_V1)

    def _free_alias(self, module: str) -> str:
        """The usual alias of a module, unless the file means something else by it."""
        usual = _USUAL.get(module, module)
        return module if self.names.binds(usual) else usual

    def needs(self, qualified: str) -> tuple[str, ...]:
        """The imports that `spell(qualified)` relies on; those the file has already are not added again."""
        head = qualified.partition(".")[0]
        if head == "tf2bridge":
            return (f"import {'.'.join(qualified.split('.')[:2])}",)
        if self.names.alias_of(head) or self._alias_of_v1(qualified):
            return ()
        usual = self._free_alias(head)
        return (f"import {head} as {usual}" if usual != head else f"import {head}",)
