"""LIB033: the attributes A and H of SciPy's sparse matrices."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.variables import always_holds

_FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
# Functions of scipy.sparse that always return a sparse matrix or array.
_MAKERS = frozenset(f"{kind}_{shape}" for kind in _FORMATS for shape in ("array", "matrix"))
_MAKERS |= frozenset(["block_diag", "bmat", "diags", "eye", "hstack", "identity", "kron", "kronsum", "load_npz"])
_MAKERS |= frozenset(["rand", "random", "spdiags", "tril", "triu", "vstack"])
# Only sparse matrices have these methods, which return sparse matrices.
_CONVERSIONS = frozenset(f"to{kind}" for kind in _FORMATS)
# These methods of a sparse matrix return a sparse matrix.
_KEEPERS = frozenset(["asformat", "astype", "conj", "conjugate", "copy", "transpose"])

_OF_NUMPY = frozenset(["asmatrix", "mat", "matrix", "max", "mean", "min", "sum", "todense"])
"""Methods of sparse matrices, and functions, that return matrices of NumPy."""


def find(node: ast.Attribute, context: Context) -> Iterator[Hit]:
    """Yields a hit on A and H of a certainly sparse object, and a finding on A of what may be a matrix of NumPy."""
    if node.attr not in ("A", "H") or not isinstance(node.ctx, ast.Load) or not context.names.imports("scipy"):
        return
    if _is_sparse(node.value, context, frozenset()):
        text = "toarray()" if node.attr == "A" else "conj().T"
        message = f"SciPy 1.14 removed {node.attr} of sparse matrices, which is {text}"
        yield Hit(node, message, rewrite=_to_array if node.attr == "A" else _to_adjoint, alone=True)
    elif node.attr == "A" and _may_be_sparse(node.value, context):
        message = "SciPy 1.14 removed A of sparse matrices: write toarray(), unless this is a matrix of NumPy"
        yield Hit(node, message, Safety.MANUAL, todo=True)


def _may_be_sparse(node: ast.expr, context: Context) -> bool:
    """Returns whether the object may be sparse: not if it comes from a method of NumPy matrices, or a class stores its
    A.
    """
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _OF_NUMPY:
        return False
    if not context.names.imports("scipy.sparse") or context.qualified(node) is not None:
        return False
    stores = (a for a in context.names.nodes.get(ast.Attribute, []) if isinstance(a, ast.Attribute) and a.attr == "A")
    return not any(isinstance(attribute.ctx, ast.Store) for attribute in stores)


def _is_sparse(node: ast.expr, context: Context, seen: frozenset[ast.expr]) -> bool:
    """Returns whether an expression is certainly sparse; `seen` are the names already followed."""
    if isinstance(node, ast.Name):
        return always_holds(node, context, seen, _is_sparse)
    if isinstance(node, ast.Attribute):
        return node.attr in ("T", "H") and _is_sparse(node.value, context, seen)
    if not isinstance(node, ast.Call):
        return False
    package, _, last = (context.qualified(node.func) or "").rpartition(".")
    if package:
        return package.startswith("scipy.sparse") and "linalg" not in package and last in _MAKERS
    if not isinstance(node.func, ast.Attribute):
        return False
    kept = node.func.attr in _KEEPERS and _is_sparse(node.func.value, context, seen)
    return node.func.attr in _CONVERSIONS or kept


def _to_array(node: Any) -> Any:
    import libcst as cst

    return cst.Call(cst.Attribute(node.value, cst.Name("toarray")))


def _to_adjoint(node: Any) -> Any:
    import libcst as cst

    return cst.Attribute(cst.Call(cst.Attribute(node.value, cst.Name("conj"))), cst.Name("T"))


_S = "import scipy.sparse as sp\n"
_TODO = (
    "# TODO(codemods LIB033): SciPy 1.14 removed A of sparse matrices: write toarray(), "
    "unless this is a matrix of NumPy\n"
)

rule = Rule(
    code="LIB033",
    name="sparse-attributes",
    summary="scipy.sparse.csr_matrix(x).A -> scipy.sparse.csr_matrix(x).toarray(), .H -> .conj().T",
    why="SciPy 1.14 removed the attributes A and H of sparse matrices and arrays. The rule writes them out if the "
    "object is certainly sparse: scipy.sparse makes it, or a method such as tocsr. Any other object with an A may be "
    "a matrix of NumPy, which still has the attribute, so a person has to decide.",
    safety=Safety.SAFE,
    on=(ast.Attribute,),
    find=find,
    examples=(
        Example(f"{_S}a = sp.csr_matrix(x).A\n", f"{_S}a = sp.csr_matrix(x).toarray()\n"),
        Example(f"{_S}a = sp.eye(3).H.A\n", f"{_S}a = sp.eye(3).conj().T.toarray()\n"),
        Example(
            "from scipy.sparse import coo_matrix, vstack\ndef f(x):\n    m = coo_matrix(x)\n    m = vstack([m, m.T])\n"
            "    return m.A[0] + m.H\n",
            "from scipy.sparse import coo_matrix, vstack\ndef f(x):\n    m = coo_matrix(x)\n    m = vstack([m, m.T])\n"
            "    return m.toarray()[0] + m.conj().T\n",
        ),
        Example(
            f"{_S}m, n = sp.eye(3), sp.eye(4)\nm = m.T\nprint(m.A, n.A)\n",
            f"{_S}m, n = sp.eye(3), sp.eye(4)\nm = m.T\nprint(m.toarray(), n.toarray())\n",
        ),
        Example(f"{_S}def f(m):\n    return m.tocsr().A\n", f"{_S}def f(m):\n    return m.tocsr().toarray()\n"),
        Example(f"{_S}def f(m):\n    return m.A\n", f"{_S}def f(m):\n    {_TODO}    return m.A\n"),
        Example(
            f"{_S}m = sp.eye(3)\nif dense:\n    m = m.todense()\nprint(m.A)\n",
            f"{_S}m = sp.eye(3)\nif dense:\n    m = m.todense()\n{_TODO}print(m.A)\n",
        ),
        Example(
            f"{_S}class C:\n    def __init__(self, a):\n        self.A = a\n    def f(self):\n        return self.A\n"
        ),
        Example(f"{_S}a = sp.csr_matrix(x).todense().A\nb = sp.csr_matrix(x).sum(0).A1\n"),
        Example("import numpy as np\na = np.matrix(x).A\n"),
    ),
)
