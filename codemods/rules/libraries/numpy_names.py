"""LIB001: names that NumPy 1.24 and 2.0 removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

# Source: the release notes of NumPy 1.24 ("expired deprecations"), 2.0 ("main namespace") and 2.4.
BUILTINS = {
    "bool": "bool",
    "complex": "complex",
    "float": "float",
    "int": "int",
    "long": "int",
    "object": "object",
    "str": "str",
    "unicode": "str",
}
RENAMED = {
    "AxisError": "exceptions.AxisError",
    "ComplexWarning": "exceptions.ComplexWarning",
    "DataSource": "lib.npyio.DataSource",
    "Inf": "inf",
    "Infinity": "inf",
    "NAN": "nan",
    "NINF": "-inf",
    "NaN": "nan",
    "PINF": "inf",
    "RankWarning": "exceptions.RankWarning",
    "TooHardError": "exceptions.TooHardError",
    "VisibleDeprecationWarning": "exceptions.VisibleDeprecationWarning",
    "add_docstring": "lib.add_docstring",
    "add_newdoc": "lib.add_newdoc",
    "alltrue": "all",
    "bool8": "bool_",
    "byte_bounds": "lib.array_utils.byte_bounds",
    "bytes0": "bytes_",
    "cfloat": "complex128",
    "chararray": "char.chararray",
    "clongfloat": "clongdouble",
    "compare_chararrays": "char.compare_chararrays",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "format_parser": "rec.format_parser",
    "infty": "inf",
    "int0": "intp",
    "issubsctype": "issubdtype",
    "longcomplex": "clongdouble",
    "longfloat": "longdouble",
    "mat": "asmatrix",
    "object0": "object_",
    "product": "prod",
    "rank": "ndim",
    "round_": "round",
    "row_stack": "vstack",
    "singlecomplex": "complex64",
    "sometrue": "any",
    "str0": "str_",
    "string_": "bytes_",
    "trapz": "trapezoid",
    "typeDict": "sctypeDict",
    "uint0": "uintp",
    "unicode_": "str_",
    "void0": "void",
}
_FINANCIAL = ("fv", "ipmt", "irr", "mirr", "nper", "npv", "pmt", "ppmt", "pv", "rate")
_TEXT_FILES = ("mafromtxt", "ndfromtxt", "recfromcsv", "recfromtxt")
_OF_TYPES = ("issctype", "maximum_sctype", "obj2sctype", "sctype2char", "sctypeNA", "typeNA")
GONE = {
    **dict.fromkeys(_FINANCIAL, "the package numpy_financial has it"),
    **dict.fromkeys(_TEXT_FILES, "np.genfromtxt reads such files"),
    **dict.fromkeys(_OF_TYPES, "np.dtype tells of types"),
    "MachAr": "np.finfo tells of a type's numbers",
    "Tester": "pytest runs tests",
    "compat": "Python 3 has what it stood for",
    "deprecate": "warnings.warn gives such a warning",
    "deprecate_with_doc": "warnings.warn gives such a warning",
    "disp": "print prints",
    "fastCopyAndTranspose": "x.T.copy() gives the same",
    "find_common_type": "np.result_type or np.promote_types gives a common type, by rules of their own",
    "issubclass_": "issubclass tells of classes",
    "loads": "pickle.loads is the same function",
    "lookfor": "search NumPy's documentation",
    "math": "import math; it was Python's own module",
    "nbytes": "np.dtype(type).itemsize is the number",
    "NZERO": "write -0.0",
    "PZERO": "write 0.0",
    "numarray": "it was gone in NumPy 1.9",
    "oldnumeric": "it was gone in NumPy 1.9",
    "safe_eval": "ast.literal_eval is the same function",
    "sctypes": "write the list of types that is meant",
    "set_string_function": "np.set_printoptions(formatter=...) decides how arrays are printed",
    "source": "inspect.getsource gives a function's source",
    "who": "nothing stands for it",
}
"""Names for which a person has to choose, with what to choose."""

_LIB = frozenset(("array_utils", "format", "introspect", "mixins", "npyio", "recfunctions", "scimath", "stride_tricks"))
_LIB |= {"Arrayterator", "NumpyVersion", "add_docstring", "add_newdoc", "user_array"}
_OLD_LIB = frozenset(("arraypad", "arraysetops", "arrayterator", "financial", "function_base", "histograms", "info"))
_OLD_LIB |= {
    "index_tricks",
    "nanfunctions",
    "polynomial",
    "shape_base",
    "twodim_base",
    "type_check",
    "ufunclike",
    "utils",
}
"""What np.lib still has, and modules that it had; its functions, up to 1.26, were those of np."""


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """A hit on np.float and its like."""
    if isinstance(node, ast.ImportFrom):
        yield from _import(node)
        return
    for part, name in context.prefixes(node):
        if isinstance(part, ast.Attribute):
            yield from _of_name(part, name, context)


def _of_name(part: ast.Attribute, name: str, context: Context) -> Iterator[Hit]:
    head, _, last = name.rpartition(".")
    if head == "numpy.lib" and isinstance(part.value, ast.Attribute) and last not in _LIB | _OLD_LIB | GONE.keys():
        new = RENAMED.get(last, last)
        text = f"{context.source(part.value.value)}.{new}"
        yield Hit(part, f"NumPy 2.0 removed np.lib.{last}, which is np.{new}", rewrite=text)
    if head != "numpy":
        return
    if last in BUILTINS and not context.names.binds(BUILTINS[last]):
        message = f"np.{last} was the builtin {BUILTINS[last]}; NumPy 1.24 removed it"
        yield Hit(part, message, rewrite=BUILTINS[last])
    elif last in RENAMED:
        new = RENAMED[last]
        sign = "-" if new.startswith("-") else ""
        text = f"{sign}{context.source(part.value)}.{new.lstrip('-')}"
        yield Hit(part, f"{_release(last)} removed np.{last}, which is {sign}np.{new.lstrip('-')}", rewrite=text)
    elif last in GONE:
        yield Hit(part, f"NumPy 2 has no np.{last}: {GONE[last]}", Safety.MANUAL)


def _release(name: str) -> str:
    return {"chararray": "NumPy 2.5", "rank": "NumPy 1.18", "trapz": "NumPy 2.4"}.get(name, "NumPy 2.0")


def _import(node: ast.ImportFrom) -> Iterator[Hit]:
    """`from numpy import Inf, NaN`: the names stay, and stand for the new ones."""
    if node.module != "numpy" or node.level:
        return
    changed = [alias for alias in node.names if _plain(alias.name)]
    if changed:
        names = [_imported(alias) for alias in node.names]
        message = f"NumPy 2.0 removed np.{changed[0].name}, which is np.{RENAMED[changed[0].name]}"
        yield Hit(node, message, rewrite=ast.unparse(ast.ImportFrom("numpy", names, 0)))
    for alias in node.names:
        if alias.name in GONE:
            yield Hit(node, f"NumPy 2 has no np.{alias.name}: {GONE[alias.name]}", Safety.MANUAL)


def _plain(name: str) -> bool:
    """Whether an import can name what stands for `name`: neither `-inf` nor of another module."""
    return RENAMED.get(name, "-").isidentifier()


def _imported(alias: ast.alias) -> ast.alias:
    return ast.alias(RENAMED[alias.name], alias.asname or alias.name) if _plain(alias.name) else alias


rule = Rule(
    code="LIB001",
    name="numpy-names",
    summary="np.float -> float, np.int -> int, np.Inf -> np.inf, np.product -> np.prod",
    why="np.float, np.int, np.bool, np.object and np.str were the builtins under another name and are gone since NumPy "
    "1.24 (np.bool of 2.0 is another type, np.bool_); 2.0 removed further aliases.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    packages=("numpy",),
    find=find,
    examples=(
        Example("import numpy as np\nx = np.zeros(3, np.float)\n", "import numpy as np\nx = np.zeros(3, float)\n"),
        Example("import numpy as np\nx = y.astype(np.bool)\n", "import numpy as np\nx = y.astype(bool)\n"),
        Example("import numpy\nbest = numpy.Inf\n", "import numpy\nbest = numpy.inf\n"),
        Example("import numpy as np\nn = np.rank(x)\n", "import numpy as np\nn = np.ndim(x)\n"),
        Example("import numpy as np\nx = np.lib.pad(x, 1, 'edge')\n", "import numpy as np\nx = np.pad(x, 1, 'edge')\n"),
        Example("from numpy import NaN, zeros, Inf as top\n", "from numpy import nan as NaN, zeros, inf as top\n"),
        Example("import numpy as np\nx = np.pmt(0.1, 2, 3)\n", reported=True),
        Example("from numpy import zeros\n"),
        Example("import numpy as np\nx = np.float32(1)\ny = np.bool_(0)\n"),
        Example("import mine as np\nx = np.float\n"),
    ),
)
