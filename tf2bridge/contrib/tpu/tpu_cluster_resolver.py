"""TPUClusterResolver: keeps the address of a TPU; nothing asks Google Cloud for one."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.tpu.refusals import TpuUnavailableError


class TPUClusterResolver(tf.distribute.cluster_resolver.ClusterResolver):  # type: ignore[misc]
    """The address of a TPU: `tpu` is "grpc://host:port". The use of another name raises TpuUnavailableError."""

    def __init__(
        self,
        tpu: Any = None,
        zone: str | None = None,
        project: str | None = None,
        job_name: str = "worker",
        coordinator_name: str | None = None,
        coordinator_address: str | None = None,
        credentials: Any = "default",
        service: Any = None,
        discovery_url: str | None = None,
    ) -> None:
        del zone, project, credentials, service, discovery_url
        self._tpu = tf.compat.as_text(tpu) if isinstance(tpu, bytes) else tpu
        self._coordinator = (coordinator_name, coordinator_address)
        self.task_type = job_name
        self.task_id = 0
        self.rpc_layer = "grpc"

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """Returns the address of the session's target; "" for "local"."""
        del task_type, task_id, rpc_layer
        if self._tpu == "local":
            return ""
        if isinstance(self._tpu, str) and self._tpu.startswith("grpc://"):
            return self._tpu
        raise TpuUnavailableError(self._tpu)

    def get_master(self) -> str:
        """Returns the same."""
        return self.master()

    def get_job_name(self) -> str | None:
        """Returns the name of the job of the TPU's workers."""
        return None if self._tpu == "local" else self.task_type

    def cluster_spec(self) -> Any:
        """Returns the ClusterSpec of the workers and the coordinator; None for "local"."""
        address = self.master()
        if not address:
            return None
        jobs = {self.task_type: [task_address.removeprefix("grpc://") for task_address in address.split(",")]}
        name, at = self._coordinator
        if at:
            jobs[name or "coordinator"] = [at]
        return tf.train.ClusterSpec(jobs)

    def num_accelerators(self, *_: Any, **__: Any) -> dict[str, int]:
        """Returns the number of TPU cores: none."""
        return {"TPU": 0}

    def get_tpu_system_metadata(self) -> Any:
        """Raises TpuUnavailableError."""
        raise TpuUnavailableError(self._tpu)
