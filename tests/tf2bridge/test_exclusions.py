"""Every name of `tf.contrib` is supplied or says what to use instead, and real programs meet few of the latter."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.symbols import names
from tf2bridge.v0.catalog import TREE as V0
from tf2bridge.v1.catalog import TREE
from tf2bridge.v1.exclusions import exclusion
from tf2bridge.v1.namespace import resolve
from tf2bridge.v1.refusals import UnavailableNameError

USAGE = Path(__file__).resolve().parents[2] / "fixtures" / "contrib_usage.tsv"
"""How often the programs of 49 public repositories name each contrib symbol: symbol, uses."""

MOST = 0.05
"""The share of the symbols in USAGE that may be excluded."""


def used() -> list[str]:
    """The symbols of USAGE."""
    return [line.split("\t")[0] for line in USAGE.read_text(encoding="utf-8").splitlines()[1:]]


def contrib() -> list[str]:
    """Every contrib name of the releases whose names are known."""
    return [name for name in names() if name.startswith("contrib.")]


def is_supplied(name: str) -> bool:
    try:
        resolve(TREE, name)
    except UnavailableNameError:
        return False
    return True


@pytest.mark.parametrize("part", sorted({name.split(".")[1] for name in contrib()}))
def test_a_name_is_supplied_or_excluded(part: str) -> None:
    missing = [
        name for name in contrib() if name.split(".")[1] == part and exclusion(name) is None and not is_supplied(name)
    ]
    assert not missing, f"neither supplied nor in tf2bridge/v1/exclusions: {', '.join(missing)}"


def test_real_programs_meet_few_exclusions() -> None:
    symbols = used()
    excluded = [name for name in symbols if not is_supplied(name)]
    assert len(excluded) <= MOST * len(symbols), f"{len(excluded)} of {len(symbols)}: {', '.join(excluded)}"


def test_the_error_says_what_to_use() -> None:
    with pytest.raises(UnavailableNameError, match=r"1\.12\.3 to 1\.15\.5.*use tf\.compat\.v1\.train\.Adam"):
        resolve(TREE, "contrib.opt.GGTOptimizer")


def test_a_name_of_0_12_that_means_another_class_later_is_refused_when_it_is_used() -> None:
    estimator = resolve(V0, "contrib.factorization.KMeansClustering")
    with pytest.raises(UnavailableNameError, match=r"contrib\.learn\.KMeansClustering"):
        estimator(num_clusters=3)
