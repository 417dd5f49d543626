"""Which tensor is which variable, told by names, numbers, shapes and the order of creation; and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import keras
import pytest

from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.checkpoint.slim_names import mobilenet_v1, resnet_v1_50, vgg_16
from tests.tf2bridge.checkpoint.written import of_shapes
from tf2bridge import checkpoint
from tf2bridge.checkpoint import Plan, Rule, plan
from tf2bridge.checkpoint.moves import Move
from tf2bridge.checkpoint.planning.refusals import IncompletePlanError, RuleError, ShapeClashError
from tf2bridge.formats.checkpoints.names import modern

Shapes = Mapping[str, Sequence[int]]


def planned(folder: Path, source: Shapes, target: Shapes, **wishes: object) -> Plan:
    return plan(of_shapes(folder, source), target, **wishes)  # type: ignore[arg-type]  # any of PlanOptions


def check_moved(actual: Plan, expected: Mapping[str, str]) -> None:
    assert {move.target: move.sources[0] for move in actual.moves} == expected
    assert actual.complete


def check_asked(actual: Plan, names: Sequence[str]) -> None:
    assert sorted(question.name for question in actual.questions) == sorted(names)
    with pytest.raises(IncompletePlanError, match=names[0].split("/")[0]):
        actual.require_complete()


def test_names_below_another_scope(tmp_path: Path) -> None:
    source = {"net/a/weights": [3, 4], "net/a/biases": [4], "net/b/weights": [3, 4], "net/b/biases": [4]}
    target = {"model/b/kernel": [3, 4], "model/b/bias": [4], "model/a/kernel": [3, 4], "model/a/bias": [4]}
    made_plan = planned(tmp_path, source, target)
    assert all(move.certain for move in made_plan.moves)
    letters = {"kernel": "weights", "bias": "biases"}
    check_moved(made_plan, {f"model/{a}/{k}": f"net/{a}/{v}" for a in "ab" for k, v in letters.items()})


def test_the_names_of_012_are_those_of_today(tmp_path: Path) -> None:
    old, new = "RNN/GRUCell/{}/Linear/{}", "rnn/gru_cell/{}/{}"
    source = {old.format(part, "Matrix"): [4, 4] for part in ("Gates", "Candidate")}
    source |= {old.format(part, "Bias"): [4] for part in ("Gates", "Candidate")}
    target = {new.format(part, "kernel"): [4, 4] for part in ("gates", "candidate")}
    target |= {new.format(part, "bias"): [4] for part in ("gates", "candidate")}
    check_moved(planned(tmp_path, source, target), dict(zip(target, source, strict=True)))


def test_numbers_that_do_not_begin_alike_go_by_their_order(tmp_path: Path) -> None:
    source = {f"conv{n}/weights": [3, 3, 8, 8] for n in (1, 2, 3)}
    target = {f"conv2d{n}/kernel": [3, 3, 8, 8] for n in ("", "_1", "_2")}
    made_plan = planned(tmp_path, source, target)
    check_moved(made_plan, dict(zip(target, source, strict=True)))
    assert not any(move.certain for move in made_plan.moves)


def test_equal_names_whose_numbers_are_shifted_are_not_the_same(tmp_path: Path) -> None:
    """Keras numbers the layers of a second model of a process on: its dense_1 is the first of that model."""
    source = {f"dense{n}/kernel": [4, 4] for n in ("", "_1", "_2")}
    target = {f"dense{n}/kernel": [4, 4] for n in ("_1", "_2", "_3")}
    check_moved(planned(tmp_path, source, target), {
        "dense_1/kernel": "dense/kernel", "dense_2/kernel": "dense_1/kernel", "dense_3/kernel": "dense_2/kernel",
    })  # fmt: skip


def test_a_part_of_a_larger_model_keeps_its_numbers(tmp_path: Path) -> None:
    source = {f"layer_{n}/kernel": [4, 4] for n in range(4)}
    target = {f"layer_{n}/kernel": [4, 4] for n in range(2)}
    made_plan = planned(tmp_path, source, target, drop=[r"layer_[23]/kernel"])
    check_moved(made_plan, {f"layer_{n}/kernel": f"layer_{n}/kernel" for n in range(2)})


def test_rows_of_a_transformer_that_are_called_otherwise(tmp_path: Path) -> None:
    words = {"query": "query_proj", "key": "key_proj", "value": "value_proj"}
    parts = {f"attention/self/{old}": f"mha/{new}" for old, new in words.items()}
    source = {f"bert/encoder/layer_{n}/{part}/kernel": [6, 6] for n in range(12) for part in parts}
    target = {f"blocks/{n}/{part}/kernel": [6, 6] for n in range(12) for part in parts.values()}
    check_moved(planned(tmp_path, source, target), dict(zip(target, source, strict=True)))


def test_names_that_contradict_are_asked_about(tmp_path: Path) -> None:
    source = {"encoder/dense/kernel": [4, 4], "decoder/out/kernel": [4, 4]}
    target = {"decoder/dense/kernel": [4, 4], "encoder/last/kernel": [4, 4]}
    check_asked(planned(tmp_path, source, target), [*source, *target])


def test_equal_shapes_without_any_word_in_common_are_asked_about(tmp_path: Path) -> None:
    made_plan = planned(tmp_path, {"alpha/u": [4, 4], "omega/v": [4, 4]}, {"p/x": [4, 4], "q/y": [4, 4]})
    check_asked(made_plan, ["alpha/u", "omega/v", "p/x", "q/y"])
    assert set(made_plan.questions[0].candidates) == {"alpha/u", "omega/v"}


def test_the_order_of_creation_settles_what_names_do_not(tmp_path: Path) -> None:
    source = {"zeta/w": [4, 4], "beta/w": [4, 4], "mid/w": [4, 2]}
    target = {"p/x": [4, 4], "q/y": [4, 2], "r/z": [4, 4]}
    made_plan = planned(tmp_path, source, target, created=["zeta/w", "mid/w", "beta/w"])
    check_moved(made_plan, {"p/x": "zeta/w", "q/y": "mid/w", "r/z": "beta/w"})
    assert [move.certain for move in made_plan.moves] == [False, False, False]


def test_another_order_of_shapes_settles_nothing(tmp_path: Path) -> None:
    source = {"zeta/w": [4, 4], "beta/w": [4, 4], "mid/w": [4, 2], "end/w": [4, 2]}
    target = {"p/x": [4, 4], "q/y": [4, 2], "r/z": [4, 4], "s/u": [4, 2]}
    made_plan = planned(tmp_path, source, target, created=["zeta/w", "beta/w", "mid/w", "end/w"])
    assert not made_plan.moves
    assert len(made_plan.questions) == 8


def test_an_order_in_which_numbers_disagree_settles_nothing(tmp_path: Path) -> None:
    """Two stacks of layers, which one program makes one after the other and the other in turns."""
    source = {f"{part}/dense_{n}/w": [4, 4] for part in ("alpha", "omega") for n in (1, 2)}
    target = {f"{part}/dense_{n}/kernel": [4, 4] for n in (1, 2) for part in ("left", "right")}
    made_plan = planned(tmp_path, source, target, created=list(source))
    assert not made_plan.moves


def test_a_word_of_one_side_that_tells_layers_apart_is_not_passed_over(tmp_path: Path) -> None:
    """As the depthwise convolutions of a MobileNet beside its plain one: conv1_bn is not of Conv2d_1_depthwise."""
    source = {f"Conv2d_{name}/BatchNorm/gamma": [8] for name in ("0", "1_depthwise", "1_pointwise")}
    target = {f"{name}_bn/gamma": [8] for name in ("conv1", "conv_aa_1", "conv_bb_1")}
    made_plan = planned(tmp_path, source, target)
    assert not any(move.certain for move in made_plan.moves)
    assert made_plan.questions


@pytest.mark.parametrize("name", ["VGG16", "ResNet50", "MobileNet"])
def test_public_models_of_slim_into_those_of_keras(name: str, tmp_path: Path) -> None:
    """The names and shapes of slim's published checkpoints (its nets vgg.py, resnet_v1.py, mobilenet_v1.py)."""
    model = getattr(keras.applications, name)(weights=None, include_top=name != "VGG16")
    source, expected = {"VGG16": vgg_16, "ResNet50": resnet_v1_50, "MobileNet": mobilenet_v1}[name]()
    made_plan = plan(of_shapes(tmp_path, source), model)
    assert made_plan.complete
    for move in made_plan.moves:
        for tensor in move.sources:
            assert move.target.rpartition("/")[0] == expected[tensor.rpartition("/")[0]]


