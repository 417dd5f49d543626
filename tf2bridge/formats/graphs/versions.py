"""Finds the release that wrote a graph by the version of its GraphDef."""

from __future__ import annotations

from bisect import bisect_left

PRODUCERS = {17: "0.12.1", 24: "1.4.1", 27: "1.12.3", 134: "1.15.5"}
"""GraphDef version -> a release that writes it, from the recorded graphs of these four releases."""


def written_by(release: str, producer: int) -> str:
    """Returns a text about who wrote a graph: the release that a metagraph names, or a guess by the version."""
    if release:
        return f"TensorFlow {release}"
    if producer in PRODUCERS:
        return f"TensorFlow {PRODUCERS[producer]} or a release near it"
    if not producer:
        return "a TensorFlow that is not said"
    known = list(PRODUCERS)
    place = bisect_left(known, producer)
    if place == 0:
        return f"a TensorFlow before {PRODUCERS[known[0]]}"
    if place == len(known):
        return f"a TensorFlow after {PRODUCERS[known[-1]]}"
    return f"a TensorFlow between {PRODUCERS[known[place - 1]]} and {PRODUCERS[known[place]]}"
