"""Optimizers of genuine releases in Keras 3: the step after the checkpoint is the one that the release made."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

from tests.tf2bridge.checkpoint import recorded
from tests.tf2bridge.checkpoint.keras_layers import fill, moved, scopes_of, variables_of
from tf2bridge.checkpoint.layers.cells import layer_moves
from tf2bridge.checkpoint.moves import Move, TargetOptimizer
from tf2bridge.checkpoint.optimizers.slots import SlotMoves, slot_moves
from tf2bridge.checkpoint.planning.matching import plan
from tf2bridge.checkpoint.planning.object_targets import of_object
from tf2bridge.checkpoint.planning.plan_data import Question
from tf2bridge.formats.checkpoints.companions import Slot, power_of, slot_of
from tf2bridge.formats.checkpoints.opening import open as opened
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo

optimizers = keras.optimizers


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recorded")


def perceptron(optimizer: Any) -> Any:
    model = keras.Sequential([keras.layers.Dense(5, "relu", name="hidden"), keras.layers.Dense(3, name="logits")])
    model.build((None, 4))
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), run_eagerly=True)
    optimizer.build(model.trainable_variables)
    return model


PLACES = {
    "sequential/hidden/kernel": "hidden/weights",
    "sequential/hidden/bias": "hidden/biases",
    "sequential/logits/kernel": "logits/weights",
    "sequential/logits/bias": "logits/biases",
}


def weights_of(model: Any) -> dict[str, Move]:
    """The moves of the perceptron's variables, whose legacy names say what they are."""
    names = {path.partition("/")[2]: legacy for path, legacy in PLACES.items()}
    return {
        variable.path: Move(variable.path, (names[variable.path.partition("/")[2]],))
        for variable in model.trainable_variables
    }


def slots_of(names: Collection[str]) -> dict[str, Slot]:
    """The slots of a file by their names."""
    return {name: slot for name in names if (slot := slot_of(name, names))}


def mapped(
    checkpoint: Checkpoint, model: Any, moves: dict[str, Move], rate: float | None = None, steps: int | None = None
) -> SlotMoves:
    """What becomes of the slots and counters of a file."""
    target = of_object(model)
    assert target is not None
    tensors = checkpoint.tensors
    slots = {name: (slot.variable, slot.name) for name, slot in slots_of(tensors).items()}
    counters = {name: name for name in tensors if name == "global_step" or power_of(name)}
    return slot_moves(slots, counters, checkpoint, moves, target.optimizer, rate, steps)


def step(model: Any, checkpoint: Checkpoint, moves: dict[str, Move], actual: SlotMoves, inputs: Any) -> None:
    """Gives a model what the moves make of the checkpoint, and trains it for one step."""
    target = of_object(model)
    assert target is not None
    for move in (*moves.values(), *actual.moves):
        target.live[move.target].assign(moved(move, checkpoint))
    model.train_on_batch(inputs["x"], inputs["labels"])


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "mlp_sgd": lambda hyper: optimizers.SGD(hyper["learning_rate"]),
    "mlp_momentum": lambda hyper: optimizers.SGD(hyper["learning_rate"], hyper["momentum"]),
    "mlp_nesterov": lambda hyper: optimizers.SGD(hyper["learning_rate"], hyper["momentum"], nesterov=True),
    "mlp_momentum_decayed": lambda hyper: optimizers.SGD(hyper["learning_rate"], hyper["momentum"]),
    "mlp_adam": lambda hyper: optimizers.Adam(hyper["learning_rate"], hyper["beta1"], hyper["beta2"], hyper["epsilon"]),
    "mlp_adam_no_step": lambda hyper: optimizers.Adam(hyper["learning_rate"], epsilon=1e-8),
    "mlp_lazy_adam": lambda hyper: optimizers.Adam(hyper["learning_rate"], epsilon=1e-8),
    "mlp_rmsprop": lambda hyper: optimizers.RMSprop(hyper["learning_rate"], hyper["decay"], epsilon=1e-10),
    "mlp_rmsprop_momentum": lambda hyper: optimizers.RMSprop(
        hyper["learning_rate"], hyper["decay"], hyper["momentum"], epsilon=1e-10
    ),
    "mlp_rmsprop_centered": lambda hyper: optimizers.RMSprop(
        hyper["learning_rate"], hyper["decay"], hyper["momentum"], epsilon=1e-10, centered=True
    ),
    "mlp_adagrad": lambda hyper: optimizers.Adagrad(hyper["learning_rate"], epsilon=0.0),
    "mlp_adadelta": lambda hyper: optimizers.Adadelta(hyper["learning_rate"], hyper["rho"], hyper["epsilon"]),
    "mlp_ftrl": lambda hyper: optimizers.Ftrl(hyper["learning_rate"]),
    "mlp_ftrl_regularized": lambda hyper: optimizers.Ftrl(
        hyper["learning_rate"],
        l1_regularization_strength=hyper["l1_regularization_strength"],
        l2_regularization_strength=hyper["l2_regularization_strength"],
    ),
    "mlp_adamax": lambda hyper: optimizers.Adamax(hyper["learning_rate"], epsilon=1e-8),
    "mlp_adamw": lambda hyper: optimizers.AdamW(
        hyper["learning_rate"], hyper["weight_decay"] / hyper["learning_rate"], epsilon=1e-8
    ),
    "mlp_momentumw": lambda hyper: optimizers.SGD(
        hyper["learning_rate"], hyper["momentum"], weight_decay=hyper["weight_decay"] / hyper["learning_rate"]
    ),
}


