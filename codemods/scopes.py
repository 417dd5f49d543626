"""The pass that fills `names`: the bindings of each scope, and the nodes for rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from codemods.branches import outcome
from codemods.names import Binding, Chain, Names, Scope, root_of
from codemods.tree import children

_OTHER = Binding()
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Walk:
    """Fills a `Names`. It keeps its own stack: generated code nests deeper than Python's recursion limit."""

    def __init__(self, names: Names, with_tensorflow: bool = True) -> None:
        self.names = names
        self.with_tensorflow = with_tensorflow
        self.stack: list[tuple[ast.AST, Scope]] = [(names.tree, names.module)]

    def run(self) -> None:
        """Visits every node once, in the order of the text."""
        nodes, stack = self.names.nodes, self.stack
        while stack:
            node, scope = stack.pop()
            kind = type(node)
            nodes[kind].append(node)
            visit = _VISITS.get(kind)
            if visit is not None:
                visit(self, node, scope)
            elif below := children(node):
                self.push(below, scope)

    def push(self, nodes: Sequence[ast.AST], scope: Scope) -> None:
        """Puts nodes on the stack so that the first is visited first."""
        self.stack += [(child, scope) for child in reversed(nodes)]

    def name(self, node: ast.Name, scope: Scope) -> None:
        """Adds a use to the chains; a store binds the name to another value."""
        self.names.scopes[node] = scope
        if isinstance(node.ctx, ast.Load):
            self.names.chains.append(node)
        elif isinstance(node.ctx, ast.Store):
            scope.bind(node.id, _OTHER)

    def attribute(self, node: ast.Attribute, scope: Scope) -> None:
        """Adds a dotted name as one chain, identified by its outermost node."""
        inner: ast.expr = node.value
        while isinstance(inner, ast.Attribute):
            self.names.nodes[ast.Attribute].append(inner)
            inner = inner.value
        if isinstance(inner, ast.Name):
            self.names.nodes[ast.Name].append(inner)
            self.names.scopes[inner] = scope
            self.names.chains.append(node)
        else:
            self.stack.append((inner, scope))

    def assign(self, node: ast.Assign, scope: Scope) -> None:
        """Binds targets: `a = tf.x` and `a, b = tf.x, tf.y` are aliases; any other target is an ordinary store."""
        rest: list[ast.AST] = []
        for target in node.targets:
            pairs = list(_pairs(target, node.value))
            for name, value in pairs:
                self.names.scopes[name] = scope
                scope.bind(name.id, _meaning(value))
            if not pairs:
                rest.append(target)
        self.push([*rest, node.value], scope)

    def import_(self, node: ast.Import, scope: Scope) -> None:
        """`import a.b` binds `a`; `import a.b as c` binds `c` to the inner module."""
        for alias in node.names:
            if alias.asname:
                scope.bind(alias.asname, Binding(imported=alias.name, statement=node))
            else:
                head = alias.name.split(".")[0]
                scope.bind(head, Binding(imported=head, statement=node))

    def import_from(self, node: ast.ImportFrom, scope: Scope) -> None:
        """A relative import binds names of the project: `.` stands before its module."""
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.names.wildcards.append(module)
            else:
                joint = "" if module.endswith(".") else "."
                imported = f"{module}{joint}{alias.name}"
                scope.bind(alias.asname or alias.name, Binding(imported=imported, statement=node))

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
        """Puts decorators, defaults and annotations into the outer scope, and parameters and body into a new one."""
        inner = Scope("function", scope)
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
        for argument in every:
            inner.bind(argument.arg, _OTHER)
        outside: list[ast.AST] = [*arguments.defaults, *(d for d in arguments.kw_defaults if d)]
        outside += [argument.annotation for argument in every if argument.annotation]
        body: list[ast.AST]
        if isinstance(node, ast.Lambda):
            body = [node.body]
        else:
            scope.bind(node.name, _OTHER)
            outside = [*node.decorator_list, *outside, *([node.returns] if node.returns else [])]
            body = list(node.body)
        self.push(body, inner)
        self.push(outside, scope)

    def class_(self, node: ast.ClassDef, scope: Scope) -> None:
        """Makes the scope of a class body, whose names its methods do not see."""
        scope.bind(node.name, _OTHER)
        self.push(node.body, Scope("class", scope))
        self.push([*node.decorator_list, *node.bases, *node.keywords], scope)

    def comprehension(self, node: _Comprehension, scope: Scope) -> None:
        """Makes the scope of a comprehension's variables. The first iterable is evaluated outside."""
        inner = Scope("function", scope)
        first = node.generators[0]
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.push([first.target, *first.ifs, *node.generators[1:], *results], inner)
        self.push([first.iter], scope)

    def if_(self, node: ast.If | ast.IfExp, scope: Scope) -> None:
        """Skips a dead branch, for a release that is not supported today."""
        test = outcome(node.test, lambda part: _imported(part, scope), self.with_tensorflow)
        if test is None:
            self.push(children(node), scope)
        elif isinstance(node, ast.If):
            self.push([node.test, *(node.body if test else node.orelse)], scope)
        else:
            self.push([node.test, node.body if test else node.orelse], scope)

    def handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        """`except E as e` binds e."""
        if node.name:
            scope.bind(node.name, _OTHER)
        self.push(children(node), scope)

    def global_(self, node: ast.Global, scope: Scope) -> None:
        """Makes the names those of the module from here on."""
        scope.outer.update(dict.fromkeys(node.names, self.names.module))

    def nonlocal_(self, node: ast.Nonlocal, scope: Scope) -> None:
        """Makes the names those of the outer function from here on."""
        if scope.parent is not None:
            scope.outer.update(dict.fromkeys(node.names, scope.parent))

    def pattern(self, node: ast.AST, scope: Scope) -> None:
        """Capture patterns of `match` bind plain strings."""
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if isinstance(name, str):
            scope.bind(name, _OTHER)
        self.push(children(node), scope)


