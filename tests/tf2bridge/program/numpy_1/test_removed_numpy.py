"""What NumPy removed computes as genuine NumPy 1.16 computed it; codemods know every name."""

from __future__ import annotations

import json
import subprocess

import pytest

from codemods.rules.libraries import numpy_calls, numpy_names
from tests import forked, oracles

RELEASE = "1.12.3"  # it has NumPy 1.16
INNER = frozenset(
    """ALLOW_THREADS BUFSIZE CLIP ERR_CALL ERR_DEFAULT ERR_IGNORE ERR_LOG ERR_PRINT ERR_RAISE ERR_WARN WRAP division
    FLOATING_POINT_SUPPORT FPE_DIVIDEBYZERO FPE_INVALID FPE_OVERFLOW FPE_UNDERFLOW MAXDIMS MAY_SHARE_BOUNDS
    MAY_SHARE_EXACT ModuleDeprecationWarning RAISE SHIFT_DIVIDEBYZERO SHIFT_INVALID SHIFT_OVERFLOW SHIFT_UNDERFLOW
    UFUNC_BUFSIZE_DEFAULT UFUNC_PYVALS_NAME absolute_import add_newdoc_ufunc get_array_wrap geterrobj int_asbuffer
    print_function set_numeric_ops seterrobj sys tracemalloc_domain warnings""".split()  # noqa: SIM905  # a list of words
)
"""Names that programs have no use for: constants of NumPy's C code, and what its modules import."""

CALLS = r"""
np.asscalar(np.array([2.5])), np.alen([[1, 2], [3, 4]]), np.rank([[1]]), np.msort([[3, 1], [2, 4]])
np.in1d([[1, 2], [3, 4]], [2, 4]), np.in1d([1, 2], [2], invert=True), np.trapz([1, 2, 3], dx=2)
np.asfarray([1, 2]).dtype, np.asfarray([1, 2], np.float32).dtype, np.asfarray([1], np.int32).dtype
np.cast["int32"](2.7), np.cast[np.float32]([1, 2]).dtype, np.nbytes[np.float32], np.nbytes["int64"]
np.find_common_type([np.float32], [np.int64, np.float64]), np.find_common_type([np.int32], [np.float32])
np.find_common_type([], [np.int64, np.float32]), np.find_common_type([np.uint8, np.int16], [])
np.find_common_type([np.bool_], [np.int8]), np.find_common_type([np.complex64], [np.float64])
np.issctype(np.int32), np.issctype("a"), np.issctype(int), np.issctype(list), np.issctype(np.dtype("f4"))
np.issctype(3), np.obj2sctype(np.array([1.0])), np.obj2sctype("f4"), np.obj2sctype(3, default=list)
np.sctype2char(np.float32), np.issubsctype("S8", str), np.issubsctype(np.array([1]), int)
np.issubsctype(np.float32, float), np.fastCopyAndTranspose(np.array([[1, 2, 3]]))
np.safe_eval("[1, 2]"), np.int0, np.bool8, np.float_, np.singlecomplex
sorted(np.sctypes), np.issubclass_(int, object), np.issubclass_(3, int), np.product([2, 3]), np.PINF, np.NINF
np.obj2sctype(np.integer), np.issubsctype(np.array([1]), np.integer), np.maximum_sctype("i2"), np.maximum_sctype("S3")
np.maximum_sctype(np.uint8), np.maximum_sctype("?"), np.dtype(np.maximum_sctype(np.float32))
np.dtype(np.maximum_sctype("c8")), np.maximum_sctype(list)
np.recfromcsv(io.BytesIO(b"A,b\n1,2\n3,4.5\n")), np.recfromcsv(io.BytesIO(b"A,b\n1,2\n")).dtype.names
np.recfromtxt(io.BytesIO(b"1 2\n3 4\n")), np.ndfromtxt(io.BytesIO(b"1 2\n3 4")), np.mafromtxt(io.BytesIO(b"1 2\n3 4"))
np.issubdtype(np.float32, float), np.issubdtype(np.int32, int), np.issubdtype(np.uint8, int), np.issubdtype("f2", str)
np.issubdtype(np.int32, bool), np.issubdtype(np.dtype("U3"), str), np.issubdtype(float, object)
np.issubdtype(np.float32, np.floating), np.issubdtype(np.complex64, complex), np.issubdtype(np.float32, np.float64)
np.expand_dims([[1, 2]], 4).shape, np.expand_dims([[1, 2]], -4).shape, np.expand_dims([[1, 2]], -5).shape
np.byte_bounds(np.zeros(3))[1] - np.byte_bounds(np.zeros(3))[0], np.MachAr().eps, np.round_(2.567, 1)
"""
SCRIPT = """
import io, json, sys, warnings
warnings.simplefilter("ignore")
def plain(value):
    if isinstance(value, type):
        return value.__name__.rstrip("_")
    return str(value.tolist() if hasattr(value, "tolist") else value)
{numpy}
lines = {calls!r}.strip().splitlines()
print(json.dumps({{"names": dir(np), "results": [[plain(value) for value in eval(line)] for line in lines]}}))
"""


@pytest.fixture(scope="module")
def genuine() -> dict[str, list[str]]:
    script = SCRIPT.format(numpy="import numpy as np", calls=CALLS)
    done = subprocess.run([str(oracles.interpreter(RELEASE)), "-c", script], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


@pytest.mark.oracle
def test_what_was_removed_computes_the_same(genuine: dict[str, list[str]]) -> None:
    done = forked.run(SCRIPT.format(numpy="from tf2bridge.old_numpy import old_numpy\nnp = old_numpy()", calls=CALLS))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"] == genuine["results"]


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")  # numpy warns of names that it is about to remove
def test_codemods_know_every_name_that_is_gone(genuine: dict[str, list[str]]) -> None:
    import numpy

    gone = {name for name in genuine["names"] if not name.startswith("_") and not hasattr(numpy, name)}
    known = {*numpy_names.BUILTINS, *numpy_names.RENAMED, *numpy_names.GONE, *numpy_calls.FUNCTIONS, "cast"}
    assert gone - known <= INNER
    assert {"asscalar", "float_", "pmt"} <= gone


def test_the_new_names_are_there() -> None:
    import functools

    import numpy

    for new in numpy_names.RENAMED.values():
        functools.reduce(getattr, new.lstrip("-").split("."), numpy)
