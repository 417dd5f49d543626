"""The networks that were published beside slim: what they are made of.

The figures are those of the published definitions (repository tensorflow/models, slim/nets, 2017), run under genuine
TensorFlow 1.15.5 with 1001 classes: variables, all numbers, trained numbers.
"""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from tests import forked


def made(build: str, scope: str = "{}") -> Any:
    """What a program in graph mode prints of the network `build`, made in a scope: its variables, or the error."""
    program = textwrap.dedent(
        """
        import sys
        from tf2bridge import v1 as tf
        tf.enable()
        slim, nets = tf.contrib.slim, tf.contrib.slim.nets
        v4, residual, mobile = nets.inception_v4, nets.inception_resnet_v2, nets.mobilenet_v1

        def numbers(variables):
            return sum(variable.get_shape().num_elements() for variable in variables)

        try:
            with slim.arg_scope(eval(sys.argv[2])):
                net, end_points = eval(sys.argv[1])
            names = [variable.op.name for variable in tf.global_variables()]
            found = [len(names), numbers(tf.global_variables()), numbers(tf.trainable_variables()), names[-1],
                     net.get_shape().as_list(), sorted(end_points)[-1]]
        except ValueError as error:
            found = str(error)
        print("found" + repr(found))
        """
    )
    done = forked.run(program, build, scope)
    _, mark, text = done.stdout.partition("found")
    assert mark, done.stderr[-3000:]
    return eval(text)  # what the program above printed


IMAGES = "tf.zeros([2, 299, 299, 3])"


def test_inception_v4() -> None:
    result = made(f"v4.inception_v4({IMAGES})", "v4.inception_v4_arg_scope()")
    assert result == [608, 46074066, 46009106, "InceptionV4/Logits/Logits/biases", [2, 1001], "global_pool"]


def test_inception_resnet_v2() -> None:
    result = made(f"residual.inception_resnet_v2({IMAGES})", "residual.inception_resnet_v2_arg_scope()")
    last = "InceptionResnetV2/Logits/Logits/biases"
    assert result == [908, 59244594, 59182258, last, [2, 1001], "Predictions"]


def test_mobilenet_v1() -> None:
    result = made("mobile.mobilenet_v1(tf.zeros([2, 224, 224, 3]), 1001)", "mobile.mobilenet_v1_arg_scope()")
    last = "MobilenetV1/Logits/Conv2d_1c_1x1/biases"
    assert result == [137, 4254889, 4233001, last, [2, 1001], "Predictions"]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        ("v4.inception_v4_base(tf.zeros([1, 80, 80, 3]), 'Mixed_9z')", "there is no end point Mixed_9z"),
        ("residual.inception_resnet_v2_base(tf.zeros([1, 80, 80, 3]), output_stride=4)", "it must be 8 or 16"),
        ("mobile.mobilenet_v1(tf.zeros([1, 80]))", "mobilenet_v1 takes [batch, height, width, channels]"),
        ("mobile.mobilenet_v1_base(tf.zeros([1, 80, 80, 3]), depth_multiplier=0)", "greater than zero"),
    ],
)
def test_bad_input_is_told(build: str, message: str) -> None:
    assert message in made(build)
