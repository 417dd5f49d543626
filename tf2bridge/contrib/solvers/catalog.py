"""`tf.contrib.solvers`, with the modules that its names are of."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.solvers"
_HERE = "tf2bridge.contrib.solvers"
_PRIVATE = f"{_PATH}.python.ops"

_OPERATORS = "create_operator dot identity_operator l2norm l2norm_squared l2normalize"

OWN = {
    **names(f"{_PATH}.util", f"{_HERE}.util", _OPERATORS),
    **names(f"{_PATH}.linear_equations", f"{_HERE}.linear_equations", "conjugate_gradient"),
    **names(f"{_PATH}.least_squares", f"{_HERE}.least_squares", "cgls"),
    **names(f"{_PATH}.lanczos", f"{_HERE}.lanczos", "bidiag_matmul lanczos_bidiag"),
}

ALIASES = {
    **same(f"{_PRIVATE}.util", f"{_PATH}.util", _OPERATORS),
    **same(f"{_PRIVATE}.linear_equations", f"{_PATH}.linear_equations", "conjugate_gradient"),
    **same(f"{_PRIVATE}.least_squares", f"{_PATH}.least_squares", "cgls"),
    **same(f"{_PRIVATE}.lanczos", f"{_PATH}.lanczos", "bidiag_matmul lanczos_bidiag"),
}
