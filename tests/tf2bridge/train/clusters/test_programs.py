"""Programs of 2016-2018 on parameter servers and workers compute here what genuine TensorFlow computed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.clusters.runs import RUNS, differences, printed, stored
from tests.tf2bridge.train.clusters.commands import cluster

SOON = {"monitored_free", "supervised", "in_graph", "embeddings", "estimating", "backup", "summed"}
"""Runs of the latest release whose processes are worth their seconds in every run of the tests."""


def cases() -> Iterator[object]:
    for name, run in RUNS.items():
        for release in run.releases:
            marks = [] if name in SOON and release == run.releases[-1] else [pytest.mark.soak]
            yield pytest.param(name, release, marks=marks, id=f"{name}-{release}")


@pytest.mark.parametrize("name, release", cases())
def test_a_cluster_prints_what_the_release_printed(name: str, release: str, tmp_path: Path) -> None:
    run = RUNS[name]
    done = cluster("--api", release.rpartition(".")[0], *run.options(), "--", *run.words(tmp_path))
    assert done.returncode == 0, done.stderr
    assert differences(run, printed(done.stdout), stored(name, release).read_text(encoding="utf-8")) == []
