"""Op seeds are those of genuine TensorFlow: every figure here was computed by the release it names.

fixtures/seeds_expected holds, for each release and each case of fixtures/seeds_battery/*.txt, how many operations
genuine TensorFlow created and how many there were before each default seed; fixtures/seeds.py writes it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import forked, oracles
from tf2bridge.behaviour.seeds import table
from tf2bridge.errors import UnknownReleaseError

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures"
EXPECTED: dict[str, dict[str, Any]] = {
    release: json.loads((FIXTURES / "seeds_expected" / f"{release}.json").read_text()) for release in table.MEASURED
}


def run_python(*arguments: str) -> str:
    """Graph mode is for a whole process, so each program has one of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def run_program(body: str) -> str:
    start = "import tensorflow.compat.v1 as tf\nfrom tf2bridge.behaviour import seeds\ntf.disable_v2_behavior()\n"
    done = forked.run(start + body)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


PARTS = len(table.MEASURED)


@pytest.mark.parametrize("release", table.MEASURED)
def test_a_part_of_the_cases_counts_operations_and_takes_seeds_as_genuine_tensorflow(
    release: str, tmp_path: Path
) -> None:
    """Each case is run as one of the releases; the parts of all releases are the battery."""
    check_cases(release, tmp_path / "counts.json", table.MEASURED.index(release))


@pytest.mark.soak
@pytest.mark.parametrize("release", table.MEASURED)
def test_every_case_counts_operations_and_takes_seeds_as_genuine_tensorflow(release: str, tmp_path: Path) -> None:
    check_cases(release, tmp_path / "counts.json")


