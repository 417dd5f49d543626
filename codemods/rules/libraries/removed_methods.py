"""LIB029: methods and arguments that Python removed: Thread.isAlive, Element.getchildren, open(f, 'rU')."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from codemods.calls import without
from codemods.context import Context
from codemods.removed.of_methods import METHODS
from codemods.rule import Example, Hit, Rule, Safety

_LIBRARIES = {
    "getchildren": ("xml", "lxml"),
    "getiterator": ("xml", "lxml"),
    "isAlive": ("threading", "multiprocessing"),
    "readfp": ("configparser", "ConfigParser"),
    "unescape": ("html", "HTMLParser"),
}
"""Method -> the libraries whose objects have it."""
_METHODS = {name.rpartition(".")[2]: row for name, row in METHODS.items()}
_JSON = ("json.load", "json.loads", "json.dump", "json.dumps")


def find(module: ast.Module, context: Context) -> Iterator[Hit]:  # noqa: ARG001 - a rule for a whole file is given it
    """Yields a hit on each such call."""
    for call in context.names.nodes.get(ast.Call, []):
        if isinstance(call, ast.Call):
            yield from _of_call(call, context)


def _of_call(call: ast.Call, context: Context) -> Iterator[Hit]:
    function = call.func
    if isinstance(function, ast.Name):
        if function.id == "open" and context.names.is_unbound(function):
            yield from _universal(call)
    elif isinstance(function, ast.Attribute):
        if function.attr in _METHODS and _may_be_meant(function, _LIBRARIES[function.attr], context):
            yield from _of_method(call, function, context)
        elif context.qualified(function) in _JSON and any(keyword.arg == "encoding" for keyword in call.keywords):
            yield Hit(
                call, "Python 3.9 takes no encoding here; up to 3.8 it had no effect", rewrite=without("encoding")
            )


def _of_method(call: ast.Call, function: ast.Attribute, context: Context) -> Iterator[Hit]:
    release, new = _METHODS[function.attr][:2]
    if new:
        yield Hit(call, f"{release} removed {function.attr}, which is {new}", rewrite=_renaming(new))
    elif function.attr == "getchildren" and not call.args:
        text = f"list({context.source(function.value)})"
        yield Hit(call, f"{release} removed getchildren; {text} returns the children", rewrite=text)
    elif function.attr == "unescape" and len(call.args) == 1 and not call.keywords:
        text = f"html.unescape({context.source(call.args[0])})"
        message = f"{release} removed unescape; {text} returns the same text"
        yield Hit(call, message, rewrite=text, imports=("import html",))


def _universal(call: ast.Call) -> Iterator[Hit]:
    """Yields a hit on `open(path, "rU")`; since Python 3.0, reading text accepts all line ends without U."""
    mode = call.args[1] if len(call.args) > 1 else next((k.value for k in call.keywords if k.arg == "mode"), None)
    if not isinstance(mode, ast.Constant) or not isinstance(mode.value, str) or "U" not in mode.value:
        return
    left = mode.value.replace("U", "")
    new = left if "r" in left else f"r{left}"
    if "b" in new:
        message = (
            "Python 3.11 removed the mode U; with b it had no effect on Python 3, and translated lines on Python 2"
        )
        yield Hit(call, message, Safety.MANUAL)
    else:
        yield Hit(mode, f"Python 3.11 removed the mode U; {new!r} reads the same text", rewrite=repr(new))


def _may_be_meant(function: ast.Attribute, packages: tuple[str, ...], context: Context) -> bool:
    """Returns whether the file imports such a library has no method of this name, and the name is not a module's."""
    if context.qualified(function) is not None or not any(map(context.names.imports, packages)):
        return False
    defined = context.names.nodes.get(ast.FunctionDef, [])
    return not any(isinstance(node, ast.FunctionDef) and node.name == function.attr for node in defined)


def _renaming(new: str) -> Callable[[Any], Any]:
    def renamed(node: Any) -> Any:
        import libcst as cst

        return node.with_changes(func=node.func.with_changes(attr=cst.Name(new)))

    return renamed


rule = Rule(
    code="LIB029",
    name="removed-methods",
    summary="t.isAlive() -> t.is_alive(), element.getchildren() -> list(element), open(f, 'rU') -> open(f, 'r')",
    why="Python 3.9 to 3.12 removed methods, arguments and modes that had long had another spelling.",
    safety=Safety.SAFE,
    on=(ast.Module,),
    find=find,
    examples=(
        Example(
            "import threading\nt = threading.Thread()\na = t.isAlive()\n",
            "import threading\nt = threading.Thread()\na = t.is_alive()\n",
        ),
        Example(
            "import xml.etree.ElementTree as ET\nfor c in ET.parse(f).getroot().getchildren(): pass\n",
            "import xml.etree.ElementTree as ET\nfor c in list(ET.parse(f).getroot()): pass\n",
        ),
        Example("import json\nd = json.load(f, encoding='utf-8')\n", "import json\nd = json.load(f)\n"),
        Example("f = open(path, 'rU')\n", "f = open(path, 'r')\n"),
        Example("f = open(path, mode='U')\n", "f = open(path, mode='r')\n"),
        Example("f = open(path, 'rbU')\n", reported=True),
        Example("import threading\nclass T:\n    def isAlive(self):\n        pass\na = T().isAlive()\n"),
        Example(
            "from html.parser import HTMLParser\ns = HTMLParser().unescape(t)\n",
            "import html\nfrom html.parser import HTMLParser\ns = html.unescape(t)\n",
        ),
        Example("import json\nd = json.load(f)\n"),
        Example("a = t.isAlive()\n"),
    ),
)
