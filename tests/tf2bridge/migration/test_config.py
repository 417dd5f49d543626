"""A tf2bridge.toml that came with a program runs and reads what lies beside it, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tf2bridge.errors import BridgeError
from tf2bridge.migration.config import Project, read
from tf2bridge.migration.refusals import ConfigurationError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A program with a package, its trace, and files outside it that links in it lead to."""
    tree = tmp_path / "tree"
    for path in ("tree/train.py", "tree/pkg/train.py", "tree/pkg/__main__.py", "tree/run.trace", "outside.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    (tree / "inner.py").symlink_to("train.py")
    (tree / "outer.py").symlink_to("../outside.py")
    (tree / "outer").symlink_to("..")
    (tree / "loop.py").symlink_to("loop.py")
    os.mkfifo(tree / "pipe.py")
    return tree


def say(tree: Path, text: str) -> None:
    (tree / "tf2bridge.toml").write_text(text, "utf-8")


@pytest.mark.parametrize(
    "entry",
    ["train.py --steps 5", "python train.py", "./train.py", "pkg/../train.py", "inner.py", "-m pkg.train", "-m pkg -x"],
)
def test_a_program_of_the_tree_is_run(entry: str, tree: Path) -> None:
    say(tree, f"entry = '{entry}'\ntrace = 'run.trace'")
    project = read(tree)
    assert project.entry == tuple(entry.removeprefix("python ").split())
    assert project.trace == tree / "run.trace"


@pytest.mark.parametrize(
    "entry",
    [
        *("../outside.py", "pkg/../../outside.py", "{tree}/train.py", "{tree}/../outside.py", "absent.py", "pkg", "."),
        *("outer.py", "outer/outside.py", "loop.py", "pipe.py", "-", "-c pass", "-u train.py", "python -c pass"),
        *("-m", "-m http.server", "-m timeit", "-m ..outside", "-m pkg/train", "-m outer.outside", "-m pkg.absent"),
        *("/dev/stdin", "/bin/sh", r"\u0000", r"train.py\u0000", r"\u001b[2Jtrain.py", r"tr\u202eain.py"),
    ],
)
def test_nothing_else_is_run(entry: str, tree: Path) -> None:
    say(tree, f'entry = "{entry.format(tree=tree)}"')
    with pytest.raises(
        ConfigurationError, match=r"entry names .* and only those are run; name one, or give .* --entry"
    ):
        read(tree)


@pytest.mark.parametrize(
    "trace",
    ["../outside.py", "{tree}/run.trace", "outer.py", "outer/outside.py", "/etc/passwd", r"a\u0000b", r"\u001b"],
)
def test_no_other_trace_is_read(trace: str, tree: Path) -> None:
    say(tree, f'trace = "{trace.format(tree=tree)}"')
    with pytest.raises(ConfigurationError, match=r"trace names .*; name one inside it, or give it with --trace"):
        read(tree)


def test_the_command_line_says_otherwise(tree: Path) -> None:
    say(tree, 'entry = "../outside.py"\ntrace = "../outside.trace"')
    given = read(tree, "../outside.py -x", tree / "../outside.trace")
    assert (given.entry, given.trace) == (("../outside.py", "-x"), tree / "../outside.trace")
    (tree / "tf2bridge.toml").unlink()
    assert read(tree, "../outside.py") == Project(("../outside.py",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('entry = "train.py \'"', "entry cannot be split into words: No closing quotation"),
        ("entry = " + "[" * 20_000, "cannot be read as TOML"),
        ("entry = " + "1" * 10_000, "cannot be read as TOML"),
        ("[tolerance]\nrtol = inf", "tolerance.rtol must be a finite number of at least 0, not inf"),
        ("[tolerance]\nrtol = nan", "tolerance.rtol must be a finite number of at least 0, not nan"),
        ("[tolerance]\nrtol = 1" + "0" * 400, "tolerance.rtol must be a finite number of at least 0"),
        ("#" * 70_000, "has more than 65,536 bytes"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str, tree: Path) -> None:
    say(tree, text)
    with pytest.raises(BridgeError, match=message):
        read(tree)


@pytest.mark.parametrize("target", ["../outside.py", "/dev/zero", "/proc/self/environ"])
def test_a_configuration_that_lies_elsewhere(target: str, tree: Path) -> None:
    (tree / "tf2bridge.toml").symlink_to(target)
    with pytest.raises(ConfigurationError, match="which is outside"):
        read(tree)


def test_a_configuration_that_is_a_pipe(tree: Path) -> None:
    os.mkfifo(tree / "tf2bridge.toml")
    with pytest.raises(BridgeError, match="is a FIFO"):
        read(tree)
