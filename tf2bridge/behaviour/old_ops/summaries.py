"""Summary functions of 0.12, which write the tag to the event file as given, without the name scope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
SUMMARIES = "summaries"


def _collected(op: Any, collections: Sequence[str] | None, default: Sequence[str] = (SUMMARIES,)) -> Any:
    for key in default if collections is None else collections:
        v1.add_to_collection(key, op)
    return op


def scalar_summary(tags: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None) -> Any:
    """Returns a serialized Summary: one scalar for each of `tags`; `values` has the shape of `tags`."""
    with v1.name_scope(name, "ScalarSummary", [tags, values]) as scope:
        return _collected(tf.raw_ops.ScalarSummary(tags=tags, values=values, name=scope), collections)


def histogram_summary(tag: Any, values: Any, collections: Sequence[str] | None = None, name: str | None = None) -> Any:
    """Returns a serialized Summary: the histogram of `values`, of any shape."""
    with v1.name_scope(name, "HistogramSummary", [tag, values]) as scope:
        return _collected(tf.raw_ops.HistogramSummary(tag=tag, values=values, name=scope), collections)


def image_summary(
    tag: Any,
    tensor: Any,
    max_images: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> Any:
    """Returns a serialized Summary of at most `max_images` of `tensor`, [batch, height, width, 1|3|4]."""
    with v1.name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        op = tf.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope)
        return _collected(op, collections)


def audio_summary(
    tag: Any,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Sequence[str] | None = None,
    name: str | None = None,
) -> Any:
    """Returns a serialized Summary of `tensor`, [batch, frames] or [batch, frames, channels]; `sample_rate` in Hz."""
    with v1.name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        rate = tf.convert_to_tensor(sample_rate, dtype=tf.float32, name="sample_rate")
        op = tf.raw_ops.AudioSummaryV2(tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope)
        return _collected(op, collections)


def merge_summary(inputs: Sequence[Any], collections: Sequence[str] | None = None, name: str | None = None) -> Any:
    """Returns the serialized Summary that holds all of `inputs`; it joins no collection unless one is named."""
    with v1.name_scope(name, "MergeSummary", inputs):
        return _collected(tf.raw_ops.MergeSummary(inputs=list(inputs), name=name), collections, ())


def merge_all_summaries(key: str = SUMMARIES) -> Any:
    """Returns the merged summaries of collection `key` of the default graph, or None if it is empty."""
    summaries = v1.get_collection(key)
    return merge_summary(summaries) if summaries else None


class SummaryWriter(v1.summary.FileWriter):  # type: ignore[misc, name-defined]  # TensorFlow is untyped
    """`train.SummaryWriter` of 0.12, with its argument order; a GraphDef as `graph` is taken as 0.12 took it."""

    def __init__(
        self,
        logdir: str,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        graph_def: Any = None,
    ) -> None:
        super().__init__(logdir, graph, max_queue, flush_secs, graph_def)
