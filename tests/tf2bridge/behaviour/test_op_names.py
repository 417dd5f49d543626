"""Results of public functions are named as on genuine releases: old programs fetch by these names.

fixtures/op_names/RELEASE.json holds the names on genuine TensorFlow, differences.json what is known to differ;
fixtures/op_names/store.py writes both.
"""

from __future__ import annotations

import json
import sys

import pytest

from fixtures.op_names import store

KNOWN = json.loads(store.DIFFERENCES.read_text())


def check_names(release: str, *part: str) -> None:
    genuine = json.loads((store.HERE / f"{release}.json").read_text())
    result = store.differences(genuine, store.computed(sys.executable, release, *part))
    assert set(result) <= set(KNOWN[release]), {name: result[name] for name in set(result) - set(KNOWN[release])}


@pytest.mark.parametrize("release", store.RELEASES)
def test_a_part_of_the_calls_names_its_results_as_genuine_tensorflow(release: str) -> None:
    """Each call is made as one of the releases; the parts of all releases are the list."""
    check_names(release, str(store.RELEASES.index(release)))


@pytest.mark.soak
@pytest.mark.parametrize("release", store.RELEASES)
def test_every_call_names_its_results_as_genuine_tensorflow(release: str) -> None:
    check_names(release)


@pytest.mark.parametrize("release", store.RELEASES)
def test_names_that_differ_are_few(release: str) -> None:
    genuine = json.loads((store.HERE / f"{release}.json").read_text())
    assert len(KNOWN[release]) < len(genuine) / 10
