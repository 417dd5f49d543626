"""The dictionaries of our modules have the names that programs look up in them."""

from __future__ import annotations

import sys
from unittest import mock

import pytest
from tf2bridge.v1.python.ops import array_ops

from tf2bridge import v1


def test_names_are_looked_up_in_the_dictionary_of_a_module() -> None:
    assert vars(v1.contrib.layers)["fully_connected"] is v1.contrib.layers.fully_connected
    assert v1.train.__dict__["AdamOptimizer"] is v1.train.AdamOptimizer
    assert vars(array_ops)["reshape"] is array_ops.reshape
    assert set(dir(v1.contrib.rnn)) <= set(vars(v1.contrib.rnn))


def test_a_name_that_is_not_there_is_an_error_of_dictionaries() -> None:
    assert "nothing" not in vars(v1.train)
    with pytest.raises(KeyError, match="nothing"):
        v1.train.__dict__["nothing"]


def test_asking_for_a_name_loads_no_other() -> None:
    before = set(sys.modules)
    assert "AdamOptimizer" in vars(v1.train)
    assert "QueueRunner" in vars(v1.train)
    assert set(sys.modules) - before <= {name for name in sys.modules if name.startswith("tf2bridge.v1.train")}


def test_what_is_set_there_is_set_in_the_module() -> None:
    with mock.patch.object(v1.contrib.layers, "l2_regularizer", 3):
        assert v1.contrib.layers.l2_regularizer == vars(v1.contrib.layers)["l2_regularizer"] == 3
    assert callable(v1.contrib.layers.l2_regularizer)
