"""What AutoGraph converts: the program, and not the package."""

from tensorflow.python.autograph.impl import conversion

from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.seq2seq.decoding import dynamic_decode
from tf2bridge.v1.old_ops.conversion import install


def test_the_package_is_left_as_it_is():
    install()
    assert conversion.is_allowlisted(dynamic_decode)
    assert conversion.is_allowlisted(l2_regularizer(0.1))


def test_the_program_is_converted():
    install()

    def program(x):
        return x

    assert not conversion.is_allowlisted(program)
