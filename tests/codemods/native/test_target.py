"""`codemods check --target native`: what it writes, what it reports, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from codemods import limits
from codemods.cli import app
from codemods.engine import check_tree
from codemods.native.native_map import NAME, digest
from codemods.native.programs import check_native, make_native
from codemods.results import Changed, Failed
from codemods.settings import Settings

NATIVE = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None])
with tf.Session() as sess:
    print(sess.run(x * 2., {x: [1., 2.]}))
"""
AGENT = """\
import tensorflow as tf


class Agent:
    def __init__(self):
        self.x = tf.placeholder(tf.float32, [None])
        self.y = self.x * 2.
        self.sess = tf.Session()

    def double(self, values):
        return self.sess.run(self.y, {self.x: values})
"""
QUEUED = NATIVE + "coord = tf.train.Coordinator()\n"


def check(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", "--target", "native", *arguments])
    return result.exit_code, result.output


def test_a_tree_is_rewritten_with_its_map(tmp_path: Path) -> None:
    source, new = tmp_path / "old", tmp_path / "new"
    source.mkdir()
    (source / "train.py").write_text(NATIVE)
    (source / "queued.py").write_text(QUEUED)
    status, output = check(str(source), "--output", str(new))
    assert status == 1
    assert "queued.py:6:9: NAT001" in output
    assert "Session" not in (new / "train.py").read_text()
    assert "tf.compat.v1.Session" in (new / "queued.py").read_text()
    assert '[[calls]]\nlegacy = "train.py:5"\nfunction = "train:' in (new / NAME).read_text()
    assert (source / "train.py").read_text() == NATIVE
    # a second run changes nothing
    assert check(str(new / "train.py"))[0] == 0


def test_a_file_of_the_author_is_not_replaced(tmp_path: Path) -> None:
    images = "from tensorflow.examples.tutorials.mnist import input_data\n"
    used = NATIVE.replace("[1., 2.]", "input_data.read_data_sets('mnist').train.images[0]")
    (tmp_path / "train.py").write_text(images + used)
    (tmp_path / "input_data.py").write_text("import os\n")
    (tmp_path / "mnist_data.py").write_text("import sys\n")
    status, output = check(str(tmp_path), "--fix", "--force")
    assert status == 1
    assert "the author's own input_data.py" in output
    assert (tmp_path / "input_data.py").read_text() == "import os\n"
    (tmp_path / "mnist_data.py").unlink()
    assert check(str(tmp_path), "--fix", "--force")[0] == 0
    assert "import mnist_data as input_data\n" in (tmp_path / "train.py").read_text()
    assert "def read_data_sets" in (tmp_path / "mnist_data.py").read_text()
    (tmp_path / "input_data.py").unlink()
    (tmp_path / "train.py").write_text(images + used)
    assert check(str(tmp_path), "--fix", "--force")[0] == 0
    assert "def read_data_sets" in (tmp_path / "input_data.py").read_text()


def test_files_that_import_a_native_one_get_no_switch(tmp_path: Path) -> None:
    caller = "from agent import Agent\n\nprint(Agent().double([1., 2.]))\n"
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "run.py").write_text(caller)
    assert check(str(tmp_path), "--fix", "--force")[0] == 0
    assert (tmp_path / "run.py").read_text() == caller
    assert "tf.function" in (tmp_path / "agent.py").read_text()


def test_a_program_is_native_or_it_is_not(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "run.py").write_text("import tensorflow as tf\nfrom agent import Agent\nprint(tf.Session())\n")
    status, output = check(str(tmp_path))
    assert status == 1
    assert "agent.py:1:1: NAT008" in output


NET = """\
import tensorflow as tf
WIDE = 2


def net(x):
    w = tf.Variable(tf.ones([WIDE, 1]))
    return tf.matmul(x, w)
"""
RUNNING = """\
import tensorflow as tf
import net

x = tf.placeholder(tf.float32, [None, net.WIDE])
y = net.net(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(y, {x: [[1., 2.]]}))
"""


def test_a_program_takes_what_it_needs_of_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET + "OTHER = tf.Session()\n")
    (tmp_path / "run.py").write_text(RUNNING)
    check(str(tmp_path), "--fix", "--force")
    text = (tmp_path / "run.py").read_text()
    assert "import net" not in text and "w = tf.Variable(tf.ones([WIDE, 1]))" in text and "OTHER" not in text
    assert all(
        f'"{name}" = "{digest(old.encode())}"' in (tmp_path / NAME).read_text()
        for name, old in (("net.py", NET + "OTHER = tf.Session()\n"), ("run.py", RUNNING))
    )


def test_a_name_that_both_files_have_is_another_one_in_the_file_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "run.py").write_text(RUNNING.replace("import net", "import net\nWIDE = 3"))
    assert "NAT000" in check(str(tmp_path), "--fix", "--force")[1]
    text = (tmp_path / "run.py").read_text()
    assert "net_WIDE = 2" in text and "tf.ones([net_WIDE, 1])" in text and "\nWIDE = 3" in text


