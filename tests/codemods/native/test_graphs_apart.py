"""Functions that each build a graph of their own; `fixtures/sessions/programs/phases.py` is recorded and proven."""

from __future__ import annotations

import pytest

from codemods.native.refusals import NotNativeError
from tests.codemods.native.test_rewriting import FIXTURES, native, run

PHASES = (FIXTURES / "programs" / "phases.py").read_text("utf-8")
DRIVING = PHASES[PHASES.index("if __name__") :]
FLAG = "if __name__ == '__main__':\n    if len(os.sys.argv) > 1:\n        evaluate()\n    else:\n        train(4)\n"


def test_each_function_keeps_its_place_and_its_comments() -> None:
    text = native(PHASES).text
    assert text.index("def train(") < text.index("def evaluate(") < text.index("if __name__")
    assert text.count("class Adam(") == text.count("class Saver") == 1
    assert text.count("def mean_error(") == 1
    assert "# the step counts itself" in text


def test_one_of_several_functions_runs() -> None:
    text = native(PHASES.replace(DRIVING, FLAG)).text
    assert "loss" in run(text)


def test_a_function_may_begin_its_graph_itself() -> None:
    changed = PHASES.replace(DRIVING, DRIVING.replace("    tf.reset_default_graph()\n", ""))
    for name in ("def train(steps):\n", "def evaluate():\n"):
        changed = changed.replace(name, f"{name}    tf.reset_default_graph()\n")
    assert "reset_default_graph" not in native(changed).text


@pytest.mark.parametrize(
    "driving",
    [
        "if __name__ == '__main__':\n    train(4)\n    evaluate()\n",
        "if __name__ == '__main__':\n    train(4)\n    if len(os.sys.argv) < 9:\n        evaluate()\n",
        "for turn in range(2):\n    if turn:\n        evaluate()\n    else:\n        train(4)\n",
        "tf.reset_default_graph()\ntrain(4)\nevaluate()\n",
        "todo = [train, evaluate]\ntodo[0](4)\ntodo[1]()\n",
        "def both():\n    train(1) if len(os.sys.argv) < 9 else evaluate()\nboth()\nboth()\n",
        "def main():\n    if len(os.sys.argv) < 2:\n        train(1)\n    else:\n        evaluate()\nmain()\nmain()\n",
        "sess = tf.Session()\ntrain(4)\ntf.reset_default_graph()\nevaluate()\n",
    ],
)
def test_graphs_that_may_be_one_are_refused(driving: str) -> None:
    with pytest.raises(NotNativeError):
        native(PHASES.replace(DRIVING, driving))


def test_what_two_functions_would_write_in_two_ways_is_refused() -> None:
    shared = "class Net(object):\n    def __init__(self):\n        self.x = tf.placeholder(tf.float32, [None, 3])\n"
    with pytest.raises(NotNativeError):
        native(PHASES.replace("def train(", shared + "\n\ndef train("))


def test_layers_of_each_graph_have_the_names_of_tensorflow_1() -> None:
    """Keras would call the layer of the second function dense_1."""
    graph = "    x = tf.placeholder(tf.float32, [None, 2])\n    y = tf.layers.dense(x, 1)\n    sess = tf.Session()\n"
    runs = "    sess.run(tf.global_variables_initializer())\n    print(sess.run(y, {x: [[1.0, 2.0]]}).shape)\n"
    functions = "".join(f"\n\ndef {name}():\n{graph}{runs}" for name in ("first", "second"))
    text = f"import tensorflow as tf\n{functions}\n\nfirst()\ntf.reset_default_graph()\nsecond()\n"
    assert native(text).text.count("dense = keras.layers.Dense(1, name='dense')") == 2
