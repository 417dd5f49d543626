"""Names that NumPy removed from its main namespace.

Sources: the release notes of NumPy 1.18, 1.23, 1.24 ("expired deprecations"), 2.0 ("main namespace") and 2.4, and the
documentation of 1.16.
"""

from __future__ import annotations

from codemods.removed.row import Removed, of_kind, renamed

BUILTINS = renamed(
    "NumPy 1.24",
    {
        "bool": "bool",
        "complex": "complex",
        "float": "float",
        "int": "int",
        "long": "int",
        "object": "object",
        "str": "str",
        "unicode": "str",
    },
    "numpy.",
)
"""Aliases of Python's own types; NumPy 2.0 gave bool and long another meaning."""

RENAMED = renamed(
    "NumPy 2.0",
    {
        "AxisError": "numpy.exceptions.AxisError",
        "ComplexWarning": "numpy.exceptions.ComplexWarning",
        "DataSource": "numpy.lib.npyio.DataSource",
        "Inf": "numpy.inf",
        "Infinity": "numpy.inf",
        "NAN": "numpy.nan",
        "NINF": "-numpy.inf",
        "NaN": "numpy.nan",
        "PINF": "numpy.inf",
        "RankWarning": "numpy.exceptions.RankWarning",
        "TooHardError": "numpy.exceptions.TooHardError",
        "VisibleDeprecationWarning": "numpy.exceptions.VisibleDeprecationWarning",
        "add_docstring": "numpy.lib.add_docstring",
        "add_newdoc": "numpy.lib.add_newdoc",
        "alltrue": "numpy.all",
        "bool8": "numpy.bool_",
        "byte_bounds": "numpy.lib.array_utils.byte_bounds",
        "bytes0": "numpy.bytes_",
        "cfloat": "numpy.complex128",
        "clongfloat": "numpy.clongdouble",
        "compare_chararrays": "numpy.char.compare_chararrays",
        "complex_": "numpy.complex128",
        "cumproduct": "numpy.cumprod",
        "float_": "numpy.float64",
        "format_parser": "numpy.rec.format_parser",
        "infty": "numpy.inf",
        "int0": "numpy.intp",
        "issubsctype": "numpy.issubdtype",
        "longcomplex": "numpy.clongdouble",
        "longfloat": "numpy.longdouble",
        "mat": "numpy.asmatrix",
        "object0": "numpy.object_",
        "product": "numpy.prod",
        "round_": "numpy.round",
        "row_stack": "numpy.vstack",
        "singlecomplex": "numpy.complex64",
        "sometrue": "numpy.any",
        "str0": "numpy.str_",
        "string_": "numpy.bytes_",
        "typeDict": "numpy.sctypeDict",
        "uint0": "numpy.uintp",
        "unicode_": "numpy.str_",
        "void0": "numpy.void",
    },
    "numpy.",
)
RENAMED |= {
    "numpy.chararray": Removed("NumPy 2.5", "numpy.char.chararray"),
    "numpy.rank": Removed("NumPy 1.18", "numpy.ndim"),
    "numpy.trapz": Removed("NumPy 2.4", "numpy.trapezoid"),
}
"""Other names of what NumPy has still; one that begins with a minus sign stands for the negative value."""

CALLS = {
    "numpy.alen": Removed("NumPy 1.23", hint="len(np.atleast_1d(x)) computes the same"),
    "numpy.asfarray": Removed("NumPy 2.0", hint="np.asarray(x, np.float64) computes the same"),
    "numpy.asscalar": Removed("NumPy 1.23", hint="np.asarray(x).item() computes the same"),
    "numpy.cast": Removed("NumPy 2.0", hint="np.asarray(x).astype(kind) computes the same"),
    "numpy.in1d": Removed("NumPy 2.4", hint="np.isin(np.ravel(x), y) computes the same"),
    "numpy.msort": Removed("NumPy 2.0", hint="np.sort(x, axis=0) computes the same"),
}
"""Functions for which a short expression stands; the rule numpy-calls writes it."""

