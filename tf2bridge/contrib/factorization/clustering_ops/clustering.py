"""KMeans: graphs that choose cluster centres and move them, by full batches or by mini-batches.

Mini-batches: Sculley, "Web-Scale K-Means Clustering", 2010; k-means++: Arthur and Vassilvitskii, 2007.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.factorization.clustering_ops.first_centers import (
    KMC2_INIT,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    FirstCenters,
)

v1 = tf.compat.v1
SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"
CLUSTERS_VAR_NAME = "clusters"


def nearest_neighbors(points: Any, centers: Any, k: Any, name: str | None = None) -> Any:
    """Returns the indices and the squared distances of the `k` centers nearest to each point, both [points, k]."""
    return tf.raw_ops.NearestNeighbors(points=points, centers=centers, k=tf.cast(k, tf.int64), name=name)


class KMeans:
    """Clusters `inputs`, a tensor or a list of tensors [points, dimensions], around `num_clusters` centres.

    Raises:
        ValueError: the initialization method or the distance is unknown.
    """

    def __init__(
        self,
        inputs: Any,
        num_clusters: Any,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: int = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        methods = (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)
        if isinstance(initial_clusters, str) and initial_clusters not in methods:
            raise ValueError(f"initial_clusters is {initial_clusters!r}; it must be one of {methods}")
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(f"distance_metric is {distance_metric!r}; it must be 'squared_euclidean' or 'cosine'")
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._num_clusters, self._initial_clusters = num_clusters, initial_clusters
        self._cosine = distance_metric == COSINE_DISTANCE
        self._use_mini_batch = use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._delayed = use_mini_batch and self._steps > 1
        self._first: dict[str, Any] = {
            "seed": random_seed,
            "retries": kmeans_plus_plus_num_retries,
            "chain": kmc2_chain_length,
            "cosine": self._cosine,
        }

    def training_graph(self) -> tuple[Any, Any, Any, Any, Any, Any]:
        """Returns (all distances, index of each point's centre, its distance, whether begun, init op, training op).

        The first three hold a tensor for each of the inputs; the init op is run until `begun` is true.
        """
        initial, count = self._initial_clusters, self._num_clusters
        if isinstance(initial, str) or callable(initial):
            count = tf.convert_to_tensor(count)
        else:
            initial = tf.convert_to_tensor(initial)
            count = tf.shape(initial)[0]
        inputs = self._inputs
        centers, begun, counts, updated, left = self._variables(count)
        first = FirstCenters(inputs, count, initial, centers, updated, begun, **self._first)
        init_op = first.op()
        used = centers
        if self._cosine:
            inputs = [_beside(points, _normalized) for points in inputs]
            if not self._keeps_normalized():
                used = _normalized(used)
        everything, nearest, chosen = self._assignments(inputs, used)
        if self._use_mini_batch:
            with tf.control_dependencies([self._take_over(left, centers, updated, counts)]):
                train_op = self._mini_batch(inputs, chosen, updated, counts)
        else:
            train_op = self._full_batch(inputs, count, chosen, centers)
        return everything, chosen, nearest, begun, init_op, train_op

    def _keeps_normalized(self) -> bool:
        return self._cosine and (not self._use_mini_batch or self._steps > 1)

    def _variables(self, count: Any) -> tuple[Any, Any, Any, Any, Any]:
        empty = tf.constant([], dtype=tf.float32)
        centers = v1.Variable(empty, name=CLUSTERS_VAR_NAME, validate_shape=False)
        begun = v1.Variable(False, dtype=tf.bool, name="initialized")
        if self._delayed:
            updated = v1.Variable(empty, name="clusters_updated", validate_shape=False)
            left = v1.Variable(self._steps, dtype=tf.int64, name="update_in_steps")
            return centers, begun, v1.Variable(tf.zeros([count], dtype=tf.int64)), updated, left
        counts = v1.Variable(tf.ones([count], dtype=tf.int64)) if self._use_mini_batch else None
        return centers, begun, counts, centers, None

    def _assignments(self, inputs: list[Any], centers: Any) -> tuple[Any, Any, Any]:
        everything = [_beside(tensor, lambda points: self._distances(points, centers)) for tensor in inputs]
        if self._cosine and not self._keeps_normalized():
            with v1.colocate_with(centers, ignore_existing=True):
                centers = _normalized(centers)
        nearest, chosen = [], []
        for points in inputs:
            with v1.colocate_with(points, ignore_existing=True):
                indices, distances = nearest_neighbors(points, centers, 1)
                if self._cosine:
                    distances *= 0.5  # of unit vectors: half the squared distance is 1 - cosine
                nearest.append(tf.squeeze(distances, [-1]))
                chosen.append(tf.squeeze(indices, [-1]))
        return tuple(everything), tuple(nearest), tuple(chosen)

    def _distances(self, points: Any, centers: Any) -> Any:
        if self._cosine:
            return 1 - tf.matmul(points, centers, transpose_b=True)
        point_norms = v1.reduce_sum(tf.square(points), 1, keepdims=True)
        theirs = tf.transpose(v1.reduce_sum(tf.square(centers), 1, keepdims=True))
        return point_norms - 2 * tf.matmul(points, centers, transpose_b=True) + theirs

    def _take_over(self, left: Any, centers: Any, updated: Any, counts: Any) -> Any:
        """Returns the op that copies the updated centres to the centres after each iteration of several steps."""
        if not self._delayed:
            return tf.no_op()

        def take() -> Any:
            with tf.control_dependencies([v1.assign(left, self._steps - 1)]):
                new = _normalized(updated) if self._cosine else updated
            with tf.control_dependencies([v1.assign(centers, new)]):
                forgotten = v1.assign(counts, tf.zeros_like(counts))
            with tf.control_dependencies([forgotten]):
                return tf.identity(left)

        with v1.colocate_with(left, ignore_existing=True):
            return v1.cond(left <= 0, take, lambda: v1.assign_sub(left, 1))

    def _mini_batch(self, inputs: list[Any], chosen: Any, centers: Any, counts: Any) -> Any:
        """Moves each centre towards the mean of its points, at a rate of one over all its points so far."""
        updates: list[Any] = []
        for points, nearest in zip(inputs, chosen, strict=True):
            with v1.colocate_with(points, ignore_existing=True):
                ids, places = tf.unique(tf.reshape(nearest, [-1]))
                id_count = tf.size(ids)
                before, old = tf.gather(counts, ids), tf.gather(centers, ids)
                ones = tf.ones_like(places, dtype=counts.dtype.base_dtype)
                more = tf.math.unsorted_segment_sum(ones, places, id_count)
                moved = tf.math.unsorted_segment_sum(points, places, id_count)
                shape = tf.concat([tf.reshape(id_count, [1]), tf.ones([tf.rank(points) - 1], dtype=tf.int32)], 0)
                moved -= tf.cast(tf.reshape(more, shape), points.dtype) * old
                rate = tf.math.reciprocal(tf.cast(before + more, points.dtype))
                moved *= tf.reshape(rate, shape)
            with tf.control_dependencies([moved]):  # 1.15.5 did not wait until the counts were read
                updates += [v1.scatter_add(counts, ids, more), v1.scatter_add(centers, ids, moved)]
        return tf.group(*updates)

    def _full_batch(self, inputs: list[Any], count: Any, chosen: Any, centers: Any) -> Any:
        """Sets each centre to the mean of its points."""
        sums, sizes = [], []
        small = tf.constant(1e-6, dtype=inputs[0].dtype)
        for points, nearest in zip(inputs, chosen, strict=True):
            with v1.colocate_with(points, ignore_existing=True):
                sums.append(tf.math.unsorted_segment_sum(points, nearest, count))
                ones = tf.reshape(tf.ones(tf.reshape(tf.shape(points)[0], [-1])), [-1, 1])
                sizes.append(tf.math.unsorted_segment_sum(ones, nearest, count))
        with v1.colocate_with(centers, ignore_existing=True):
            new = tf.add_n(sums) / (tf.cast(tf.add_n(sizes), sums[0].dtype) + small)
            if self._keeps_normalized():
                new = _normalized(new)
        return v1.assign(centers, new)


def _normalized(points: Any) -> Any:
    return tf.nn.l2_normalize(points, axis=1)


def _beside(points: Any, function: Any) -> Any:
    with v1.colocate_with(points, ignore_existing=True):
        return function(points)
