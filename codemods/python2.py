"""Recognizes Python 2 text, and turns it into Python 3 with fissix's fixers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from codemods import parsing, print_statements
from codemods.errors import UnparsableError
from codemods.names import Names
from codemods.scopes import resolve

# Left out, with the reason: import (turns scripts' own modules into relative imports when a package marker lies
# beside them), future (a future import does no harm), dict and unicode (replaced below), and the matters of taste.
_FIXERS = (
    "apply", "asserts", "basestring", "except", "exec", "execfile", "exitfunc", "filter", "funcattrs",
    "getcwdu", "has_key", "imports", "imports2", "intern", "itertools", "isinstance", "itertools_imports", "long",
    "map",    "metaclass", "methodattrs", "ne", "next", "nonzero", "numliterals", "operator", "paren", "print",
    "raise", "raw_input", "reduce", "reload", "renames", "repr", "standarderror", "sys_exc", "throw",
    "tuple_params", "types", "urllib", "xrange", "xreadlines", "zip",
)  # fmt: skip
_OWN_FIXERS = (
    "codemods.fixers.fix_dict_views",
    "codemods.fixers.fix_unicode_names",
    "codemods.fixers.fix_input_eval",
    "codemods.fixers.fix_file",
)
_MENDED_FIXERS = frozenset(("print",))
"""Fixers of ours that stand for fissix's of the same name."""

_BUILTINS = frozenset(
    {
        "xrange", "unicode", "basestring", "raw_input", "long", "unichr", "execfile", "cmp", "intern",
        "reduce", "reload", "apply", "file",
    }
)  # fmt: skip
_METHODS = frozenset(
    {
        "iteritems", "itervalues", "iterkeys", "has_key", "iterlists",
    }
)  # fmt: skip
_MODULES = frozenset(
    {
        "urllib2", "cPickle", "ConfigParser", "StringIO", "cStringIO", "Queue", "Tkinter", "tkMessageBox",
        "__builtin__", "HTMLParser", "httplib", "urlparse", "commands", "copy_reg", "SocketServer",
        "thread", "sets", "md5", "sha", "exceptions", "cookielib", "Cookie", "xmlrpclib",
    }
)  # fmt: skip
_ITERTOOLS = frozenset(
    {
        "izip", "imap", "ifilter", "izip_longest", "ifilterfalse",
    }
)  # fmt: skip


_WIDE = frozenset({"NameError", "Exception", "BaseException"})
"""Classes of handlers that catch a NameError."""


def reasons(text: str, names: Names | None = None) -> list[str]:
    """Returns the reasons why this text counts as Python 2; [] if it is Python 3."""
    if names is None:
        try:
            names = resolve(parsing.parse(text))
        except SyntaxError as error:
            return [f"line {error.lineno or 1} is not Python 3 ({error.msg})"]
    return list(dict.fromkeys(_marks(names)))


def _marks(names: Names) -> Iterator[str]:
    """Yields uses of names that only Python 2 has. Names bound in the file (six, `xrange = range`) do not count."""
    for chain in names.chains:
        if isinstance(chain, ast.Name) and chain.id in _BUILTINS and names.is_unbound(chain) and not names.wildcards:
            if not _is_tried(names, chain):
                yield f"{chain.id} on line {chain.lineno}"
        elif (names.qualified(chain) or "").removeprefix("itertools.") in _ITERTOOLS:
            yield f"{names.qualified(chain)} on line {chain.lineno}"
    defined = {node.name for node in names.nodes.get(ast.FunctionDef, []) if isinstance(node, ast.FunctionDef)}
    for call in names.nodes.get(ast.Call, []):
        assert isinstance(call, ast.Call)
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr not in _METHODS:
            continue
        own = function.attr in defined and isinstance(function.value, ast.Name) and function.value.id == "self"
        if not own and names.qualified(function) is None:
            yield f".{function.attr}() on line {call.lineno}"
    yield from _print_statements(names)
    yield from _imports(names)


def _print_statements(names: Names) -> Iterator[str]:
    """Returns the print statements that Python 3 parses as expressions."""
    for node in names.nodes.get(ast.BinOp, []):
        assert isinstance(node, ast.BinOp)
        if isinstance(node.op, ast.RShift) and isinstance(node.left, ast.Name) and node.left.id == "print":
            yield f"print >> on line {node.lineno}"
    for statement in names.nodes.get(ast.Expr, []):
        assert isinstance(statement, ast.Expr)
        if isinstance(statement.value, ast.Name) and statement.value.id == "print":
            yield f"print without brackets on line {statement.lineno}"


def _imports(names: Names) -> Iterator[str]:
    """Returns the imports of modules that Python 3 renamed, outside of a `try`."""
    for node in [*names.nodes.get(ast.Import, []), *names.nodes.get(ast.ImportFrom, [])]:
        assert isinstance(node, ast.Import | ast.ImportFrom)
        if isinstance(node, ast.Import):
            heads = [alias.name.split(".")[0] for alias in node.names]
        else:
            heads = [(node.module or "").split(".")[0]] if node.level == 0 else []
        gone = [head for head in heads if head in _MODULES]
        if gone and not _guarded(names, node):
            yield f"import {gone[0]} on line {node.lineno}"


