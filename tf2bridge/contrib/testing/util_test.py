"""Reads the summaries that a test wrote."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


def assert_summary(expected_tags: Iterable[str], expected_simple_values: dict[str, float], summary_proto: Any) -> None:
    """Raises AssertionError unless the values equal (to two decimals), ValueError unless the tags are the expected."""
    tags = {value.tag for value in summary_proto.value}
    for value in summary_proto.value:
        if value.tag in expected_simple_values:
            wanted = expected_simple_values[value.tag]
            np.testing.assert_almost_equal(value.simple_value, wanted, decimal=2, err_msg=value.tag)
    if set(expected_tags) != tags:
        raise ValueError(f"expected the tags {sorted(expected_tags)}, found {sorted(tags)}")


def to_summary_proto(summary_str: bytes) -> Any:
    """Returns the Summary of its serialized form."""
    return v1.Summary.FromString(summary_str)


def latest_event_file(base_dir: str) -> str | None:
    """Returns the path of the last event file in `base_dir`, None if there is none."""
    return max((str(path) for path in Path(base_dir).glob("events.*")), default=None)


def latest_events(base_dir: str) -> Iterable[Any]:
    """Returns the events of the last event file in `base_dir`."""
    path = latest_event_file(base_dir)
    events: Iterable[Any] = v1.train.summary_iterator(path) if path else []
    return events


def latest_summaries(base_dir: str) -> list[Any]:
    """Returns the latest events that hold a summary."""
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


def simple_values_from_events(events: Iterable[Any], tags: Iterable[str]) -> dict[str, float]:
    """Returns the latest value of each tag. Raises ValueError if a summary holds no simple value."""
    wanted = set(tags)
    latest: dict[str, tuple[int, float]] = {}
    for event in events:
        for value in event.summary.value if event.HasField("summary") else ():
            if value.tag not in wanted:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"the summary {value.tag} holds no simple value")
            if value.tag not in latest or event.step > latest[value.tag][0]:
                latest[value.tag] = (event.step, value.simple_value)
    return {tag: value for tag, (_, value) in latest.items()}
