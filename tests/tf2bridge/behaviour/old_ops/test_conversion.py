"""What AutoGraph converts: the program, and not the package."""

import pytest
from tensorflow.python.autograph.impl import conversion

from tf2bridge.behaviour.old_ops.conversion import install
from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.seq2seq.decoder import dynamic_decode
from tf2bridge.patching import PatchSet


@pytest.fixture(autouse=True)
def rule():
    with PatchSet("what is not converted").for_a_while():
        install()
        yield


def test_the_package_is_left_as_it_is():
    assert conversion.is_allowlisted(dynamic_decode)
    assert conversion.is_allowlisted(l2_regularizer(0.1))


def test_the_program_is_converted():
    def program(x):
        return x

    assert not conversion.is_allowlisted(program)
