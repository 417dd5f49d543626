"""Each example of each rule: the graph that TensorFlow 1.x code builds, as source that has the idiom and is equal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.idioms.raising import all_rules
from tf2bridge.decompile.idioms.rule import Example

EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name, rule in all_rules().items()
    for number, example in enumerate(rule.examples)
]
SPECS = {
    "images": tf.TensorSpec([None, 8, 8, 3]),
    "rows": tf.TensorSpec([None, 4]),
    "numbers": tf.TensorSpec([None, 5], tf.int32),
}


def built(code: str) -> Any:
    """Returns the module of the graph that TensorFlow 1.x code builds."""

    def build(**placeholders: Any) -> Any:
        names = {"tf": tf2bridge.v1, **placeholders}
        exec(code, names)  # noqa: S102 - the code is that of our examples
        return names["y"]

    return tf2bridge.wrap(build, inputs=SPECS)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_examples(name: str, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = built(example.before)
    for variable in module.variables:
        random = np.random.default_rng(variable.shape.num_elements())
        variable.assign(random.uniform(0.1, 0.9, variable.shape))
    text = text_of(module, "about")
    assert (name in {rule for rule, _ in text.places}) is bool(example.after)
    assert "".join(example.after.split()) in "".join(text.source.split())
    numbers = np.arange(10, dtype=np.int32).reshape(2, 5) % 9
    check_equal(text, module, {"numbers": numbers}, tmp_path / f"rule_{name}", monkeypatch)


def test_every_rule_has_examples_of_both_kinds() -> None:
    without = {name for name, rule in all_rules().items() if not any(example.after for example in rule.examples)}
    assert without == set()
