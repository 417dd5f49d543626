"""What AutoGraph converts: the program, and not the package."""

from tensorflow.python.autograph.impl import conversion

import tf2bridge.v1
from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.seq2seq.decoding import dynamic_decode

tf2bridge.v1.enable()


def test_the_package_is_left_as_it_is():
    assert conversion.is_allowlisted(dynamic_decode)
    assert conversion.is_allowlisted(l2_regularizer(0.1))


def test_the_program_is_converted():
    def program(x):
        return x

    assert not conversion.is_allowlisted(program)
