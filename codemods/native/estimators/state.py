"""What the rewriting of an Estimator knows and makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.estimators.arrays import ArrayTypes
from codemods.native.estimators.driving import Spelled
from codemods.native.estimators.modes import Model
from codemods.native.estimators.uses import Program
from codemods.native.kinds import v1_alias
from codemods.native.places import stores
from codemods.native.places import uses as places_read
from codemods.native.source_text import SourceText
from codemods.tree import walk

Line = tuple[str, int]
"""A line of text, and the old number of what it stands for."""


@dataclass
class State:
    """A program while its Estimator is rewritten.

    Attributes:
        names, program, model: What it is.
        source: Its text with the edits so far.
        types: The types of its arrays.
        taken: Names that a new name must not be.
        own: The names that the model_fn binds.
        renamed: What they are called outside of it.
        features: Key of a feature, "" for the only array -> its placeholder.
        labels, training: The placeholders of labels, and of whether it trains; "" where the program has none.
        spelled: Names of what the Estimator made.
        dicts: Name of a dict of predictions -> key -> tensor.
        metrics: Key of a metric -> its call, and the statement that binds a name to it.
        params: The name of the params; "" until it is asked for.
        functions: Mode -> the function that runs it.
        home: The statement before which the lines stand, or in whose place.
        lines: The lines that stand for the Estimator.
    """

    names: Names
    program: Program
    model: Model
    source: SourceText
    types: ArrayTypes
    taken: set[str]
    own: set[str]
    spelled: Spelled
    home: ast.stmt
    renamed: dict[str, str] = field(default_factory=dict)
    features: dict[str, str] = field(default_factory=dict)
    labels: str = ""
    training: str = ""
    params: str = ""
    dicts: dict[str, dict[str, str]] = field(default_factory=dict)
    metrics: dict[str, tuple[ast.Call, ast.stmt | None]] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    @property
    def at(self) -> int:
        """The line where the model is made: that of the Estimator, or of its first use, if arrays come between."""
        return self.home.lineno

    @property
    def v1(self) -> str:
        """What the file calls the names of TensorFlow 1."""
        return v1_alias(self.names)

    @property
    def numpy(self) -> str:
        """What the file calls NumPy."""
        return self.names.alias_of("numpy") or "numpy"

    @property
    def tf(self) -> str:
        """What the file calls TensorFlow."""
        return self.names.alias_of("tensorflow") or "tf"

    def free(self, name: str) -> str:
        """Returns a new name, like a wished one."""
        made = next(n for n in (name, *(f"{name}_{number}" for number in range(2, 99))) if n not in self.taken)
        self.taken.add(made)
        return made

    def add(self, text: str, origin: int) -> None:
        """Adds lines in place of the Estimator."""
        self.lines += [(line, origin) for line in text.splitlines()]

    def nodes(self) -> Iterator[ast.AST]:
        """Yields the nodes of the model_fn that become lines."""
        for statement in self.model.statements:
            yield from walk(statement)
        for call, _ in self.metrics.values():
            yield from walk(call)
        for spec in self.model.specs.values():
            for name, part in spec.items():
                if name != "mode":
                    yield from walk(part)


def state_of(text: str, names: Names, program: Program, model: Model) -> State:
    """Returns the state at the beginning. The names of the model_fn that the program has too are others from here."""
    taken = {name for statement in names.tree.body for name in stores(statement)}
    parts: list[ast.stmt] = [program.block] if isinstance(program.block, ast.FunctionDef) else []
    parts += [part for part in names.tree.body if not isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    taken |= {node.id for part in parts for node in walk(part) if isinstance(node, ast.Name)}
    if isinstance(program.block, ast.FunctionDef):
        taken |= {node.arg for node in walk(program.block.args) if isinstance(node, ast.arg)}
    own = {name for statement in model.statements for name in stores(statement)}
    source = EditedLines(text, names.tree).source
    state = State(
        names, program, model, source, ArrayTypes(names, program.block), taken, own, Spelled(), _home(names, program)
    )
    state.renamed = {name: state.free(name) for name in sorted(own)}
    state.spelled = Spelled(**{name: state.free(name) for name in Spelled.__dataclass_fields__})
    return state


def _home(names: Names, program: Program) -> ast.stmt:
    """Returns the statement of the Estimator, or of its first use, if the arrays of its inputs are bound between them.

    The Estimator called its model_fn when it was used.
    """
    uses = [*(site.call for site in program.sites), *program.folders]
    first = min((above for use in uses for above in names.above(use) if above in program.body), key=_line)
    arrays = [part for site in program.sites for given in site.given for part in given.arrays]
    read = {name for part in arrays for name, _ in places_read(part)}
    between = (node for node in program.body if program.made.lineno < node.lineno < _line(first))
    return first if any(read & stores(node) for node in between) and isinstance(first, ast.stmt) else program.made


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)
