"""KMeansClustering: an estimator whose training moves the centres of clusters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.factorization.clustering_ops.clustering import (
    CLUSTERS_VAR_NAME,
    COSINE_DISTANCE,
    SQUARED_EUCLIDEAN_DISTANCE,
    KMeans,
)
from tf2bridge.contrib.factorization.clustering_ops.first_centers import KMEANS_PLUS_PLUS_INIT, RANDOM_INIT
from tf2bridge.contrib.training.ordering import with_dependencies
from tf2bridge.estimator.estimator import Estimator
from tf2bridge.estimator.model_spec import EstimatorSpec
from tf2bridge.estimator.outputs import PredictOutput

v1 = tf.compat.v1
_Hook: Any = v1.train.SessionRunHook
InputFunction = Callable[[], Any]


class LossRelativeChangeHook(_Hook):  # type: ignore[misc]  # TensorFlow has no types here
    """Stops if the loss changes by less than `tolerance`, relative to 1 plus the previous loss."""

    def __init__(self, loss_tensor: Any, tolerance: float) -> None:
        self._loss_tensor, self._tolerance = loss_tensor, tolerance
        self._before: Any = None

    def before_run(self, run_context: Any) -> Any:  # noqa: ARG002  # as of hooks
        """Asks for the loss."""
        return v1.train.SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Compares the loss with the loss of the previous step."""
        loss, before = run_values.results, self._before
        if before and abs(loss - before) / (1 + abs(before)) < self._tolerance:
            run_context.request_stop()
        self._before = loss


class InitializeClustersHook(_Hook):  # type: ignore[misc]
    """Runs `init_op` until all centres are chosen; a worker that is not the chief waits for that."""

    def __init__(self, init_op: Any, is_initialized_var: Any, is_chief: bool) -> None:
        self._init_op, self._is_initialized_var, self._is_chief = init_op, is_initialized_var, is_chief

    def after_create_session(self, session: Any, coord: Any) -> None:  # noqa: ARG002  # as of hooks
        """Chooses the centres."""
        while not session.run(self._is_initialized_var):
            if self._is_chief:
                session.run(self._init_op)
            else:
                time.sleep(1)


def _points(features: Any, feature_columns: Iterable[Any] | None) -> Any:
    """Returns the features as one tensor [points, dimensions]. A dictionary is sorted by name."""
    if not isinstance(features, dict):
        return features
    if feature_columns:
        return v1.feature_column.input_layer(features, feature_columns)
    names = sorted(features)
    with v1.colocate_with(features[names[0]]):
        return tf.concat([features[name] for name in names], axis=1)


class KMeansClustering(Estimator):
    """An estimator of `num_clusters` centres. Its input function returns points, [points, dimensions], and no labels.

    The options are those of `KMeans`. `relative_tolerance` ends the training when the loss hardly changes.

    Raises:
        ValueError: the initialization method or the distance is unknown.
    """

    SQUARED_EUCLIDEAN_DISTANCE = SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = COSINE_DISTANCE
    RANDOM_INIT = RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = KMEANS_PLUS_PLUS_INIT
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = CLUSTERS_VAR_NAME

    def __init__(
        self,
        num_clusters: Any,
        model_dir: str | None = None,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        random_seed: int = 0,
        use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None,
        config: Any = None,
        feature_columns: Iterable[Any] | None = None,
    ) -> None:
        methods = (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT)
        if isinstance(initial_clusters, str) and initial_clusters not in methods:
            raise ValueError(f"initial_clusters is {initial_clusters!r}; it must be one of {methods}")
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError(f"distance_metric is {distance_metric!r}; it must be 'squared_euclidean' or 'cosine'")

        def model_fn(features: Any, mode: str, config: Any) -> Any:
            clusters = KMeans(
                _points(features, feature_columns),
                num_clusters,
                initial_clusters,
                distance_metric,
                use_mini_batch,
                mini_batch_steps_per_iteration,
                random_seed,
                kmeans_plus_plus_num_retries,
            )
            return _spec(clusters, mode, config, relative_tolerance)

        super().__init__(model_fn=model_fn, model_dir=model_dir, config=config)

    def predict_cluster_index(self, input_fn: InputFunction) -> Iterator[Any]:
        """Yields the index of the nearest centre of each point."""
        for row in self.predict(input_fn=input_fn, predict_keys=[self.CLUSTER_INDEX]):
            yield row[self.CLUSTER_INDEX]

    def score(self, input_fn: InputFunction) -> Any:
        """Returns the sum of the distances of the points of the first batch to their nearest centres."""
        return self.evaluate(input_fn=input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: InputFunction) -> Iterator[Any]:
        """Yields the distances, squared ones for squared_euclidean, of each point to all centres, [clusters]."""
        for row in self.predict(input_fn=input_fn, predict_keys=[self.ALL_DISTANCES]):
            yield row[self.ALL_DISTANCES]

    def cluster_centers(self) -> Any:
        """Returns the centres, [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


def _spec(clusters: KMeans, mode: str, config: Any, relative_tolerance: float | None) -> Any:
    distances, indices, nearest, begun, init_op, train_op = clusters.training_graph()
    loss = v1.reduce_sum(nearest)
    v1.summary.scalar("loss/raw", loss)
    step_op = v1.assign_add(v1.train.get_global_step(), 1)
    hooks: list[Any] = [InitializeClustersHook(init_op, begun, config.is_chief)]
    if relative_tolerance is not None:
        hooks.append(LossRelativeChangeHook(loss, relative_tolerance))
    predictions = {KMeansClustering.ALL_DISTANCES: distances[0], KMeansClustering.CLUSTER_INDEX: indices[0]}
    outputs = {name: PredictOutput(values) for name, values in predictions.items()}
    return EstimatorSpec(
        mode=mode,
        predictions=predictions,
        loss=loss,
        train_op=with_dependencies([train_op, step_op], loss),
        eval_metric_ops={KMeansClustering.SCORE: v1.metrics.mean(loss)},
        training_hooks=hooks,
        export_outputs={**outputs, "serving_default": PredictOutput(indices[0])},
    )
