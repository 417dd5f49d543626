"""Warns once for each graph whose op seeds may differ from those of the older release."""

from __future__ import annotations

import re
import warnings
from typing import Any

from tf2bridge.behaviour.refusals import UncertainSeedWarning
from tf2bridge.behaviour.seeds import counter


def tell(graph: Any, release: str) -> None:
    """Warns at the first default seed after an unmeasured call in `graph`. Names the call, the op and its variable."""
    count = counter.of(graph)
    if count.doubted or not count.unmeasured:
        return
    count.doubted = True
    calls = ", ".join(sorted(count.unmeasured))
    warnings.warn(
        f"{subject(graph.get_name_scope())} may get another op seed than in TensorFlow {release}, and so may all "
        f"random operations after it: how many operations {release} made in {calls} was not measured. "
        "Give it a seed of its own, or use the seeds of a recorded trace.",
        UncertainSeedWarning,
        stacklevel=2,
    )


def subject(scope: str) -> str:
    """Returns a description of the op that gets a seed, from the name scope in which it is created."""
    variable = re.fullmatch(r"(.+?)/Initializer(?:_\d+)?(?:/.*)?", scope)
    op = f"random operation {scope!r}" if scope else "a random operation"
    return f"{op}, the initial value of variable {variable[1]!r}," if variable else op
