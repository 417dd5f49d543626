"""Every way to run `codemods check`, over trees that mean harm: each run ends, within 1 GB, and says what it left."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from codemods.printable import visible
from codemods.settings import FORMATS
from tests.hostile import trees
from tests.hostile.costly import COSTLY

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="special files and limits as Linux has them"),
]
ROOT = Path(__file__).parents[2]
MEMORY, SECONDS = 1 << 30, 20
WAYS = [
    *(["--output-format", name] for name in FORMATS),
    *(["--fix", "--force"], ["--fix"], ["--diff"], ["--changed"], ["--changed=HEAD"], ["--output", "../new"]),
    *(["--add-ignores"], ["--statistics"], ["--patch-out", "../out.patch"], ["--jobs", "3"]),
]
# The limit of a file is a few seconds here; `limits` has more for files of use.
RUN = """
import resource, sys
from codemods import cli, limits
limits._SECONDS, limits._SECONDS_A_MEGABYTE = float(sys.argv[1]), 0.0
status = cli.run(["check", *sys.argv[2:]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"took {used.ru_utime + used.ru_stime:.1f} s", file=sys.stderr)
sys.exit(status)
"""


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (6 * SECONDS, 6 * SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(tree: Path, *arguments: str, seconds: float = SECONDS) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(seconds), ".", *arguments],
        capture_output=True,
        check=False,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=limit,
        timeout=1800,
    )
    assert done.returncode in (0, 1, 2), done.stderr[-2000:]
    assert b"Traceback" not in done.stderr, done.stderr[-2000:]
    return done


def check_said(done: subprocess.CompletedProcess[bytes], ways: list[str]) -> None:
    """Everything that was said is text, but for a diff, which holds the bytes of sources."""
    text = [done.stderr] if "--diff" in ways else [done.stderr, done.stdout]
    for line in b"\n".join(text).decode().split("\n"):
        assert visible(line, "\t") == line
        assert not line.startswith("::") or "github" in ways
    if "json" in ways or "sarif" in ways:
        json.loads(done.stdout)
    assert done.stdout or done.stderr


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("ways", WAYS, ids=" ".join)
def test_special_files_links_and_odd_names(tmp_path: Path, ways: list[str]) -> None:
    outside, tree = tmp_path / "outside", tmp_path / "tree"
    outside.mkdir()
    (outside / "mine.py").write_bytes(trees.LEGACY)
    (outside / "pyproject.toml").write_text("")
    before = snapshot(outside)
    trees.committed(tree)
    list(trees.special(tree / "special"))
    trees.named_oddly(tree / "odd")
    trees.named_oddly(tree / "::error::\x1b\n")
    for name in ("link.py", "requirements.txt", "setup.py", "link.ipynb", ".gitignore"):
        (tree / name).symlink_to("../outside/mine.py")
    (tree / "folder").symlink_to("../outside")
    (tree / "up").symlink_to("..")
    (tree / "self").symlink_to("/proc/self")
    done = run(tree, *ways)
    check_said(done, ways)
    assert snapshot(outside) == before
    assert (tree / "link.py").is_symlink() and (tree / "folder").is_symlink()
    if "--output" in ways:
        assert "tf.multiply" in (tmp_path / "new" / "kept.py").read_text()
    if "--force" in ways:
        assert "tf.multiply" in (tree / "kept.py").read_text()


@pytest.mark.parametrize("ways", WAYS, ids=" ".join)
def test_repositories_that_name_programs(tmp_path: Path, ways: list[str]) -> None:
    tree, ran = trees.committed(tmp_path / "tree"), tmp_path / "ran"
    trees.embedded(tree / "bare", ran)
    trees.committed(tree / "inner")
    trees.poisoned(tree / "inner", ran)
    (tree / "linked").mkdir()
    (tree / "linked" / ".git").write_text("gitdir: ../inner/.git\n")
    (tree / "linked" / "a.py").write_bytes(trees.LEGACY)
    trees.poisoned(tree, ran)
    os.utime(tree / "kept.py", (1, 1))
    for folder in (tree, tree / "bare", tree / "inner", tree / "linked"):
        check_said(run(folder, *ways), ways)
        assert not ran.exists()


@pytest.mark.parametrize("damage", ["HEAD", "index", "packed-refs", "config", "refs", "objects", "commondir", "info"])
@pytest.mark.parametrize("kind", ["pipe", "endless", "garbage", "absent"])
def test_repositories_that_are_broken(tmp_path: Path, damage: str, kind: str) -> None:
    tree = trees.committed(tmp_path / "tree")
    place = tree / ".git" / damage
    subprocess.run(["rm", "-rf", place], check=True)
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "endless":
        place.symlink_to("/dev/zero")
    elif kind == "garbage":
        place.write_bytes(os.urandom(5000))
    for ways in (["--fix"], ["--changed"]):
        check_said(run(tree, *ways), ways)
    if damage not in ("HEAD", "objects", "commondir"):  # without these git, too, says that it is no repository
        assert (tree / "new.py").read_bytes() == trees.LEGACY


@pytest.mark.parametrize("what", COSTLY)
def test_costly_files_beside_others(tmp_path: Path, what: str) -> None:
    """Of 1 MB each: it is looked at or named, and the file beside it is looked at as if it were alone."""
    name, make = COSTLY[what]
    (tmp_path / name).write_text(make(1_000_000))
    (tmp_path / "zz.py").write_bytes(trees.LEGACY)
    done = run(tmp_path, "--jobs", "1", "--statistics", seconds=4)
    assert b"TFN002" in done.stdout
    took = float(done.stderr.decode().rpartition("took ")[2].split()[0])
    assert took < 5 * 4 + 10, done.stderr[-500:]
    if done.returncode == 2:
        assert name.encode() in done.stderr
