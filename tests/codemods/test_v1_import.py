"""`--extend-select TFG003`: files keep their lines, since their import is switched; what their names mean stays."""

from __future__ import annotations

import ast
import difflib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from codemods.engine import SourceFile, check_file, check_text, rewrite_tree
from codemods.notebooks.notebook import read
from codemods.registry import all_rules
from codemods.results import Changed, Failed, Unchanged
from codemods.rule import Example, Rule
from codemods.rules.names import compat_name
from codemods.scopes import resolve
from codemods.settings import Settings

LEGACY = Path(__file__).parents[2] / "fixtures/legacy"
PLAIN = "import tensorflow as tf"
SWITCHED = "import tensorflow.compat.v1 as tf"
CASES = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.examples)
    if "compat" in rule.targets and example.path.endswith(".py")
]


def rewritten(text: str, settings: Settings, *others: SourceFile, path: str = "train.py") -> str:
    result = check_text(text, path, settings, others)
    assert isinstance(result, Changed | Unchanged), result
    return result.after.decode() if isinstance(result, Changed) else text


def meanings(text: str) -> list[str]:
    """What each dotted name of TensorFlow in a text stands for; names that both modules share are those of v1."""
    result = resolve(ast.parse(text))
    content = (result.qualified(chain) or "" for chain in result.chains)
    return [name.replace("compat.v1", "").strip(".").replace("..", ".") for name in content]


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_every_example_is_settled_and_means_the_same(rule: Rule, example: Example) -> None:
    options = {"from_version": example.from_version, "unsafe_fixes": example.unsafe_fixes}
    others = [SourceFile(path, other) for path, other in example.files]
    plain = rewritten(
        example.before, Settings(extend_select=(rule.code,), ignore=("TFG003",), **options), *others, path=example.path
    )  # type: ignore[arg-type]
    settings = Settings(extend_select=(rule.code, "TFG003"), **options)  # type: ignore[arg-type]
    short = rewritten(example.before, settings, *others, path=example.path)
    assert rewritten(short, settings, *others, path=example.path) == short
    assert meanings(short) == meanings(plain)


PROJECT = {
    "models/__init__.py": "",
    "models/tf_import.py": "import tensorflow as tf\n",
    "models/first.py": "from models.tf_import import tf\n\n\ndef build():\n    return tf.placeholder(tf.float32)\n",
    "models/second.py": "import tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return tf.where(a, b, x)\n",
    "models/third.py": "import tensorflow as tf\n\n\ndef build(x):\n    return tf.log(x)\n",
    "train.py": "import tensorflow as tf\n\nfrom models.third import build\n\nwith tf.Session() as sess:\n"
    "    sess.run(build(tf.ones([3])))\n",
}


def test_each_file_of_a_project_is_decided_by_itself(tmp_path: Path) -> None:
    for name, text in PROJECT.items():
        (tmp_path / "old" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "old" / name).write_text(text)
    settings = Settings(extend_select=("TFG003",))
    rewrite_tree(tmp_path / "old", tmp_path / "new", settings)
    actual = {name: (tmp_path / "new" / name).read_text() for name in PROJECT}
    assert actual == {
        **PROJECT,
        "models/third.py": PROJECT["models/third.py"].replace(PLAIN, SWITCHED),
        "train.py": PROJECT["train.py"].replace(PLAIN, f"{SWITCHED}\ntf.disable_v2_behavior()"),
    }
    assert not any(
        isinstance(result, Changed | Failed) for result in rewrite_tree(tmp_path / "new", tmp_path / "again", settings)
    )


def test_cells_of_a_notebook_keep_their_lines() -> None:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": [text]}
             for text in (f"{PLAIN}\n", "x = tf.placeholder(tf.float32)\n")]  # fmt: skip
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n"
    result = check_file(read(text.encode(), "a.ipynb"), Settings(select=("TFN", "TFG003")))
    assert isinstance(result, Changed)
    assert result.after.decode() == text.replace(PLAIN, SWITCHED)


@pytest.mark.parametrize("path", sorted(LEGACY.rglob("*.py")), ids=lambda path: path.parent.name + "/" + path.name)
def test_legacy_programs_change_in_fewer_lines(path: Path) -> None:
    text = path.read_text("utf-8")
    plain = rewritten(text, Settings(), path=path.name)
    settings = Settings(extend_select=("TFG003",))
    short = rewritten(text, settings, path=path.name)
    assert rewritten(short, settings, path=path.name) == short
    assert meanings(short) == meanings(plain)
    assert changed(text, short) <= changed(text, plain)


def test_names_that_build_the_same_nodes_keep_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the fixtures' programs the default changes fewer lines than a rewrite of every such name."""
    programs = [path.read_text("utf-8") for path in sorted(LEGACY.rglob("*.py"))]
    default = [changed(text, rewritten(text, Settings())) for text in programs]
    monkeypatch.setattr(compat_name, "needs_no_compat", lambda *_: False)
    every = [changed(text, rewritten(text, Settings())) for text in programs]
    assert all(one <= other for one, other in zip(default, every, strict=True))
    assert sum(default) < sum(every)


def changed(old: str, new: str) -> int:
    """How many lines of the new text are not in the old one."""
    return sum(line.startswith("+ ") for line in difflib.ndiff(old.splitlines(), new.splitlines()))


SAME = """
import sys
import tensorflow as tf
import tf2bridge.v1
from operator import attrgetter
from codemods.symbols import Answer, is_private, lookup, names

known = [symbol for symbol in map(lookup, names()) if symbol.answer is Answer.SAME and not symbol.module]
alike = [symbol.name for symbol in known if symbol.target == symbol.name and not is_private(symbol.name)]
for name in alike if sys.argv[2] == "after" else ():  # TensorFlow's modules keep what was looked up
    attrgetter(name)(tf), attrgetter(name)(tf.compat.v1)
tf2bridge.v1.enable(api=sys.argv[1])
found = [(name, attrgetter(name)(tf), attrgetter(name)(tf.compat.v1)) for name in alike]
print(len(found), [name for name, two, one in found if two is not one and not (isinstance(two, int) and two == one)])
"""


@pytest.mark.parametrize("order", ["before", pytest.param("after", marks=pytest.mark.soak)])
@pytest.mark.parametrize("release", ["0.12", pytest.param("1.15", marks=pytest.mark.soak)])
def test_names_that_stay_are_one_object_in_both_modules(release: str, order: str) -> None:
    """Whether `tf2bridge.v1.enable` comes before or after the first use of the names."""
    pytest.importorskip("tensorflow")
    done = subprocess.run([sys.executable, "-c", SAME, release, order], capture_output=True, text=True, check=True)
    count, _, others = done.stdout.strip().partition(" ")
    assert int(count) > 500 and ast.literal_eval(others) == []