def check_cases(release: str, output: Path, *part: int) -> None:
    wanted = EXPECTED[release]["cases"]
    run_python(str(FIXTURES / "seeds.py"), "--replay", release, str(output), *map(str, part))
    here = json.loads(output.read_text())
    chosen = {name: counts for name, counts in wanted.items() if name in here or not part}
    assert len(chosen) > (len(wanted) // (2 * PARTS) if part else 0)
    known = set(EXPECTED[release]["unequal"])
    wrong = {name: (here.get(name), counts) for name, counts in chosen.items() if here.get(name) != counts}
    assert set(wrong) <= known, {name: wrong[name] for name in set(wrong) - known}


def test_cases_that_are_not_equal_are_few_and_named() -> None:
    for release in table.MEASURED:
        assert len(EXPECTED[release]["unequal"]) < len(EXPECTED[release]["cases"]) / 50


@pytest.mark.parametrize("release", table.MEASURED)
def test_random_values_of_a_program_are_bit_equal(release: str, tmp_path: Path) -> None:
    output = tmp_path / "values.json"
    run_python(str(FIXTURES / "seeds_program.py"), str(output), release)
    assert json.loads(output.read_text()) == EXPECTED[release]["values"]


@pytest.mark.soak  # it takes as long as a quarter of all other tests
@pytest.mark.oracle
def test_a_rebuild_gives_the_same_table() -> None:
    oracles.require(*table.MEASURED)
    printed = run_python(str(FIXTURES / "seeds.py"), "--check")
    assert printed.count("cases equal") == len(table.MEASURED)


def test_each_graph_counts_for_itself() -> None:
    printed = run_program(
        "seeds.install('1.15.5')\n"
        "for _ in range(2):\n"
        "    with tf.Graph().as_default():\n"
        "        tf.set_random_seed(1)\n"
        "        tf.constant(0)\n"
        "        print(tf.random_normal([2]).op.inputs[0].op.inputs[0].op.get_attr('seed2'))\n"
    )
    assert printed.split() == ["4", "4"]  # the constant, then shape, mean and stddev of random_normal


def test_op_seeds_that_are_given_stay() -> None:
    printed = run_program(
        "seeds.install('0.12')\n"
        "tf.set_random_seed(1)\n"
        "op = tf.random_uniform([2], 1.0, 2.0, seed=77).graph.get_operations()\n"
        "print([o.get_attr('seed2') for o in op if o.type == 'RandomUniform'])\n"
    )
    assert printed == "[77]"


def test_uninstall_puts_everything_back() -> None:
    printed = run_program(
        "from tensorflow.python.framework import random_seed\n"
        "from tensorflow.python.ops import array_ops, nn_ops\n"
        "before = (random_seed.get_seed, tf.zeros, tf.nn.dropout, tf.nn.softmax, array_ops.zeros, nn_ops.dropout)\n"
        "seeds.install('1.4')\n"
        "tf.nn.dropout(tf.zeros([3]), 0.5)\n"
        "during = (random_seed.get_seed, tf.zeros, tf.nn.dropout, tf.nn.softmax, array_ops.zeros, nn_ops.dropout)\n"
        "seeds.uninstall()\n"
        "after = (random_seed.get_seed, tf.zeros, tf.nn.dropout, tf.nn.softmax, array_ops.zeros, nn_ops.dropout)\n"
        "print(*[sum(a is b for a, b in zip(before, others)) for others in (during, after)])\n"
    )
    assert printed == "0 6"


def test_layers_that_are_imported_later_are_counted_too() -> None:
    printed = run_program(
        "seeds.install('1.12.3')\n"
        "from tf_keras.api._v1.keras.__internal__.legacy import layers\n"
        "graph = tf.get_default_graph()\n"
        "x = tf.placeholder(tf.float32, [2, 8, 8, 3])\n"
        "start = seeds.op_count(graph)\n"
        "layers.flatten(x)\n"
        "print(seeds.op_count(graph) - start)\n"
    )
    assert printed == str(EXPECTED["1.12.3"]["cases"]["flatten"][0])


def test_a_call_that_was_never_measured_is_named() -> None:
    printed = run_program(
        "seeds.install('1.12.3')\n"
        "tf.zeros([3])\n"
        "print(seeds.uncertain(tf.get_default_graph()))\n"
        "tf.zeros([tf.size([1])] * 7)\n"
        "print(seeds.uncertain(tf.get_default_graph()))\n"
    )
    assert printed.splitlines() == ["()", "('zeros (ttttttt)',)"]


def test_a_seed_after_such_a_call_warns_once_and_names_op_and_variable() -> None:
    printed = run_program(
        "import warnings\n"
        "seeds.install('1.12.3')\n"
        "tf.set_random_seed(1)\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    tf.random_normal([2])\n"
        "    tf.zeros([tf.size([1])] * 7)\n"
        "    with tf.variable_scope('net'):\n"
        "        tf.get_variable('w', [2], initializer=tf.random_normal_initializer())\n"
        "    tf.random_normal([2])\n"
        "print(*[w.message for w in caught if 'op seed' in str(w.message)], sep='\\n')\n"
    )
    assert printed.startswith(
        "random operation 'net/w/Initializer/random_normal', the initial value of variable 'net/w'"
    )
    assert "zeros (ttttttt)" in printed
    assert printed.count("\n") == 0


def test_a_graph_without_a_seed_is_not_warned_about() -> None:
    printed = run_program(
        "import warnings\n"
        "warnings.simplefilter('error')\n"
        "seeds.install('1.12.3')\n"
        "tf.zeros([tf.size([1])] * 7)\n"
        "print(tf.random_normal([2]).op.inputs[0].op.inputs[0].op.get_attr('seed2'))\n"
    )
    assert printed == "0"


@pytest.mark.parametrize(
    ("release", "last"),
    [
        ("1.12.3", "AddV2 Floor RealDiv Mul"),  # Add there
        ("1.15.5", "GreaterEqual Mul Cast Mul"),
    ],
)
def test_dropout_has_the_operations_that_genuine_tensorflow_gave_it(release: str, last: str) -> None:
    printed = run_program(
        f"seeds.install({release!r})\n"
        "tf.nn.dropout(tf.placeholder(tf.float32, [3]), 0.5)\n"
        "print(*[op.type for op in tf.get_default_graph().get_operations()])\n"
    )
    assert printed.endswith(last)


def test_a_gradient_that_the_program_chose_is_taken() -> None:
    printed = run_program(
        "seeds.install('1.4')\n"
        "tf.RegisterGradient('Doubled')(lambda op, given: (given * 2.0, given * 3.0))\n"
        "x = tf.constant(1.0)\n"
        "with tf.get_default_graph().gradient_override_map({'Mul': 'Doubled'}):\n"
        "    product = x * 5.0\n"
        "print(tf.Session().run(tf.gradients(product, x)))\n"
    )
    assert printed == "[np.float32(2.0)]"


def test_slices_and_dense_gradients_of_one_variable_stay_slices_as_before_1_13() -> None:
    printed = run_program(
        "seeds.install('1.12.3')\n"
        "w = tf.Variable([[1.0], [2.0], [3.0]])\n"
        "loss = tf.reduce_sum(tf.nn.embedding_lookup(w, [0, 0])) + tf.nn.l2_loss(w)\n"
        "slices = tf.gradients(loss, [w])[0]\n"
        "session = tf.Session()\n"
        "session.run(tf.global_variables_initializer())\n"
        "print(type(slices).__name__, session.run(tf.convert_to_tensor(slices)).ravel().tolist())\n"
    )
    assert printed == "IndexedSlices [3.0, 2.0, 3.0]"  # 2 + 1, 2, 3: lookups of row 0, and the weights themselves


def test_parts_of_contrib_are_not_imported_for_their_measured_functions() -> None:
    printed = run_program(
        "import sys\n"
        "seeds.install('1.15')\n"
        "print([name for name in sys.modules if name.startswith(('tf2bridge.contrib', 'tf2bridge.estimator'))])\n"
    )
    assert printed == "[]"


def test_every_measured_function_of_ours_is_where_the_table_says() -> None:
    """A function that has moved would not be counted, without an error: it is only looked for once it is imported."""
    printed = run_program(
        "import importlib, operator\n"
        "from tf2bridge.behaviour.seeds.hooks import HOOKS\n"
        "from tf2bridge.behaviour.seeds.replacements import RULES\n"
        "places = [row.where.partition(':') for row in (*HOOKS, *RULES) if row.where.startswith('tf2bridge.')]\n"
        "print(len([operator.attrgetter(name)(importlib.import_module(module)) for module, _, name in places]) > 10)\n"
    )
    assert printed == "True"


@pytest.mark.parametrize(
    ("release", "measured"),
    [
        ("0.12", "0.12.1"),
        ("0.9.0", "0.12.1"),
        ("1.0.1", "0.12.1"),
        ("1.3", "0.12.1"),
        ("1.8", "1.8.0"),
        ("1.10.0", "1.10.1"),
        ("1.14.0", "1.14.0"),
        ("1.15", "1.15.5"),
    ],
)
def test_other_releases_count_as_the_latest_measured_one_before(release: str, measured: str) -> None:
    assert table.measured_release(release) == measured


def test_releases_of_tensorflow_2_are_refused() -> None:
    with pytest.raises(UnknownReleaseError, match=r"2\.3"):
        table.measured_release("2.3")


def test_measured_layers_get_masks_as_before() -> None:
    """Keras gives a mask to a layer whose `call` takes one, or any keyword: Flatten and Dense take none."""
    printed = run_program(
        "import tf_keras as keras, numpy as np\n"
        "seeds.install('1.15')\n"
        "tf.set_random_seed(1)\n"
        "layers = keras.layers\n"
        "masked = [layers.Embedding(9, 2, mask_zero=True, input_length=3), layers.Dense(2), layers.Flatten()]\n"
        "print(keras.Sequential([*masked, layers.Dense(1)]).predict(np.ones([2, 3])).shape)\n"
    )
    assert printed.splitlines()[-1] == "(2, 1)"
