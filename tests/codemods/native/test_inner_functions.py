"""Functions inside the function that trains: those that build stand at their calls, and those that feed stay."""

from __future__ import annotations

import pytest

from codemods.engine import check_text
from codemods.native.refusals import NotNativeError
from codemods.native.run_options import without_run_options
from codemods.results import Changed
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import HEAD, MODEL, native, run

TRAIN = """
def train():
    x = tf.placeholder(tf.float32, [None, 2])
    scale = 2.0

    def weight(shape):
        return tf.Variable(tf.ones(shape))

    def layer(values, size):
        w = weight([2, size])
        return tf.matmul(values, w) * scale

    h = layer(x, 2)
    y = layer(h, 1)

    def feeds(size):
        rows = np.ones([size, 2])
        return {x: rows}

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, feed_dict=feeds(3)).ravel(), y_of(sess))


def y_of(sess):
    return 1


train()
"""
OPTIONS = """
writer = tf.summary.FileWriter('logs')
options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
metadata = tf.RunMetadata()
print(sess.run(y, {x: data}, options=options, run_metadata=metadata).sum())
writer.add_run_metadata(metadata, 'step')
"""


def test_inner_functions_that_build_stand_at_their_calls() -> None:
    text = native(HEAD + TRAIN).text
    assert "def layer" not in text
    assert "y(**feeds(3))" in text
    assert "return {'x': rows}" in text
    assert run(text) == "[16. 16. 16.] 1\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("feeds(3))", "dict(feeds(3)))"),
        ("return {x: rows}", "return {x: rows} if size else {}"),
        ("def feeds(size):", "def feeds(size, x=x):"),
        ("        rows = ", "        if size > 9:\n            return {}\n        rows = "),
        ("    with tf.Session", "    print(feeds(2))\n    with tf.Session"),
    ],
)
def test_a_function_whose_feeds_are_not_certain_is_refused(old: str, new: str) -> None:
    assert old in TRAIN
    with pytest.raises(NotNativeError):
        native(HEAD + TRAIN.replace(old, new))


def test_options_of_a_run_that_change_no_number_go_with_a_note() -> None:
    made = native(HEAD + MODEL + OPTIONS)
    assert "# metadata = tf.RunMetadata()" in made.text
    assert "# writer.add_run_metadata(metadata, 'step')" in made.text
    assert "print(y(data).numpy().sum())" in made.text
    result = check_text(HEAD + MODEL + OPTIONS, "train.py", Settings())
    assert isinstance(result, Changed)
    first = result.after.decode().splitlines().index("metadata = tf.compat.v1.RunMetadata()")
    assert [number for number, _ in made.shown] == [first, first + 1, first + 3]


@pytest.mark.parametrize(
    "more",
    [
        "print(metadata.step_stats)\n",
        "sess.run(y, {x: data}, options=tf.RunOptions(timeout_in_ms=3))\n",
        "sess.run(options=tf.RunOptions(), fetches=y, feed_dict={x: data})\n",
        "keep(metadata)\n",
    ],
)
def test_options_of_a_run_that_are_used_otherwise_stay(more: str) -> None:
    text = HEAD + MODEL + OPTIONS + more
    assert without_run_options(text) == (text, ())
    with pytest.raises(NotNativeError):
        native(text)


def test_several_lines_of_a_call_keep_the_numbers_of_what_follows() -> None:
    text = "import tensorflow as tf\nm = tf.RunMetadata()\nsess.run(y,\n         {x: 1},\n  run_metadata=m)\nz = 1\n"
    made, lines = without_run_options(text)
    assert made == "import tensorflow as tf\n# m = tf.RunMetadata()\nsess.run(y,\n         {x: 1})\n\nz = 1\n"
    assert lines == (2,)


def test_values_that_only_summaries_have_are_those_before_the_step() -> None:
    summary = "m = tf.reduce_mean(w)\ntf.summary.scalar('of_w', m)\nmerged = tf.summary.merge_all()\n"
    text = HEAD + MODEL.replace("sess = ", summary + "sess = ") + "s, _ = sess.run([merged, train_op], {x: data})\n"
    made = native(text)
    assert [why for _, why in made.notes if "summaries of variables" in why]
    with pytest.raises(NotNativeError, match="before or after the step"):
        native(text.replace("s, _ = sess.run([merged, ", "s, _, _ = sess.run([merged, m, "))


@pytest.mark.parametrize(
    ("images", "key"),
    [
        ("tf.summary.image('rows', z)", "\"images\", 'in/rows/image'"),
        ("tf.summary.image('rows', z, max_outputs=1)", "\"image\", 'in/rows/image'"),
        ("tf.image_summary('rows', z, max_images=2)", "\"images\", 'rows/image'"),
    ],
)
def test_images_have_the_tags_that_they_had(images: str, key: str) -> None:
    summary = f"with tf.name_scope('in'):\n    z = tf.reshape(x, [-1, 1, 2, 1])\n    {images}\n"
    text = HEAD + MODEL.replace("sess = ", summary + "merged = tf.summary.merge_all()\nsess = ")
    if "image_summary" in images:
        text = text.replace("tf.summary.merge_all", "tf.merge_all_summaries")
    lines = "writer = tf.summary.FileWriter('logs')\nwriter.add_summary(sess.run(merged, {x: data}), 1)\n"
    assert f"summaries[{key}] = scaled_images(z, " in native(text + lines).text


@pytest.mark.parametrize("options", [", max_outputs=n", ", collections=['a']"])
def test_images_with_other_options_are_refused(options: str) -> None:
    summary = f"n = len('ab')\ntf.summary.image('z', tf.reshape(x, [-1, 1, 2, 1]){options})\n"
    text = HEAD + MODEL.replace("sess = ", summary + "merged = tf.summary.merge_all()\nsess = ")
    with pytest.raises(NotNativeError):
        native(text + "sess.run(merged, {x: data})\n")


DEFAULTS = """
def train():
    with tf.Graph().as_default():
        sess = tf.Session()
        with sess.as_default():
            x = tf.placeholder(tf.float32, [None, 2])
            step = tf.Variable(0, name='step', trainable=False)
            w = tf.Variable(tf.ones([2]), name='w')
            loss = tf.reduce_sum(x * w)
            train_op = tf.train.GradientDescentOptimizer(0.5).minimize(loss, global_step=step)
            saver = tf.train.Saver()
            sess.run(tf.global_variables_initializer())

            def train_step(rows):
                _, number, value = sess.run([train_op, step, loss], {x: rows})
                print(number, value)

            for _ in range(2):
                train_step(np.ones([1, 2]))


train()
"""


def test_a_function_inside_a_session_of_the_function_round_it_makes_steps() -> None:
    assert run(native(HEAD + DEFAULTS).text) == "1 2.0\n2 1.0\n"