def test_a_program_takes_what_it_needs_of_files_of_packages(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "net.py").write_text(NET)
    (tmp_path / "run.py").write_text(RUNNING.replace("import net", "from parts import net"))
    assert "NAT000" in check(str(tmp_path), "--fix", "--force")[1]
    assert f'"parts/net.py" = "{digest(NET.encode())}"' in (tmp_path / NAME).read_text()


def test_a_file_of_another_folder_that_imports_a_native_one_has_a_say(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "agent.py").write_text(AGENT)
    (tmp_path / "run.py").write_text("import tensorflow as tf\nfrom parts.agent import Agent\nx = tf.zeros(1)\n")
    _, output = check(str(tmp_path))
    assert "../run.py imports this file and uses TensorFlow itself" in output


def test_a_file_beside_it_may_end_without_a_line_end(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET.rstrip("\n"))
    (tmp_path / "run.py").write_text(RUNNING)
    assert "NAT000" in check(str(tmp_path))[1]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("import net", "import sys, net; sys.path", "in a statement of its own"),
        ("import net", "import net\nnet = net", "net is imported, and is bound to something else too"),
        ("print(", "print(net, ", "is used as a value"),
    ],
)
def test_files_that_cannot_be_joined_are_refused(old: str, new: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "run.py").write_text(RUNNING.replace(old, new))
    _, output = check(str(tmp_path))
    assert "NAT008" in output and why in output


def test_a_refusal_in_another_file_is_named_at_its_import(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(
        NET.replace("tf.ones([WIDE, 1])", "tf.contrib.lookup.index_table_from_tensor([1])")
    )
    (tmp_path / "run.py").write_text(RUNNING)
    _, output = check(str(tmp_path))
    assert "run.py:2:1: NAT001" in output and "line 6 of net.py" in output


@pytest.mark.parametrize("arguments", [("-",), ("-", "--fix")])
def test_standard_input_has_no_map(arguments: tuple[str, ...]) -> None:
    assert check(*arguments)[0] == 2


def test_the_map_has_the_digest_of_the_bytes_on_the_disk(tmp_path: Path) -> None:
    """Also where the compat target leaves the file as it is, in another encoding than UTF-8."""
    program = (
        "# -*- coding: latin-1 -*-\n# caf\xe9\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "x = tf.placeholder(tf.float32, [None])\nwith tf.Session() as sess:\n"
        "    print(sess.run(x * 2., {x: [1., 2.]}))\n"
    ).encode("latin-1")
    (tmp_path / "train.py").write_bytes(program)
    made = check_native(tmp_path, Settings())
    assert digest(program) in made.beside[tmp_path / NAME].decode()
    assert [b"caf\xe9" in result.after for result in made.results if isinstance(result, Changed)] == [True]


@pytest.mark.parametrize(
    "call",
    [
        "tf.estimator.DNNClassifier([8])",
        "tf.contrib.learn.Estimator(model_fn=model)",
        "tf.contrib.slim.learning.train(step, 'logs')",
    ],
)
def test_a_program_without_a_session_of_its_own_has_a_reason_too(call: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(f"import tensorflow as tf\nrun = {call}\n", "utf-8")
    (result,) = make_native(check_tree(tmp_path, Settings(), None)).results
    assert isinstance(result, Changed)
    (finding,) = (finding for finding in result.findings if finding.name == "not-native")
    assert finding.code == "NAT001" and finding.line == 2
    assert "runs the graph, and has no counterpart" in finding.message


COSTLY = """\
import tensorflow as tf
def many(x, n):
    if n == 0:
        return x
    return many(x, n - 1) + many(x * 2, n - 1) + many(x + 1, n - 1) + many(x - 1, n - 1)
x = tf.placeholder(tf.float32, [2])
y = many(x, 2)
print(tf.Session().run(y, {x: [1, 2]}))
"""


def test_functions_that_call_themselves_take_no_time(tmp_path: Path) -> None:
    (tmp_path / "many.py").write_text(COSTLY, "utf-8")
    (result,) = make_native(check_tree(tmp_path, Settings(), None)).results
    assert not isinstance(result, Failed)


def test_a_program_that_costs_too_much_stays_with_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls = "".join(f"def f{n}(x):\n    return f{n + 1}(x) + f{n + 1}(x)\n" for n in range(28))
    text = "import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\n" + calls + "def f28(x):\n    return x\n"
    (tmp_path / "a.py").write_text(text + "y = f0(x)\nprint(tf.Session().run(y, {x: 1}))\n", "utf-8")
    results = check_tree(tmp_path, Settings(), None)
    monkeypatch.setattr(limits, "_SECONDS", 0.5)
    (result,) = make_native(results).results
    assert isinstance(result, Changed)
    (finding,) = (finding for finding in result.findings if finding.name == "not-native")
    assert "given up after" in finding.message
