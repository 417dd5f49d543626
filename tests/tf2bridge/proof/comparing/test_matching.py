"""Which tensor is held against which."""

from __future__ import annotations

from tf2bridge.proof.comparing.matching import by_name, by_position, without_scope


def names(*tensors: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(tensors, ())


def test_the_same_name_comes_first_and_a_later_release_s_name_next() -> None:
    old = names("net/RNN/BasicLSTMCell/Linear/Matrix", "w", "gone")
    new = names("w", "net/rnn/basic_lstm_cell/kernel", "new")
    matching = by_name(old, new)
    assert matching.pairs == (("net/RNN/BasicLSTMCell/Linear/Matrix", "net/rnn/basic_lstm_cell/kernel"), ("w", "w"))
    assert (matching.only_a, matching.only_b) == (("gone",), ("new",))
    assert matching.how == {"same name": 1, "name of another release": 1}


def test_what_a_saver_calls_a_variable_is_one_of_its_names() -> None:
    objects = {"model/kernel/.ATTRIBUTES/VARIABLE_VALUE": ("dense/kernel", "model/kernel")}
    assert by_name(names("dense/kernel"), objects).how == {"same variable": 1}
    assert by_name(names("dense/kernel:0"), names("dense/kernel")).how == {"same variable": 1}


def test_what_may_be_several_stays_alone() -> None:
    objects = {"a/.ATTRIBUTES/VARIABLE_VALUE": ("w",), "b/.ATTRIBUTES/VARIABLE_VALUE": ("w",)}
    matching = by_name(names("w"), objects)
    assert not matching.pairs
    assert (matching.only_a, len(matching.only_b)) == (("w",), 2)


def test_parts_of_a_partitioned_variable_are_not_each_other() -> None:
    matching = by_name(names("w/part_0:0", "w/part_1:0"), names("w/part_0", "w/part_1"))
    assert matching.pairs == (("w/part_0:0", "w/part_0"), ("w/part_1:0", "w/part_1"))


def test_by_position_what_is_left_over_stays_alone() -> None:
    matching = by_position(["a", "b", "c"], ["x", "y"])
    assert (matching.pairs, matching.only_a, matching.only_b) == ((("a", "x"), ("b", "y")), ("c",), ())


def test_a_scope_that_one_side_alone_has_is_left_out() -> None:
    keras, plain = (
        names("sequential_5/dense/kernel", "sequential_5/dense/bias"),
        names("dense/kernel", "dense/bias", "x"),
    )
    matching = without_scope(keras, plain)
    assert matching is not None
    assert matching.pairs == (("sequential_5/dense/kernel", "dense/kernel"), ("sequential_5/dense/bias", "dense/bias"))
    assert (matching.only_a, matching.only_b) == ((), ("x",))
    assert matching.how == {"name without the scope sequential_5/ of A": 2}
    other = without_scope(plain, keras)
    assert other is not None
    assert other.how == {"name without the scope sequential_5/ of B": 2}
    nested = without_scope({"key": ("tower_0/model/w:0",)}, names("w"))
    assert nested is not None
    assert (nested.pairs, nested.how) == ((("key", "w"),), {"name without the scope tower_0/model/ of A": 1})


def test_what_does_not_lie_in_one_scope_or_may_lie_in_several_is_not_paired() -> None:
    assert without_scope(names("a/w", "b/v"), names("w", "v")) is None
    assert without_scope(names("model/w", "global_step"), names("w")) is None
    assert without_scope(names("a/a/w"), names("w", "a/w")) is None  # a/w, or w, whichever scope is meant
    assert without_scope(names("one/w"), names("two/w")) is None
