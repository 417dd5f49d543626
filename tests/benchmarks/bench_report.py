"""A report of 10,000 tensors: its size, and how long a browser takes to open it beside an empty page.

python -m pytest -s tests/benchmarks/bench_report.py
"""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.tf2bridge.proof.reporting.rows import of_training
from tf2bridge.proof.reporting.page import Page, dumps
from tf2bridge.proof.trajectories.growth import growth
from tf2bridge.proof.trajectories.series import of_rows

ROUNDS = 5


def opened(path: Path) -> float:
    """Seconds from the start of the browser to the end of the page's script."""
    start = time.perf_counter()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    subprocess.run(["chromium", *flags, f"file://{path}"], capture_output=True, check=True, timeout=120)
    return time.perf_counter() - start


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser")
def bench_ten_thousand_tensors_open_in_two_seconds(tmp_path: Path) -> None:
    rows = of_training(100, 99)
    start = time.perf_counter()
    growths = [growth(row) for row in of_rows(rows)]
    text = dumps(Page("new beside old", "old", "new", False, "", rows, growths=growths))
    made = time.perf_counter() - start
    (tmp_path / "report.html").write_text(text, "utf-8")
    (tmp_path / "empty.html").write_text("<!doctype html><title>nothing</title>")
    times = [(opened(tmp_path / "report.html"), opened(tmp_path / "empty.html")) for _ in range(ROUNDS)]
    report, empty = (min(item) for item in zip(*times, strict=True))
    print(f"\n{len(rows)} tensors: {len(text) / 1e6:.2f} MB, made in {made:.2f} s")
    print(f"opened in {report:.2f} s, an empty page in {empty:.2f} s")
    assert report - empty < 2
    assert len(text) < 5_000_000
