"""`tf.enable` switches the process to graph mode and to the ways of one release."""

from __future__ import annotations

import pytest

from tests import forked
from tf2bridge.behaviour.release import parse
from tf2bridge.errors import UnknownReleaseError


def check_runs(code: str) -> None:
    done = forked.run(code)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("asked", "measured"),
    [
        ("0.12", "0.12.1"),
        ("1.0", "0.12.1"),
        ("1.4.0", "1.4.1"),
        ("1.11", "1.4.1"),
        ("1.13.2", "1.12.3"),
        ("1.15.5", "1.15.5"),
    ],
)
def test_a_release_follows_the_nearest_measured_one_that_is_not_later(asked: str, measured: str) -> None:
    assert parse(asked).measured == measured


@pytest.mark.parametrize("asked", ["0.11", "1.16", "2.0", "1", "", "one", "1.4.x"])
def test_an_unknown_release_is_refused(asked: str) -> None:
    with pytest.raises(UnknownReleaseError, match=r"use one of 0\.12\.1, 1\.4\.1"):
        parse(asked)


def test_enable_switches_v2_behavior_off_as_a_whole() -> None:
    check_runs(
        "from tf2bridge import v1 as tf\n"
        "tf.enable(api='1.4')\n"
        "tf.enable(api='1.4')\n"
        "assert not tf.executing_eagerly() and not tf.resource_variables_enabled()\n"
        "assert tf.placeholder(tf.float32, [None, 3]).shape[1].value == 3\n"
        "assert tf.__version__ == tf.VERSION == '1.4.1'"
    )


@pytest.mark.parametrize(("asked", "version"), [("1.8", "1.8.0"), ("1.13.1", "1.13.1"), ("0.12", "0.12.1")])
def test_programs_see_the_version_that_was_asked_for(asked: str, version: str) -> None:
    assert parse(asked).version == version


def test_enable_for_another_release_replaces_the_first() -> None:
    check_runs(
        "from tf2bridge import v0, v1\n"
        "v0.enable()\n"
        "session = v1.Session()\n"
        "assert session.run(v1.constant(-7) // 2) == -3\n"
        "v1.enable(api='1.15')\n"
        "assert session.run(v1.constant(-7) // 2) == -4\n"
        "assert v1.__version__ == '1.15.5'"
    )


def test_v0_is_for_0_12_only() -> None:
    from tf2bridge import v0

    with pytest.raises(UnknownReleaseError):
        v0.enable("1.4")


def test_functions_show_the_parameters_that_they_had_in_1_15() -> None:
    # As `inspect.getfullargspec` of genuine 1.15.5 has them: (args, defaults), and no annotations.
    check_runs(
        "import inspect\n"
        "import tensorflow\n"
        "from tf2bridge import v1 as tf\n"
        "tf.enable()\n"
        "for function, expected in (\n"
        "    (tf.greater, (['x', 'y', 'name'], (None,))),\n"
        "    (tf.square, (['x', 'name'], (None,))),\n"
        "    (tensorflow.compat.v2.ones, (['shape', 'dtype', 'name'], (tf.float32, None))),\n"
        "    (tensorflow.compat.v2.size, (['input', 'out_type', 'name'], (tf.int32, None))),\n"
        "):\n"
        "    shown = inspect.getfullargspec(function)\n"
        "    assert (shown.args, shown.defaults, shown.annotations) == (*expected, {}), shown\n"
        "with tf.Session() as session:\n"
        "    assert session.run(tensorflow.compat.v2.ones([2], layout=None)).tolist() == [1, 1]\n"
    )


def test_a_second_release_is_a_warning_that_names_both_places() -> None:
    check_runs(
        "import warnings\n"
        "from tf2bridge import v0, v1\n"
        "v1.enable(api='1.4')\n"
        "with warnings.catch_warnings(record=True) as said:\n"
        "    warnings.simplefilter('always')\n"
        "    v1.enable(api='1.4')\n"
        "    v0.enable()\n"
        "texts = [str(row.message) for row in said if row.category.__name__ == 'SecondReleaseWarning']\n"
        "assert len(texts) == 1, texts\n"
        "assert ':7 enables TensorFlow 0.12' in texts[0] and ':3 has enabled 1.4' in texts[0], texts\n"
    )
