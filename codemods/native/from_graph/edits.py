"""The edits that take the graph out of a program, and put calls of its model in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from codemods.native.from_graph.building import Building, is_feed
from codemods.native.from_graph.definitions import Definitions, Function
from codemods.native.from_graph.model_calls import ModelCalls
from codemods.native.from_graph.recorded_sites import Site
from codemods.native.from_graph.remains import Remains
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk


class Edits:
    """Edits one text.

    Args:
        source: The text.
        building: Which expressions are parts of the graph.
        remains: Which statements remain.
    """

    def __init__(self, source: SourceText, building: Building, remains: Remains) -> None:
        self._source, self._building, self._remains = source, building, remains
        self._definitions: Definitions = building.definitions
        self._parents = building.names.parents

    def write(self, run: Sequence[Site], calls: ModelCalls, more: Iterable[ast.AST]) -> None:
        """Writes what remains of a program.

        Args:
            run: The calls of sessions that become calls of the model.
            calls: Writes these.
            more: Further expressions that vanish.

        Raises:
            NotNativeError: What remains needs more of the graph than these calls.
        """
        for statement in sorted(self._remains.gone, key=lambda node: node.lineno):
            if not self._source.is_alone(statement):
                raise NotNativeError(statement, "NAT008", "give this statement a line of its own")
        dropped = dict(self._dropped_arguments())
        keys = list(self.keys(run))
        vanishing = {argument for arguments in dropped.values() for argument in arguments} | set(more)
        self._remains.require_apart({site.node for site in run} | vanishing | set(keys))
        for block in sorted(self._remains.dissolved, key=lambda node: node.lineno):
            self._dissolve(block)
        for statement in self._remains.gone:
            self._remove(statement)
        self._write_keys(keys, calls)
        written = {site.node: site for site in run}
        later: list[ast.Call | Function] = [*written, *(call for call in dropped if call not in written)]
        for node in sorted(later, key=lambda node: -self._source.span(node)[0]):
            if node in written:
                calls.write(written[node], calls.add(written[node]))
            else:
                self._drop(node, dropped[node])

    def write_objects(self, calls: ModelCalls, iterators: Mapping[Function, str]) -> None:
        """Gives objects their functions, in what makes them."""
        for maker, name in iterators.items():
            body = maker.body[1:] if ast.get_docstring(maker, clean=False) is not None else maker.body
            this = maker.args.args[0].arg
            given = ", ".join(f"{this}.{attribute}" for attribute in calls.objects[maker])
            at = self._source.lines_of(body[0])[0]
            self._source.replace((at, at), f"{self._source.indent_of(body[0])}{given} = next({name})\n")

    def _write_keys(self, keys: Sequence[ast.expr], calls: ModelCalls) -> None:
        for key in keys:
            text = calls.key(key)
            if text is None:
                message = f"it is not clear which placeholder {ast.unparse(key)} is; make each in a line of its own"
                raise NotNativeError(key, "NAT002", message)
            self._source.replace(self._source.span(key), text)

    def keys(self, run: Sequence[Site]) -> Iterator[ast.expr]:
        """Yields the placeholders that are keys of dicts, other than in calls of sessions themselves."""
        literal = {id(site.feed) for site in run}
        holds = self._building.holds
        for statement in self._remains.remaining():
            for node in walk(statement) if not hasattr(statement, "body") else ():
                if isinstance(node, ast.Dict) and id(node) not in literal and is_feed(node, self._building):
                    yield from (key for key in node.keys if key is not None and holds(key))
                if isinstance(node, ast.Subscript) and not holds(node.value) and holds(node.slice):
                    yield node.slice

    def _dropped_arguments(self) -> Iterator[tuple[ast.Call | Function, list[ast.AST]]]:
        """Yields calls and functions with the arguments and parameters that are parts of the graph.

        Raises:
            NotNativeError: Arguments come as a list.
        """
        for function in [node for node in self._remains.remaining() if isinstance(node, Function)]:
            parts = [p for p in self._definitions.parameters(function) if self._is_part(function, p)]
            if not parts:
                continue
            yield function, list[ast.AST](parts)
            for call in self._definitions.calls.get(function, ()):
                if any(isinstance(argument, ast.Starred) for argument in call.args):
                    raise NotNativeError(call, "NAT008", "this call gets parts of the graph; name its arguments")
                yield (
                    call,
                    [value for parameter, value in self._definitions.arguments(function, call) if parameter in parts],
                )

    def _is_part(self, function: Function, parameter: ast.arg) -> bool:
        place = self._definitions.parameter_place(function, parameter)
        if place is not None:
            return place in self._building.places
        calls = self._definitions.calls.get(function, ())
        given = [v for call in calls for p, v in self._definitions.arguments(function, call) if p is parameter]
        return bool(given) and all(map(self._building.holds, given))

    def _drop(self, node: ast.Call | Function, arguments: list[ast.AST]) -> None:
        """Removes arguments from a call, or parameters from a function."""
        if isinstance(node, ast.Call):
            listed: list[ast.AST] = [*node.args, *node.keywords]
            kept = [part for part in listed if part not in arguments and getattr(part, "value", None) not in arguments]
        else:
            listed = [*node.args.args]
            kept = [part for part in listed if part not in arguments]
            if node.args.defaults or node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
                self._drop_one_by_one(arguments)
                return
        start, end = self._source.span(listed[0])[0], self._source.span(listed[-1])[1]
        self._source.replace((start, end), ", ".join(self._source.text_of(part) for part in kept))

    def _drop_one_by_one(self, arguments: list[ast.AST]) -> None:
        """Removes parameters, each with its comma, from a list with defaults. Those with a default are refused."""
        data = self._source.data
        for part in arguments:
            start, end = self._source.span(part)
            rest = data[end:]
            blank = len(rest) - len(rest.lstrip())
            if rest.lstrip()[:1] != b",":
                raise NotNativeError(part, "NAT008", "this parameter is a part of the graph; give it no default")
            after = rest[blank + 1 :]
            self._source.delete((start, end + blank + 1 + len(after) - len(after.lstrip())))

    def _dissolve(self, block: ast.With) -> None:
        """Gives the statements of a block to the one round it."""
        width = len(self._source.indent_of(block.body[0])) - len(self._source.indent_of(block))
        if block.body[0].lineno == block.lineno:
            raise NotNativeError(block, "NAT008", "give the statements of this block lines of their own")
        self._source.shift(block.body, width)
        first = self._source.lines_of(block.body[0])[0]
        self._source.delete((self._source.positions.line_start(self._source.span(block)[0]), first))

    def _remove(self, statement: ast.stmt) -> None:
        """Removes a statement; `pass` stands where a block would be empty."""
        parent = self._parents[statement]
        blocks = (getattr(parent, name, None) for name in ("body", "orelse", "finalbody"))
        block = next((listed for listed in blocks if isinstance(listed, list) and statement in listed), [])
        is_last = bool(block) and statement is block[-1] and all(other in self._remains.gone for other in block)
        span = self._source.lines_of(statement)
        is_left = isinstance(parent, ast.Module) or parent in self._remains.dissolved or parent in self._remains.makers
        needed = is_last and not is_left
        indent = self._source.indent_of(statement)
        self._source.replace(span, f"{indent}pass\n" if needed else "")
