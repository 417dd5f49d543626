"""What data sets draw in a graph with a seed is what the release drew (record.py of fixtures/datasets wrote it)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import forked, same_text

DATASETS = Path(__file__).resolve().parents[3] / "fixtures/datasets"
NOT_EQUAL = {"1.4.1": {"shuffle", "shuffle alike", "shuffle and map", "flat_map"}}
"""1.4 filled its buffer in another order (tf2bridge/v1/README.md)."""


def lines(text: str) -> dict[str, Any]:
    return dict(json.loads(line) for line in text.splitlines() if line.startswith('["'))


@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_data_sets_draw_as_in_the_release(release: str) -> None:
    api = release.rpartition(".")[0]
    done = forked.run(
        "import tf2bridge.v1 as tf\n"
        f"tf.enable(api={api!r})\n"
        "import runpy, sys\n"
        "sys.modules['tensorflow'] = tf\n"
        f"runpy.run_path({str(DATASETS / 'program.py')!r}, run_name='__main__')\n"
    )
    assert done.returncode == 0, done.stderr[-2000:]
    ours, theirs = lines(done.stdout), lines((DATASETS / f"{release}.json").read_text())
    assert ours.keys() == theirs.keys()
    assert {name for name in theirs if ours[name] != theirs[name]} == NOT_EQUAL.get(release, set())


VARIABLE_IN_A_MAP = """
import json
import {module} as tf
{enable}
def scaled(x):
    return x * tf.get_variable("v", [2], initializer=tf.ones_initializer())
data = tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]]).map(scaled)
iterator = data.make_initializable_iterator()
element = iterator.get_next()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(iterator.initializer)
    print(json.dumps(["first", session.run(element).tolist()]))
    print(json.dumps(["variables", [variable.name for variable in tf.global_variables()]]))
"""


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["1.4.1", "1.12.3", "1.15.5"])
def test_a_function_of_a_data_set_makes_a_variable_once(release: str) -> None:
    theirs = same_text.lines(VARIABLE_IN_A_MAP, release)
    ours = same_text.lines(VARIABLE_IN_A_MAP, None, release.rpartition(".")[0])
    expected = {"first": [1.0, 2.0], "variables": ["v:0"]}
    assert lines("\n".join(ours)) == lines("\n".join(theirs)) == expected


EFFECTS = """
import json, time
import tf2bridge.v1 as tf
tf.enable(api="1.15")
count = tf.get_variable("count", (), dtype=tf.int32, initializer=tf.zeros_initializer(), use_resource=True)
counting = tf.data.Dataset.from_tensors(0).repeat(9).map(lambda _: count.assign_add(1)).make_initializable_iterator()
made = []
def generate():
    for number in range(9):
        made.append(number)
        yield number
doubled = tf.data.Dataset.from_generator(generate, tf.int32).map(lambda x: 2 * x).make_one_shot_iterator().get_next()
counted = counting.get_next()
with tf.Session() as session:
    session.run([count.initializer, counting.initializer])
    found = []
    for _ in range(4):
        time.sleep(0.2)
        found.append([int(session.run(count)), int(session.run(counted)), int(session.run(doubled)), len(made)])
    print(json.dumps(["found", found]))
"""


def test_functions_with_effects_do_not_run_ahead() -> None:
    """What 1.15.5 printed for the same program."""
    done = forked.run(EFFECTS)
    assert done.returncode == 0, done.stderr[-2000:]
    assert lines(done.stdout) == {"found": [[0, 1, 0, 1], [1, 2, 2, 2], [2, 3, 4, 3], [3, 4, 6, 4]]}


def test_a_data_set_that_is_read_twice_by_each_of_many_is_looked_at_once() -> None:
    """Each of 40 reads the one before twice, which makes 2**40 ways to the first; nothing but the walk is asked for."""
    done = forked.run(
        "import tf2bridge.v1 as tf\n"
        "tf.enable(api='1.15')\n"
        "from tf2bridge.behaviour.seeds.datasets import functions_of\n"
        "data = tf.data.Dataset.range(2).map(lambda x: x + 1)\n"
        "for _ in range(40):\n"
        "    data = tf.data.Dataset.zip((data, data)).map(lambda x, y: x)\n"
        "print(len(list(functions_of(data))))\n"
    )
    assert done.stdout == "41\n", done.stderr[-2000:]
