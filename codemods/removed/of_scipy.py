"""Names that SciPy had from 1.2 to 1.7, the releases beside TensorFlow 1.x, and removed.

Sources: the release notes of SciPy 1.0 (deprecated there) and 1.2 to 1.17.
"""

from __future__ import annotations

from codemods.removed.row import Removed, of_kind, renamed

_SPECIAL = ("comb", "factorial", "factorial2", "factorialk", "logsumexp")
SPECIAL = renamed("SciPy 1.3", {name: f"scipy.special.{name}" for name in _SPECIAL}, "scipy.misc.")
"""Functions of scipy.special that scipy.misc handed on."""

_IMAGES = ("bytescale", "fromimage", "imread", "imresize", "imrotate", "imsave", "toimage")
IMAGES = renamed("SciPy 1.3", {name: f"tf2bridge.old_images.{name}" for name in _IMAGES}, "scipy.misc.")
"""Wrappers of Pillow with rules of their own for scaling, which tf2bridge.old_images follows."""

OTHER_IMAGES = {
    "scipy.misc.face": Removed("SciPy 1.12", hint="scipy.datasets.face", not_run="its picture is downloaded today"),
    "scipy.misc.imfilter": Removed("SciPy 1.3", hint="PIL.Image.Image.filter", not_run="Pillow's filters differ"),
    "scipy.misc.imshow": Removed("SciPy 1.3", hint="matplotlib.pyplot.imshow", not_run="it started another program"),
    "scipy.misc.lena": Removed("SciPy 0.17", hint="scipy.datasets.face", not_run="its picture may not be distributed"),
}

_WINDOWS = (
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine", "exponential",
    "flattop", "gaussian", "general_gaussian", "hamming", "hann", "kaiser", "nuttall", "parzen", "triang", "tukey",
)  # fmt: skip
_WAVELETS = Removed("SciPy 1.15", hint="the package PyWavelets computes wavelets")
NAMES = {
    **renamed("SciPy 1.13", {name: f"scipy.signal.windows.{name}" for name in _WINDOWS}, "scipy.signal."),
    "scipy.signal.hanning": Removed("SciPy 1.13", "scipy.signal.windows.hann"),
    **of_kind(_WAVELETS, ("cwt", "morlet", "morlet2", "ricker"), "scipy.signal."),
    "scipy.integrate.cumtrapz": Removed("SciPy 1.14", "scipy.integrate.cumulative_trapezoid"),
    "scipy.integrate.simps": Removed("SciPy 1.14", "scipy.integrate.simpson"),
    "scipy.integrate.trapz": Removed("SciPy 1.14", "scipy.integrate.trapezoid"),
    "scipy.interpolate.interp2d": Removed(
        "SciPy 1.14",
        hint="RegularGridInterpolator or bisplrep interpolates",
        not_run="what interpolates today gives other values",
    ),
    "scipy.linalg.kron": Removed("SciPy 1.15", "numpy.kron"),
    "scipy.linalg.pinv2": Removed("SciPy 1.9", hint="scipy.linalg.pinv(a, rtol=cond) computes it"),
    "scipy.linalg.tri": Removed("SciPy 1.13", hint="numpy.tri(..., dtype=bool) gives it"),
    "scipy.linalg.tril": Removed("SciPy 1.13", hint="numpy.tril(m, k) computes it; it has 0 where m has NaN"),
    "scipy.linalg.triu": Removed("SciPy 1.13", hint="numpy.triu(m, k) computes it; it has 0 where m has NaN"),
    "scipy.misc.central_diff_weights": Removed("SciPy 1.12", hint="the package findiff has such weights"),
    "scipy.misc.derivative": Removed("SciPy 1.12", hint="scipy.differentiate.derivative differentiates otherwise"),
    "scipy.spatial.distance.matching": Removed("SciPy 1.10", "scipy.spatial.distance.hamming"),
    "scipy.spatial.distance.wminkowski": Removed(
        "SciPy 1.8", hint="scipy.spatial.distance.minkowski(u, v, p, w**p) computes it"
    ),
    "scipy.special.btdtr": Removed("SciPy 1.14", "scipy.special.betainc"),
    "scipy.special.btdtri": Removed("SciPy 1.14", "scipy.special.betaincinv"),
    "scipy.special.sph_harm": Removed("SciPy 1.17", hint="scipy.special.sph_harm_y(n, m, polar, azimuth) computes it"),
    "scipy.stats.binom_test": Removed("SciPy 1.12", hint="scipy.stats.binomtest(x, n, p).pvalue computes it"),
    "scipy.stats.gilbrat": Removed("SciPy 1.11", "scipy.stats.gibrat"),
    "scipy.stats.itemfreq": Removed("SciPy 1.11", hint="np.unique(x, return_counts=True) counts"),
    "scipy.stats.median_absolute_deviation": Removed(
        "SciPy 1.10", hint="scipy.stats.median_abs_deviation(x, scale=1 / 1.4826) computes it"
    ),
    "scipy.stats.trapz": Removed("SciPy 1.14", "scipy.stats.trapezoid"),
}
"""Names that the rule removed-names treats."""

ALL = {**SPECIAL, **IMAGES, **OTHER_IMAGES, **NAMES}