def test_a_word_for_word_name_of_another_shape_says_why(tmp_path: Path) -> None:
    source = {"logits/weights": [4, 1001], "logits/biases": [1001], "conv/weights": [8, 4]}
    target = {"logits/kernel": [4, 10], "logits/bias": [10], "conv/kernel": [4, 8]}
    by_name = {question.name: question.why for question in planned(tmp_path, source, target).questions}
    assert "the shape [4, 1001], not [4, 10]: another number of outputs" in by_name["logits/kernel"]
    assert "[8, 4], not [4, 8]: transposed" in by_name["conv/kernel"]


def test_what_was_made_twice_is_named_beside_its_twin(tmp_path: Path) -> None:
    made_plan = planned(tmp_path, {"x": [3], "x_1": [3]}, {"x": [3]})
    check_asked(made_plan, ["x_1"])
    assert "its twin 'x'" in made_plan.questions[0].why


def test_rules_come_first_and_rename_for_the_rest(tmp_path: Path) -> None:
    source = {"old/a/w": [3, 3], "old/b/w": [3, 3]}
    target = {"new/b/kernel": [3, 3], "new/a/kernel": [3, 3]}
    swapped = planned(
        tmp_path, source, target, rules=[Rule("old/a/w", "new/b/kernel"), Rule("old/b/w", "new/a/kernel")]
    )
    check_moved(swapped, {"new/b/kernel": "old/a/w", "new/a/kernel": "old/b/w"})
    renamed = planned(tmp_path, source, target, rules=[(r"old/(.*)", r"deep/\1")])
    check_moved(renamed, {"new/a/kernel": "old/a/w", "new/b/kernel": "old/b/w"})


