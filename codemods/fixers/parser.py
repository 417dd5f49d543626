"""A parser for fissix that builds the same trees from the same tables, in half the time.

fissix's own parser took three quarters of the time of a conversion. Between a statement and a name there are some
fifteen levels of grammar, and it opens and closes each of them separately. Here all levels that a token opens are one
step, which is computed once and then looked up. The way back up is looked up in the same manner.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fissix.pgen2 import driver, grammar, token, tokenize
from fissix.pgen2.parse import ParseError
from fissix.pytree import Leaf, Node

# Levels of the grammar, each inside the one before: its symbol, and the state in which it leaves the one before.
_Chain = tuple[tuple[int, int], ...]
# What a token does where it fits: it opens these levels, and puts the lowest into this state.
_Step = tuple[_Chain, int]
_WRONG: _Step = ((), -1)


class Driver(driver.Driver):  # type: ignore[misc]  # fissix has no types
    """Replaces the driver of a RefactoringTool."""

    def __init__(self, of: driver.Driver) -> None:
        super().__init__(of.grammar, of.convert, of.logger)

    def parse_tokens(self, tokens: Iterable[Any], debug: bool = False) -> Any:  # noqa: ARG002  # fissix's argument
        """Returns the tree of these tokens. Raises ParseError."""
        take = (parser := _Parser(self.grammar)).take
        prefix, at = "", (1, 0)
        for kind, value, start, end, line in tokens:
            if start != at:
                prefix += _between(at, start, line)
            at = (end[0] + 1, 0) if value.endswith("\n") else end
            if kind in (tokenize.COMMENT, tokenize.NL):
                prefix += value
                continue
            if take(grammar.opmap[value] if kind == token.OP else kind, value, (prefix, start)):
                return parser.root
            prefix = ""
        raise ParseError("incomplete input", None, "", (prefix, at))


def _between(at: tuple[int, int], start: tuple[int, int], line: str) -> str:
    """Returns the text that the tokenizer skipped: the ends of continued lines, and white space."""
    lines = start[0] - at[0]
    return "\n" * lines + line[0 if lines else at[1] : start[1]]


class _Open:
    """A chain of open levels. The level at `depth` has a `state` and `children`; those above it are still empty."""

    __slots__ = ("chain", "children", "depth", "state")

    def __init__(self, chain: _Chain, state: int, children: list[Any]) -> None:
        self.chain, self.depth, self.state, self.children = chain, len(chain) - 1, state, children


class _Parser:
    """Builds a tree from tokens. The grammar keeps `steps` and `ups`, and lives as long as the process."""

    def __init__(self, tables: Any) -> None:
        self.tables = tables
        self.steps: dict[tuple[int, int, int], _Step | None] = vars(tables).setdefault("steps", {})
        self.ups: dict[tuple[int, int, int], int] = vars(tables).setdefault("ups", {})
        self.names: set[str] = set()
        self.open = [_Open(((tables.start, 0),), 0, [])]
        self.root: Any = None

    def take(self, kind: int, value: str, context: Any) -> bool:
        """Takes one token; returns True if it was the last. Raises ParseError."""
        label = self._label(kind, value, context)
        while self.open:
            top = self.open[-1]
            step = self._step(top.chain[top.depth][0], top.state, label)
            if step is _WRONG:
                break
            if step is not None:
                return self._put(Leaf(kind, value, context), top, *step)
            self._close(top, label)
        raise ParseError("bad input", kind, value, context)

    def _put(self, leaf: Any, top: _Open, chain: _Chain, state: int) -> bool:
        if chain:
            top.state = chain[0][1]
            self.open.append(_Open(chain, state, [leaf]))
            return False
        top.state = state
        top.children.append(leaf)
        return self._close_full()

    def _label(self, kind: int, value: str, context: Any) -> int:
        if kind == token.NAME:
            self.names.add(value)
            if value in self.tables.keywords:
                return int(self.tables.keywords[value])
        if kind not in self.tables.tokens:
            raise ParseError("bad token", kind, value, context)
        return int(self.tables.tokens[kind])

    def _step(self, symbol: int, state: int, label: int) -> _Step | None:
        """Returns what a token does in a state of a symbol; None if the level ends before the token."""
        key = (symbol, state, label)
        if key not in self.steps:
            self.steps[key] = self._search(*key)
        return self.steps[key]

    def _search(self, symbol: int, state: int, label: int) -> _Step | None:
        labels, dfas = self.tables.labels, self.tables.dfas
        symbols, after = [symbol], [state]
        while True:
            for arc, following in dfas[symbols[-1]][0][after[-1]]:
                inner = labels[arc][0]
                if arc == label:
                    after[-1] = following
                    return self._opened(symbols, after)
                if inner >= 256 and label in dfas[inner][1]:
                    after[-1] = following
                    symbols.append(inner)
                    after.append(0)
                    break
            else:
                return None if (0, state) in dfas[symbol][0][state] else _WRONG

    def _opened(self, symbols: list[int], after: list[int]) -> _Step:
        """Returns the step without the levels that the token fills alone, which need not be opened."""
        while len(symbols) > 1 and self._is_full(symbols[-1], after[-1]):
            symbols.pop()
            after.pop()
        return tuple(zip(symbols[1:], after, strict=False)), after[-1]

    def _is_full(self, symbol: int, state: int) -> bool:
        return bool(self.tables.dfas[symbol][0][state] == [(0, state)])

    def _close_full(self) -> bool:
        """Closes the levels that can take no more tokens; returns True if none is left open."""
        while self.open:
            top = self.open[-1]
            if not self._is_full(top.chain[top.depth][0], top.state):
                return False
            self._close(top)
        return True

    def _close(self, top: _Open, label: int | None = None) -> None:
        """Ends the lowest level, and those above that `label` also ends. A level with one child becomes that child."""
        children = top.children
        node = children[0] if len(children) == 1 else Node(top.chain[top.depth][0], children)
        if top.depth:
            depth = top.depth - 1 if label is None else self._up(top, label)
            top.depth, top.state, top.children = depth, top.chain[depth + 1][1], [node]
            return
        self.open.pop()
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
            self.root.used_names = self.names

    def _up(self, top: _Open, label: int) -> int:
        """Returns the depth of the nearest level above that takes the label, or of the highest level."""
        key = (id(top.chain), top.depth, label)  # a chain of more than one level is kept in `steps`
        if key not in self.ups:
            depth = top.depth - 1
            while depth and self._step(top.chain[depth][0], top.chain[depth + 1][1], label) is None:
                depth -= 1
            self.ups[key] = depth
        return self.ups[key]
