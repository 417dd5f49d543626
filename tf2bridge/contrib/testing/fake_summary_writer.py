"""`tf.contrib.testing.FakeSummaryWriter`: keeps in memory what TensorFlow writes as summaries, for tests."""

from __future__ import annotations

from typing import Any, ClassVar

import tensorflow as tf

from tf2bridge.internals.framework import test_util
from tf2bridge.internals.training import writer, writer_cache

v1 = tf.compat.v1
MODULES = (writer, writer_cache)
"""The modules of TensorFlow 2 that make writers for hooks, supervisors and estimators."""


class FakeSummaryWriter:
    """Stands for `tf.summary.FileWriter` between `install` and `uninstall`; both raise ValueError out of order."""

    _replaced_summary_writer: ClassVar[Any] = None

    @classmethod
    def install(cls) -> None:
        """Puts this class in the place of the writer that TensorFlow itself uses."""
        if cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced_summary_writer = writer.FileWriter
        for module in MODULES:
            module.FileWriter = FakeSummaryWriter

    @classmethod
    def uninstall(cls) -> None:
        """Puts TensorFlow's writer back."""
        if not cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter not installed.")
        for module in MODULES:
            module.FileWriter = cls._replaced_summary_writer
        cls._replaced_summary_writer = None

    def __init__(self, logdir: str, graph: Any = None) -> None:
        self._logdir, self._graph = logdir, graph
        self._summaries: dict[Any, list[Any]] = {}
        self._added_graphs: list[Any] = []
        self._added_meta_graphs: list[Any] = []
        self._added_session_logs: list[Any] = []
        self._added_run_metadata: dict[str, Any] = {}

    @property
    def summaries(self) -> dict[Any, list[Any]]:
        """{step: Summaries}."""
        return self._summaries

    def assert_summaries(
        self,
        test_case: Any,
        expected_logdir: str | None = None,
        expected_graph: Any = None,
        expected_summaries: dict[int, dict[str, float]] | None = None,
        expected_added_graphs: Any = None,
        expected_added_meta_graphs: Any = None,
        expected_session_logs: Any = None,
    ) -> None:
        """Fails the test unless the writer has the expected values. Expectations that are None are not compared.

        The speed "global_step/sec" is left out of summaries, as another thread writes it.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for step, wanted in (expected_summaries or {}).items():
            test_case.assertIn(step, self._summaries)
            values = [value for summary in self._summaries[step] for value in summary.value]
            ours = {value.tag: value.simple_value for value in values if value.tag != "global_step/sec"}
            test_case.assertEqual(wanted, ours)
        if expected_added_graphs is not None:
            test_case.assertEqual(expected_added_graphs, self._added_graphs)
        if expected_added_meta_graphs is not None:
            test_case.assertEqual(len(expected_added_meta_graphs), len(self._added_meta_graphs))
            for expected, added in zip(expected_added_meta_graphs, self._added_meta_graphs, strict=True):
                test_util.assert_meta_graph_protos_equal(test_case, expected, added)
        if expected_session_logs is not None:
            test_case.assertEqual(expected_session_logs, self._added_session_logs)

    def add_summary(self, summ: Any, current_global_step: Any = None) -> None:
        """Keeps a Summary, or its serialized form."""
        summary = v1.Summary.FromString(summ) if isinstance(summ, bytes) else summ
        self._summaries.setdefault(current_global_step, []).append(summary)

    def add_graph(self, graph: Any, global_step: int | None = None, graph_def: Any = None) -> None:
        """Keeps a graph. Raises ValueError for a negative step, and for a GraphDef."""
        _check(global_step)
        if graph_def is not None:
            raise ValueError(f"Unexpected graph_def {graph_def}.")
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: int | None = None) -> None:
        """Keeps a MetaGraphDef. Raises ValueError for a negative step."""
        _check(global_step)
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: int | None = None) -> None:
        """Keeps a SessionLog."""
        del global_step
        self._added_session_logs.append(session_log)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: int | None = None) -> None:
        """Keeps RunMetadata by its tag. Raises ValueError for a negative step."""
        _check(global_step)
        self._added_run_metadata[tag] = run_metadata

    def flush(self) -> None:
        """Does nothing."""

    def reopen(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""


def _check(global_step: int | None) -> None:
    if global_step is not None and global_step < 0:
        raise ValueError(f"Invalid global_step {global_step}.")
