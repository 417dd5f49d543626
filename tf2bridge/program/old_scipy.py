"""Names that SciPy 1.2 to 1.7, the releases of the time of TensorFlow 1.x, had, and later releases removed.

Removed: `misc.comb` and others that it handed on (1.3), `linalg.pinv2` (1.9), `stats.itemfreq` and
`stats.median_absolute_deviation` (1.9 and 1.10), `stats.binom_test` and `misc.derivative` (1.12), `linalg.tri`, `tril`,
`triu` and `kron` (1.13 and 1.15), `.A` and `.H` of sparse matrices, `signal.hann` and other windows, `integrate.trapz`
(1.14), wavelets of signal, `signal.cwt`, `special.sph_harm` (1.15 and 1.17): release notes of SciPy.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from tf2bridge import old_images
from tf2bridge.patching import put


def _of_sparse(sparse: ModuleType) -> dict[str, Any]:
    """Gives the classes of matrices their properties; the module itself has lost no name."""
    for name, value in (("A", lambda matrix: matrix.toarray()), ("H", lambda matrix: matrix.getH())):
        if not hasattr(sparse.spmatrix, name):
            put(sparse.spmatrix, name, property(value))
    return {}


def _of_misc(_: ModuleType) -> dict[str, Any]:
    return {**old_images.NAMES, "central_diff_weights": central_diff_weights, "derivative": derivative}


def central_diff_weights(Np: int, ndiv: int = 1) -> Any:  # noqa: N803  # SciPy's own name
    """Returns the weights `[Np]` of a central finite difference; as `scipy.misc.central_diff_weights` of SciPy 1.7.

    Raises ValueError for too few points, and for an even number of points.
    """
    if ndiv + 1 > Np:
        raise ValueError("Number of points must be at least the derivative order + 1.")
    if Np % 2 == 0:
        raise ValueError("The number of points must be odd.")
    points = np.arange(-(Np >> 1), (Np >> 1) + 1.0)
    factorial = np.prod(np.arange(1, ndiv + 1))
    return factorial * np.linalg.inv(np.vander(points, increasing=True))[ndiv]


def derivative(
    func: Callable[..., Any], x0: Any, dx: float = 1.0, n: int = 1, args: tuple[Any, ...] = (), order: int = 3
) -> Any:
    """Returns the derivative of degree `n` at `x0`, of `order` points; as `scipy.misc.derivative` of SciPy 1.7."""
    weights, half = central_diff_weights(order, n), order >> 1
    return sum(weights[k] * func(x0 + (k - half) * dx, *args) for k in range(order)) / dx**n


def _of_stats(stats: ModuleType) -> dict[str, Any]:
    def binom_test(x: Any, n: Any = None, p: float = 0.5, alternative: str = "two-sided") -> float:
        """Returns the p-value of `scipy.stats.binomtest`; `x` is a count, or successes and failures."""
        counts = np.atleast_1d(x)
        successes, tries = (counts[0], counts.sum()) if len(counts) == 2 else (counts[0], n)
        return float(stats.binomtest(int(successes), int(tries), p, alternative).pvalue)

    def itemfreq(a: Any) -> Any:
        """Returns rows `[items, 2]`: each value and how often it occurs."""
        return np.array(np.unique(a, return_counts=True)).T

    def median_absolute_deviation(
        x: Any, axis: Any = 0, center: Any = np.median, scale: float = 1.4826, nan_policy: str = "propagate"
    ) -> Any:
        """Returns the median absolute deviation, times `scale`."""
        return stats.median_abs_deviation(x, axis, center, 1 / scale, nan_policy)

    return {f.__name__: f for f in (binom_test, itemfreq, median_absolute_deviation)}


def _of_signal(_: ModuleType) -> dict[str, Any]:
    return {function.__name__: function for function in (cwt, morlet, morlet2, ricker)}


def ricker(points: int, a: float) -> Any:
    """Returns a Ricker wavelet `[points]` of width `a`; as `scipy.signal.ricker` of SciPy 1.7."""
    squared = (np.arange(0, points) - (points - 1.0) / 2) ** 2
    amplitude = 2 / (np.sqrt(3 * a) * (np.pi**0.25))
    return amplitude * (1 - squared / a**2) * np.exp(-squared / (2 * a**2))


def morlet(M: int, w: float = 5.0, s: float = 1.0, complete: bool = True) -> Any:  # noqa: N803  # SciPy's own name
    """Returns a complex Morlet wavelet `[M]`; as `scipy.signal.morlet` of SciPy 1.7."""
    x = np.linspace(-s * 2 * np.pi, s * 2 * np.pi, M)
    output = np.exp(1j * w * x) - (np.exp(-0.5 * (w**2)) if complete else 0)
    return output * (np.exp(-0.5 * (x**2)) * np.pi ** (-0.25))


def morlet2(M: int, s: float, w: float = 5) -> Any:  # noqa: N803  # SciPy's own name
    """Returns a complex Morlet wavelet `[M]` for `cwt`; as `scipy.signal.morlet2` of SciPy 1.7."""
    x = (np.arange(0, M) - (M - 1.0) / 2) / s
    return np.sqrt(1 / s) * np.exp(1j * w * x) * np.exp(-0.5 * x**2) * np.pi ** (-0.25)


def cwt(data: Any, wavelet: Callable[..., Any], widths: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """Returns the wavelet transform `[widths, data]`; as `scipy.signal.cwt` of SciPy 1.7."""
    convolve = importlib.import_module("scipy.signal").convolve
    if dtype is None:
        is_complex = np.asarray(wavelet(1, widths[0], **kwargs)).dtype.kind == "c"
        dtype = np.complex128 if is_complex else np.float64
    output = np.empty((len(widths), len(data)), dtype=dtype)
    for row, width in enumerate(widths):
        points = int(np.min([10 * width, len(data)]))
        output[row] = convolve(data, np.conj(wavelet(points, width, **kwargs)[::-1]), mode="same")
    return output


def _of_linalg(linalg: ModuleType) -> dict[str, Any]:
    def pinv2(a: Any, cond: Any = None, rcond: Any = None, return_rank: bool = False, check_finite: bool = True) -> Any:
        """Returns the pseudo-inverse; `cond` and `rcond` are the relative threshold."""
        relative = cond if rcond is None else rcond
        return linalg.pinv(a, rtol=relative, return_rank=return_rank, check_finite=check_finite)

    return {"pinv2": pinv2, "tri": functools.partial(np.tri, dtype=bool), "tril": tril, "triu": triu}


def tril(m: Any, k: int = 0) -> Any:
    """Returns the lower triangle `[rows, columns]`; a NaN above it stays, as in `scipy.linalg.tril` of SciPy 1.7."""
    m = np.asarray(m)
    return np.tri(m.shape[0], m.shape[1], k, dtype=m.dtype) * m


def triu(m: Any, k: int = 0) -> Any:
    """Returns the upper triangle `[rows, columns]`; a NaN below it stays, as in `scipy.linalg.triu` of SciPy 1.7."""
    m = np.asarray(m)
    return (1 - np.tri(m.shape[0], m.shape[1], k - 1, dtype=m.dtype)) * m


def _of_special(special: ModuleType) -> dict[str, Any]:
    def sph_harm(m: Any, n: Any, theta: Any, phi: Any) -> Any:
        """Returns the spherical harmonics; `theta` is the azimuth, `phi` the polar angle."""
        return special.sph_harm_y(n, m, phi, theta)

    return {"sph_harm": sph_harm} if hasattr(special, "sph_harm_y") else {}


def _of_distance(distance: ModuleType) -> dict[str, Any]:
    def wminkowski(u: Any, v: Any, p: float, w: Any) -> Any:
        """Returns the Minkowski distance; the weights count before the power is taken."""
        return distance.minkowski(u, v, p=p, w=np.asarray(w) ** p)

    return {"wminkowski": wminkowski}


ADDED: dict[str, Callable[[ModuleType], dict[str, Any]]] = {
    "scipy.linalg": _of_linalg,
    "scipy.misc": _of_misc,
    "scipy.signal": _of_signal,
    "scipy.sparse": _of_sparse,
    "scipy.spatial.distance": _of_distance,
    "scipy.special": _of_special,
    "scipy.stats": _of_stats,
}
"""Module -> what gives the names that it had and that no name of today stands for (codemods.removed)."""
