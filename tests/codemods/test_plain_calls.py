"""Calls that keep TensorFlow 2's own name build the nodes that tf.compat.v1 builds, as TensorFlow says itself."""

from __future__ import annotations

import pytest

from codemods.symbols import table
from fixtures import plain_calls


def check_rows_hold(release: str) -> None:
    pytest.importorskip("tensorflow")
    rows = table("plain")
    assert len(rows) > 100
    assert plain_calls.in_child(release, rows) == rows


def test_rows_hold_where_most_is_switched() -> None:
    check_rows_hold("0.12")


@pytest.mark.soak
@pytest.mark.parametrize("release", [release for release in plain_calls.RELEASES if release != "0.12"])
def test_rows_hold_under_every_release(release: str) -> None:
    check_rows_hold(release)


@pytest.mark.soak
def test_rows_are_those_that_the_script_finds() -> None:
    pytest.importorskip("tensorflow")
    assert plain_calls.computed() == table("plain")
