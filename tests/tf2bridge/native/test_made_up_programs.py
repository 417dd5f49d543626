"""Programs that are put together at random are native and equal, or refused with the reason at the line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codemods.engine import check_tree
from codemods.native.programs import make_native
from codemods.results import Changed
from codemods.settings import Settings
from fixtures.genuine import environment
from tests import oracles
from tests.tf2bridge.native.made_up_programs import program
from tf2bridge import kernels
from tf2bridge.native.proving import map_beside, prove
from tf2bridge.proof.recording.assembled import assembled
from tf2bridge.proof.replaying.outcomes import Outcome
from tf2bridge.proof.reporting.replay_text import summary
from tf2bridge.proof.traces.reader import Trace

RELEASES = "1.15.5", "1.12.3"
USUAL = 2
COUNT = 60
NAME = "program.py"


def is_proven(seed: int, folder: Path) -> bool:
    """Returns whether a program is native; it is then equal. What is refused has a reason."""
    release = RELEASES[seed % len(RELEASES)]
    python = oracles.interpreter(release)
    legacy, native = folder / "legacy", folder / "native"
    for place in (legacy, native):
        place.mkdir(parents=True)
        (place / NAME).write_text(program(seed), "utf-8")
    (legacy / "recorder.py").write_text(assembled(), "utf-8")
    command = [python, "-W", "ignore", "recorder.py", "--output", "program.trace", "--", NAME]
    ran = subprocess.run(command, cwd=legacy, env=environment(), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:] + program(seed)
    made = make_native(check_tree(native, Settings(), None))
    (result,) = [result for result in made.results if isinstance(result, Changed)]
    refused = [finding for finding in result.findings if finding.name == "not-native"]
    if refused:
        assert all(finding.code.startswith("NAT") and finding.message for finding in refused)
        assert "please report" not in refused[0].message, f"{refused[0].message}\n{program(seed)}"
        print(f"{seed}: {refused[0].code} {refused[0].message}")
        return False
    Path(result.path).write_bytes(result.after)
    for path, data in made.beside.items():
        path.write_bytes(data)
    map_path = map_beside(native, [NAME])
    assert map_path is not None
    kernels.choose(onednn=False)
    proof = prove(Trace(legacy / "program.trace"), [NAME], native, map_path, search=False)
    rows = [f"{row.where} {row.tensor}: {row.distance.note}" for row in proof.rows if not row.passed]
    told = "\n".join([program(seed), summary(proof), proof.printed[-1000:], *rows])
    assert proof.outcome is Outcome.EQUAL, told
    return True


@pytest.mark.oracle
def test_some_programs_are_equal(tmp_path: Path) -> None:
    assert [is_proven(seed, tmp_path / str(seed)) for seed in range(USUAL)] == [True] * USUAL


@pytest.mark.oracle
@pytest.mark.soak
def test_no_program_is_unequal(tmp_path: Path) -> None:
    proven = [seed for seed in range(COUNT) if is_proven(seed, tmp_path / str(seed))]
    print(f"native and equal: {len(proven)} of {COUNT}")
    assert len(proven) >= 0.7 * COUNT
