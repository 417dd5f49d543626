"""Variables that were renamed between releases, each pair as genuine releases wrote it."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import pytest

from tf2bridge.formats.checkpoints.companions import Slot, bookkeeping, power_of, shadow_of, slot_of
from tf2bridge.formats.checkpoints.names import (
    RENAMES,
    WORDS,
    modern,
    modern_names,
    plain,
    role,
    same_variable,
    twins,
)

FIXTURES = Path(__file__).parents[4] / "fixtures"
NAMES = {
    release: json.loads((FIXTURES / "variable_names" / f"{release}.json").read_text())
    for release in ("0.12.1", "1.4.1", "1.12.3", "1.15.5")
}
"""Release -> model -> name of each variable -> its shape, by fixtures/variable_names.py."""

OTHERWISE = {
    "averages": "0.12 takes off the bias of an average of a tensor",
    "optimizers in scopes": "0.12 puts a slot into the name scope of its optimizer",
    "contrib renorm": "the weights of both averages are gone in 1.15",
    "renorm": "the weights of both averages are gone in 1.15",
    "keras both ways": "Keras numbers the layers in 1.4",
}
"""Models that have other variables in 1.15, and so names that no rule makes of the old ones."""
SAME = [
    (release, model)
    for release in ("0.12.1", "1.4.1", "1.12.3")
    for model in NAMES[release]
    if model in NAMES["1.15.5"] and model not in OTHERWISE
]


@pytest.mark.parametrize("release, model", SAME)
def test_the_names_of_1_15(release: str, model: str) -> None:
    assert sorted(modern_names(NAMES[release][model]).values()) == sorted(NAMES["1.15.5"][model])


@pytest.mark.parametrize("release", NAMES)
@pytest.mark.parametrize("model", sorted(NAMES["1.15.5"]))
def test_modern_names_stay(release: str, model: str) -> None:
    names = NAMES["1.15.5"][model]
    assert modern_names(names) == {name: name for name in names}
    old = NAMES[release].get(model, {})
    assert [modern(name) for name in modern_names(old).values()] == list(modern_names(old).values())


@pytest.mark.parametrize(
    "legacy, newest",
    [
        ("RNN/BasicLSTMCell/Linear/Matrix", "rnn/basic_lstm_cell/kernel"),
        (
            "rnnlm/RNN/MultiRNNCell/Cell1/BasicLSTMCell/Linear/Bias",
            "rnnlm/rnn/multi_rnn_cell/cell_1/basic_lstm_cell/bias",
        ),
        ("RNN/GRUCell/Gates/Linear/Matrix", "rnn/gru_cell/gates/kernel"),
        ("RNN/LSTMCell/W_F_diag", "rnn/lstm_cell/w_f_diag"),
        ("RNN/LSTMCell/W_P_0", "rnn/lstm_cell/projection/kernel"),
        ("BiRNN/FW/BasicLSTMCell/Linear/Matrix", "bidirectional_rnn/fw/basic_lstm_cell/kernel"),
        ("rnn/basic_lstm_cell/weights", "rnn/basic_lstm_cell/kernel"),
        ("rnn/gru_cell/candidate/biases", "rnn/gru_cell/candidate/bias"),
        ("RNN/BasicLSTMCell/Linear/Matrix/Adam_1", "rnn/basic_lstm_cell/kernel/Adam_1"),
        ("lstm_block_wrapper/weights", "lstm_fused_cell/kernel"),
        ("attention_decoder/Attention_0/weights", "attention_decoder/Attention_0/kernel"),
    ],
)
def test_renamed(legacy: str, newest: str) -> None:
    assert modern(legacy) == newest
    assert same_variable(legacy, newest)


@pytest.mark.parametrize(
    "name",
    [
        "weights",
        "layer1/biases",
        "MyRNN/kernel",
        "conv1/weights/Momentum",
        "Cell/x",
        "RNNs/w",
        "GRUCell/mine",
        "Linear/w",
    ],
)
def test_other_names_stay(name: str) -> None:
    assert modern(name) == name


def test_a_name_that_no_rule_is_for_is_told_soon() -> None:
    """The words that tell are in every pattern."""
    for pattern, _ in RENAMES:
        assert any(word in pattern for word in WORDS), pattern


def test_different_variables_stay_different() -> None:
    assert not same_variable("RNN/BasicLSTMCell/Linear/Matrix", "rnn/basic_lstm_cell/bias")
    both = ["RNN/BasicLSTMCell/Linear/Matrix", "rnn/basic_lstm_cell/kernel"]
    assert modern_names(both) == {name: name for name in both}


@pytest.mark.parametrize("release", NAMES)
def test_what_each_variable_of_a_layer_is(release: str) -> None:
    """Keras's words for what contrib, tf.layers and Keras of the time made."""
    expected = {
        "contrib conv": {"kernel", "beta", "moving_mean", "moving_variance"},
        "contrib scale": {"gamma", "beta", "moving_mean", "moving_variance"},
        "contrib separable": {"depthwise_kernel", "pointwise_kernel", "bias"},
        "contrib dense": {"kernel", "bias"},
        "contrib layer norm": {"gamma", "beta"},
        "contrib embedding": {"embeddings"},
        "contrib bias": {"bias"},
        "conv and norm": {"kernel", "bias", "gamma", "beta", "moving_mean", "moving_variance"},
        "separable": {"depthwise_kernel", "pointwise_kernel", "bias"},
        "keras depthwise": {"depthwise_kernel", "bias"},
        "keras embedding": {"embeddings"},
        "keras gru": {"kernel", "recurrent_kernel", "bias"},
        "BasicLSTMCell": {"kernel", "bias"},
    }
    for model, roles in expected.items():
        if model in NAMES[release]:
            assert {role(name) for name in NAMES[release][model]} == roles, model


