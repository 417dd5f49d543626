"""Branches that a call has settled vanish from the statements that stand at the call."""

from __future__ import annotations

import pytest

from codemods.native.settled_branches import tests_in, with_settled_branches

NONE = frozenset[str]()


@pytest.mark.parametrize(
    ("before", "after", "origins"),
    [
        ("if None is None:\n    a = 1\nelse:\n    a = None(2)\nb = a\n", "a = 1\nb = a\n", (2, 5)),
        ("if None is not None:\n    a = 1\nelse:\n    # why\n    a = 2\n", "# why\na = 2\n", (4, 5)),
        ("if 'lstm' == 'gru':\n    a = 1\nelif c:\n    a = 2\n", "if c:\n    a = 2\n", (3, 4)),
        ("if not True:\n    a = 1\nb = 2\n", "b = 2\n", (3,)),
        ("if True:\n    a = '''x\n  y'''\n", "a = '''x\n  y'''\n", (2, 3)),
        ("if 1 == 1:\n    if 2 == 1:\n        a = 1\n    b = 2\n", "b = 2\n", (4,)),
    ],
)
def test_the_branch_that_runs_stays(before: str, after: str, origins: tuple[int, ...]) -> None:
    assert with_settled_branches(before, NONE) == (after, origins)


@pytest.mark.parametrize(
    "text",
    [
        "if activation is None:\n    a = 1\n",
        "if 300 is 300:\n    a = 1\n",  # two objects, perhaps
        "if True: a = 1\n",
        "for x in y:\n    if False:\n        a = 1\n",  # a block needs a statement
    ],
)
def test_what_is_not_certain_stays(text: str) -> None:
    assert with_settled_branches(text, NONE) is None


def test_conditions_of_the_author_stay() -> None:
    text = "if False:\n    debug()\nif None is None:\n    a = 1\n"
    made = with_settled_branches(text, tests_in("if False:\n    debug()\n"))
    assert made == ("if False:\n    debug()\na = 1\n", (1, 2, 4))