OLD_ADADELTA = ("0.12.1/mlp_adadelta", "1.4.1/mlp_adadelta")


@pytest.mark.parametrize(
    "name", [name for program in OPTIMIZERS for name in recorded.of(program) if name not in OLD_ADADELTA]
)
def test_the_next_step(name: str, folder: Path) -> None:
    trained = recorded.unpacked(name, folder)
    model = perceptron(OPTIMIZERS[name.partition("/")[2]](trained.hyper))
    with opened(trained.prefix) as checkpoint:
        moves = weights_of(model)
        result = mapped(checkpoint, model, moves)
        assert not result.questions
        step(model, checkpoint, moves, result, trained.part("in"))
    after = trained.part("after")
    for path, move in moves.items():
        value = next(variable for variable in model.trainable_variables if variable.path == path)
        np.testing.assert_allclose(value, after[move.sources[0]], rtol=0, atol=1e-6)
    rows = {move.target: move for move in result.moves}
    assert rows[model.optimizer.iterations.path] if "global_step" in after else True
    assert int(model.optimizer.iterations) == 4


@pytest.mark.parametrize("name", OLD_ADADELTA)
def test_the_step_of_an_old_adadelta(name: str, folder: Path) -> None:
    """Their kernel takes the accumulated updates as they are after the step, and all others as they were before."""
    trained = recorded.unpacked(name, folder)
    before, after, hyper = trained.part("saved"), trained.part("after"), trained.hyper
    for place in PLACES.values():
        gradients, updates = (after[f"{place}/{slot}"] for slot in ("Adadelta", "Adadelta_1"))
        rho = hyper["rho"]
        gradient = np.sqrt(np.maximum(0, (gradients - rho * before[f"{place}/Adadelta"]) / (1 - rho)))
        size = np.sqrt((updates + hyper["epsilon"]) / (gradients + hyper["epsilon"])) * gradient
        moved_by = np.abs(after[place] - before[place])
        np.testing.assert_allclose(moved_by, hyper["learning_rate"] * size, rtol=0, atol=1e-6)
    model = perceptron(OPTIMIZERS["mlp_adadelta"](hyper))
    with opened(trained.prefix) as checkpoint:
        result = mapped(checkpoint, model, weights_of(model))
    assert not result.questions
    assert any("1.4 and older" in note for note in result.notes)


@pytest.mark.parametrize("name", recorded.of("mlp_adam"))
def test_each_tensor_has_one_place(name: str, folder: Path) -> None:
    trained = recorded.unpacked(name, folder)
    model = perceptron(optimizers.Adam(0.01, 0.8, 0.99, 1e-6))
    with opened(trained.prefix) as checkpoint:
        moves = weights_of(model)
        result = mapped(checkpoint, model, moves)
        used = [source for move in (*moves.values(), *result.moves) for source in move.sources]
        assert sorted([*used, *result.drops]) == sorted(checkpoint)


CELLS = {"basic_lstm": "basic_lstm_cell", "basic_lstm_forget_bias": "basic_lstm_cell", "gru": "gru_cell"}


