"""The text of `train.towers(...)` in place of a tower loop."""

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
    """What a loop becomes. Raises LeftAloneError where that would not compute the same.

    result: what the towers are bound to. text: of the statements. unused: the averaging function, if nothing else
    uses it any more.
    """

    def __init__(self, found: TowerLoop, context: Context) -> None:
        self._found, self._context = found, context
        self._needed = needed_later(found, context)
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
        taken = {each.id for each in ast.walk(self._context.tree) if isinstance(each, ast.Name)}
        taken |= {each.name for each in ast.walk(self._context.tree) if isinstance(each, ast.FunctionDef)}
        taken |= {each.arg for each in ast.walk(self._context.tree) if isinstance(each, ast.arg)}
        for name in names:
            if name not in taken:
                return name
        raise LeftAloneError(f"the name {names[-1]}, which the rewrite would use, has another meaning in this file")

    def _check_settled(self) -> None:
        """What was said after the loop is said before it now, and has to mean the same there."""
        found = self._found
        later = [each for each in (*found.apply.args, *found.apply.keywords) if not _is_averaged(each, found)]
        for part in (found.optimizer, *later):
            for name in (each.id for each in ast.walk(part) if isinstance(each, ast.Name)):
                stores = [each for each, is_stored in events(found.home) if is_stored and each.id == name]
                if any(each.lineno >= found.outer.lineno for each in stores):
                    raise LeftAloneError(f"{name}, which apply_gradients needs, is bound in the loop or after it")

    def _reusing(self) -> ast.stmt | None:
        """The statement of the body that reuses variables; None where a scope or a layer is told so."""
        for each in self._found.body:
            if isinstance(each, ast.Expr) and is_method(each.value, "reuse_variables"):
                return each
        told = [part for each in self._found.body for part in ast.walk(each) if isinstance(part, ast.keyword)]
        if not any(each.arg == "reuse" for each in told):
            raise LeftAloneError("nothing in the loop says that the towers reuse the variables of the first one")
        return None

    def _averaging_function(self) -> ast.FunctionDef | None:
        given = self._found.average
        named = [
            each
            for each in self._context.tree.body
            if isinstance(each, ast.FunctionDef) and isinstance(given, ast.Name) and each.name == given.id
        ]
        return named[0] if len(named) == 1 else None

    def _definition(self) -> Iterator[str]:
        found = self._found
        lines = list(self._body_lines())
        body = ast.parse("\n".join(_dedented(lines, 0)) or "pass") if lines else ast.Module([], [])
        used = {each.id for each in ast.walk(body) if isinstance(each, ast.Name)} | set(self._needed)
        used |= {each.id for each in ast.walk(found.computed["loss"]) if isinstance(each, ast.Name)}
        unit = self._unit()
        yield f"def {self._function}(tower):"
        yield from (unit + line for line in self._comments())
        scope = found.scope.optional_vars
        given = {found.number: "number"} | ({scope.id: "scope"} if isinstance(scope, ast.Name) else {})
        wanted = [name for name in given if name in used]
        if wanted:
            yield f"{unit}{', '.join(wanted)} = {', '.join(f'tower.{given[name]}' for name in wanted)}"
        yield from (unit + line if line else "" for line in lines)
        returned = [self._loss(), *self._others()]
        yield f"{unit}return {', '.join(returned)}"

    def _unit(self) -> str:
        found = self._found
        column = found.loop.col_offset
        return self._context.lines[found.withs[0].lineno - 1][column : found.withs[0].col_offset] or "    "

    def _comments(self) -> Iterator[str]:
        """Those between the loop and its innermost block."""
        first, last = self._found.outer.lineno, _header_end(self._found)
        texts = (line.strip() for line in self._context.lines[first:last])
        yield from (text for text in texts if text.startswith("#"))

    def _body_lines(self) -> Iterator[str]:
        found, lines = self._found, self._context.lines
        first, last = _header_end(found), found.loop.end_lineno or 0
        if found.body[0].lineno <= first:
            raise LeftAloneError("a tower is on the line of its with block; give it its own lines")
        gone: set[int] = set()
        dropped = [*found.gradients, *([self._reuse] if self._reuse is not None and self._reuse_is_last() else [])]
        for statement in dropped:
            gone |= set(range(statement.lineno - 1, statement.end_lineno or 0))
            above = statement.lineno - 2
            while above >= first and lines[above].strip().startswith("#"):
                gone.add(above)
                above -= 1
        kept = [each for each in found.body if each not in dropped]
        if any(each.lineno - 1 in gone or (each.end_lineno or 0) - 1 in gone for each in kept):
            raise LeftAloneError("statements of a tower share a line; give each its own line")
        text = [lines[number] for number in range(first, last) if number not in gone]
        while text and not text[-1].strip():
            text.pop()
        yield from _dedented(text, found.body[0].col_offset)

    def _reuse_is_last(self) -> bool:
        """Whether nothing that could make a variable stands between reuse and the gradients."""
        found = self._found
        assert self._reuse is not None
        first = found.body.index(self._reuse) + 1
        between = [each for each in found.body[first:] if each not in found.gradients]
        calls = [part for each in between for part in ast.walk(each) if isinstance(part, ast.Call)]
        return all(name_of(each, self._context) == "get_collection" or is_method(each, "append") for each in calls)

    def _call(self) -> Iterator[str]:
        found, context = self._found, self._context
        head = f"{self.result} = {context.spell('tf2bridge')}.train.towers("
        arguments = [self._function, context.source(found.optimizer), *self._where(), f"name={self._tower_name()}"]
        step = [each for each in found.apply.keywords if each.arg == "global_step"]
        positional = found.apply.args[1:2]
        for value in (*(each.value for each in step), *positional):
            arguments.append(f"global_step={context.source(value)}")
        arguments += self._computing()
        if not self._standard:
            arguments.append(f"average={context.source(found.average)}")
        arguments.append("update_ops=None")
        line = f"{head}{', '.join(arguments)})"
        if len(line) + found.outer.col_offset <= _WIDTH:
            yield line
        else:
            yield head
            yield from (f"    {each}," for each in arguments)
            yield ")"

    def _where(self) -> Iterator[str]:
        found, context = self._found, self._context
        count = context.source(found.count)
        affix = _affix(found.device, found.number)
        if affix in [(repr(each), "") for each in _GPU]:
            yield f"num_towers={count}"
        else:
            loop = context.source(found.loop.iter)
            yield f"devices=[{context.source(found.device)} for {found.number} in {loop}]"

    def _tower_name(self) -> str:
        call = self._found.scope.context_expr
        assert isinstance(call, ast.Call)
        name = call.args[0] if len(call.args) == 1 and not call.keywords else None
        affix = _affix(name, self._found.number) if name is not None else None
        if affix is not None and not affix[1] and ast.literal_eval(affix[0]).endswith("_"):
            return repr(ast.literal_eval(affix[0])[:-1])
        if affix is not None and affix[0] == repr("_"):
            return affix[1]
        raise LeftAloneError(f"the name scope of a tower is not NAME_NUMBER: {self._context.source(call)}")

    def _computing(self) -> Iterator[str]:
        for name, value in self._found.computed.items():
            if name == "loss":
                continue
            inside = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
            if inside & {each.id for part in self._found.body for each, stored in events(part) if stored}:
                raise LeftAloneError(f"{name} of compute_gradients depends on what the tower makes")
            text = self._context.source(value)
            yield f"{name}=lambda: {text}" if isinstance(value, ast.Call) else f"{name}={text}"

    def _afterwards(self) -> Iterator[str]:
        if self._reuse is not None and self._found.outer is self._found.loop:
            yield self._context.source(self._reuse)
        if (loss := self._loss()) in self._needed:
            yield f"{loss} = {self.result}.losses[-1]"
        if self._others():
            yield f"{', '.join(self._others())} = {self.result}.outputs[-1]"

    def _loss(self) -> str:
        return self._context.source(self._found.computed["loss"])

    def _others(self) -> list[str]:
        """What follows the loop and reads of the last tower, beside its loss."""
        return [name for name in self._needed if name != self._loss()]


