"""`tf.contrib.factorization`."""

from __future__ import annotations

from tf2bridge.v1.listing import names, same

_PATH = "contrib.factorization"
_HERE = "tf2bridge.contrib.factorization"
_OPS = "contrib.factorization.python.ops.clustering_ops"
_CONSTANTS = "SQUARED_EUCLIDEAN_DISTANCE COSINE_DISTANCE RANDOM_INIT KMEANS_PLUS_PLUS_INIT"

OWN = {
    **names(_PATH, f"{_HERE}.clustering", f"KMeans nearest_neighbors {_CONSTANTS}"),
    **names(_OPS, f"{_HERE}.clustering", "KMC2_INIT CLUSTERS_VAR_NAME"),
}

ALIASES = {
    **same(_OPS, _PATH, f"KMeans nearest_neighbors {_CONSTANTS}"),
}
