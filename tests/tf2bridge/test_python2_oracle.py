"""Random draws and division of converted programs, against Python 2.7 itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fixtures" / "conformance"))
from record import QUIET, interpreter  # beside the data it makes

PROGRAM = """
import json, random
random.seed(5)
row = range(20)
random.shuffle(row)
found = [row, random.sample(range(100), 10), random.sample(range(10), 9), random.randint(1, 6), random.choice(row)]
found += [random.random(), random.uniform(1, 2), random.gauss(0, 1), random.randrange(0, 100, 7)]
found += [7 / 2, -7 / 2, 7 / -2, 1.0 / 3, round(0.5), round(-1.5), round(2.675, 2), round(5.015, 2)]
d = {"a": [9]}
d["a"][0] /= 2
found.append(d["a"])
print "===", json.dumps(found)
"""


@pytest.mark.oracle
def test_draws_and_division_are_those_of_python_2(tmp_path: Path) -> None:
    python2 = interpreter("0.12.1-py2")
    if not python2.exists():
        pytest.skip(f"no Python 2.7 with TensorFlow 0.12.1 at {python2}: run fixtures/oracles.sh")
    (tmp_path / "program.py").write_text(PROGRAM)
    ours = [sys.executable, "-m", "tf2bridge", "run", "--api", "0.12", "program.py"]
    result = []
    for command in ([str(python2), "program.py"], ours):
        done = subprocess.run(command, cwd=tmp_path, env=QUIET, capture_output=True, text=True, check=False)
        assert "===" in done.stdout, done.stderr
        result.append(json.loads(done.stdout.rpartition("===")[2]))
    assert result[1] == result[0]