@pytest.mark.parametrize("wish", [{"drop": ["nothing.*"]}, {"keep": ["nothing"]}, {"rules": [("(", "x")]}])
def test_a_pattern_that_cannot_be_followed(wish: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="rule"):
        planned(tmp_path, {"a/w": [2]}, {"a/w": [2]}, **wish)


def test_averages_or_raw_values(tmp_path: Path) -> None:
    source = {"a/weights": [3], "a/weights/ExponentialMovingAverage": [3], "global_step": []}
    raw = planned(tmp_path, source, {"a/kernel": [3]})
    check_moved(raw, {"a/kernel": "a/weights"})
    assert set(raw.drops) == {"a/weights/ExponentialMovingAverage", "global_step"}
    averaged = planned(tmp_path, source, {"a/kernel": [3]}, averages=True)
    check_moved(averaged, {"a/kernel": "a/weights/ExponentialMovingAverage"})
    assert set(averaged.drops) == {"a/weights", "global_step"}


def test_slots_and_counters_go_into_a_graph_of_another_release(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A checkpoint of 0.12.1 into the graph that 1.15.5 made of the same program."""
    old, new = (
        recorded.unpacked(f"{name}/basic_lstm", tmp_path_factory.getbasetemp()) for name in ("0.12.1", "1.15.5")
    )
    with checkpoint.open(old.prefix) as source, checkpoint.open(new.prefix) as theirs:
        made_plan = plan(source, f"{new.prefix}.meta")
        assert {move.target for move in made_plan.moves} == set(theirs)
        assert made_plan.complete
        for move in made_plan.moves:
            assert source.tensors[move.sources[0]].shape == theirs.tensors[move.target].shape
            assert modern(move.sources[0]) == move.target or move.target in ("global_step", *modern_slots(move))


def modern_slots(move: Move) -> tuple[str, str]:
    """What the slot that a move takes is called today."""
    variable, _, slot = move.sources[0].rpartition("/")
    return f"{modern(variable)}/{slot}", move.sources[0]


def test_slots_are_dropped_by_name_where_the_target_has_no_optimizer(tmp_path: Path) -> None:
    source = {"a/weights": [3], "a/weights/Adam": [3], "a/weights/Adam_1": [3], "beta1_power": [], "beta2_power": []}
    made_plan = planned(tmp_path, source, {"a/kernel": [3]})
    check_moved(made_plan, {"a/kernel": "a/weights"})
    assert set(made_plan.drops) == source.keys() - {"a/weights"}


def test_a_rule_to_another_shape_says_both(tmp_path: Path) -> None:
    with pytest.raises(ShapeClashError, match=r"a/w .*\[3, 4\].* b/kernel takes \[4, 3\].*transposed"):
        planned(tmp_path, {"a/w": [3, 4]}, {"b/kernel": [4, 3]}, rules=[("a/w", "b/kernel")])


def test_two_rules_to_one_variable(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"'a/w' and 'b/w' would both become 'c/kernel'"):
        planned(tmp_path, {"a/w": [3], "b/w": [3]}, {"c/kernel": [3]}, rules=[("./w", "c/kernel")])


def test_a_rule_that_gives_a_name_another_tensor_has(tmp_path: Path) -> None:
    shapes = {"a/weights": [3], "b/weights": [3]}
    with pytest.raises(RuleError, match=r"'b/weights' and 'a/weights' would both be called 'b/weights'"):
        planned(tmp_path, shapes, {"a/kernel": [3], "b/kernel": [3]}, rules=[(r"a/(.*)", r"b/\1")])


def test_the_scope_of_a_tower_goes(tmp_path: Path) -> None:
    source = {f"tower_{n}/{name}/weights": [4, 4] for n in (0, 1) for name in ("a", "b")}
    target = {"net/a/kernel": [4, 4], "net/b/kernel": [4, 4]}
    of_both = planned(tmp_path, source, target)
    assert not of_both.moves  # each tower has values of its own: which are meant is for a person to say
    made_plan = planned(tmp_path, source, target, drop=["tower_1/.*"])
    check_moved(made_plan, {f"net/{name}/kernel": f"tower_0/{name}/weights" for name in "ab"})