_VISITS: dict[type[ast.AST], Callable[[Walk, Any, Scope], None]] = {
    ast.Name: Walk.name,
    ast.Attribute: Walk.attribute,
    ast.Assign: Walk.assign,
    ast.Import: Walk.import_,
    ast.ImportFrom: Walk.import_from,
    ast.FunctionDef: Walk.function,
    ast.AsyncFunctionDef: Walk.function,
    ast.Lambda: Walk.function,
    ast.ClassDef: Walk.class_,
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), Walk.comprehension),
    ast.ExceptHandler: Walk.handler,
    ast.If: Walk.if_,
    ast.IfExp: Walk.if_,
    ast.Global: Walk.global_,
    ast.Nonlocal: Walk.nonlocal_,
    **dict.fromkeys((ast.MatchAs, ast.MatchStar, ast.MatchMapping), Walk.pattern),
}


def _imported(node: ast.expr, scope: Scope) -> str | None:
    """Returns the meaning of a dotted name by the imports up to this place."""
    root = root_of(node)
    meanings = {binding.imported for binding in scope.find(root.id)} if root is not None else set()
    meaning = meanings.pop() if len(meanings) == 1 else None
    return meaning and f"{meaning}{ast.unparse(node)[len(root.id) :]}" if root is not None else None


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Returns the (name, value) pairs of an assignment, if its target consists of plain names."""
    if isinstance(target, ast.Name):
        yield target, value
        return
    if not isinstance(target, ast.Tuple | ast.List) or not isinstance(value, ast.Tuple | ast.List):
        return
    if len(target.elts) == len(value.elts) and all(isinstance(item, ast.Name) for item in target.elts):
        for item, part in zip(target.elts, value.elts, strict=True):
            yield from _pairs(item, part)


def _meaning(value: ast.expr) -> Binding:
    if isinstance(value, ast.Constant) and value.value is None:
        return Binding(neutral=True)
    if isinstance(value, ast.Call) and (gone := stands_for(value)):
        return Binding(imported=gone)
    chain: Chain | None = value if isinstance(value, ast.Name | ast.Attribute) else None
    return Binding(alias=chain) if chain is not None and root_of(chain) is not None else _OTHER


def stands_for(call: ast.Call) -> str | None:
    """Returns tensorflow.contrib.ffmpeg for `tf2bridge.v1.unavailable("contrib.ffmpeg")`; None for other calls."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "unavailable" or len(call.args) != 1:
        return None
    holder, given = call.func.value, call.args[0]
    root = root_of(holder)
    if not isinstance(holder, ast.Attribute) or holder.attr != "v1" or root is None or root.id != "tf2bridge":
        return None
    return f"tensorflow.{given.value}" if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def resolve(tree: ast.Module, with_tensorflow: bool = True) -> Names:
    """Reads the tree once and returns the meanings of its names, without branches that never run today.

    With `with_tensorflow` False, all branches that depend on TensorFlow's release count.
    """
    names = Names(tree, Scope("module", None))
    Walk(names, with_tensorflow).run()
    return names