@pytest.mark.parametrize("name", [name for program in (*CELLS, "basic_rnn") for name in recorded.of(program)])
def test_the_next_step_of_a_cell(name: str, folder: Path) -> None:
    """The slots have the gates of their variables, and no forget bias."""
    trained = recorded.unpacked(name, folder)
    program = name.partition("/")[2]
    layers = {"gru": lambda: keras.layers.GRU(4, return_sequences=True, reset_after=False)}
    simple = {"basic_rnn": lambda: keras.layers.SimpleRNN(4, return_sequences=True)}
    layer = (layers | simple).get(program, lambda: keras.layers.LSTM(4, return_sequences=True))()
    model = keras.Sequential([layer])
    model.build((None, None, 3))
    rate = trained.hyper["learning_rate"]
    optimizer = optimizers.SGD(rate, 0.9) if "momentum" in trained.hyper else optimizers.Adam(rate, epsilon=1e-8)
    model.compile(optimizer, keras.losses.MeanSquaredError(), run_eagerly=True)
    cell = CELLS.get(program, "basic_rnn_cell")
    with opened(trained.prefix) as checkpoint:
        weights = [item for item in checkpoint if item not in slots_of(checkpoint.tensors)]
        ((scope, roles),) = scopes_of(weights, cell).items()
        shapes = {role: checkpoint.tensors[item].shape for role, item in roles.items()}
        made = layer_moves(scope, shapes, variables_of(layer), _bias(program))
        assert made is not None
        moves = {item.target: _named(item, roles) for item in made}
        result = mapped(checkpoint, model, moves)
        assert not result.questions
        after = {role: trained.part("after")[item] for role, item in roles.items()}
        inputs = trained.part("in")["x"]
        targets = np.full_like(trained.part("out")["sequence"], 0.25)
        step(model, checkpoint, moves, result, {"x": inputs, "labels": targets})
    expected = keras.models.clone_model(model)
    expected.build((None, None, 3))
    again = layer_moves(scope, shapes, variables_of(expected.layers[0]), _bias(program))
    assert again is not None
    fill(expected.layers[0], again, after)
    for mine, theirs in zip(model.get_weights(), expected.get_weights(), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-6)


def _bias(program: str) -> float:
    return 0.25 if program == "basic_lstm_forget_bias" else 1.0


def _named(move: Move, roles: dict[str, str]) -> Move:
    return Move(move.target, tuple(roles[source] for source in move.sources), move.steps)


class Numbers(Checkpoint):
    """A checkpoint of scalars, for what files seldom hold."""

    def __init__(self, **values: Any) -> None:
        self.values_ = {name.replace("__", "/"): np.asarray(value) for name, value in values.items()}
        self.tensors = {
            name: TensorInfo(name, value.shape, value.dtype.name, value.nbytes) for name, value in self.values_.items()
        }

    def __getitem__(self, name: str) -> Any:
        return self.values_[name]

    def pieces(self, name: str) -> Any:
        raise NotImplementedError(name)

    def close(self) -> None:
        pass


def power(beta: float, steps: int) -> Any:
    """beta^(steps+1) as TensorFlow has it after as many steps."""
    result = np.float32(beta)
    for _ in range(steps):
        result = result * np.float32(beta)
    return np.float32(0) if result < np.finfo(np.float32).tiny else result


def counted(given: int | None = None, optimizer: TargetOptimizer | None = None, **values: Any) -> SlotMoves:
    adam = TargetOptimizer("Adam", {"beta_1": 0.9, "beta_2": 0.999, "learning_rate": 0.1}, "adam/iteration")
    checkpoint = Numbers(**values)
    counters = {name: name for name in checkpoint.values_}
    return slot_moves({}, counters, checkpoint, {}, optimizer or adam, None, given)


@pytest.mark.parametrize(
    "steps, source", [(0, "beta2_power"), (3, "beta2_power"), (5000, "beta2_power"), (100_000, "global_step")]
)
def test_steps_by_what_still_tells(steps: int, source: str) -> None:
    """0.9^830 is no normal float, nor is 0.999^87300."""
    powers = {"beta1_power": power(0.9, steps), "beta2_power": power(0.999, steps)}
    result = counted(**powers, global_step=np.int64(steps))
    (move,) = result.moves
    assert move.sources == (source,)
    values = {**powers, "global_step": np.int64(steps)}
    assert int(moved(move, values)) == steps
    assert set(result.drops) == {"beta1_power", "beta2_power", "global_step"} - {source}


