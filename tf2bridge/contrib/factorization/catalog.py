"""`tf.contrib.factorization`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.factorization"
_HERE = "tf2bridge.contrib.factorization"
_OPS = "contrib.factorization.python.ops.clustering_ops"
_CONSTANTS = "SQUARED_EUCLIDEAN_DISTANCE COSINE_DISTANCE RANDOM_INIT KMEANS_PLUS_PLUS_INIT"

_KMEANS = "contrib.factorization.python.ops.kmeans"

OWN = {
    **names(_PATH, f"{_HERE}.kmeans", "KMeansClustering"),
    f"{_KMEANS}._LossRelativeChangeHook": f"{_HERE}.kmeans:LossRelativeChangeHook",
    f"{_KMEANS}._InitializeClustersHook": f"{_HERE}.kmeans:InitializeClustersHook",
    **names(_PATH, f"{_HERE}.clustering_ops.clustering", f"KMeans nearest_neighbors {_CONSTANTS}"),
    **names(_OPS, f"{_HERE}.clustering_ops.clustering", "KMC2_INIT CLUSTERS_VAR_NAME"),
}

ALIASES = {
    **same(_KMEANS, _PATH, "KMeansClustering"),
    **same(_OPS, _PATH, f"KMeans nearest_neighbors {_CONSTANTS}"),
}
