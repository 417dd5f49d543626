"""Names that Pillow, scikit-image, networkx, gast, pandas, Matplotlib and scikit-learn removed.

Sources: the release notes of Pillow 3 and 10, scikit-image 0.18, networkx 2.4 and 3.0, gast 0.3, pandas 0.23 and 0.25,
Matplotlib 2.2 and 3.0, and scikit-learn 0.20 to 1.2.
"""

from __future__ import annotations

from codemods.removed.row import Removed, of_kind, renamed

PILLOW = renamed(
    "Pillow 10",
    {"ANTIALIAS": "PIL.Image.LANCZOS", "LINEAR": "PIL.Image.BILINEAR", "CUBIC": "PIL.Image.BICUBIC"},
    "PIL.Image.",
)
SKIMAGE = renamed(
    "scikit-image 0.18",
    {
        "compare_mse": "skimage.metrics.mean_squared_error",
        "compare_nrmse": "skimage.metrics.normalized_root_mse",
        "compare_psnr": "skimage.metrics.peak_signal_noise_ratio",
        "compare_ssim": "skimage.metrics.structural_similarity",
    },
    "skimage.measure.",
)
ORDERED_GRAPHS = renamed(
    "networkx 3.0",
    {f"Ordered{kind}": f"networkx.{kind}" for kind in ("DiGraph", "Graph", "MultiDiGraph", "MultiGraph")},
    "networkx.",
)
NETWORKX = {
    f"networkx.{kind}_component_subgraphs": Removed(
        "networkx 2.4", hint=f"(G.subgraph(c) for c in networkx.{kind}_components(G))"
    )
    for kind in ("biconnected", "connected", "strongly_connected", "weakly_connected")
}
NETWORKX |= {
    "networkx.from_numpy_matrix": Removed("networkx 3.0", hint="networkx.from_numpy_array"),
    "networkx.read_gpickle": Removed("networkx 3.0", hint="pickle.load of the open file"),
    "networkx.to_numpy_matrix": Removed(
        "networkx 3.0", hint="networkx.to_numpy_array, which is no matrix: write @ for *"
    ),
    "networkx.write_gpickle": Removed("networkx 3.0", hint="pickle.dump into the open file"),
}

_LITERAL = Removed("gast 0.3", hint="gast.Constant is the node of each literal")
_DATA = "it downloaded data from a place that is gone, or that scikit-learn withdrew"
_OTHER_ARGUMENTS = "what stands for it takes other arguments, or gives other values"
NAMES = {
    "PIL.Image.fromstring": Removed("Pillow 3.0", "PIL.Image.frombytes"),
    **of_kind(_LITERAL, ("Bytes", "Ellipsis", "NameConstant", "Num", "Str"), "gast."),
    "matplotlib.pyplot.hold": Removed("Matplotlib 3.0", hint="plots always hold"),
    "matplotlib.pyplot.spectral": Removed("Matplotlib 2.2", hint="nipy_spectral is the map's name"),
    "pandas.Panel": Removed(
        "pandas 0.25",
        hint="a DataFrame with a MultiIndex, or xarray, holds such data",
        not_run="pandas has no data of three dimensions",
    ),
    "pandas.rolling_mean": Removed("pandas 0.23", hint="series.rolling(window).mean() computes it"),
    "pandas.rolling_std": Removed("pandas 0.23", hint="series.rolling(window).std() computes it"),
    "pandas.scatter_matrix": Removed("pandas 0.25", hint="pandas.plotting.scatter_matrix draws it"),
    "sklearn.datasets.fetch_mldata": Removed("scikit-learn 0.22", hint="fetch_openml fetches such data", not_run=_DATA),
    "sklearn.datasets.load_boston": Removed(
        "scikit-learn 1.2", hint="fetch_openml(name='boston') fetches the data", not_run=_DATA
    ),
    "sklearn.metrics.jaccard_similarity_score": Removed(
        "scikit-learn 0.23", hint="jaccard_score is not the same for all", not_run=_OTHER_ARGUMENTS
    ),
    "sklearn.preprocessing.Imputer": Removed(
        "scikit-learn 0.22", hint="sklearn.impute.SimpleImputer has other arguments", not_run=_OTHER_ARGUMENTS
    ),
    "sklearn.utils.linear_assignment_": Removed(
        "scikit-learn 0.23",
        hint="scipy.optimize.linear_sum_assignment returns rows and columns",
        not_run=_OTHER_ARGUMENTS,
    ),
}
"""Names that the rule removed-names treats."""

ALL = {**PILLOW, **SKIMAGE, **ORDERED_GRAPHS, **NETWORKX, **NAMES}
