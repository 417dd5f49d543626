"""Branches on arguments of a call are settled where the function stands at the call, and nowhere else."""

from __future__ import annotations

import pytest

from codemods.native.settled_branches import without_settled_branches

HEAD = "import tensorflow as tf\n"


def settled(lines: str, *shared: int) -> str | None:
    """Returns what becomes of lines; `shared` are those that a call became."""
    text = HEAD + lines
    origins = [0 if number in shared else number for number in range(1, len(text.splitlines()) + 1)]
    made = without_settled_branches(text, origins)
    if made is None:
        return None
    assert len(made[1]) == len(made[0].splitlines())
    before, after = text.splitlines(), made[0].splitlines()
    assert all(after[n].strip() in (*before[old - 1].split(" if "), before[old - 1].strip()) or "pass" in after[n]
               or "elif" in before[old - 1] or " if " in before[old - 1] for n, old in enumerate(made[1]))  # fmt: skip
    return made[0].removeprefix(HEAD)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("if None is None:\n    a = 1\nelse:\n    a = None(2)\nb = a\n", "a = 1\nb = a\n"),
        ("if tf.nn.relu is None:\n    a = 1\nelse:\n    # all\n    a = 2\nb = a\n", "# all\na = 2\nb = a\n"),
        (
            "if None is not None:\n    a = 1\nelif x:\n    a = 2\nelse:\n    a = 3\n",
            "if x:\n    a = 2\nelse:\n    a = 3\n",
        ),
        ("with x:\n    if 3 is None:\n        a = 1\nb = 2\n", "with x:\n    pass\nb = 2\n"),
        ("a = z if None is None else None(z)\n", "a = z\n"),
        ("a = tf.nn.softmax(z) if not True else z\n", "a = z\n"),
        ("if 'lstm' == 'gru':\n    a = 1\nelif c:\n    a = 2\n", "if c:\n    a = 2\n"),
    ],
)
def test_the_branch_that_runs_stands_alone(lines: str, wanted: str) -> None:
    assert settled(lines) == wanted


def test_a_name_that_a_call_bound_settles_a_branch() -> None:
    lines = "act = tf.nn.relu\na = act(z) if act is not None else z\n"
    assert settled(lines, 2, 3) == "act = tf.nn.relu\na = act(z)\n"
    assert settled(lines) is None  # a switch of the author stays


def test_a_constant_that_a_call_gave_settles_a_branch() -> None:
    lines = "training = False\nif not training:\n    a = 1\nelse:\n    a = 2\n"
    assert settled(lines, 2, 3) == "training = False\na = 1\n"
    assert settled(lines) is None
    assert settled("if False:\n    debug()\n", 2, 3) is None


@pytest.mark.parametrize(
    "lines",
    [
        "act = tf.nn.relu\nact = None\na = z if act is None else act(z)\n",
        "act = make()\na = z if act is None else act(z)\n",
        "if None is None: a = 1\nelse: a = 2\n",
    ],
)
def test_other_branches_stay(lines: str) -> None:
    assert settled(lines, 2, 3, 4) is None
