"""LIB035: the attribute value of datasets of h5py, and decode of attributes, which h5py 3 reads as str."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.variables import always_holds

_READERS = ("get", "create_dataset", "create_group", "require_dataset", "require_group")
"""Methods of files and groups that return a dataset or a group."""


def find(node: ast.Attribute, context: Context) -> Iterator[Hit]:
    """Yields a hit on `dataset.value`, and on `file.attrs[name].decode(...)`."""
    if node.attr == "value" and isinstance(node.ctx, ast.Load) and not _is_called(node, context):
        if _is_of_file(node.value, context, frozenset()):
            yield Hit(node, "h5py 3.0 removed value of datasets, which is dataset[()]", rewrite=_all_of_it)
    elif node.attr == "decode" and _is_called(node, context) and _is_attribute(node.value, context, frozenset()):
        if _is_guarded(node, context):
            return
        call = context.parent(node)
        message = "h5py 3.0 reads as str what was bytes in attributes, and str has no decode"
        yield Hit(call if call is not None else node, message, rewrite=_decoded_if_bytes)


def _is_called(node: ast.Attribute, context: Context) -> bool:
    parent = context.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


def _is_guarded(node: ast.AST, context: Context) -> bool:
    """Returns whether the program itself asks for the type, or catches the error."""
    above = context.parent(node)
    while above is not None:
        if isinstance(above, ast.Try):
            return True
        if isinstance(above, ast.If | ast.IfExp):
            calls = [part for part in ast.walk(above.test) if isinstance(part, ast.Call)]
            if any(isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "hasattr") for call in calls):
                return True
        above = context.parent(above)
    return False


def _is_of_file(node: ast.expr, context: Context, seen: frozenset[ast.expr]) -> bool:
    """Returns whether an expression is certainly a file of h5py, or comes out of one; `seen` are values followed."""
    if isinstance(node, ast.Name):
        return always_holds(node, context, seen, _is_of_file, enters=True)
    if isinstance(node, ast.Subscript):
        return _is_of_file(node.value, context, seen)
    if not isinstance(node, ast.Call):
        return False
    if context.qualified(node.func) == "h5py.File":
        return True
    function = node.func
    return (
        isinstance(function, ast.Attribute) and function.attr in _READERS and _is_of_file(function.value, context, seen)
    )


def _is_attribute(node: ast.expr, context: Context, seen: frozenset[ast.expr]) -> bool:
    """Returns whether an expression is certainly read from `attrs`, or is an element of what is."""
    if isinstance(node, ast.Name):
        loop = _loop_of(node, context)
        if loop is not None:
            return loop not in seen and _is_attribute(loop, context, seen | {loop})  # for n in n
        return always_holds(node, context, seen, _is_attribute)
    if isinstance(node, ast.Subscript):
        return _is_attrs(node.value) or _is_attribute(node.value, context, seen)
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr == "get" and _is_attrs(function.value)


def _is_attrs(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "attrs"


def _loop_of(name: ast.Name, context: Context) -> ast.expr | None:
    """Returns what a name runs over, if one loop alone binds it."""
    bindings = context.names.bindings(name)
    places = [place for place in context.names.scopes if context.names.bindings(place) is bindings]
    parents = [context.parent(place) for place in places if isinstance(place.ctx, ast.Store)]
    loops = [parent for parent in parents if isinstance(parent, ast.For | ast.comprehension)]
    return loops[0].iter if bindings and len(bindings) == len(parents) == len(loops) == 1 else None


def _all_of_it(node: Any) -> Any:
    import libcst as cst

    return cst.Subscript(node.value, [cst.SubscriptElement(cst.Index(cst.Tuple([])))])


def _decoded_if_bytes(node: Any) -> Any:
    import libcst as cst

    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return node
    text = node.func.value
    test = cst.Call(
        cst.Name("isinstance"),
        [cst.Arg(text, comma=cst.Comma(cst.SimpleWhitespace(""), cst.SimpleWhitespace(" "))), cst.Arg(cst.Name("str"))],
    )
    return cst.IfExp(test, text, node, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


_H = "import h5py\n"

rule = Rule(
    code="LIB035",
    name="h5py-values",
    summary="dataset.value -> dataset[()], file.attrs[n].decode() -> decoded only if it is not str",
    why="h5py 3.0 removed value of datasets, and reads variable-length strings of attributes as str (its release "
    "notes). The rule writes what is right for old and new h5py alike, where the object certainly comes from a file "
    "of h5py, or the text from attrs.",
    safety=Safety.SAFE,
    on=(ast.Attribute,),
    packages=("h5py",),
    find=find,
    examples=(
        Example(
            f"{_H}with h5py.File(p, 'r') as f:\n    x = f['a/b'].value\n",
            f"{_H}with h5py.File(p, 'r') as f:\n    x = f['a/b'][()]\n",
        ),
        Example(
            f"{_H}f = h5py.File(p, 'r')\ng = f.get('a')\nd = g['b']\nprint(d.value.shape)\n",
            f"{_H}f = h5py.File(p, 'r')\ng = f.get('a')\nd = g['b']\nprint(d[()].shape)\n",
        ),
        Example(
            f"{_H}f = h5py.File(p, 'r')\nv = f.attrs.get('v').decode('utf-8')\n",
            f"{_H}f = h5py.File(p, 'r')\n"
            "v = (f.attrs.get('v') if isinstance(f.attrs.get('v'), str) else f.attrs.get('v').decode('utf-8'))\n",
        ),
        Example(
            f"{_H}def names(g):\n    return [n.decode('utf8') for n in g.attrs['weight_names']]\n",
            f"{_H}def names(g):\n"
            "    return [(n if isinstance(n, str) else n.decode('utf8')) for n in g.attrs['weight_names']]\n",
        ),
        Example(
            f"{_H}def config(f):\n    c = f.attrs['c']\n    return c.decode()\n",
            f"{_H}def config(f):\n    c = f.attrs['c']\n    return (c if isinstance(c, str) else c.decode())\n",
        ),
        Example(
            f"{_H}f = h5py.File(p, 'r')\nf = f['a']\nx = f.value\n",
            f"{_H}f = h5py.File(p, 'r')\nf = f['a']\nx = f[()]\n",
        ),
        Example(f"{_H}def f(names):\n    for n in n.parts():\n        n = n.decode()\n"),
        Example(f"{_H}for n in n:\n    print(n.decode())\n"),
        Example(f"{_H}def f(cell):\n    return cell['a'].value\n"),
        Example(f"{_H}f = h5py.File(p, 'r')\nf = other\nx = f['a'].value\n"),
        Example(f"{_H}def f(g):\n    v = g.attrs['v']\n    if hasattr(v, 'decode'):\n        v = v.decode()\n"),
        Example(f"{_H}text = line.decode('utf8')\n"),
    ),
)
