"""`tf.contrib.testing`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.testing"
_HERE = "tf2bridge.contrib.testing"
_READING = "assert_summary to_summary_proto latest_event_file latest_events latest_summaries simple_values_from_events"

OWN = {
    **names(_PATH, f"{_HERE}.util_test", _READING),
    **names(_PATH, f"{_HERE}.fake_summary_writer", "FakeSummaryWriter"),
}

ALIASES = {
    **same(f"{_PATH}.python.framework.util_test", _PATH, _READING),
    **same(f"{_PATH}.summary_pb2", "", "HistogramProto Summary SummaryMetadata"),
    f"{_PATH}.summary_pb2.SummaryDescription": "summary.SummaryDescription",
}