def test_roles_of_hand_written_names() -> None:
    assert role("layer/w:0") == "kernel"
    assert role("layer/b") == "bias"
    assert role("ln/b", ["ln/g", "ln/b"]) == "beta"
    assert role("table") == ""


def test_parts_and_tensors() -> None:
    assert plain("a/w/part_10:0") == "a/w"
    assert plain("a/w/part_1/Adam") == "a/w/Adam"
    assert plain("a/part_of/w_0") == "a/part_of/w_0"


def test_twins() -> None:
    assert twins("conv_1/weights_2") == ("conv/weights_2", "conv_1/weights")
    assert twins("conv/weights") == ()


def slots_of(names: Collection[str]) -> dict[str, Slot]:
    """The slots of a file by their names."""
    return {name: slot for name in names if (slot := slot_of(name, names))}


OPTIMIZERS = sorted(model for model in NAMES["1.15.5"] if model.startswith("optimizer "))


@pytest.mark.parametrize("release", NAMES)
@pytest.mark.parametrize("model", [model for model in OPTIMIZERS if "GGT" not in model])
def test_slots(release: str, model: str) -> None:
    """All variables but the weights and the powers are slots of the weights; GGT keeps its state under no name of w."""
    names = NAMES[release].get(model, {})
    others = {name for name in names if name != "scope/w" and not power_of(name)}
    assert set(slots_of(names)) == others
    assert {slot.variable for slot in slots_of(names).values()} == ({"scope/w"} if others else set())


@pytest.mark.parametrize("release", NAMES)
def test_slots_of_optimizers_in_scopes(release: str) -> None:
    names = NAMES[release]["optimizers in scopes"]
    result = slots_of(names)
    assert {slot.variable for slot in result.values()} == {"w"}
    assert set(result) == {name for name in names if name != "w" and not power_of(name)}
    assert result["second/w/Mine_1"] == ("w", "Mine_1")


@pytest.mark.parametrize("release", NAMES)
def test_no_slots_where_no_optimizer_was(release: str) -> None:
    """But for an average that a program named: nothing tells it from the one slot of an optimizer of that name."""
    for model, names in NAMES[release].items():
        if not model.startswith(("optimizer", "averages")):
            assert not slots_of(names), model


def test_a_slot_whose_variable_is_not_in_the_file() -> None:
    assert slot_of("a/w/Adam", []) == ("a/w", "Adam")
    assert slot_of("a/w/Mine", []) is None
    assert slot_of("w/Mine", {"w": (2,), "w/Mine": (3,)}) is None
    assert slot_of("w/Mine", {"w": (2,), "w/Mine": (2,)}) == ("w", "Mine")


@pytest.mark.parametrize("release", NAMES)
def test_averages(release: str) -> None:
    names = NAMES[release]["averages"]
    assert shadow_of("s/w/ExponentialMovingAverage", names) == "s/w"
    assert shadow_of("s/w", names) is None
    assert shadow_of("train/s/w/ExponentialMovingAverage", names) == "s/w"
    assert shadow_of("absent/ExponentialMovingAverage", names) == "absent"
    assert all(bookkeeping(name) for name in names if name.endswith(("/biased", "/local_step")))


def test_powers() -> None:
    assert power_of("beta1_power") == ("beta1_power", "/")
    assert power_of("gen/beta2_power_1") == ("beta2_power", "gen/_1")
    assert power_of("beta_power") is None
    assert bookkeeping("gen/beta2_power_1")
    assert not bookkeeping("layer/beta")
