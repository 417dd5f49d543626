"""`tf.keras.experimental.terminate_keras_multiprocessing_pools`: ends the processes that read data for `fit`.

Keras dropped the function with TensorFlow 2.0. Facts are those of TensorFlow 1.15.5.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
import time
from typing import Any

from tf2bridge.behaviour.installed import supplier


def terminate_keras_multiprocessing_pools(grace_period: float = 0.1, use_sigkill: bool = False) -> list[str]:
    """Ends the pools that Keras started, and then their remaining processes.

    Args:
        grace_period: Seconds that the processes get to end.
        use_sigkill: Whether processes that do not end then are killed.

    Returns:
        What is still alive, a line for each process.
    """
    data: Any = supplier("tf_keras.src.utils.data_utils")
    pools = list(data._DATA_POOLS)
    for pool in pools:
        pool.close()
        pool.terminate()  # no join: it would wait for a worker that refuses to end
    if pools:
        time.sleep(grace_period)
    with contextlib.suppress(queue.Empty):
        while True:
            data._WORKER_IDS.add(data.get_worker_id_queue().get_nowait())
    workers = [worker for worker in multiprocessing.active_children() if worker.ident in data._WORKER_IDS]
    for end in ("terminate", *(("kill",) if use_sigkill else ())):
        for worker in workers:
            if worker.is_alive():
                getattr(worker, end)()
                worker.join(timeout=grace_period)
    return [f"worker still alive: {worker.name}, pid={worker.pid}" for worker in workers if worker.is_alive()]
