"""A call whose tensors do not fit in memory together is searched in bounded memory, with the same answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tf2bridge.proof.diverging.spooled_values import Spool, Values

MIB = 1 << 20


def test_the_memory_of_a_search_is_bounded_and_its_answer_the_same() -> None:
    """A hundred tensors of 2 MiB on either side, a run of which gives 32 MiB; as many stay in memory."""
    script = Path(__file__).parent / "large_graph.py"
    command = [sys.executable, str(script), "100", "2", "32"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["op"], report["cause"].partition(":")[0]) == ("layer_60", "another constant")
    assert report["tensors"] == 400 * MIB
    # 64 MiB by the bounds; the session's own tensors, its code and what the C library keeps come on top.
    assert report["grown"] < 200 * MIB


@pytest.mark.parametrize("room", [0, 1 << 20], ids=["in the file", "in memory"])
@pytest.mark.parametrize(
    "value",
    [
        np.arange(12, dtype=np.float32).reshape(3, 4),
        np.asarray(2.5, ml_dtypes.bfloat16),
        np.asfortranarray(np.arange(6, dtype=np.complex64).reshape(2, 3)),
        np.asarray([[b"a", b""], [b"\x00long", "\u00e9".encode()]], object),
        np.asarray(b"one", object),
        np.empty((0, 3), np.int64),
        np.asarray(True),
    ],
    ids=lambda value: f"{value.dtype.name}{list(value.shape)}",
)
def test_a_kept_value_is_itself(value: Any, room: int) -> None:
    values = Values(Spool(room))
    values.add({"x:0": value, "y:0": value.copy(), "none:0": None})
    result = values["x:0"]
    assert result is not None
    assert (result.dtype, result.shape) == (value.dtype, value.shape)
    assert result.tolist() == value.tolist()
    assert values.kept("x:0") is values.kept("y:0")
    assert values["none:0"] is values.kept("none:0") is values.get("unknown:0") is None


TELLING: list[tuple[Callable[[], Any], bool]] = [
    (lambda: np.linspace(0, 1, 100_000, dtype=np.float32), True),
    (lambda: np.full(100_000, 0.1, np.float32), False),
    (lambda: np.where(np.arange(100_000) == 99_999, 0.2, 0.1), True),
    (lambda: np.where(np.arange(100_000) == 99_999, np.nan, np.arange(100_000.0)), False),
    (lambda: np.asarray(0.5), False),
    (lambda: np.asarray(0.1), True),
    (lambda: np.arange(100_000) % 8, False),
    (lambda: np.arange(100_000) // 90_000 + np.arange(100_000) % 8, True),
    (lambda: np.asarray([b"a"], object), False),
]


@pytest.mark.parametrize("number", range(len(TELLING)))
def test_what_hardly_another_tensor_has_is_telling(number: int) -> None:
    made, telling = TELLING[number]
    value = made()
    kept = Spool(0).keep(value)
    assert kept.telling is telling
    if telling:
        assert kept.length == pytest.approx(np.linalg.norm(value.astype(np.float64)), rel=1e-9)
        assert kept.largest == np.abs(value.astype(np.float64)).max()


def test_a_sample_tells_what_the_whole_would() -> None:
    spool, value = Spool(0), np.random.RandomState(0).randn(1000)
    kept = spool.keep(value)
    assert kept.unlike(spool.keep(value * 1.01), 1e-5)
    assert not kept.unlike(spool.keep(value * (1 + 1e-7)), 1e-5)
