"""What codemods makes of programs with sessions, proven by traces of genuine TensorFlow 1.15.5."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codemods.engine import check_tree
from codemods.native.facts import Facts, facts_in
from codemods.native.map_reading import read
from codemods.native.programs import make_native
from codemods.results import Changed
from codemods.settings import Settings
from fixtures.sessions.record import HERE, HOOKED, OBSERVED, TRACED, copied, script_of
from tests.tf2bridge.native.faults_of_rewritten import QUICK_FAULTS, REWRITTEN_FAULTS
from tests.tf2bridge.native.test_proof import report
from tf2bridge import kernels
from tf2bridge.native.evidence import evidence
from tf2bridge.native.proving import map_beside, prove
from tf2bridge.proof.comparing.rows import SUMMARY, TAKEN_OVER
from tf2bridge.proof.replaying.outcomes import Outcome, Replay
from tf2bridge.proof.reporting.replay_text import summary
from tf2bridge.proof.traces.reader import Trace


@pytest.fixture(autouse=True)
def _old_kernels() -> None:
    kernels.choose(onednn=False)


def rewritten(name: str, folder: Path, facts: Facts | None = None, is_idiomatic: bool = False) -> Path:
    """Returns a folder with the native program."""
    copied(name, folder)
    made = make_native(check_tree(folder, Settings(), None), facts, is_idiomatic)
    for result in made.results:
        if isinstance(result, Changed):
            assert not [finding for finding in result.findings if finding.name == "not-native"], result.findings
            Path(result.path).write_bytes(result.after)
    for path, data in made.beside.items():
        path.write_bytes(data)
    return folder


def proof_of(name: str, folder: Path, search: bool = False, feeds: str = "program") -> Replay:
    """Returns the proof of a native program."""
    command = [script_of(name)]
    path = map_beside(folder, command)
    assert path is not None
    return prove(Trace(HERE / "traces" / f"{name}.trace"), command, folder, path, search=search, feeds=feeds)


def facts_of_trace(name: str) -> Facts:
    """Returns what the trace of a program knows."""
    trace = Trace(HERE / "traces" / f"{name}.trace")
    return facts_in(evidence(trace), str(trace.path))


@pytest.mark.parametrize("name", TRACED)
def test_a_rewritten_program_is_equal(name: str, tmp_path: Path) -> None:
    proof = proof_of(name, rewritten(name, tmp_path / name))
    rows = [f"{row.where} {row.tensor}: {row.distance.note}" for row in proof.rows if not row.passed]
    assert proof.outcome is Outcome.EQUAL, "\n".join([summary(proof), proof.printed[-2000:], *rows])


def test_a_program_is_proven_beside_others_that_have_other_variables(tmp_path: Path) -> None:
    folder = copied("parts", tmp_path / "parts")
    shutil.copy(HERE / "programs" / "contrib.py", folder)
    made = make_native(check_tree(folder, Settings(), None))
    for path, data in made.beside.items():
        path.write_bytes(data)
    for result in made.results:
        if isinstance(result, Changed):
            Path(result.path).write_bytes(result.after)
    assert proof_of("parts", folder).outcome is Outcome.EQUAL


def test_programs_of_a_folder_have_rows_of_their_own(tmp_path: Path) -> None:
    text = (HERE / "programs" / "penalties.py").read_text("utf-8")
    (tmp_path / "penalties.py").write_text(text, "utf-8")
    (tmp_path / "again.py").write_text(text, "utf-8")
    ((path, data),) = make_native(check_tree(tmp_path, Settings(), None)).beside.items()
    path.write_bytes(data)
    made = read(path)
    assert {row.program for row in made.calls} == {"again", "penalties"}
    assert made.of_program("again").calls == tuple(row for row in made.calls if row.function.startswith("again:"))


def with_other_data(folder: Path) -> Path:
    """Returns a folder with the native program `penalties`, whose data are others than recorded."""
    rewritten("penalties", folder)
    text = (folder / "penalties.py").read_text("utf-8")
    (folder / "penalties.py").write_text(text.replace("RandomState(", "RandomState(1 + "), "utf-8")
    return folder


def test_a_program_that_feeds_other_data_is_told_what_to_compare(tmp_path: Path) -> None:
    told = report(proof_of("penalties", with_other_data(tmp_path / "penalties"), search=True))
    assert "compare the lines that make it" in told
    assert "--feeds trace" in told


def test_recorded_feeds_prove_a_program_that_cannot_feed_them_again(tmp_path: Path) -> None:
    proof = proof_of("penalties", with_other_data(tmp_path / "penalties"), feeds="trace")
    assert proof.outcome is Outcome.EQUAL, summary(proof)
    assert {row.distance.note for row in proof.rows if row.kind == "feed"} == {TAKEN_OVER}
    assert "placeholders fed from the trace" in summary(proof)


def test_summaries_are_those_that_were_recorded(tmp_path: Path) -> None:
    proof = proof_of("summaries", rewritten("summaries", tmp_path / "summaries"))
    tags = {row.tensor for row in proof.rows if row.kind == SUMMARY}
    assert tags == {"Model/hidden", "Loss/cross_entropy", "accuracy", "W1_0/gradient", "W2_0/gradient"}


@pytest.mark.parametrize("name", (*HOOKED, *OBSERVED))
def test_a_program_that_needs_its_trace_is_equal(name: str, tmp_path: Path) -> None:
    proof = proof_of(name, rewritten(name, tmp_path / name, facts_of_trace(name)))
    assert proof.outcome is Outcome.EQUAL, "\n".join([summary(proof), proof.printed[-2000:]])


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK_FAULTS else pytest.param(name, marks=pytest.mark.soak) for name in REWRITTEN_FAULTS],
)
def test_a_fault_of_a_rewritten_program_is_found_and_named(name: str, tmp_path: Path) -> None:
    fault = REWRITTEN_FAULTS[name]
    facts = facts_of_trace(fault.program) if fault.program in HOOKED else None
    folder = rewritten(fault.program, tmp_path / fault.program, facts)
    text = (folder / fault.file).read_text("utf-8")
    assert fault.old in text
    (folder / fault.file).write_text(text.replace(fault.old, fault.new), "utf-8")
    proof = proof_of(fault.program, folder, search=True)
    assert proof.outcome not in (Outcome.EQUAL, Outcome.ROUNDING), report(proof)
    assert fault.named in report(proof)
