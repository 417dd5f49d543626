"""The context that input and model functions receive: always one host with one replica."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


class TPUContext:
    """`params["context"]` of input and model functions: one host, one replica."""

    def __init__(
        self,
        internal_ctx: Any,
        input_device: Any = None,
        invocation_index: int | None = None,
        call_from_input_fn: bool = True,
        host_id: int | None = None,
    ) -> None:
        self._internal_ctx, self._input_device = internal_ctx, input_device
        self._invocation_index, self._call_from_input_fn = invocation_index, call_from_input_fn
        self._host_id = host_id

    def current_input_fn_deployment(self) -> tuple[Any, int, int, int]:
        """Returns (device, index of this call, number of calls, replicas a call). RuntimeError in a model_fn."""
        self._only_in_input_fn("current_input_fn_deployment")
        return self._input_device, 0, 1, 1

    @property
    def num_replicas(self) -> int:
        """The number of replicas."""
        return 1

    @property
    def num_hosts(self) -> int:
        """The number of hosts."""
        return 1

    @property
    def current_host(self) -> int:
        """The number of this host. RuntimeError in a model_fn."""
        self._only_in_input_fn("current_host")
        return 0

    @property
    def num_of_replicas_per_host(self) -> int:
        """The number of replicas of a host."""
        return 1

    @property
    def device_assignment(self) -> None:
        """Where replicas run: there is no topology. RuntimeError in an input_fn."""
        if self._call_from_input_fn:
            raise RuntimeError("TPUContext.device_assignment is for the model_fn, not for the input_fn")

    def device_for_replica(self, replica_id: int) -> tuple[str, int]:
        """Returns (device of the host, number of the core)."""
        return "/device:CPU:0", replica_id

    def _only_in_input_fn(self, name: str) -> None:
        if not self._call_from_input_fn:
            raise RuntimeError(f"TPUContext.{name} is for the input_fn, not for the model_fn")


class BatchSizes:
    """The batch size of each mode. TPUEstimator calls it its internal context."""

    def __init__(self, config: Any, sizes: dict[str, int | None]) -> None:
        self.config = config
        self._sizes = sizes
        self._mode: str | None = None

    @contextlib.contextmanager
    def with_mode(self, mode: str) -> Iterator[BatchSizes]:
        """Sets the mode "train", "eval" or "infer" for a block."""
        before, self._mode = self._mode, mode
        try:
            yield self
        finally:
            self._mode = before

    @property
    def mode(self) -> str:
        """The mode. RuntimeError outside `with_mode`."""
        if self._mode is None:
            raise RuntimeError("the mode is only known within with_mode(mode)")
        return self._mode

    @property
    def global_batch_size(self) -> int | None:
        """The batch size of the mode."""
        return self._sizes.get(self.mode)

    batch_size_for_input_fn = batch_size_for_model_fn = global_batch_size

    @property
    def num_replicas(self) -> int:
        """The number of replicas."""
        return 1

    def is_running_on_cpu(self, is_export_mode: bool = False) -> bool:
        """Returns True: the model always runs without a TPU."""
        del is_export_mode
        return True


def _get_tpu_context(
    config: Any,
    train_batch_size: int | None,
    eval_batch_size: int | None,
    predict_batch_size: int | None,
    use_tpu: bool,
    eval_on_tpu: bool,
    embedding_config_spec: Any,
) -> BatchSizes:
    """Returns the context of a TPUEstimator with these arguments."""
    del use_tpu, eval_on_tpu, embedding_config_spec
    return BatchSizes(config, {"train": train_batch_size, "eval": eval_batch_size, "infer": predict_batch_size})