@pytest.mark.parametrize(
    "values, message",
    [
        ({"beta2_power": power(0.999, 3), "global_step": np.int64(4)}, "disagree"),
        ({"beta2_power": power(0.999, 3), "beta1_power": power(0.9, 5)}, "disagree"),
        ({"beta2_power": power(0.99, 3), "global_step": np.int64(3)}, "may have had 0.99"),
        ({"beta2_power": np.float32(0.0)}, "no tensor tells"),
        ({}, "no tensor tells"),
        ({"global_step": np.int64(4), "gen__global_step": np.int64(5)}, "disagree"),
    ],
)
def test_steps_that_are_asked_for(values: Any, message: str) -> None:
    result = counted(**values)
    assert not result.moves
    (question,) = result.questions
    assert isinstance(question, Question)
    assert question.name == "adam/iteration"
    assert message in question.why
    assert "iterations=" in question.why
    (move,) = counted(given=7, **values).moves
    assert int(moved(move, {})) == 7


def test_steps_that_only_a_schedule_reads() -> None:
    plain = TargetOptimizer("SGD", {"learning_rate": 0.1}, "sgd/iteration")
    assert "schedule" in counted(optimizer=plain).keeps["sgd/iteration"]
    scheduled = TargetOptimizer("SGD", {"learning_rate": {"class_name": "ExponentialDecay"}}, "sgd/iteration")
    assert counted(optimizer=scheduled).questions


@pytest.mark.parametrize("name", recorded.of("mlp_momentum_decayed")[-1:])
def test_a_schedule_needs_the_learning_rate_of_the_next_step(name: str, folder: Path) -> None:
    trained = recorded.unpacked(name, folder)
    model = perceptron(optimizers.SGD(optimizers.schedules.ExponentialDecay(0.2, 3, 0.5, staircase=True), 0.9))
    with opened(trained.prefix) as checkpoint:
        moves = weights_of(model)
        asked = mapped(checkpoint, model, moves)
        assert {"learning_rate=" in question.why for question in asked.questions} == {True}
        result = mapped(checkpoint, model, moves, rate=0.1)
        assert not result.questions
        assert any("learning rate 0.1, as given" in note for note in result.notes)
        step(model, checkpoint, moves, result, trained.part("in"))
    for path, move in moves.items():
        value = next(variable for variable in model.trainable_variables if variable.path == path)
        np.testing.assert_allclose(value, trained.part("after")[move.sources[0]], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "program, optimizer, message",
    [
        ("mlp_adagrad_da", optimizers.Adagrad, "dual averaging"),
        ("mlp_proximal_adagrad", optimizers.Adagrad, "proximal"),
        ("mlp_addsign", optimizers.SGD, "AddSign"),
        ("mlp_momentum", optimizers.Adam, "Adam of the target does not keep it"),
        ("mlp_adam", optimizers.Nadam, "Nadam of the target does not keep it"),
    ],
)
def test_an_optimizer_that_the_target_has_not(program: str, optimizer: Any, message: str, folder: Path) -> None:
    trained = recorded.unpacked(f"1.15.5/{program}", folder)
    model = perceptron(optimizer())
    with opened(trained.prefix) as checkpoint:
        result = mapped(checkpoint, model, weights_of(model))
        assert {move.target for move in result.moves} <= {model.optimizer.iterations.path}
        dropped = {name: why for name, why in result.drops.items() if name in slots_of(checkpoint.tensors)}
        assert set(dropped) == set(slots_of(checkpoint.tensors))
        assert {message in why for why in dropped.values()} == {True}


def test_slots_of_no_use_without_an_optimizer(folder: Path) -> None:
    trained = recorded.unpacked("1.15.5/mlp_adam", folder)
    model = keras.Sequential([keras.layers.Dense(5, name="hidden"), keras.layers.Dense(3, name="logits")])
    model.build((None, 4))
    with opened(trained.prefix) as checkpoint:
        result = mapped(checkpoint, model, weights_of(model))
        assert not result.moves
        assert set(result.drops) == set(checkpoint) - set(PLACES.values())


def test_a_file_without_slots_leaves_the_optimizer(folder: Path) -> None:
    trained = recorded.unpacked("1.15.5/mlp_sgd", folder)
    model = perceptron(optimizers.Adam())
    with opened(trained.prefix) as checkpoint:
        result = mapped(checkpoint, model, weights_of(model))
    assert not result.moves
    assert not result.questions
    assert len(result.keeps) == 9  # two slots of each variable, and the iterations
    assert any("begins anew" in note for note in result.notes)


def test_a_variable_that_was_not_trained_is_asked_about(folder: Path) -> None:
    trained = recorded.unpacked("1.15.5/mlp_momentum", folder)
    model = perceptron(optimizers.SGD(0.1, 0.9))
    moves = weights_of(model)
    last = model.trainable_variables[-1].path
    moves[last] = Move(last, ("global_step",))
    with opened(trained.prefix) as checkpoint:
        (question,) = mapped(checkpoint, model, moves).questions
    assert "keep=" in question.why