_FINANCIAL = ("fv", "ipmt", "irr", "mirr", "nper", "npv", "pmt", "ppmt", "pv", "rate")
_OF_NUMERIC = Removed("NumPy 1.9", hint="it was gone in NumPy 1.9", not_run="TensorFlow 1.x never ran beside it")
_WARNING = Removed("NumPy 2.0", hint="warnings.warn gives such a warning")
_INTERACTIVE = "it served people at a prompt, not programs"
GONE = {
    **of_kind(
        Removed("NumPy 1.20", hint="the package numpy_financial has it", not_run="the package numpy_financial has it"),
        _FINANCIAL,
        "numpy.",
    ),
    **of_kind(
        Removed("NumPy 2.0", hint="np.genfromtxt reads such files"),
        ("mafromtxt", "ndfromtxt", "recfromcsv", "recfromtxt"),
        "numpy.",
    ),
    **of_kind(
        Removed("NumPy 2.0", hint="np.dtype tells of types"),
        ("issctype", "maximum_sctype", "obj2sctype", "sctype2char"),
        "numpy.",
    ),
    **of_kind(
        Removed("NumPy 2.0", hint="np.dtype tells of types", not_run="its keys were the names that Numeric had"),
        ("sctypeNA", "typeNA"),
        "numpy.",
    ),
    **of_kind(_WARNING, ("deprecate", "deprecate_with_doc"), "numpy."),
    **of_kind(_OF_NUMERIC, ("numarray", "oldnumeric"), "numpy."),
    "numpy.compat": Removed(
        "NumPy 2.0", hint="Python 3 has what it stood for", not_run="it was NumPy's own module for Python 2"
    ),
    "numpy.disp": Removed("NumPy 2.0", hint="print prints"),
    "numpy.fastCopyAndTranspose": Removed("NumPy 2.0", hint="x.T.copy() gives the same"),
    "numpy.find_common_type": Removed(
        "NumPy 2.0", hint="np.result_type or np.promote_types gives a common type, by rules of their own"
    ),
    "numpy.issubclass_": Removed("NumPy 2.0", hint="issubclass tells of classes"),
    "numpy.loads": Removed("NumPy 1.23", hint="pickle.loads is the same function"),
    "numpy.lookfor": Removed("NumPy 2.0", hint="search NumPy's documentation", not_run=_INTERACTIVE),
    "numpy.MachAr": Removed("NumPy 2.0", hint="np.finfo tells of a type's numbers"),
    "numpy.math": Removed("NumPy 2.0", hint="import math; it was Python's own module"),
    "numpy.MAXDIMS": Removed("NumPy 2.0", hint="it was 32; NumPy 2 takes 64 dimensions"),
    "numpy.ModuleDeprecationWarning": Removed("NumPy 2.0", hint="warnings of NumPy's own modules were of this class"),
    "numpy.nbytes": Removed("NumPy 2.0", hint="np.dtype(type).itemsize is the number"),
    "numpy.NZERO": Removed("NumPy 2.0", hint="write -0.0"),
    "numpy.PZERO": Removed("NumPy 2.0", hint="write 0.0"),
    "numpy.safe_eval": Removed("NumPy 2.0", hint="ast.literal_eval is the same function"),
    "numpy.sctypes": Removed("NumPy 2.0", hint="write the list of types that is meant"),
    "numpy.set_string_function": Removed(
        "NumPy 2.0",
        hint="np.set_printoptions(formatter=...) decides how arrays are printed",
        not_run="NumPy 2 takes no function that prints whole arrays",
    ),
    "numpy.source": Removed("NumPy 2.0", hint="inspect.getsource gives a function's source", not_run=_INTERACTIVE),
    "numpy.sys": Removed("NumPy 2.0", hint="import sys; it was Python's own module"),
    "numpy.Tester": Removed("NumPy 2.0", hint="pytest runs tests", not_run="it ran NumPy's own tests by nose"),
    "numpy.warnings": Removed("NumPy 2.0", hint="import warnings; it was Python's own module"),
    "numpy.who": Removed("NumPy 2.0", hint="nothing stands for it", not_run=_INTERACTIVE),
}
"""Names for which a person has to choose, with what to choose."""

NAMES = {**BUILTINS, **RENAMED, **CALLS, **GONE}
