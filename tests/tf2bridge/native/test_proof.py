"""Programs without sessions against the traces of genuine TensorFlow: equal ones, and faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codemods.engine import check_tree
from codemods.errors import NativeMapError
from codemods.native.programs import make_native
from codemods.results import Changed
from codemods.settings import Settings
from fixtures.native.record import HERE, PROGRAMS
from tests.tf2bridge.native.faults import EQUAL, FAULTS, Change
from tf2bridge import kernels
from tf2bridge.native.counterparts import _place
from tf2bridge.native.proving import map_beside, prove
from tf2bridge.native.refusals import ForeignMapError, NoSuchFunctionError
from tf2bridge.proof.comparing.rows import TAKEN_OVER
from tf2bridge.proof.replaying.outcomes import Outcome, Replay
from tf2bridge.proof.reporting.replay_text import summary
from tf2bridge.proof.traces.reader import Trace

QUICK = ("keras_momentum", "biased_variance", "initializer", "missing_summary", "state_swapped", "a_step_less")
"""Faults of six kinds; the others are tried with `pytest -m soak`."""


@pytest.fixture(autouse=True)
def _old_kernels() -> None:
    kernels.choose(onednn=False)


def native_of(program: str, folder: Path) -> Path:
    return Path(shutil.copytree(HERE / program / "native", folder / program))


def proof_of(program: str, folder: Path, search: bool = True) -> Replay:
    trace = Trace(HERE / program / "genuine" / f"{program}.trace")
    command = PROGRAMS[program].command
    path = map_beside(folder, command)
    assert path is not None
    return prove(trace, command, folder, path, search=search)


def changed(change: Change, folder: Path) -> Path:
    native = native_of(change.program, folder)
    text = (native / change.file).read_text("utf-8")
    assert change.old in text
    (native / change.file).write_text(text.replace(change.old, change.new), "utf-8")
    return native


def report(proof: Replay) -> str:
    """Returns what a person reads: the conclusion, the first op, and the rows that differ."""
    rows = [f"{row.where} {row.tensor}: {row.distance.note}" for row in proof.rows if not row.passed]
    op = "" if proof.divergence is None else proof.divergence.text
    return "\n".join([summary(proof), op, *rows])


@pytest.mark.parametrize("program", [name for name in PROGRAMS if name != "gan"])
def test_the_same_program_without_sessions_is_equal(program: str, tmp_path: Path) -> None:
    proof = proof_of(program, native_of(program, tmp_path))
    assert proof.outcome is Outcome.EQUAL, report(proof)


def test_what_codemods_makes_of_a_program_is_equal(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(HERE / "unseeded" / "legacy", tmp_path / "unseeded"))
    made = make_native(check_tree(folder, Settings(), None))
    for result in made.results:
        assert isinstance(result, Changed)
        Path(result.path).write_bytes(result.after)
    for path, data in made.beside.items():
        path.write_bytes(data)
    # it feeds lists, and its function makes variables, so that TensorFlow traces it twice
    proof = proof_of("unseeded", folder, search=False)
    assert proof.outcome is Outcome.EQUAL, report(proof)


def test_what_training_makes_of_roundings_is_no_fault(tmp_path: Path) -> None:
    proof = proof_of("gan", native_of("gan", tmp_path))
    assert proof.outcome in (Outcome.EQUAL, Outcome.ROUNDING), report(proof)


def test_first_values_are_drawn_by_the_recorded_seeds(tmp_path: Path) -> None:
    proof = proof_of("script", native_of("script", tmp_path), search=False)
    first = {row.tensor: row.distance.note for row in proof.rows if row.kind == "initial"}
    assert first["W1"] == first["W2"] == ""  # computed by the program, not TAKEN_OVER


def test_first_values_without_a_seed_are_taken_over(tmp_path: Path) -> None:
    proof = proof_of("unseeded", native_of("unseeded", tmp_path), search=False)
    first = {row.tensor: row.distance.note for row in proof.rows if row.kind == "initial"}
    assert first["embeddings"] == first["weights"] == TAKEN_OVER
    assert proof.seeds.draws == ("dropout/random_uniform/RandomUniform",)  # 1.15.5 drew these without a seed


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.soak) for name in FAULTS]
)
def test_a_fault_is_found_and_named(name: str, tmp_path: Path) -> None:
    change = FAULTS[name]
    proof = proof_of(change.program, changed(change, tmp_path))
    assert proof.outcome in (Outcome.DIFFERENT, Outcome.UNPROVEN), summary(proof)
    assert change.named in report(proof)


@pytest.mark.soak
@pytest.mark.parametrize("change", EQUAL, ids=lambda change: change.program)
def test_a_rounding_more_is_no_fault(change: Change, tmp_path: Path) -> None:
    proof = proof_of(change.program, changed(change, tmp_path))
    assert proof.outcome in (Outcome.EQUAL, Outcome.ROUNDING), report(proof)


def test_a_function_that_is_not_there_is_an_error_with_its_line(tmp_path: Path) -> None:
    native = changed(Change("averages", "native.toml", "train:error", "train:errors"), tmp_path)
    with pytest.raises(NoSuchFunctionError, match=r"native\.toml:14: .*'train:errors'"):
        proof_of("averages", native)


def test_a_map_of_another_program_is_an_error(tmp_path: Path) -> None:
    native = native_of("averages", tmp_path)
    trace = Trace(HERE / "gan" / "genuine" / "gan.trace")
    with pytest.raises(ForeignMapError, match="another program or version"):
        prove(trace, ("train.py",), native, native / "native.toml")


def test_a_variable_that_was_not_recorded_is_an_error_with_its_line(tmp_path: Path) -> None:
    native = changed(Change("averages", "native.toml", 'legacy = "w1"', 'legacy = "w9"'), tmp_path)
    with pytest.raises(NativeMapError, match=r"native\.toml:20: .*no variable 'w9'"):
        proof_of("averages", native)


def test_a_program_that_fails_says_why(tmp_path: Path) -> None:
    native = changed(Change("averages", "train.py", "for i in range(8):", "for i in range(8 // 0):"), tmp_path)
    proof = proof_of("averages", native, search=False)
    assert (proof.status, proof.outcome) == (1, Outcome.DIFFERENT)
    assert "ZeroDivisionError" in proof.printed


def test_functions_that_do_not_run_are_listed(tmp_path: Path) -> None:
    proof = proof_of("averages", changed(FAULTS["function_not_called"], tmp_path), search=False)
    assert any("not run, so nothing is proven of them: train:error" in note for note in proof.notes)


def test_a_call_of_several_lines_is_the_nearest_row_above() -> None:
    known = ["train.py:10", "train.py:70", "other.py:73"]
    assert _place("train.py:74", known) == "train.py:70"  # Python 3.7 recorded its last line
    assert _place("train.py:70", known) == "train.py:70"
    assert _place("train.py:50", known) == "train.py:50"
