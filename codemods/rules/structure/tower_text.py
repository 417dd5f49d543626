"""Writes `train.towers(...)` in place of a tower loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rules.structure.averaging_function import is_mean_over_towers
from codemods.rules.structure.tower_loop import LeftAloneError, TowerLoop, is_method, name_of, names_in
from codemods.rules.structure.tower_names import events, needed_later

_WIDTH = 100
_GPU = ("/gpu:", "/device:GPU:", "/device:gpu:", "/GPU:")


class TowerText:
    """The statements that replace a tower loop.

    Attributes:
        result: the name that the towers are bound to.
        text: the statements.
        unused: the averaging function, if nothing else uses it.

    Raises:
        LeftAloneError: the statements would not compute the same as the loop.
    """

    def __init__(self, towers: TowerLoop, context: Context) -> None:
        self._towers, self._context = towers, context
        self._needed = needed_later(towers, context)
        self._function = self._free("build_tower", "build_one_tower")
        self.result = self._free("towers", "all_towers")
        self._check_settled()
        self._reuse = self._reusing()
        own = self._averaging_function()
        self._standard = own is not None and is_mean_over_towers(own, context)
        alone = own is not None and len(names_in(context.tree, own.name)) == 1
        self.unused = own if self._standard and alone else None
        self.text = "\n".join([*self._definition(), *self._call(), *self._afterwards()])

    def _free(self, *names: str) -> str:
        taken = {node.id for node in ast.walk(self._context.tree) if isinstance(node, ast.Name)}
        taken |= {node.name for node in ast.walk(self._context.tree) if isinstance(node, ast.FunctionDef)}
        taken |= {node.arg for node in ast.walk(self._context.tree) if isinstance(node, ast.arg)}
        for name in names:
            if name not in taken:
                return name
        raise LeftAloneError(f"the name {names[-1]}, which the rewrite would use, has another meaning in this file")

    def _check_settled(self) -> None:
        """Checks that the arguments of apply_gradients have the same values before the loop, where they move to."""
        towers = self._towers
        later = [
            argument for argument in (*towers.apply.args, *towers.apply.keywords) if not _is_averaged(argument, towers)
        ]
        for part in (towers.optimizer, *later):
            for name in (node.id for node in ast.walk(part) if isinstance(node, ast.Name)):
                stores = [store for store, is_stored in events(towers.enclosing) if is_stored and store.id == name]
                if any(store.lineno >= towers.outer.lineno for store in stores):
                    raise LeftAloneError(f"{name}, which apply_gradients needs, is bound in the loop or after it")

    def _reusing(self) -> ast.stmt | None:
        """Returns the statement that reuses variables; None if a scope or a layer gets reuse= instead."""
        for statement in self._towers.body:
            if isinstance(statement, ast.Expr) and is_method(statement.value, "reuse_variables"):
                return statement
        keywords = [
            part for statement in self._towers.body for part in ast.walk(statement) if isinstance(part, ast.keyword)
        ]
        if not any(keyword.arg == "reuse" for keyword in keywords):
            raise LeftAloneError("nothing in the loop says that the towers reuse the variables of the first one")
        return None

    def _averaging_function(self) -> ast.FunctionDef | None:
        given = self._towers.average
        named = [
            statement
            for statement in self._context.tree.body
            if isinstance(statement, ast.FunctionDef) and isinstance(given, ast.Name) and statement.name == given.id
        ]
        return named[0] if len(named) == 1 else None

    def _definition(self) -> Iterator[str]:
        towers = self._towers
        lines = list(self._body_lines())
        body = ast.parse("\n".join(_dedented(lines, 0)) or "pass") if lines else ast.Module([], [])
        used = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)} | set(self._needed)
        used |= {node.id for node in ast.walk(towers.computed["loss"]) if isinstance(node, ast.Name)}
        unit = self._unit()
        yield f"def {self._function}(tower):"
        yield from (unit + line for line in self._comments())
        scope = towers.scope.optional_vars
        given = {towers.number: "number"} | ({scope.id: "scope"} if isinstance(scope, ast.Name) else {})
        wanted = [name for name in given if name in used]
        if wanted:
            yield f"{unit}{', '.join(wanted)} = {', '.join(f'tower.{given[name]}' for name in wanted)}"
        yield from (unit + line if line else "" for line in lines)
        returned = [self._loss(), *self._others()]
        yield f"{unit}return {', '.join(returned)}"

    def _unit(self) -> str:
        towers = self._towers
        column = towers.loop.col_offset
        return self._context.lines[towers.withs[0].lineno - 1][column : towers.withs[0].col_offset] or "    "

    def _comments(self) -> Iterator[str]:
        """Yields the comments between the loop and its innermost block."""
        first, last = self._towers.outer.lineno, _header_end(self._towers)
        texts = (line.strip() for line in self._context.lines[first:last])
        yield from (text for text in texts if text.startswith("#"))

    def _body_lines(self) -> Iterator[str]:
        towers, lines = self._towers, self._context.lines
        first, last = _header_end(towers), towers.loop.end_lineno or 0
        if towers.body[0].lineno <= first:
            raise LeftAloneError("a tower is on the line of its with block; give it its own lines")
        gone: set[int] = set()
        dropped = [*towers.gradients, *([self._reuse] if self._reuse is not None and self._reuse_is_last() else [])]
        for statement in dropped:
            gone |= set(range(statement.lineno - 1, statement.end_lineno or 0))
            above = statement.lineno - 2
            while above >= first and lines[above].strip().startswith("#"):
                gone.add(above)
                above -= 1
        kept = [statement for statement in towers.body if statement not in dropped]
        if any(statement.lineno - 1 in gone or (statement.end_lineno or 0) - 1 in gone for statement in kept):
            raise LeftAloneError("statements of a tower share a line; give each its own line")
        text = [lines[number] for number in range(first, last) if number not in gone]
        while text and not text[-1].strip():
            text.pop()
        yield from _dedented(text, towers.body[0].col_offset)

    def _reuse_is_last(self) -> bool:
        """Returns whether no call between the reuse and the gradients could make a variable."""
        towers = self._towers
        assert self._reuse is not None
        first = towers.body.index(self._reuse) + 1
        between = [statement for statement in towers.body[first:] if statement not in towers.gradients]
        calls = [part for statement in between for part in ast.walk(statement) if isinstance(part, ast.Call)]
        return all(name_of(call, self._context) == "get_collection" or is_method(call, "append") for call in calls)

    def _call(self) -> Iterator[str]:
        towers, context = self._towers, self._context
        head = f"{self.result} = {context.spell('tf2bridge')}.train.towers("
        arguments = [self._function, context.source(towers.optimizer), *self._where(), f"name={self._tower_name()}"]
        step = [keyword for keyword in towers.apply.keywords if keyword.arg == "global_step"]
        positional = towers.apply.args[1:2]
        for value in (*(keyword.value for keyword in step), *positional):
            arguments.append(f"global_step={context.source(value)}")
        arguments += self._computing()
        if not self._standard:
            arguments.append(f"average={context.source(towers.average)}")
        arguments.append("update_ops=None")
        line = f"{head}{', '.join(arguments)})"
        if len(line) + towers.outer.col_offset <= _WIDTH:
            yield line
        else:
            yield head
            yield from (f"    {argument}," for argument in arguments)
            yield ")"

    def _where(self) -> Iterator[str]:
        towers, context = self._towers, self._context
        count = context.source(towers.count)
        affix = _affix(towers.device, towers.number)
        if affix in [(repr(prefix), "") for prefix in _GPU]:
            yield f"num_towers={count}"
        else:
            loop = context.source(towers.loop.iter)
            yield f"devices=[{context.source(towers.device)} for {towers.number} in {loop}]"

    def _tower_name(self) -> str:
        call = self._towers.scope.context_expr
        assert isinstance(call, ast.Call)
        name = call.args[0] if len(call.args) == 1 and not call.keywords else None
        affix = _affix(name, self._towers.number) if name is not None else None
        if affix is not None and not affix[1] and ast.literal_eval(affix[0]).endswith("_"):
            return repr(ast.literal_eval(affix[0])[:-1])
        if affix is not None and affix[0] == repr("_"):
            return affix[1]
        raise LeftAloneError(f"the name scope of a tower is not NAME_NUMBER: {self._context.source(call)}")

    def _computing(self) -> Iterator[str]:
        for name, value in self._towers.computed.items():
            if name == "loss":
                continue
            inside = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            if inside & {name.id for part in self._towers.body for name, stored in events(part) if stored}:
                raise LeftAloneError(f"{name} of compute_gradients depends on what the tower makes")
            text = self._context.source(value)
            yield f"{name}=lambda: {text}" if isinstance(value, ast.Call) else f"{name}={text}"

    def _afterwards(self) -> Iterator[str]:
        if self._reuse is not None and self._towers.outer is self._towers.loop:
            yield self._context.source(self._reuse)
        if (loss := self._loss()) in self._needed:
            yield f"{loss} = {self.result}.losses[-1]"
        if self._others():
            yield f"{', '.join(self._others())} = {self.result}.outputs[-1]"

    def _loss(self) -> str:
        return self._context.source(self._towers.computed["loss"])

    def _others(self) -> list[str]:
        """Returns the names of the last tower that later statements read, without its loss."""
        return [name for name in self._needed if name != self._loss()]


def _header_end(towers: TowerLoop) -> int:
    """Returns the last line of the header of the innermost with block."""
    items = towers.withs[-1].items
    return max((part.end_lineno or 0) for item in items for part in (item.context_expr, item.optional_vars) if part)


def _dedented(lines: list[str], column: int) -> Iterator[str]:
    for line in lines:
        stripped = line.rstrip()
        yield stripped[column:] if not stripped[:column].strip() else stripped.lstrip()


def _is_averaged(argument: ast.AST, towers: TowerLoop) -> bool:
    value = argument.value if isinstance(argument, ast.keyword) else argument
    return isinstance(value, ast.Name) and value.id == towers.averaged


def _affix(text: ast.expr, number: str) -> tuple[str, str] | None:
    """Returns (literal, expression) of a string that is an optional expression, a literal and the loop's variable.

    "%s_%d" % (NAME, i) gives ("'_'", "NAME"), "tower_%d" % i and its likes ("'tower_'", "").
    """
    parts = _pieces(text)
    if parts is None or not parts or not (isinstance(parts[-1], ast.Name) and parts[-1].id == number):
        return None
    literal = parts[-2] if len(parts) > 1 else None
    if len(parts) > 3 or not isinstance(literal, str):
        return None
    before = parts[0] if len(parts) == 3 else None
    if before is None:
        return repr(literal), ""
    return (repr(literal), ast.unparse(before)) if isinstance(before, ast.expr) else None


def _pieces(text: ast.expr) -> list[ast.expr | str] | None:
    """Returns the literals and expressions that a string is composed of, in order; None if they are unknown."""
    if isinstance(text, ast.JoinedStr):
        return [_formatted(part) for part in text.values]
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add) and isinstance(text.left, ast.Constant):
        called = text.right
        plain = isinstance(called, ast.Call) and getattr(called.func, "id", "") == "str" and len(called.args) == 1
        return [str(text.left.value), called.args[0]] if plain and isinstance(called, ast.Call) else None
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Mod) and isinstance(text.left, ast.Constant):
        values = text.right.elts if isinstance(text.right, ast.Tuple) else [text.right]
        return _filled(str(text.left.value), ("%d", "%s", "%i"), values)
    if isinstance(text, ast.Call) and is_method(text, "format") and not text.keywords:
        assert isinstance(text.func, ast.Attribute)
        if isinstance(text.func.value, ast.Constant):
            return _filled(str(text.func.value.value), ("{}", "{:d}"), text.args)
    return None


def _formatted(part: ast.expr) -> ast.expr | str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    return part.value if isinstance(part, ast.FormattedValue) and part.conversion == -1 else part


def _filled(template: str, marks: tuple[str, ...], values: list[ast.expr]) -> list[ast.expr | str] | None:
    mark = "\0"
    for field in marks:
        template = template.replace(field, mark)
    literals = template.split(mark)
    if len(literals) != len(values) + 1 or any(character in template for character in "%{}"):
        return None
    mixed: list[ast.expr | str] = [literals[0]]
    for value, literal in zip(values, literals[1:], strict=True):
        mixed += [value, literal]
    return [part for part in mixed if part != ""]
