"""Whatever is in a tree, and whenever a run ends: each file is as it was, or rewritten whole and for good."""

from __future__ import annotations

import ast
import codecs
import multiprocessing
import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemods import git
from codemods.cli import run
from codemods.engine import check_file, check_text
from codemods.results import Changed, Failed, Finding, Unchanged
from codemods.settings import Settings
from codemods.source import decode

TF = "import tensorflow as tf\n"
LEGACY = sorted((Path(__file__).parents[2] / "fixtures/legacy").rglob("*.py"))
PROGRAMS = [path.read_text(encoding="utf-8") for path in LEGACY]

# What is written on disk, and what is to be found in its place.
REWRITTEN = {
    "bom.py": codecs.BOM_UTF8 + f"{TF}tf.mul(a, 'é')\n".encode(),
    "latin1.py": f"# -*- coding: latin-1 -*-\n{TF}tf.mul(a, 'é')\n".encode("latin-1"),
    "cp1252.py": f"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n{TF}tf.mul(a, '€')\n".encode("cp1252"),
    "crlf.py": f"{TF}\ntf.mul(a, b)\n".replace("\n", "\r\n").encode(),
    "mixed.py": f"{TF}x = 1\r\ntf.mul(a, b)\rz = 3\r\n".encode(),
    "unended.py": f"{TF}tf.mul(a, b)".encode(),
    "form_feed.py": f"\x0c{TF}\x0c\ndef f():\n    return tf.mul(a, b)\n".encode(),
    "terms.py": f"{TF}x = {' + '.join(['tf.mul(a, b)'] * 5000)}\n".encode(),
    "deep.py": f"{TF}x = {'(' * 90}tf.mul(a, b){')' * 90}\n".encode(),
    "spaced name é.py": f"{TF}tf.mul(a, b)\n".encode(),
}
LEFT = {
    "nul.py": f"{TF}tf.mul(a, '\0')\n".encode(),
    "cookie.py": f"# coding: no-such-codec\n{TF}tf.mul(a, b)\n".encode(),
    "not_utf8.py": TF.encode() + b"tf.mul(a, '\xe9')\n",
    "utf16.py": f"{TF}tf.mul(a, b)\n".encode("utf-16"),
    "unparsable.py": f"{TF}tf.mul(a, (b)\n".encode(),
    "too_deep.py": f"{TF}x = {'(' * 5000}tf.mul(a, b){')' * 5000}\n".encode(),
    "large.py": TF.encode() + b"# " + b"x" * 5_000_000,
}


def test_hard_files_end_in_a_result_or_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, data in {**REWRITTEN, **LEFT}.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    (tmp_path / "folder.py").mkdir()
    assert run(["check", "--fix", "--force", "--select", "TFN002", str(tmp_path)]) == 2
    for name, data in REWRITTEN.items():
        assert (tmp_path / name).read_bytes() == data.replace(b"tf.mul", b"tf.multiply"), name
    output = capsys.readouterr()
    lines = (output.out + output.err).splitlines()
    for name, data in LEFT.items():
        assert (tmp_path / name).read_bytes() == data, name
        assert len([line for line in lines if str(tmp_path / name) in line]) == 1, name
    assert len([line for line in lines if "dangling.py" in line]) == 1


def test_a_link_beside_its_file_writes_it_once(tmp_path: Path) -> None:
    """The file's own result holds, under whatever other names it is found."""
    (tmp_path / "b.py").write_text(f"{TF}tf.mul(a, b)\n")
    (tmp_path / "a.py").symlink_to("b.py")
    (tmp_path / "main.py").write_text("import a\n")
    assert run(["check", "--fix", "--force", str(tmp_path)]) == 0
    assert (tmp_path / "a.py").is_symlink()
    expected = check_text(f"{TF}tf.mul(a, b)\n", "b.py", Settings())
    assert isinstance(expected, Changed) and (tmp_path / "b.py").read_bytes() == expected.after
    assert run(["check", "--fix", "--force", str(tmp_path)]) == 0