def _is_tried(names: Names, node: ast.AST) -> bool:
    """Returns whether a `try` around the name catches the NameError that Python 3 raises for it."""
    above = names.parents.get(node)
    while above is not None:
        if isinstance(above, ast.Try) and node in above.body and any(map(_catches_name_error, above.handlers)):
            return True
        node, above = above, names.parents.get(above)
    return False


def _catches_name_error(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _WIDE) for kind in caught)


def _guarded(names: Names, node: ast.AST) -> bool:
    above = names.parents.get(node)
    while above is not None:
        if isinstance(above, ast.Try | ast.If | ast.ExceptHandler):
            return True
        above = names.parents.get(above)
    return False


def looks_old(text: str) -> bool:
    """Returns quickly whether a text may be Python 2. A conversion takes as long as all other work."""
    return bool(_glance().search(text))


@lru_cache(maxsize=1)
def _glance() -> re.Pattern[str]:
    words = "|".join(sorted({*_BUILTINS, *_MODULES, *_ITERTOOLS} - {"file", "reduce"}))
    return re.compile(rf"\b(?:{words})\b|\.(?:{'|'.join(sorted(_METHODS))})\(|^\s*print\s+[^=(]", re.MULTILINE)


@lru_cache(maxsize=1)
def _words() -> dict[str, re.Pattern[str]]:
    """Returns the words without which the slowest fixers have nothing to do."""
    from fissix.fixes.fix_imports import MAPPING

    names = {"imports": "|".join(MAPPING), "urllib": "urllib2?", "types": "types"}
    return {fixer: re.compile(rf"\b(?:{words})\b") for fixer, words in names.items()}


@lru_cache(maxsize=8)
def _tool(print_function: bool, idle: frozenset[str] = frozenset()) -> Any:
    import logging

    from fissix.refactor import RefactoringTool

    from codemods.fixers.parser import Driver

    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    logging.getLogger("lib2to3.driver").setLevel(logging.CRITICAL)
    left_out = idle | {"print"} if print_function else idle
    chosen = [name for name in _FIXERS if name not in left_out]
    fixers = [f"{'codemods.fixers' if name in _MENDED_FIXERS else 'fissix.fixes'}.fix_{name}" for name in chosen]
    tool = RefactoringTool([*fixers, *_OWN_FIXERS], {"print_function": print_function}, explicit=True)
    tool.driver = Driver(tool.driver)
    return tool


def _says_print_function(text: str) -> bool:
    return bool(re.search(r"^from __future__ import .*\bprint_function\b", text, re.MULTILINE))


def convert(text: str, path: str) -> str:
    """Returns Python 2 text as Python 3.

    Raises UnparsableError if fissix cannot read it or the result does not parse.
    """
    if _says_print_function(text):
        text = print_statements.converted(text, lambda statement: str(_tool(False).refactor_string(statement, path)))
    first = parsing.syntax_error(text)
    as_statement = re.search(r"\bprint\s*(>>|$)", text, re.MULTILINE)
    is_function = _says_print_function(text) or (first is None and not as_statement)
    ended = text.endswith(("\n", "\r"))
    idle = frozenset(fixer for fixer, words in _words().items() if not words.search(text))
    try:
        new = str(_tool(is_function, idle).refactor_string(text if ended else text + "\n", path))
    except Exception as error:  # fissix raises its parser's, tokenizer's and fixers' own kinds
        line = (first.lineno if first else None) or 1
        raise UnparsableError(path, line, first.msg if first else str(error)) from error
    new = new if ended else new.removesuffix("\n")
    problem = parsing.syntax_error(new)
    if isinstance(problem, TabError):
        new = expand_tabs(new)
        problem = parsing.syntax_error(new)
    if problem is not None:
        raise UnparsableError(path, problem.lineno or 1, problem.msg)
    return new


def expand_tabs(text: str) -> str:
    """Returns the text with each tab of indentation as spaces up to the next multiple of 8 columns, as in Python 2.

    Lines inside strings stay as they are.
    """
    from fissix.pgen2 import token, tokenize

    # str.splitlines would also split at form feeds, which are no newlines to Python
    lines = re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z", text)
    inside: set[int] = set()
    for kind, _, start, end, _ in tokenize.generate_tokens(iter(lines).__next__):
        if kind == token.STRING:
            inside.update(range(start[0] + 1, end[0] + 1))
    for number, line in enumerate(lines, start=1):
        indent = re.match(r"[ \t\f]*", line)
        if indent and "\t" in indent.group() and number not in inside:
            lines[number - 1] = indent.group().expandtabs(8) + line[indent.end() :]
    return "".join(lines)
