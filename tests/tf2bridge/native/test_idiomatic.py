"""Programs with optimizers of Keras: each choice is listed, and what it changes is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fixtures.sessions.record import HERE, copied
from tests.codemods.native.test_rewriting import numbers
from tests.tf2bridge.native.test_rewritten import proof_of, rewritten
from tests.tf2bridge.test_cli import tf2bridge
from tf2bridge import kernels
from tf2bridge.native.keras_slots import native_slots
from tf2bridge.proof.replaying.outcomes import Outcome
from tf2bridge.proof.reporting.choices_text import choice_lines


@pytest.fixture(autouse=True)
def _old_kernels() -> None:
    kernels.choose(onednn=False)


def test_momentum_of_keras_under_a_decay_is_not_equal_and_measured(tmp_path: Path) -> None:
    proof = proof_of("decay", rewritten("decay", tmp_path / "decay", is_idiomatic=True))
    assert proof.outcome is Outcome.DIFFERENT
    recorded, now = (numbers(text)[-4:] for text in ((HERE / "printed" / "decay.txt").read_text(), proof.printed))
    row = next(row for row in proof.rows if (row.kind, row.tensor) == ("final", "w2"))
    assert row.distance.max_abs == pytest.approx(np.abs(np.subtract(now, recorded)).max(), rel=1e-5)
    lines = choice_lines(proof)
    assert "a change of the rate acts later" in lines[1]
    assert f"  last value w2: differs by {row.distance.max_abs:.1e}" in "\n".join(lines)
    assert "whether they are the cause is not known" in lines[-1]


def test_adam_of_keras_is_equal_within_the_tolerance_with_its_slots(tmp_path: Path) -> None:
    proof = proof_of("saved", rewritten("saved", tmp_path / "saved", is_idiomatic=True))
    assert proof.outcome is Outcome.EQUAL
    slots = {row.tensor: row.renamed for row in proof.rows if row.kind == "final" and "Adam" in row.tensor}
    assert len(slots) == 10 and slots["w_out/Adam_1"] == "w_out_0_velocity"
    assert "it differs by rounding" in choice_lines(proof)[1]


def test_migrate_finds_the_cause_by_the_exact_program(tmp_path: Path) -> None:
    legacy, trace = copied("decay", tmp_path / "legacy"), HERE / "traces" / "decay.trace"
    options = ["--target", "native", "--idiomatic", "--trace", str(trace), "--entry", "decay.py", "--no-search"]
    ended = tf2bridge("migrate", legacy, "--output", tmp_path / "new", *options)
    assert ended.returncode == 1
    assert "last value w2: differs by 6.5e-01, relative 7.0e-01 (exact " in ended.stdout
    assert "the program of --exact is proven, so these choices are the cause of what differs" in ended.stdout
    assert ended.stdout.rstrip().endswith("not proven")


def test_slots_are_paired_by_the_name_of_their_variable() -> None:
    from codemods.native.choices import KerasChoice

    names = ["net/w", "train/net/w/Adam", "train/beta1_power_1", "w", "w/Adam", "w/Other"]
    choice = KerasChoice("optimizer", "keras.optimizers.Adam", "", slots={"Adam": "momentum", "beta1_power": ""})
    assert native_slots([choice], names, {"net/w": "net_w"}) == {
        "train/net/w/Adam": "net_w_0_momentum",
        "train/beta1_power_1": "",
        "w/Adam": "w_0_momentum",
    }
