"""What one file costs, in time and memory, is bounded, and no other file pays for it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codemods import cli, limits
from codemods.engine import check_paths, check_text
from codemods.errors import TooCostlyError
from codemods.limits import limited
from codemods.patterns import spec
from codemods.results import Changed, Failed, Unchanged
from codemods.systems import clock
from tests.hostile import trees
from tests.hostile.checked import ONLY, ROOT, check

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="special files, links and signals as POSIX has them")


def test_a_costly_file_is_named_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(limits, "_SECONDS", 0.5)
    monkeypatch.setattr(limits, "_SECONDS_A_MEGABYTE", 0.0)
    monkeypatch.setattr(clock, "_AGAIN", 0.5)  # the file takes two to three seconds, and the first may be lost
    costly = "import tensorflow as tf\n" + "".join(f"def f{n}(): return f{n + 1}()\n" for n in range(60_000))
    (tmp_path / "costly.py").write_text(costly)
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    for jobs in (1, 2):
        results = {Path(result.path).name: result for result in check_paths([tmp_path], ONLY, jobs)}
        assert isinstance(results["a.py"], Changed)
        costs = results["costly.py"]
        assert isinstance(costs, Failed) and "given up after 0 seconds" in costs.error and "costly.py" in costs.error


def test_the_limit_is_of_computing_and_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SECONDS", 0.05)
    monkeypatch.setattr(clock, "_AGAIN", 0.2)
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(TooCostlyError), limited("a.py", 1):
        while True:
            with contextlib.suppress(BaseException):
                while True:
                    pass
            break
        while True:
            pass
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_what_python_raises_in_place_of_the_limit_is_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SECONDS", 0.05)
    with pytest.raises(TooCostlyError), limited("a.py", 1):
        try:
            while True:
                pass
        except BaseException:
            raise SystemError("AST constructor recursion depth mismatch (before=162, after=183)") from None
    with pytest.raises(SystemError), limited("a.py", 1):
        raise SystemError("another")


def test_other_threads_have_no_limit() -> None:
    result: list[object] = []
    thread = threading.Thread(target=lambda: result.append(check_text(trees.LEGACY.decode(), "a.py", ONLY)))
    thread.start()
    thread.join()
    assert isinstance(result[0], Changed)


@pytest.mark.parametrize("raised", [MemoryError, RecursionError])
def test_what_a_file_uses_up_is_its_own_line(monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]) -> None:
    def fails(*_: object) -> None:
        raise raised

    for place in ("codemods.prepare._prepare", "codemods.check._rounds"):
        with monkeypatch.context() as patched:
            patched.setattr(place, fails)
            result = check_text(trees.LEGACY.decode(), "a.py", ONLY)
        assert isinstance(result, Failed) and result.error.startswith("a.py: ") and "report" not in result.error


@pytest.mark.parametrize("raised", [MemoryError, RecursionError])
def test_what_a_run_uses_up_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: type[BaseException]
) -> None:
    def fails(*_: object) -> None:
        raise raised

    monkeypatch.setattr("codemods.command.check", fails)
    assert cli.run(["check", "."]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of memory as Linux keeps it")
def test_out_of_memory_is_said_in_lines(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\n" + "x = [[[[1]]]]\n" * 200_000)
    code = (
        "import resource, sys; from codemods.cli import run; run(['rules']);"
        "size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + 60_000_000;"
        "resource.setrlimit(resource.RLIMIT_AS, (size, size)); sys.exit(run(['check', sys.argv[1], '--jobs', '1']))"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    assert done.returncode == 2 and b"Traceback" not in done.stderr, done.stderr
    assert b"memory" in done.stderr


@pytest.mark.parametrize("text", ["x = f'" + "{a}" * 12_000 + "'\n", "x = " + "f'{a}' " * 12_000 + "\n"])
def test_what_the_parser_takes_minutes_for_is_not_parsed(text: str) -> None:
    result = check_text(text, "a.py", ONLY)
    assert isinstance(result, Failed) and "more than 10,000 places in formatted strings" in result.error
    assert isinstance(check_text("x = [f'{a}', " + "{1: 2},\n" * 12_000 + "]\n", "a.py", ONLY), Unchanged)


def test_star_imports_are_followed_once(tmp_path: Path) -> None:
    """Each of 40 files imports all of the two before it: a walk along every way would take years."""
    for number in range(40):
        stars = "".join(f"from m{before} import *\n" for before in (number - 1, number - 2) if before >= 0)
        (tmp_path / f"m{number}.py").write_text(stars or "import tensorflow as tf\n")
    (tmp_path / "m39.py").write_text("from m38 import *\ny = tf.mul(a, b)\n")
    (result,) = (r for r in check_paths([tmp_path], ONLY) if r.path.endswith("m39.py"))
    assert isinstance(result, Changed)


def test_a_long_row_of_star_imports_is_no_recursion(tmp_path: Path) -> None:
    for number in range(1200):
        (tmp_path / f"m{number}.py").write_text(f"from m{number - 1} import *\n" if number else "x = 1\n")
    assert all(isinstance(result, Unchanged) for result in check_paths([tmp_path], ONLY))


def test_patterns_that_take_years_are_passed_over() -> None:
    assert not spec(["*a*a*a*a*a*a*a*a*b"]).match_file("a" * 250)
    assert spec(["a*b*c*d*", "!", "*.py"]).match_file("aXbXcXdX")


@pytest.mark.parametrize(
    "text",
    [
        "tool = 1 # tool.codemods", "[tool]\ncodemods = 2 # tool.codemods", "x = '\xff' # tool.codemods",
        "[tool.codemods]\nmax-size = inf", "[tool.codemods]\nmax-size = 200", "[tool.codemods]\nmax-size = nan",
        "x = " + "[" * 5000 + "]" * 5000 + "\n[tool.codemods]", "x = " + "9" * 5000 + "\n[tool.codemods]",
        "# tool.codemods\n" + "x" * 1_100_000,
    ],
    ids=["tool", "codemods", "escape", "inf", "large", "nan", "deep", "digits", "size"],
)  # fmt: skip
def test_a_configuration_that_is_none_is_one_line(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_bytes(trees.LEGACY)
    (tmp_path / "pyproject.toml").write_bytes(text.encode("latin-1"))
    status, _, err = check(capsys, tmp_path)
    assert status == 2 and "pyproject.toml" in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("size", ["inf", "nan", "2000"])
def test_a_limit_is_a_number(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, ".", "--max-size", size)[0] == 2


def test_the_time_never_ends_on_the_way_out_of_a_block() -> None:
    """What is raised in `contextlib` itself would lead past the block that makes an error of it."""
    frames: list[Any] = []

    @contextlib.contextmanager
    def block() -> Iterator[None]:
        frames.append(sys._getframe(1))
        yield

    with block(), limited("a.py", 1):
        expire = signal.getsignal(signal.SIGVTALRM)
        assert callable(expire)
        expire(signal.SIGVTALRM, frames[0])
    with pytest.raises(TooCostlyError), limited("a.py", 1):
        expire = signal.getsignal(signal.SIGVTALRM)
        assert callable(expire)
        expire(signal.SIGVTALRM, sys._getframe())


def test_a_limit_inside_another_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_SECONDS", 0.1)
    with pytest.raises(TooCostlyError), limited("a.py", 1):
        with limited("b.py", 1):
            pass
        while True:
            pass
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
