"""The choice of the first centres of KMeans: batch by batch, until there are enough centres."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"


class FirstCenters:
    """Fills the variable `centers` from `inputs`, and sets `begun` once it holds `count` of them."""

    def __init__(
        self,
        inputs: list[Any],
        count: Any,
        initial: Any,
        centers: Any,
        updated: Any,
        begun: Any,
        seed: int,
        retries: int,
        chain: int,
        cosine: bool,
    ) -> None:
        self._inputs, self._count, self._initial = inputs, count, initial
        self._centers, self._updated, self._begun = centers, updated, begun
        self._seed, self._retries, self._chain, self._cosine = seed, retries, chain, cosine
        self._chosen = tf.shape(centers)[0]
        self._missing = count - self._chosen
        self._points = tf.add_n([tf.shape(points)[0] for points in inputs])

    def op(self) -> Any:
        """Returns the op that adds centres. It raises an error if all centres exist, but `begun` is false."""
        return v1.cond(tf.equal(self._missing, 0), lambda: v1.assert_equal(self._begun, True), self._add_and_look)

    def _add_and_look(self) -> Any:
        with tf.control_dependencies([v1.assert_positive(self._missing)]):
            missing = self._by_chains() if self._is(KMC2_INIT) else self._add()
            return v1.cond(tf.equal(missing, 0), lambda: v1.assign(self._begun, True), tf.no_op)

    def _is(self, method: str) -> bool:
        return isinstance(self._initial, str) and self._initial == method

    def _add(self) -> Any:
        new = self._new()
        if self._cosine:
            new = tf.nn.l2_normalize(new, axis=1)
        none = tf.equal(self._chosen, 0)
        everything = v1.cond(none, lambda: new, lambda: tf.concat([self._centers, new], 0))
        return self._count - tf.shape(self._store(everything))[0]

    def _store(self, centers: Any) -> Any:
        stored = v1.assign(self._centers, centers, validate_shape=False)
        if self._updated is not self._centers:
            stored = v1.assign(self._updated, stored, validate_shape=False)
        return stored

    def _new(self) -> Any:
        if callable(self._initial):
            return self._initial(self._inputs, self._missing)
        if self._is(RANDOM_INIT):
            few = self._points <= self._missing
            return v1.cond(few, lambda: tf.concat(self._inputs, 0), self._drawn)
        if self._is(KMEANS_PLUS_PLUS_INIT):
            return self._only_if(v1.assert_greater_equal(self._points, self._missing), self._plus_plus)
        check = v1.assert_equal(self._missing, tf.shape(self._initial)[0])
        return self._only_if(check, lambda: self._initial)

    def _only_if(self, check: Any, function: Callable[[], Any]) -> Any:
        with tf.control_dependencies([check]):
            return function()

    def _drawn(self) -> Any:
        most = tf.cast(self._points, tf.int64)
        shape = tf.reshape(self._missing, [-1])
        places = v1.random_uniform(shape, minval=0, maxval=most, seed=self._seed, dtype=tf.int64)
        return v1.nn.embedding_lookup(self._inputs, places, partition_strategy="div")

    def _plus_plus(self) -> Any:
        points = self._inputs[0]  # k-means++ looks at one shard
        if self._cosine:
            points = tf.nn.l2_normalize(points, axis=1)
        return tf.raw_ops.KmeansPlusPlusInitialization(
            points=points,
            num_to_sample=tf.cast(self._missing, tf.int64),
            seed=self._seed,
            num_retries_per_sample=self._retries,
        )

    def _by_chains(self) -> Any:
        """Chooses centres by K-MC2: a centre ends a Markov chain over part of the batch. Bachem et al., 2016."""
        shard = self._inputs[0]
        most = tf.cast(tf.shape(shard)[0] / self._chain, dtype=tf.int32)
        wanted = tf.maximum(tf.minimum(self._missing, most), 1)

        def first() -> Any:
            return self._row(shard[0])

        def step(place: Any, _: Any) -> tuple[Any, Any]:
            def chained() -> Any:
                part = shard[place * self._chain : place * self._chain + self._chain]
                nearest_count = tf.constant(1, tf.int64)
                _, distances = tf.raw_ops.NearestNeighbors(points=part, centers=self._centers, k=nearest_count)
                seed = tf.cast(self._seed, tf.int64)
                index = tf.raw_ops.KMC2ChainInitialization(distances=tf.squeeze(distances), seed=seed)
                return tf.concat([self._centers, self._row(part[index])], 0)

            stored = self._store(v1.cond(tf.equal(self._chosen, 0), first, chained))
            return place + 1, self._count - tf.shape(stored)[0]

        _, missing = v1.while_loop(lambda place, _: tf.less(place, wanted), step, [0, 0])
        return missing

    def _row(self, point: Any) -> Any:
        row = tf.reshape(point, [1, -1])
        return tf.nn.l2_normalize(row, axis=1) if self._cosine else row