def _header_end(found: TowerLoop) -> int:
    """The last line of the innermost with, up to its colon."""
    items = found.withs[-1].items
    return max((part.end_lineno or 0) for item in items for part in (item.context_expr, item.optional_vars) if part)


def _dedented(lines: list[str], column: int) -> Iterator[str]:
    for line in lines:
        stripped = line.rstrip()
        yield stripped[column:] if not stripped[:column].strip() else stripped.lstrip()


def _is_averaged(argument: ast.AST, found: TowerLoop) -> bool:
    value = argument.value if isinstance(argument, ast.keyword) else argument
    return isinstance(value, ast.Name) and value.id == found.averaged


def _affix(text: ast.expr, number: str) -> tuple[str, str] | None:
    """(literal, expression) of a text that is an expression, if any, a literal and then the loop's variable.

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
    """The literals and expressions that a text is put together from, in their order."""
    if isinstance(text, ast.JoinedStr):
        return [_formatted(each) for each in text.values]
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
    for each in marks:
        template = template.replace(each, mark)
    literals = template.split(mark)
    if len(literals) != len(values) + 1 or any(each in template for each in "%{}"):
        return None
    mixed: list[ast.expr | str] = [literals[0]]
    for value, literal in zip(values, literals[1:], strict=True):
        mixed += [value, literal]
    return [part for part in mixed if part != ""]
