"""A plan as a file: written, read, changed by a person, applied; and what an edit may break."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.tf2bridge.checkpoint.written import of_shapes, written
from tf2bridge.checkpoint import Plan, load_plan, plan
from tf2bridge.checkpoint.planning.refusals import (
    IncompletePlanError,
    MissingTensorError,
    NotANumberError,
    NotLiveError,
    OtherTargetError,
    PlanFileError,
    ShapeClashError,
)
from tf2bridge.errors import NoSuchFileError


def saved(folder: Path, target: dict[str, list[int]] | None = None) -> Path:
    """The plan of four tensors, of which two are not settled."""
    source = of_shapes(folder, {"a/weights": [2, 3], "a/biases": [3], "é h/w": [4, 4], "omega/v": [4, 4]})
    made_plan = plan(source, target or {"m/a/kernel": [2, 3], "m/a/bias": [3], "p/x": [4, 4], "q/y": [4, 4]})
    made_plan.save(folder / "plan.toml")
    return folder / "plan.toml"


def test_what_is_read_is_what_was_made(tmp_path: Path) -> None:
    result = load_plan(saved(tmp_path))
    made = plan(of_shapes(tmp_path, {"a/weights": [2, 3], "a/biases": [3], "é h/w": [4, 4], "omega/v": [4, 4]}),
                {"m/a/kernel": [2, 3], "m/a/bias": [3], "p/x": [4, 4], "q/y": [4, 4]})  # fmt: skip
    assert (result.moves, result.questions, result.drops) == (made.moves, made.questions, made.drops)
    assert not result.complete


def answered(path: Path) -> str:
    """The text with the questions answered by hand: one tensor turned round, the other dropped."""
    text = path.read_text("utf-8")
    begin, end = text.index("\n[[question]]"), text.index("\n[[move]]")
    by_hand = '\n[[move]]\ntarget = "p/x"\nfrom = "é h/w"\nsteps = [{ kind = "transpose", axes = [1, 0] }]\n'
    tables = '\n[drop]\n"omega/v" = "not used"\n\n[keep]\n"q/y" = "stays"\n'
    return text[:begin] + by_hand + text[end:].replace("\n[variables]", tables + "\n[variables]")


def test_a_person_answers_and_it_is_applied(tmp_path: Path) -> None:
    path = saved(tmp_path)
    path.write_text(answered(path), "utf-8")
    result = load_plan(path)
    assert result.complete
    values = {variable.name: array for variable, array in result.values()}
    assert set(values) == {"m/a/kernel", "m/a/bias", "p/x"}
    with load_source(tmp_path) as source:
        np.testing.assert_array_equal(values["p/x"], source["é h/w"].T)


def load_source(folder: Path) -> object:
    from tf2bridge import checkpoint

    return checkpoint.open(folder / "model.ckpt")


BREAKS: dict[str, tuple[Callable[[str], str], str]] = {
    "no toml": (lambda text: text + "[", "plan.toml"),
    "another version": (lambda text: text.replace("version = 1", "version = 9"), "version is 9"),
    "unknown table": (lambda text: text + "\n[moves]\n", "moves"),
    "unknown step": (lambda text: text.replace('kind = "transpose"', 'kind = "turn"'), "'turn'"),
    "unknown variable": (lambda text: text.replace('target = "p/x"', 'target = "p/z"'), "'p/z' is not one"),
    "two moves": (lambda text: text.replace('target = "p/x"', 'target = "m/a/bias"'), "two moves write 'm/a/bias'"),
    "moved and kept": (
        lambda text: text.replace('"q/y" = "stays"', '"p/x" = "stays"'),
        "'p/x' is moved, and also",
    ),
    "nothing said": (lambda text: text.replace('"q/y" = "stays"', ""), "does not mention the variable 'q/y'"),
    "no source": (lambda text: text.replace('from = "é h/w"', ""), "lacks 'from'"),
    "no sizes": (lambda text: text.replace('"float32 [2, 3]"', '"float32"'), "'float32' is no type with sizes"),
    "no text": (lambda text: text.replace('from = "é h/w"', "from = 3"), "from = 3 is neither"),
}


@pytest.mark.parametrize("edit", BREAKS)
def test_an_edit_that_breaks_it(edit: str, tmp_path: Path) -> None:
    path = saved(tmp_path)
    change, result = BREAKS[edit]
    path.write_text(change(answered(path)), "utf-8")
    with pytest.raises(PlanFileError, match=result):
        load_plan(path)


def test_files_that_are_not_there_or_not_complete(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFileError, match="plan"):
        load_plan(tmp_path / "absent.toml")
    with pytest.raises(IncompletePlanError, match="p/x"):
        next(load_plan(saved(tmp_path)).values())


def complete(folder: Path) -> Plan:
    path = saved(folder)
    path.write_text(answered(path), "utf-8")
    return load_plan(path)


def test_another_checkpoint_that_lacks_a_tensor(tmp_path: Path) -> None:
    result = complete(tmp_path)
    (tmp_path / "other").mkdir()
    other = of_shapes(tmp_path / "other", {"a/weights": [2, 3], "a/bias": [3], "é h/w": [4, 4]})
    with pytest.raises(MissingTensorError, match=r"'a/biases' \(near: a/bias"):
        next(result.values(other))


def test_another_checkpoint_of_other_shapes(tmp_path: Path) -> None:
    result = complete(tmp_path)
    (tmp_path / "other").mkdir()
    other = of_shapes(tmp_path / "other", {"a/weights": [2, 5], "a/biases": [3], "é h/w": [4, 4]})
    with pytest.raises(ShapeClashError, match=r"a/weights .*\[2, 5\].*m/a/kernel takes \[2, 3\]"):
        dict(result.values(other))


def test_a_plan_for_shapes_has_nothing_to_assign(tmp_path: Path) -> None:
    with pytest.raises(NotLiveError, match="convert"):
        complete(tmp_path).apply()


def test_live_variables_hold_what_the_checkpoint_does(tmp_path: Path) -> None:
    source = written(tmp_path, {"a": np.float32([1.5, np.nan]), "n": np.int64(7)})
    live = [tf.Variable([0.0, 0.0], name="a"), tf.Variable(0, name="n", dtype=tf.int64)]
    with pytest.raises(NotANumberError, match=r"NaN in .* for a; "):
        plan(source, live).apply()
    assert int(live[1]) == 0
    plan(source, live).apply(allow_nan=True)
    np.testing.assert_array_equal(live[0], np.float32([1.5, np.nan]))
    assert int(live[1]) == 7


def test_a_damaged_tensor_leaves_live_variables_as_they_were(tmp_path: Path) -> None:
    from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError

    source = written(tmp_path, {"a": np.float32([1.0, 2.0]), "b": np.float32([3.0, 4.0])})
    data = tmp_path / "model.ckpt.data-00000-of-00001"
    data.write_bytes(data.read_bytes()[:-1] + b"\x00")
    live = [tf.Variable([9.0, 9.0], name="a"), tf.Variable([9.0, 9.0], name="b")]
    with pytest.raises(DamagedCheckpointError, match="'b'"):
        plan(source, live).apply()
    np.testing.assert_array_equal(live[0], [9.0, 9.0])


def small(units: int = 3, name: str | None = None) -> keras.Model:
    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(units), keras.layers.Dense(2)], name=name)


def test_a_plan_of_a_file_goes_onto_a_model_that_is_made_again(tmp_path: Path) -> None:
    """The second model of a process has other numbers in its names."""
    shapes = {"a/weights": [2, 3], "a/biases": [3], "b/weights": [3, 2], "b/biases": [2]}
    with of_shapes(tmp_path, shapes) as source:
        first, second = small(), small()
        assert first.variables[0].path != second.variables[0].path
        plan(source, first).save(tmp_path / "plan.toml")
        load_plan(tmp_path / "plan.toml").onto(second).apply(source)
        np.testing.assert_array_equal(second.layers[1].kernel, source["b/weights"])
        with pytest.raises(OtherTargetError, match=r"has no variable|is float32 \[2, 5\]"):
            load_plan(tmp_path / "plan.toml").onto(small(5))
        with pytest.raises(OtherTargetError, match="another target"):
            load_plan(tmp_path / "plan.toml").onto({"x": [2]})
