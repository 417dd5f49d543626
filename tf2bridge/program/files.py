"""Reads a file of the program and compiles it, Python 2 text converted in memory."""

from __future__ import annotations

import ast
import linecache
import sysconfig
from pathlib import Path
from types import CodeType

from codemods.errors import CodemodsError
from codemods.python2 import convert, reasons
from codemods.source import decode
from tf2bridge.program.generators import with_old_generators
from tf2bridge.program.letters import with_letters_compared
from tf2bridge.program.libraries import PLACES, is_of_tensorflow_1
from tf2bridge.program.old_messages import with_built_messages
from tf2bridge.program.operators import with_old_arithmetic
from tf2bridge.program.python2 import with_old_division
from tf2bridge.program.refusals import UnreadableProgramError
from tf2bridge.program.tensor_types import with_old_types

_LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib"))
_OURS = (Path(__file__).resolve().parents[1], Path(__file__).resolve().parents[2] / "codemods")


def is_program(origin: str | None) -> bool:
    """Returns whether the source file `origin` is part of the program, or of a library for TensorFlow 1.x."""
    if origin is None or not origin.endswith(".py"):
        return False
    path = Path(origin).resolve()
    if PLACES & set(path.parts):
        return is_of_tensorflow_1(path)
    return not any(path.is_relative_to(root) for root in (*_LIBRARIES, *_OURS))


def is_python2(entry: Path) -> bool:
    """Returns whether the program is for Python 2: its entry is, or a file in its folder or a package there.

    All files of a program run on one Python. So a file that both can read has the meaning of Python 2, unless another
    file has syntax of Python 3 only.
    """
    return _marked(entry) or _are_python2(_beside(entry))


def has_python2(folder: Path) -> bool:
    """Returns whether the program in `folder` was written for Python 2. A library, such as pytest, runs its parts."""
    tests = [path for pattern in ("test_*.py", "*_test.py") for path in sorted(folder.glob(f"*/{pattern}"))]
    return _are_python2([*_beside(folder / "__main__.py"), *tests])


def _beside(entry: Path) -> list[Path]:
    folder = entry.resolve().parent
    packages = [marker.parent for marker in folder.glob("*/__init__.py")]
    return [entry, *(path for place in (folder, *packages) for path in sorted(place.glob("*.py")))]


def _are_python2(files: list[Path]) -> bool:
    return any(_marked(path) for path in files) and not any(_needs_python3(path) for path in files)


def _marked(path: Path) -> bool:
    """Returns whether a file has syntax of Python 2 only. False for a file that neither Python can read."""
    try:
        text = decode(path.read_bytes(), path).text
        return bool(reasons(text)) and bool(convert(text, str(path)))
    except (OSError, CodemodsError):
        return False  # the error is reported if the program imports this file


_OF_PYTHON_3 = (ast.AsyncFunctionDef, ast.JoinedStr, ast.YieldFrom, ast.Nonlocal, ast.MatMult, ast.AnnAssign)


def _needs_python3(path: Path) -> bool:
    """Returns whether a file has syntax that Python 2 cannot read."""
    try:
        tree = ast.parse(decode(path.read_bytes(), path).text)
    except (OSError, SyntaxError, CodemodsError):
        return False
    return any(isinstance(node, _OF_PYTHON_3) or _has_python3_parts(node) for node in ast.walk(tree))


def _has_python3_parts(node: ast.AST) -> bool:
    if isinstance(node, ast.arguments):
        return bool(node.kwonlyargs) or any(argument.annotation for argument in [*node.args, *node.posonlyargs])
    if isinstance(node, ast.FunctionDef):
        return node.returns is not None
    return bool((isinstance(node, ast.Raise) and node.cause) or (isinstance(node, ast.ClassDef) and node.keywords))


def read(path: Path, shown: str, python2: bool) -> CodeType:
    """Returns the compiled file, with the meaning of NumPy 1 and, if `python2`, of Python 2.

    Tracebacks call the file `shown`, and quote the code that runs.

    Raises UnreadableProgramError for a file that cannot be read, or is neither Python 3 nor Python 2.
    """
    tree = parsed(path, shown, python2)[1]
    if path.name.endswith("_pb2.py"):
        tree = with_built_messages(tree)
    return compile(tree, shown, "exec", dont_inherit=True)


def parsed(path: Path, shown: str, python2: bool) -> tuple[str, ast.Module]:
    """Returns the text of the file that runs, and its syntax tree. Raises UnreadableProgramError, as `read` does."""
    try:
        source = decode(path.read_bytes(), shown)
        text = convert(source.text, shown) if python2 else source.text
        tree = ast.parse(text, shown)
    except (OSError, SyntaxError, CodemodsError) as error:
        raise UnreadableProgramError(str(error)) from error
    if text != source.text:
        # None as the time of change keeps the entry when the file on disk is checked.
        linecache.cache[shown] = (len(text), None, text.splitlines(keepends=True), shown)
    divided = with_old_division(tree) if python2 else tree
    as_then = with_letters_compared(with_old_generators(divided))
    return text, with_old_types(with_old_arithmetic(as_then))