def test_what_was_edited_during_the_run_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(f"{TF}tf.mul(a, b)\n")
    monkeypatch.setattr(git, "uncommitted", lambda paths: [path.write_text("# mine\n") for path in paths][:0])
    assert run(["check", "--fix", str(tmp_path)]) == 2
    assert (tmp_path / "a.py").read_text() == "# mine\n"


def _fix(tree: str) -> None:
    with open(os.devnull, "w") as nothing:  # noqa: PTH123  # os.devnull is a str
        sys.stdout = sys.stderr = nothing
        run(["check", "--fix", "--force", "--select", "TFN002", tree])


@pytest.mark.skipif(sys.platform != "linux", reason="a process that is forked starts in no time")
def test_a_kill_at_any_moment_leaves_every_file_old_or_new(tmp_path: Path) -> None:
    """SIGKILL at moments of a run that rewrites twenty files, most of them while it writes."""
    old = {f"m{number:02}.py": (TF + f"x{number} = tf.mul(a, b)\n" * 9).encode() for number in range(20)}
    fork = multiprocessing.get_context("fork")
    first, last = tmp_path / "m00.py", tmp_path / "m19.py"

    def start() -> multiprocessing.process.BaseProcess:
        for name, data in old.items():
            (tmp_path / name).write_bytes(data)
        process = fork.Process(target=_fix, args=(str(tmp_path),))
        process.start()
        return process

    process = start()
    _wait_for_change(process, first, old[first.name])
    began = time.perf_counter()
    _wait_for_change(process, last, old[last.name])
    writing = time.perf_counter() - began
    process.join()
    new = {name: (tmp_path / name).read_bytes() for name in old}
    assert all(new[name] != old[name] for name in old)
    partly = 0
    for moment in range(-3, 12):
        process = start()
        if moment >= 0:
            _wait_for_change(process, first, old[first.name])
        time.sleep(writing * abs(moment) / 12)
        process.kill()
        process.join()
        content = {path.name: path.read_bytes() for path in tmp_path.glob("*.py")}
        assert content.keys() == old.keys()
        assert all(data in (old[name], new[name]) for name, data in content.items())
        partly += 0 < sum(content[name] == new[name] for name in old) < len(old)
        for left in tmp_path.glob(".*.tmp"):  # what it was writing lies beside, under a name of its own
            left.unlink()
    assert partly


def _wait_for_change(process: multiprocessing.process.BaseProcess, path: Path, old: bytes) -> None:
    while process.is_alive() and path.read_bytes() == old:
        time.sleep(0.0005)


def check_settled(text: str, options: Settings) -> None:
    """The result parses, a second run changes nothing, and lines without a finding are as they were."""
    result = check_text(text, "train.py", options)
    assert isinstance(result, Changed | Unchanged | Failed)
    if isinstance(result, Failed):
        assert "a rule failed" not in result.error and "\n" not in result.error, result
        return
    if isinstance(result, Unchanged):
        return
    new = result.after.decode()
    ast.parse(new)
    if not any(finding.code == "PY2001" for finding in result.findings):
        _check_lines(text, new, result.findings)
    again = check_file(decode(result.after, "train.py"), options)
    assert not isinstance(again, Changed), (text, new, again.after.decode())


def _check_lines(text: str, new: str, findings: tuple[Finding, ...]) -> None:
    spoken_of = {line for finding in findings for line in range(finding.line, finding.end_line + 1)}
    lines = map(str.lstrip, new.split("\n"))  # continued lines move with the bracket that they are aligned to
    for number, line in enumerate(text.split("\n"), start=1):
        assert number in spoken_of or line.lstrip() in lines, f"line {number} is lost: {line}"


