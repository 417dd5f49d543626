"""What codemods writes in place of an import that nothing stands for."""

from __future__ import annotations

import pytest

from tf2bridge import v1
from tf2bridge.v1.refusals import UnavailableNameError


def test_it_can_be_bound_and_fails_where_it_is_used() -> None:
    forest = v1.unavailable("contrib.tensor_forest.python.tensor_forest")
    assert not hasattr(forest, "RandomForestGraphs") and "tensor_forest" in repr(forest)
    with pytest.raises(UnavailableNameError, match="its ops were compiled with contrib"):
        forest.RandomForestGraphs(1)
    for use in (lambda: forest(1), lambda: forest["x"]):
        with pytest.raises(UnavailableNameError):
            use()


def test_a_class_of_the_program_cannot_be_made_of_it() -> None:
    base = v1.unavailable("contrib.learn.BaseEstimator")
    with pytest.raises(UnavailableNameError):

        class _Mine(base):
            pass


@pytest.mark.parametrize(
    "name", ["opt.python.training.ggt.GGTOptimizer", "predictor.predictor_factories.from_contrib_estimator"]
)
def test_a_name_in_a_module_of_contrib_has_the_reason_of_its_public_name(name: str) -> None:
    area, last = name.partition(".")[0], name.rpartition(".")[2]
    reason = str(UnavailableNameError(f"contrib.{area}.{last}")).partition(": ")[2]
    assert str(UnavailableNameError(f"contrib.{name}")).endswith(reason) and "use" in reason
