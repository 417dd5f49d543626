"""Programs that compute something else on TensorFlow 2 by names that are still there, and those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.engine import Changed, check_paths, check_text, rewrite_tree
from codemods.settings import Settings

GUARD = 'if __name__ == "__main__":\n    main()\n'


def switch(body: str, **options: str) -> str:
    """The line by which a program with this body switches graph mode on."""
    result = check_text(f"import tensorflow as tf\n{body}\n{GUARD}", "train.py", Settings(select=("TFG",), **options))  # type: ignore[arg-type]
    assert isinstance(result, Changed)
    return next(line for line in result.after.decode().splitlines() if "disable_v2" in line or "enable(" in line)


@pytest.mark.parametrize(
    "body",
    [
        "def f(x, mu):\n    return (1 + mu) ** abs(x)",
        "def f(x):\n    x **= 2\n    return x",
        "def f(x):\n    return pow(x, 2)",
        "y = tf.pow(a, 3.0)",
        "from tensorflow import norm\ny = norm(a)",
        "lr = tf.train.exponential_decay(0.1, step, 100, 0.96)",
        "for i in range(3):\n    f = lambda i: i ** 2",
        "e = tf.nn.embedding_lookup_sparse(table, ids, None)",
        "cell = make(num_units=hparams.num_units / 2)",
        "x = tf.placeholder(tf.float32, [None, 2 * (size / 4)])",
        "w = tf.get_variable('w', shape=(n, -n / 2))",
        "y = tf.cast(255 * x, tf.uint8)",
        "from tensorflow import cast\ny = cast(x, dtype='int16')",
        "y = tf.image.convert_image_dtype(x, dtype=tf.uint8)",
        "y = tf.layers.batch_normalization(x, epsilon=1e-5)",
        "y = tf.nn.fused_batch_norm(x, s, o, epsilon=EPSILON)",
        "y = tf.contrib.layers.batch_norm(x, **{'epsilon': 1e-6})",
        "s = tf.saturate_cast(x, tf.int32)",
        "with tf.device('/gpu:1'):\n    pass",
        "for i in range(2):\n    with tf.device(f'/device:GPU:{i}'):\n        pass",
    ],
)
def test_these_bring_their_release(body: str) -> None:
    assert switch(body) == 'tf2bridge.v1.enable(api="1.15")'


@pytest.mark.parametrize(
    "body",
    [
        "limit = 2 ** 31 - 1",
        "rate = tf.constant(1 / n, shape=[n // 2])\ny = tf.layers.dense(x, units=int(n / 2), rate=1 / n)",
        "with tf.device('/cpu:0'):\n    pass",
        "c = tf.ConfigProto(allow_soft_placement=True)\nwith tf.device('/gpu:0'):\n    pass",
        "c = tf.ConfigProto()\nc.allow_soft_placement = False\nwith tf.device('/gpu:0'):\n    pass",
        "sizes = [2 ** i for i in range(10)]",
        "y = tf.cast(x, tf.float32)\nz = tf.cast(x, 'int32')\nw = np.array(x, np.uint8)",
        "y = tf.layers.batch_normalization(x, epsilon=1e-3)",
        "o = tf.train.AdamOptimizer(epsilon=1e-8)",
        "o = tf.train.FtrlOptimizer(0.1)",
        "for i, name in enumerate('abc'):\n    print(-2 ** (i + 1))",
        "import numpy as np\nscale = np.sqrt(2) ** np.arange(3)",
        "import math\nn = pow(2, math.ceil(3.5))",
        "def f(x, **more):\n    return f(*x, **more)",
        "tf.app.flags.DEFINE_boolean('train', True, '')",
    ],
)
def test_these_need_graph_mode_alone(body: str) -> None:
    assert switch(body) == "tf.compat.v1.disable_v2_behavior()"


@pytest.mark.parametrize(
    "body",
    [
        "tf.app.flags.DEFINE_boolean('train', True, '')",
        "o = tf.train.AdadeltaOptimizer(0.1)",
        "o = tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1)",
        "w = tf.get_variable('w', [2], initializer=tf.variance_scaling_initializer())",
    ],
)
def test_what_1_12_changed_is_kept_up_to_1_4(body: str) -> None:
    assert switch(body, from_version="1.4") == 'tf2bridge.v1.enable(api="1.4")'
    assert switch(body, from_version="1.12") == "tf.compat.v1.disable_v2_behavior()"


def test_a_program_of_which_it_is_not_known_whether_it_is_of_0x_keeps_what_1_0_changed() -> None:
    mixed = "a = tf.mul(x, x) ** 2\nb = tf.pack([a])\nc = tf.norm(b)\n"
    assert switch(mixed) == 'tf2bridge.v1.enable(api="1.4")'
    assert switch(mixed, from_version="0.12") == 'tf2bridge.v1.enable(api="0.12")'


def test_a_power_in_what_the_program_imports(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(f"import tensorflow as tf\nimport ops\n{GUARD}")
    (tmp_path / "ops.py").write_text("import tensorflow as tf\ndef f(x):\n    return 2.0 ** x\n")
    results = {Path(result.path).name: result for result in check_paths([tmp_path], Settings(select=("TFG",)))}
    changed = results["train.py"]
    assert isinstance(changed, Changed)
    assert b'tf2bridge.v1.enable(api="1.15")' in changed.after


def test_a_file_that_nothing_is_seen_to_import_may_be_part_of_any_program(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "utils").mkdir(parents=True)
    body = "import sys\nimport tensorflow as tf\nsys.path.append('utils')\nimport layers\ntf.set_random_seed(1)\n"
    (tree / "train.py").write_text(f"{body}{GUARD}")
    (tree / "utils/layers.py").write_text(
        "import tensorflow as tf\n\ndef drop(x, keep):\n    return tf.nn.dropout(x, keep)\n"
    )
    for place in (tmp_path / "once", tmp_path / "twice"):
        results = rewrite_tree(tree, place, Settings())
        assert "dropout(x, keep)" in (place / "utils/layers.py").read_text()
        tree = place
    assert not any(isinstance(result, Changed) for result in results)
