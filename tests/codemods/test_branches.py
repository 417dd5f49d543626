"""Which branches run today: a condition that asks for releases only is worked out, any other is not."""

from __future__ import annotations

import ast

import pytest

from codemods.engine import Changed, check_text
from codemods.scopes import resolve
from codemods.settings import Settings

_HEAD = (
    "import sys, six\nimport tensorflow as tf\nfrom distutils.version import LooseVersion\n"
    "from packaging import version\n"
)


def runs(test: str, with_tensorflow: bool = True) -> set[str]:
    """The names used in the branches of `if TEST: yes` `else: no` that are looked at."""
    names = resolve(ast.parse(f"{_HEAD}if {test}:\n    yes\nelse:\n    no\n"), with_tensorflow)
    return {chain.id for chain in names.chains if isinstance(chain, ast.Name)} & {"yes", "no"}


@pytest.mark.parametrize(
    "test",
    [
        "sys.version_info[0] >= 3",
        "sys.version_info > (3,)",
        "sys.version_info[:2] >= (3, 5)",
        "sys.version_info.major == 3",
        "sys.version[0] == '3'",
        "six.PY3",
        "not six.PY2",
        "not (six.PY2 and unknown)",
        "six.PY3 or unknown",
        "tf.__version__ >= '1.0'",
        "LooseVersion(tf.__version__) > LooseVersion('1.4.0')",
        "version.parse(tf.__version__) >= version.parse('1.13.0-rc1')",
        "LooseVersion(tf.__version__) >= '2.0'",
        "int(tf.__version__.split('.')[0]) > 1",
        "not tf.__version__.startswith('1.')",
        "tf.VERSION.split('.')[0] == '2'",
        "tf.compat.v1.VERSION >= '2'",
        "tuple(map(int, tf.__version__.split('.')[:2])) >= (2, 0)",
        "list(map(int, tf.__version__.split('.'))) >= [2, 0]",
        "tuple(int(part) for part in tf.__version__.split('.')[:2]) >= (1, 13)",
        "[int(part) for part in tf.__version__.split('.')][0] == 2",
        "version.parse(tf.__version__).major >= 2",
        "version.parse(tf.__version__).release > (1, 15, 5)",
    ],
)
def test_branch_of_an_old_release_is_not_looked_at(test: str) -> None:
    assert runs(test) == {"yes"}
    assert runs(f"not ({test})") == {"no"}


@pytest.mark.parametrize(
    "test",
    [
        "unknown",
        "six.PY3 and unknown",
        "sys.version_info >= (3, 12)",
        "LooseVersion(tf.__version__) >= '2.21'",
        "LooseVersion(other.__version__) < '1.0'",
        "tf.__version__ in supported",
        "tuple(map(number, tf.__version__.split('.'))) >= (2, 0)",
        "tuple(int(part) for part in tf.__version__.split('.') if part) >= (2, 0)",
        "version.parse(tf.__version__).micro > 3",
        "tf.__version__.split('.').major >= 2",
        "hasattr(tf, 'mul')",
    ],
)
def test_any_other_condition_leaves_both_branches(test: str) -> None:
    assert runs(test) == {"yes", "no"}


def test_release_of_the_bridge_is_that_of_its_program() -> None:
    assert runs("LooseVersion(tf.__version__) >= '1.0'", with_tensorflow=False) == {"yes", "no"}
    assert runs("six.PY2", with_tensorflow=False) == {"no"}


def test_dead_branch_stays_as_it_is() -> None:
    text = (
        "import tensorflow as tf\nif tf.__version__ < '1.0':\n    y = tf.mul(a, b)\nelse:\n    y = tf.log(a)\n"
        "z = tf.pack([a]) if tf.__version__.startswith('0.') else tf.stack([a])\n"
    )
    result = check_text(text, "model.py", Settings(ignore=("TFG",)))
    assert isinstance(result, Changed)
    assert result.after.decode() == text.replace("tf.log", "tf.compat.v1.log")
