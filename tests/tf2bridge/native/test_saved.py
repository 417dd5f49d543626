"""Checkpoints of a native program against the recorded ones."""

from __future__ import annotations

import re

import pytest

from tf2bridge.native.saved import unlike_names

OWN = [("model-2", True), ("model-4", True)]
TIMED = [("model.ckpt-1", False), *OWN]
"""A thread wrote the first one, a little after the training began."""


@pytest.mark.parametrize(
    ("written", "recorded"),
    [
        (["net-2", "net-4"], OWN),
        (["last"], [("last", True)]),
        (["model.ckpt-0", "model-2", "model-4"], TIMED),
        (["model.ckpt-0", "model-2", "model.ckpt-3", "model-4"], TIMED),
        (["model-2", "model-4"], TIMED),
    ],
)
def test_checkpoints_of_the_same_steps_are_equal(written: list[str], recorded: list[tuple[str, bool]]) -> None:
    assert not list(unlike_names(written, recorded))


@pytest.mark.parametrize(
    ("written", "recorded", "why"),
    [
        (["model-2"], OWN, "2 checkpoints .* wrote 1 checkpoints"),
        (["model-2", "model-5"], OWN, "model-4 of the recorded program is model-5 here"),
        (["model.ckpt-0", "model-4"], TIMED, "model-2 of the recorded program is not among those"),
        (["model-4", "model-2"], TIMED, "model-4 of the recorded program is not among those"),
    ],
)
def test_other_checkpoints_are_named(written: list[str], recorded: list[tuple[str, bool]], why: str) -> None:
    (line,) = unlike_names(written, recorded)
    assert re.search(why, line)
