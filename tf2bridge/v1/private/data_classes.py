"""Private classes of `python.data.ops.dataset_ops` that public code calls, as functions that give the same elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def MapDataset(  # noqa: N802  # TensorFlow's name
    input_dataset: Any,
    map_func: Callable[..., Any],
    use_inter_op_parallelism: bool = True,
    preserve_cardinality: bool = False,
    use_legacy_function: bool = False,
) -> Any:
    """Returns the data set with the function applied; the other arguments choose kernels and threads."""
    del use_inter_op_parallelism, preserve_cardinality, use_legacy_function
    return input_dataset.map(map_func)


def ParallelMapDataset(  # noqa: N802  # as above
    input_dataset: Any,
    map_func: Callable[..., Any],
    num_parallel_calls: Any,
    use_inter_op_parallelism: bool = True,
    preserve_cardinality: bool = False,
    use_legacy_function: bool = False,
) -> Any:
    """Returns the data set with the function applied by several threads, in order."""
    del use_inter_op_parallelism, preserve_cardinality, use_legacy_function
    return input_dataset.map(map_func, num_parallel_calls)
