'''The definition of a rule, and of its hits, which the engine applies.

A rule is one file under `codemods/rules/<family>/` that binds the name `rule`; it is found by walking the package.
It says which nodes it wants to see (`on`) and gives one function, `find`, which looks at one of them and yields
`Hit`s. The engine does all the rest: positions, nesting, splicing, imports, ignore comments, writing. A whole one:

    """TFN901: tf.mul was renamed tf.multiply in 1.0."""

    from __future__ import annotations

    import ast
    from collections.abc import Iterator

    import libcst as cst

    from codemods.context import Context
    from codemods.rule import Example, Hit, Rule, Safety, Use, rename


    def find(node: ast.expr, context: Context) -> Iterator[Hit]:
        if context.qualified(node) == "tensorflow.mul":
            yield rename(context, node, "tensorflow.multiply", "tf.mul was renamed tf.multiply in 1.0")


    rule = Rule(
        code="TFN901",
        name="mul",
        summary="tf.mul -> tf.multiply",
        why="TensorFlow 1.0 renamed it; the old name is gone.",
        safety=Safety.SAFE,
        on=(Use,),
        find=find,
        examples=(
            Example("import tensorflow as tf\\ntf.mul(a, b)\\n", "import tensorflow as tf\\ntf.multiply(a, b)\\n"),
            Example("import mine as tf\\ntf.mul(a, b)\\n"),
        ),
    )

`packages` names those whose names the rule looks at, as ("tensorflow", "tf2bridge"): a `Use` or an `ast.Call` of any
other is not shown to it. Leave it out, and it sees them all; the run takes that much longer.

`on` holds `ast` classes (`ast.Call`, `ast.BinOp`, `ast.Import`, `ast.Module` for the whole file) or `Use`: the
outermost node of each dotted name that resolves (`tf.nn.relu`, not its inner `tf.nn` and `tf`). A resolved chain may
be longer than the symbol (`tf.app.flags.FLAGS.lr`): `context.prefixes(node)` gives every (sub-node, qualified name),
longest first, and a hit may be placed on such a sub-node.

A hit on an expression may `rewrite` it: by a new source text, or by a function which is given its LibCST node *with
everything inside already rewritten* (in `tf.log(tf.mul(x, 1))` the rule for `log` sees `tf.multiply`) and returns the
new one. Where a call only gets other keywords, `calls.written` and `calls.with_keyword` make the rewrite, without
LibCST. Hits on one node are applied in the order of their rules' codes, each to the result of the last: return the node
unchanged if it is no longer what you expect. A call and its `func` are different nodes, so a rule for arguments
(`on=(ast.Call,)`) and a rule for the name compose. Brackets that the new expression needs are put round it.

Where a name's import, or the alias it was assigned, is rewritten too (`slim = tf.contrib.slim`), the hits on its uses
(`slim.conv2d`) are held back and looked at again with the alias's new meaning; so they need no rewrite as a rule.

A hit on a statement may replace its text (`rewrite="from a import b"`, lines joined by a newline and indented as the
statement was; "" removes it), or put lines before or after it.
'''

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemods.context import Context
    from codemods.rewording import Rewording


class Safety(Enum):
    """SAFE keeps what the program computes; UNSAFE may change it; MANUAL is for a person to decide."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    MANUAL = "manual"


class Use(ast.AST):
    """Stands in `Rule.on` for: the outermost node of a dotted name that resolves to a qualified one."""


@dataclass(frozen=True)
class Hit:
    """One place a rule has something to say about.

    `safety` None takes the rule's own. `imports` are whole statements (`import tf2bridge.v1`), added once at module
    level if the file lacks them. `todo` writes the message above the statement as a TODO comment when fixing.
    `done`: the text the rule was shown has it already (the conversion from Python 2). `alone`: the rewrite holds
    whatever becomes of the import behind the name, and need not wait for it. `together`: hits that share it are
    applied in the same round, or all of them wait for the next. `silent`: it belongs to another hit, which is reported.
    """

    node: ast.AST
    message: str
    safety: Safety | None = None
    rewrite: str | Rewording | Callable[[Any], Any] | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    todo: bool = False
    done: bool = False
    alone: bool = False
    together: ast.AST | None = None
    silent: bool = False

    @property
    def changes(self) -> bool:
        """Whether applying it changes any text but comments."""
        return self.rewrite is not None or self.done or bool(self.before or self.after or self.imports)


@dataclass(frozen=True)
class Example:
    """Test, documentation and `explain` at once. `after` None: the text stays as it is.

    `reported` True: a finding is expected although the text stays (MANUAL, or UNSAFE without `unsafe_fixes`).
    `files` are further files of the project, as (path, text). `beside` are rules that are applied too, by their
    codes. Texts are dedented.
    """

    before: str
    after: str | None = None
    target: str = "compat"
    from_version: str = "auto"
    unsafe_fixes: bool = False
    reported: bool = False
    path: str = "train.py"
    files: tuple[tuple[str, str], ...] = ()
    beside: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in ("before", "after"):
            text = getattr(self, field)
            if text is not None:
                object.__setattr__(self, field, textwrap.dedent(text).lstrip("\n"))


@dataclass(frozen=True)
class Rule:
    """One rule: what it is called, what it looks at, how it is explained, and its examples.

    `last`: it looks at the text that the other rules have made, when they have nothing left to do.
    """

    code: str
    name: str
    summary: str
    why: str
    safety: Safety
    on: tuple[type[ast.AST], ...]
    find: Callable[[Any, Context], Iterable[Hit]]
    examples: tuple[Example, ...]
    targets: tuple[str, ...] = ("compat", "bridge")
    packages: tuple[str, ...] = ()
    last: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z][A-Z0-9]{1,7}\d{3}", self.code):
            raise ValueError(f"{self.code}: a rule's code is a family and three digits, such as TFN001")


@dataclass(frozen=True)
class Finding:
    """The report of a hit. Lines and columns count from 1.

    `fixed`: the new text fixes it. `fixable`: there is an edit for it, perhaps an unsafe one.
    """

    code: str
    name: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    safety: Safety
    fixed: bool = False
    fixable: bool = False
    cell: int | None = None


def rename(context: Context, node: ast.expr, to: str, message: str, safety: Safety | None = None) -> Hit:
    """Returns the hit that writes the qualified name `to` in place of `node`, by the file's own alias of its module.

    `tensorflow.compat.v1.log` becomes `tf.compat.v1.log` where the file says `import tensorflow as tf`.
    """
    return Hit(node, message, safety, rewrite=context.spell(to), imports=context.needs(to))
