"""slim.learning and slim.evaluation: what they write, resume and read; and a checkpoint of genuine 1.15.5."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

GENUINE = Path(__file__).resolve().parents[4] / "fixtures" / "slim_checkpoint"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What one process in graph mode found: it trains, resumes, evaluates, and reads the genuine checkpoint."""
    program = textwrap.dedent(
        """
        import glob, json, os, sys, time
        sys.path.insert(0, sys.argv[1])
        import train
        from tf2bridge import v1 as tf
        tf.enable()
        slim, folder, logs = tf.contrib.slim, sys.argv[2], sys.argv[2] + "/eval"

        def summaries(path):
            events = (event for file in glob.glob(path + "/events*") for event in tf.train.summary_iterator(file))
            return [[event.step, value.tag] for event in events for value in event.summary.value]

        told = {"loss": train.train(tf, folder)}
        told["scores"] = train.restored(tf, tf.train.latest_checkpoint(folder)).tolist()
        told["files"] = sorted(os.path.basename(path) for path in glob.glob(folder + "/model.ckpt-20*"))
        begun = os.stat(folder + "/checkpoint").st_mtime_ns

        def after_the_first_save(*arguments):
            "A thread saves at the start; five steps may be done, and saved, before it."
            while os.stat(folder + "/checkpoint").st_mtime_ns == begun:
                time.sleep(0.01)
            return slim.learning.train_step(*arguments)

        train.train(tf, folder, 25, train_step_fn=after_the_first_save)
        told["steps"] = [int(path.rpartition("-")[2]) for path in
                         tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths]
        told["genuine"] = train.restored(tf, sys.argv[1] + "/genuine/model.ckpt-20").tolist()
        with tf.Graph().as_default():
            scores = train.scores(tf, False)
            seen, update = tf.metrics.mean(scores)
            tf.summary.scalar("average", seen)
            told["mean"] = float(slim.evaluation.evaluation_loop(
                "", folder, logs, 3, eval_op=update, final_op=seen, max_number_of_evaluations=1, timeout=1))
        told["evaluated"] = summaries(logs)
        print("told" + json.dumps(told))
        """
    )
    folder = tmp_path_factory.mktemp("train")
    done = subprocess.run(
        [sys.executable, "-c", program, str(GENUINE), str(folder)], capture_output=True, text=True, check=False
    )
    _, mark, text = done.stdout.partition("told")
    assert mark, done.stderr[-3000:]
    result: dict[str, object] = json.loads(text)
    return result


@pytest.fixture(scope="module")
def genuine() -> dict[str, object]:
    result: dict[str, object] = json.loads((GENUINE / "genuine" / "expected.json").read_text(encoding="utf-8"))
    return result


def test_twenty_steps_come_to_the_loss_of_the_genuine_release(
    told: dict[str, object], genuine: dict[str, object]
) -> None:
    assert told["loss"] == pytest.approx(genuine["loss"], rel=1e-4)  # rounding grows over 20 steps


def test_train_saves_where_it_ends(told: dict[str, object]) -> None:
    assert told["files"] == ["model.ckpt-20.data-00000-of-00001", "model.ckpt-20.index", "model.ckpt-20.meta"]


def test_train_goes_on_from_its_checkpoint(told: dict[str, object]) -> None:
    assert told["steps"][-2:] == [20, 25]  # type: ignore[index]  # the first was saved at the start


def test_a_genuine_checkpoint_gives_the_genuine_scores(told: dict[str, object], genuine: dict[str, object]) -> None:
    for ours, theirs in zip(told["genuine"], genuine["scores"], strict=True):  # type: ignore[call-overload]  # nests
        rounding = 2e-6 * max(map(abs, theirs))  # 17 roundings of float32, in another order on each processor
        assert ours == pytest.approx(theirs, rel=1e-5, abs=rounding)


def test_evaluation_writes_the_summary_of_the_step(told: dict[str, object]) -> None:
    assert told["evaluated"] == [[25, "average"]]
