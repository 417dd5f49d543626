"""Many runs of two programs: p values against scipy's own and figures that can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tf2bridge.proof.trajectories.distributions import alike, holm
from tf2bridge.proof.trajectories.refusals import NotFiniteRunError, TooFewRunsError


def test_runs_that_do_not_overlap_have_the_least_p_there_is() -> None:
    (result,) = alike({"loss": [1, 2, 3, 4, 5]}, {"loss": [11, 12, 13, 14, 15]})
    assert result.p == pytest.approx(2 / 252)  # of the 252 divisions of ten, the one seen and its mirror
    assert result.different
    assert "252 divisions" in result.why


@pytest.mark.parametrize("sizes", [(5, 5), (6, 8), (11, 12)])
def test_p_and_interval_are_scipys(sizes: tuple[int, int]) -> None:
    generator = np.random.default_rng(1)
    old, new = (generator.normal(0.3 * place, 1 + place, size) for place, size in enumerate(sizes))
    (result,) = alike({"loss": list(old)}, {"loss": list(new)})
    theirs = stats.permutation_test((old, new), lambda x, y: x.mean() - y.mean(), n_resamples=20_000, rng=0)
    assert result.p == pytest.approx(theirs.pvalue, rel=0.1)
    welch = stats.ttest_ind(new, old, equal_var=False).confidence_interval(0.95)
    assert result.interval == pytest.approx((welch.low, welch.high))


def test_equal_programs_are_called_different_no_more_often_than_stated() -> None:
    generator = np.random.default_rng(2)
    wrong = 0
    for _ in range(200):
        runs = generator.normal(size=(2, 3, 7))
        old, new = ({f"loss {n}": list(runs[side, n]) for n in range(3)} for side in range(2))
        wrong += any(item.different for item in alike(old, new))
    assert wrong <= 18  # 10 expected of 200 at 5 %; 18 and more have a chance below 1 %


def test_many_quantities_are_corrected_as_holm_did() -> None:
    # 0.01 x 4, 0.013 x 3, 0.014 x 2, 0.19 x 1, none below its predecessor (Holm 1979, sect. 2)
    assert holm([0.19, 0.01, 0.014, 0.013]) == pytest.approx([0.19, 0.04, 0.04, 0.04])
    assert holm([]) == []


def test_runs_too_few_to_show_anything_are_refused() -> None:
    with pytest.raises(TooFewRunsError, match="3 old and 3 new runs"):
        alike({"loss": [1, 2, 3]}, {"loss": [4, 5, 6]})


def test_a_run_without_a_number_is_refused() -> None:
    with pytest.raises(NotFiniteRunError, match="loss: new run 1, 3"):
        alike({"loss": [1, 2, 3, 4, 5]}, {"loss": [1, np.nan, 3, np.inf, 5]})


def test_equal_runs_are_not_told_apart() -> None:
    (result,) = alike({"loss": [2.0] * 5}, {"loss": [2.0] * 5})
    assert (result.p, result.different, result.interval) == (1.0, False, (0.0, 0.0))