def renamed(checkpoint: Checkpoint, old: str, new: str) -> Numbers:
    """The same checkpoint of a program that named its optimizer."""
    return Numbers(**{name.replace(old, new): checkpoint[name] for name in checkpoint})


def test_slots_that_a_program_named(folder: Path) -> None:
    """The powers tell Adam; a lone slot may be of any optimizer, or an average."""
    with opened(recorded.unpacked("1.15.5/mlp_adam", folder).prefix) as checkpoint:
        named = renamed(checkpoint, "Adam", "Mine")
        model = perceptron(optimizers.Adam(0.01, 0.8, 0.99, 1e-6))
        result = mapped(named, model, weights_of(model))
        assert not result.questions
        rows = {move.target: move for move in result.moves}
        assert len(rows) == 9
        assert {rows[momentum.path].certain for momentum in model.optimizer._momentums} == {False}
    with opened(recorded.unpacked("1.15.5/mlp_momentum", folder).prefix) as checkpoint:
        named = renamed(checkpoint, "Momentum", "second")
        model = perceptron(optimizers.SGD(0.1, 0.9))
        result = mapped(named, model, weights_of(model))
        assert len(result.questions) == 4
        assert {"the program named" in question.why for question in result.questions} == {True}


@pytest.mark.parametrize("name", recorded.of("cudnn_compatible_gru"))
def test_slots_that_another_number_of_biases_has_not(name: str, folder: Path) -> None:
    """Of a GRU as cuDNN computes it, whole through a plan: the kernels have their slots, the biases are asked about."""
    trained = recorded.unpacked(name, folder)
    model = keras.Sequential([keras.layers.GRU(4, return_sequences=True)])
    model.build((None, None, 3))
    model.compile(optimizers.SGD(0.5, 0.9), "mse")
    with opened(trained.prefix) as checkpoint:
        (question,) = plan(checkpoint, model).questions
        assert "bias_momentum" in question.name
        assert "twice the effect" in question.why
        plan(checkpoint, model, keep=[".*bias_momentum"]).apply()
    outputs = np.asarray(model(trained.part("in")["x"]))
    np.testing.assert_allclose(outputs, trained.part("out")["sequence"], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "program, optimizer, dropped",
    [
        ("mlp_momentum", optimizers.SGD, "Momentum are"),
        ("mlp_rmsprop_centered", optimizers.RMSprop, "RMSProp_1, RMSProp_2 are"),
        ("mlp_rmsprop_momentum", lambda: optimizers.RMSprop(0.01, momentum=0.7), ""),
    ],
)
def test_what_an_optimizer_is_made_without_is_noted(program: str, optimizer: Any, dropped: str, folder: Path) -> None:
    model = perceptron(optimizer())
    with opened(recorded.unpacked(f"1.15.5/{program}", folder).prefix) as checkpoint:
        notes = mapped(checkpoint, model, weights_of(model)).notes
    result = [note for note in notes if "dropped" in note]
    assert [dropped in item for item in result] == ([True] if dropped else [])


def test_steps_that_are_given_do_not_hide_another_beta(folder: Path) -> None:
    with opened(recorded.unpacked("1.15.5/mlp_adam", folder).prefix) as checkpoint:
        model = perceptron(optimizers.Adam(0.01))
        result = mapped(checkpoint, model, weights_of(model), steps=3)
    move = next(move for move in result.moves if move.target == model.optimizer.iterations.path)
    assert "no power of beta_2=0.999: the program may have had 0.99" in move.reason


def test_an_optimizer_that_begins_anew_takes_the_steps_that_are_given(folder: Path) -> None:
    with opened(recorded.unpacked("1.15.5/mlp_sgd", folder).prefix) as checkpoint:
        model = perceptron(optimizers.Adam())
        result = mapped(checkpoint, model, weights_of(model), steps=5)
    (move,) = result.moves
    assert int(moved(move, {})) == 5
    assert model.optimizer.iterations.path not in result.keeps


def test_epsilons_that_differ_are_noted(folder: Path) -> None:
    trained = recorded.unpacked("1.15.5/mlp_adagrad", folder)
    model = perceptron(optimizers.Adagrad(0.1))
    with opened(trained.prefix) as checkpoint:
        result = mapped(checkpoint, model, weights_of(model))
    assert "Adagrad has epsilon=1e-07; TF 1.x adds none" in result.notes