NAMES = st.sampled_from(["x", "y", "tf.float32", "'é'", "-1", "[0, 1]", "None", "self.a", "lambda v: v", "{'k': x}"])
CALLED = st.sampled_from(
    [
        "tf.mul", "tf.concat", "tf.reduce_sum", "tf.Variable", "tf.contrib.layers.conv2d", "slim.conv2d", "tf.Session",
        "tf.nn.softmax_cross_entropy_with_logits", "tf.nn.dropout", "tf.split", "tf.placeholder", "tf.pack", "print",
        "np.float", "np.load", "tf.nn.rnn_cell.LSTMCell", "tf.layers.dense", "getattr", "tf.app.run", "FLAGS.x", "gone",
    ]
)  # fmt: skip
WORDS = st.sampled_from(["", "", "axis=", "name=", "keep_dims=", "dim=", "logits=", "labels=", "reduction_indices="])


def _joined(function: str, arguments: list[tuple[str, str]], joint: str) -> str:
    plain = [value for word, value in arguments if not word]
    named = {word: value for word, value in arguments if word}
    return f"{function}({joint.join([*plain, *(word + value for word, value in named.items())])})"


EXPRESSIONS = st.recursive(
    NAMES,
    lambda inner: (
        st.builds(_joined, CALLED, st.lists(st.tuples(WORDS, inner), max_size=4), st.sampled_from([", ", ",\n  "]))
        | st.builds("({} + {})".format, inner, inner)
        | st.builds("{}[0].value".format, st.just("x.get_shape()"))
        | st.builds("[{} for x in {}]".format, inner, inner)
    ),
    max_leaves=6,
)
STATEMENTS = st.one_of(
    st.builds("y = {}".format, EXPRESSIONS),
    st.builds("{}".format, EXPRESSIONS),
    st.builds("with {} as sess: pass".format, EXPRESSIONS),
    st.builds("def f(tf, x=1):\n  return {}".format, EXPRESSIONS),
    st.builds("if x:\n    y = {}  # why\nelse: z = 1; w = {}".format, EXPRESSIONS, EXPRESSIONS),
    st.builds("class A(object):\n\tb = {}\n\n\tdef c(self): return self.b".format, EXPRESSIONS),
    st.builds("try:\n    import cPickle as pickle\nexcept ImportError:\n    y = {}".format, EXPRESSIONS),
    st.builds("@tf.RegisterGradient({})\ndef g(op, grad): pass".format, EXPRESSIONS),
)
IMPORTS = st.sampled_from(
    [
        TF,
        f"{TF}slim = tf.contrib.slim\n",
        "from tensorflow.contrib import slim\nimport tensorflow as tf, numpy as np\n",
        "'''What it does.'''\nfrom __future__ import division\nimport tensorflow as tf\n",
        "import tensorflow\ntf = tensorflow\n",
    ]
)


@settings(deadline=None, max_examples=150)
@given(IMPORTS, st.lists(STATEMENTS, min_size=1, max_size=4), st.sampled_from(["compat", "bridge"]), st.booleans())
def test_generated_programs_settle(head: str, body: list[str], target: str, unsafe: bool) -> None:
    check_settled(head + "\n".join(body) + "\n", Settings(target=target, unsafe_fixes=unsafe))


@pytest.mark.soak
@settings(deadline=None, max_examples=3000)
@given(IMPORTS, st.lists(STATEMENTS, min_size=1, max_size=6), st.sampled_from(["compat", "bridge"]), st.booleans())
def test_many_generated_programs_settle(head: str, body: list[str], target: str, unsafe: bool) -> None:
    check_settled(head + "\n".join(body) + "\n", Settings(target=target, unsafe_fixes=unsafe))


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(PROGRAMS), st.data())
def test_mutated_legacy_programs_settle(text: str, data: st.DataObject) -> None:
    """Real programs with some of their lines cut out, doubled or moved."""
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        to = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["cut", "double", "move"]))
        piece = lines[at] if kind == "double" else lines.pop(at)
        if kind != "cut":
            lines.insert(to, piece)
        if not lines:
            return
    check_settled("\n".join(lines), Settings(unsafe_fixes=True))
