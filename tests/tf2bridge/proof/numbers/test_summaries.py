"""The numbers inside serialized summaries; the messages are TensorFlow's own."""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.summaries import numbers_of
from tf2bridge.proof.numbers.tolerance import EXACT, Tolerance, Verdict


def scalar(tag: str, value: float) -> bytes:
    from tensorflow.core.framework import summary_pb2

    return summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value)]).SerializeToString()


def text(message: bytes) -> np.ndarray:
    out = np.empty((), dtype=object)
    out[()] = message
    return out


def test_scalars_are_read_by_tag() -> None:
    result = numbers_of(scalar("loss", 0.5))
    assert result is not None
    assert result["loss"].tolist() == [0.5]


def test_histograms_are_read_by_their_statistics() -> None:
    from tensorflow.core.framework import summary_pb2

    histogram = summary_pb2.HistogramProto(
        min=1, max=2, num=4, sum=6, sum_squares=8, bucket_limit=[6, 7], bucket=[1, 2]
    )
    message = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag="w", histo=histogram)])
    content = numbers_of(message.SerializeToString())
    assert content is not None
    assert content["w"].tolist() == [1, 2, 4, 1.5 + 2 * 2**0.5, 2]


def test_a_statistic_that_is_zero_is_not_in_the_message() -> None:
    from tensorflow.core.framework import summary_pb2

    histogram = summary_pb2.HistogramProto(max=2, num=1)
    message = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag="w", histo=histogram)])
    content = numbers_of(message.SerializeToString())
    assert content is not None
    assert content["w"].tolist() == [0, 2, 1, 0, 0]


def test_a_mean_that_cancels_is_held_at_the_size_of_the_values() -> None:
    from tensorflow.core.framework import summary_pb2

    def histogram(total: float) -> bytes:
        histo = summary_pb2.HistogramProto(min=-3e3, max=3e3, num=1000, sum=total, sum_squares=1e9)
        return summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag="w", histo=histo)]).SerializeToString()

    tolerance = Tolerance(rtol=1e-5)
    assert distance(text(histogram(5.0)), text(histogram(0.0)), tolerance).verdict is Verdict.CLOSE
    assert distance(text(histogram(500.0)), text(histogram(0.0)), tolerance).verdict is Verdict.DIFFERENT


def test_other_bytes_are_not_numbers() -> None:
    assert numbers_of(b"any text") is None
    assert numbers_of(b"") is None
    assert numbers_of(scalar("loss", 0.5)[:-1]) is None


def test_summaries_are_compared_by_their_numbers() -> None:
    near = distance(text(scalar("loss", 0.5000001)), text(scalar("loss", 0.5)), Tolerance(rtol=1e-5))
    assert near.verdict is Verdict.CLOSE
    far = distance(text(scalar("loss", 0.51)), text(scalar("loss", 0.5)), Tolerance(rtol=1e-5))
    assert far.verdict is Verdict.DIFFERENT
    tag = distance(text(scalar("cost", 0.5)), text(scalar("loss", 0.5)), Tolerance(rtol=1e-5))
    assert tag.verdict is Verdict.DIFFERENT


def test_plain_strings_must_be_equal() -> None:
    assert distance(text(b"ab"), text(b"ab"), EXACT).verdict is Verdict.EQUAL
    assert distance(text(b"ab"), text(b"ac"), Tolerance(rtol=1)).verdict is Verdict.DIFFERENT
