"""Files that tools choke on: each ends in a correct result, or in one clear line with the file as it was."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemods.discover import find_files
from codemods.engine import check_file, check_paths, check_text
from codemods.errors import CodemodsError
from codemods.reading import open_source
from codemods.registry import all_rules
from codemods.results import Changed, Failed, Skipped, Unchanged
from codemods.settings import Settings
from codemods.write import write_atomically

TF = "import tensorflow as tf\n"
ROOT = Path(__file__).parents[2]


def check_rewritten(text: str, old: str = "tf.mul", new: str = "tf.multiply") -> None:
    result = check_text(text, "a.py", Settings(select=("TFN002",)))
    assert isinstance(result, Changed), result
    assert result.after.decode() == text.replace(old, new)


@pytest.mark.parametrize(
    "text",
    [
        TF + "x = " + " + ".join(["tf.mul(a, b)"] * 5000),
        TF + "x = f(" + "\n * ".join(["(" + "\n + ".join(["'é'"] * 3200) + ")", *["c"] * 3200, "tf.mul(a, b)"]) + ")\n",
        TF + "x = [" + ", ".join(["tf.mul(a, 'é')"] * 5000) + "]\n",
        TF + "x = " + "(" * 80 + "tf.mul(a, b)" + ")" * 80 + "\n",
        TF + "\x0c\ndef f():\n    tf.mul(a, b)\n\x0c\n    return 1\n",
        TF.replace("\n", "\r\n") + "tf.mul(a, b)\r\n\r\n\r\n",
        TF.replace("\n", "\r") + "tf.mul(a, b)",
        TF + "if 1:\n" + "".join("  " * depth + "if x:\n" for depth in range(1, 60)) + "  " * 60 + "tf.mul(a, b)",
    ],
    ids=["terms", "terms-of-factors", "items", "brackets", "form-feeds", "crlf", "cr", "indentation"],
)
def test_odd_shapes_are_rewritten(text: str) -> None:
    check_rewritten(text)


@pytest.mark.parametrize(
    "text",
    [
        TF + "x = " + "(" * 5000 + "tf.mul(a, b)" + ")" * 5000,
        TF + "x = " + "-" * 50_000 + "1\n",
        TF + "x = a" + ".b" * 5_000 + "\n",
        TF + "x = a" + "()" * 5_000 + "\n",
        TF + "x = " + "[" * 10_000,
        TF + "x = '" + "y" * 1_000_000 + "'\n",
        TF + "if x: pass\n" + "elif x: pass\n" * 5000,
    ],
    ids=["brackets", "signs", "attributes", "calls", "unclosed", "string", "elif"],
)
def test_too_deep_is_one_line(text: str) -> None:
    result = check_text(text, "a.py", Settings())
    assert isinstance(result, Changed | Unchanged | Failed)
    if isinstance(result, Failed):
        assert "\n" not in result.error and result.error.startswith("a.py")


def test_sizes_have_limits(tmp_path: Path) -> None:
    huge, large, code = tmp_path / "huge.py", tmp_path / "large.py", tmp_path / "code.py"
    with huge.open("wb") as file:
        file.truncate(50_000_000)
    large.write_text("x = [\n" + "1,\n" * 700_001 + "]\n")
    code.write_text(TF + "# filler\n" * 250_000 + "tf.mul(a, b)\n")
    results = {Path(r.path).name: r for r in check_paths([tmp_path], Settings(select=("TFN002",)))}
    skipped = [results[name] for name in ("huge.py", "large.py")]
    assert [item.reason for item in skipped if isinstance(item, Skipped)] == [
        "50.0 MB is above the limit of 5 MB (--max-size)",
        "2.1 MB of data: it imports nothing",
    ]
    assert isinstance(results["code.py"], Changed)


def test_a_ring_of_links_is_walked_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(TF)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "up").symlink_to(tmp_path)
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    assert [path.name for path in find_files([tmp_path])] == ["a.py", "link.py"]


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("old")
    (tmp_path / "link.py").symlink_to("a.py")
    write_atomically(tmp_path / "link.py", b"new")
    assert (tmp_path / "link.py").is_symlink() and (tmp_path / "a.py").read_text() == "new"


KILLED = """
import sys
from pathlib import Path
from codemods.write import write_atomically
print("ready", flush=True)
for number in range(10**9):
    for path in Path(sys.argv[1]).glob("*.py"):
        write_atomically(path, (str(number % 10) * 200_000).encode())
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("delay", [0.0, 0.003, 0.01, 0.03, 0.1])
def test_a_kill_leaves_every_file_whole(tmp_path: Path, delay: float) -> None:
    """Whatever the moment, each file is all of one version."""
    for number in range(3):
        (tmp_path / f"{number}.py").write_text("0" * 200_000)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(delay)
    process.kill()
    process.wait()
    process.stdout.close()
    for number in range(3):
        text = (tmp_path / f"{number}.py").read_text()
        assert len(text) == 200_000 and len(set(text)) == 1


EXAMPLES = [example for rule in all_rules() for example in rule.examples if example.path.endswith(".py")]
BEFORES = sorted({example.before for example in EXAMPLES})


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(BEFORES), min_size=1, max_size=3),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.sampled_from(["compat", "bridge"]),
)
def test_mixed_programs_parse_and_stay(parts: list[str], newline: str, unsafe: bool, target: str) -> None:
    """Programs put together from the rules' examples: the result parses, and no exception leaves the engine."""
    text = "\n".join(parts).replace("\n", newline)
    result = check_text(text, "train.py", Settings(target=target, unsafe_fixes=unsafe))
    assert isinstance(result, Changed | Unchanged | Failed)
    assert not isinstance(result, Failed) or "a rule failed" not in result.error, result
    if isinstance(result, Changed):
        ast.parse(result.after)


@settings(deadline=None)
@given(st.sampled_from(BEFORES), st.data())
def test_mutated_programs_are_results(text: str, data: st.DataObject) -> None:
    """A program with a piece cut out, doubled or replaced is rewritten to something that parses, or is one line."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    piece = data.draw(st.sampled_from(["", "(", "\t", "'", '"""', "\\", "#", "é", "print x", "\x0c", "\n", "0777"]))
    mutated = text[:start] + piece + text[end:]
    result = check_text(mutated, "train.py", Settings(unsafe_fixes=True))
    if isinstance(result, Failed):
        assert "a rule failed" not in result.error and "\n" not in result.error, result
    elif isinstance(result, Changed):
        ast.parse(result.after)


@settings(deadline=None)
@given(st.binary(max_size=60), st.sampled_from(["a.py", "a.ipynb", "requirements.txt", "environment.yml", "setup.py"]))
def test_any_bytes_are_a_result(data: bytes, name: str) -> None:
    """Nothing but a CodemodsError crosses the boundary, and what is not rewritten comes back."""
    try:
        source = open_source(data, name)
    except CodemodsError as error:
        assert "\n" not in str(error)
        return
    assert source.encode(source.text) == data
    result = check_file(source, Settings())
    assert isinstance(result, Changed | Unchanged | Failed)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["tensorflow==1.4", " tf-nightly ; x", "# c", "", "-r a.txt", "numpy", "é"]), max_size=6)
)
def test_lists_of_requirements_keep_their_other_lines(lines: list[str]) -> None:
    text = "\r\n".join(lines)
    result = check_text(text, "requirements.txt", Settings(unsafe_fixes=True))
    new = result.after.decode() if isinstance(result, Changed) else text
    want = "tensorflow>=2.20,<2.23"
    assert new == text.replace("tensorflow==1.4", want).replace("tf-nightly", want)
