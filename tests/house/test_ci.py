"""The tests that `.ci/run` names exist: pytest runs nothing if a path is missing."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_paths_of_the_shorter_passes_exist() -> None:
    """Each shorter pass prints its paths in place of running them."""
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    passes = script[script.index("again=") : script.index('step "all passed"')]
    program = f'shorter_pass() {{ printf "%s\\n" "${{@:4}}"; }}\n{passes}'
    done = subprocess.run(["bash", "-c", program], capture_output=True, encoding="utf-8", check=True, cwd=ROOT)
    paths = {line.partition("::")[0] for line in done.stdout.splitlines()}
    assert len(paths) > 10
    assert {path for path in paths if not (ROOT / path).exists()} == set()
