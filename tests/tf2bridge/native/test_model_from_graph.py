"""Programs whose model comes from their recorded graph, proven by traces of genuine TensorFlow 1.15.5."""

from __future__ import annotations

import ast
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from codemods.engine import check_tree
from codemods.native.facts import facts_in
from codemods.native.programs import Result, make_native
from codemods.results import Changed
from codemods.rule import Finding
from codemods.settings import Settings
from fixtures.sessions.record import HERE, OF_GRAPH, copied, script_of
from tests.tf2bridge.native.test_rewritten import proof_of
from tf2bridge import kernels
from tf2bridge.cli import cli
from tf2bridge.native.evidence import evidence
from tf2bridge.native.recorded_model import writer_of
from tf2bridge.proof.replaying.outcomes import Outcome
from tf2bridge.proof.reporting.replay_text import summary
from tf2bridge.proof.traces.reader import Trace


@pytest.fixture(autouse=True)
def _old_kernels() -> None:
    kernels.choose(onednn=False)


def made_of(name: str, folder: Path) -> Result:
    """Returns what becomes of a program in a folder, with the model of its recorded graph."""
    trace = Trace(HERE / "traces" / f"{name}.trace")
    facts = facts_in(evidence(trace, folder), str(trace.path))
    return make_native(check_tree(folder, Settings(), None), facts, write_model=writer_of(trace))


def findings_of(made: Result) -> list[Finding]:
    """Returns what a result says."""
    return [finding for result in made.results for finding in getattr(result, "findings", ())]


def written(name: str, folder: Path) -> Path:
    """Returns a folder with the native program and its model."""
    made = made_of(name, copied(name, folder))
    for result in made.results:
        if isinstance(result, Changed):
            Path(result.path).write_bytes(result.after)
    for path, data in made.beside.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return folder


@pytest.mark.parametrize("name", OF_GRAPH)
def test_a_program_with_the_model_of_its_graph_is_equal(name: str, tmp_path: Path) -> None:
    folder = written(name, tmp_path / name)
    text = (folder / script_of(name)).read_text("utf-8")
    assert not {"compat", "Session", "placeholder", "tf2bridge"} & {
        part for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute) for part in (node.attr,)
    }
    proof = proof_of(name, folder)
    rows = [f"{row.where} {row.tensor}: {row.distance.note}" for row in proof.rows if not row.passed]
    assert proof.outcome is Outcome.EQUAL, "\n".join([summary(proof), proof.printed[-2000:], *rows])


def test_an_agent_of_two_files_is_equal(tmp_path: Path) -> None:
    legacy = HERE.parent / "legacy/q_agent"
    shutil.copytree(legacy, tmp_path / "agent", ignore=shutil.ignore_patterns("genuine", "*.toml"))
    trace = legacy / "genuine/q_agent.trace"
    command = ["migrate", str(tmp_path / "agent"), "--output", str(tmp_path / "new"), "--target", "native"]
    command += ["--trace", str(trace), "--entry", "train.py --episodes 4", "--model-from-graph"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output[-2000:]
    text = (tmp_path / "new/train.py").read_text("utf-8")
    assert "return {'s': one_hot(list(s))," in text.replace('"', "'").replace("agent.", "")


def test_a_saver_has_the_variables_that_the_graph_saved(tmp_path: Path) -> None:
    text = (written("kept", tmp_path / "kept") / "kept.py").read_text("utf-8")
    assert "saver = Saver(model.saved, max_to_keep=2)\n" in text
    assert "path = saver.save(os.path.join(folder, 'model'), number)\n" in text
    assert '"ExponentialMovingAverage' not in text.partition("weights = Saver(")[2]


def test_the_driving_code_of_the_author_stays(tmp_path: Path) -> None:
    text = (written("evaluated", tmp_path / "evaluated") / "evaluated.py").read_text("utf-8")
    assert "def evaluate(batches):\n" in text
    assert '        "points": batch[0],\n' in text
    assert "loss_value, step = (value.numpy() for value in model.train_op(**feed_dict))\n" in text
    assert "inference" not in text


def test_a_program_is_refused_without_the_option(tmp_path: Path) -> None:
    copied("scoped", tmp_path / "scoped")
    made = make_native(check_tree(tmp_path / "scoped", Settings(), None))
    assert [finding.code for finding in findings_of(made) if finding.name == "not-native"] == ["NAT001"]


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("print(\"step\"", "print(loss.get_shape(), \"step\"", "NAT003", "loss is a part of the graph"),
        ("        print(", "        np.save('x', [tf.shape(x)]), print(", "NAT003", "part of the graph"),
    ],
)  # fmt: skip
def test_what_needs_more_of_the_graph_is_refused_at_its_line(
    old: str, new: str, code: str, said: str, tmp_path: Path
) -> None:
    folder = copied("scoped", tmp_path / "scoped")
    path = folder / "scoped.py"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    refused = [finding for finding in findings_of(made_of("scoped", folder)) if finding.name == "not-native"]
    assert [finding.code for finding in refused] == ["NAT001", code]
    assert said in refused[1].message
    assert refused[1].message.startswith("its model cannot come from the recorded graph either: ")
    assert refused[1].line == 28


def test_a_call_that_was_not_reached_is_known_by_others(tmp_path: Path) -> None:
    folder = copied("scoped", tmp_path / "scoped")
    with (folder / "scoped.py").open("a", encoding="utf-8") as file:
        file.write("    if len(data) > 99:\n        print(sess.run(loss, {x: data[:9], y: target[:9]}))\n")
    made = made_of("scoped", folder)
    assert ("NAT012", 30) in [(finding.code, finding.line) for finding in findings_of(made)]
    (changed,) = (result for result in made.results if isinstance(result, Changed))
    assert changed.after.decode().endswith("    print(model.loss(data[:9], target[:9]).numpy())\n")


def test_methods_and_attributes_of_other_code_are_no_parts_of_the_graph(tmp_path: Path) -> None:
    folder = copied("layered", tmp_path / "layered")
    path = folder / "train.py"
    more = """
class Environment(object):
    pass


def play():
    import argparse
    args = argparse.Namespace(loss=1, _build=print)
    args._build(args.loss)
    output = args.loss
    return output
"""
    path.write_text(
        path.read_text("utf-8").replace('\n\nif __name__ == "__main__"', more + '\n\nif __name__ == "__main__"'),
        "utf-8",
    )
    made = made_of("layered", folder)
    (changed,) = (result for result in made.results if isinstance(result, Changed) and result.path.endswith("train.py"))
    assert "    args._build(args.loss)\n    output = args.loss\n    return output\n" in changed.after.decode()


def test_a_function_that_nothing_calls_goes_with_the_graph(tmp_path: Path) -> None:
    folder = copied("scoped", tmp_path / "scoped")
    with (folder / "scoped.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef idle(rows):\n    return sess.run(train_op.name, {x: rows})\n")
    made = made_of("scoped", folder)
    assert ("NAT012", 32) in [(finding.code, finding.line) for finding in findings_of(made)]
    (changed,) = (result for result in made.results if isinstance(result, Changed))
    assert "idle" not in changed.after.decode()


def test_variables_that_begin_anew_are_refused(tmp_path: Path) -> None:
    folder, trace = copied("scoped", tmp_path / "scoped"), Trace(HERE / "traces/scoped.trace")
    facts = facts_in(evidence(trace, folder), str(trace.path))
    twice = replace(facts, runs=tuple(replace(run, count=2 * run.count) for run in facts.runs))
    made = make_native(check_tree(folder, Settings(), None), twice, write_model=writer_of(trace))
    refused = [finding for finding in findings_of(made) if finding.name == "not-native"]
    assert (refused[-1].code, refused[-1].line) == ("NAT008", 25)
    assert "variables get their first values again" in refused[-1].message


def test_migrate_needs_a_trace_for_a_model_from_a_graph(tmp_path: Path) -> None:
    command = ["migrate", str(HERE / "of_graph"), "--output", str(tmp_path / "new"), "--target", "native"]
    done = CliRunner().invoke(cli, [*command, "--model-from-graph"])
    assert done.exit_code == 2
    assert "--model-from-graph needs --target native, and the trace" in done.output


def test_lists_within_lists_stay_what_calls_give(tmp_path: Path) -> None:
    text = (written("nested", tmp_path / "nested") / "nested.py").read_text("utf-8")
    arrays = "tf.nest.map_structure(lambda value: value.numpy(), "
    assert f"print(i, len({arrays}model.step(data, target))[0]))\n" in text
    assert f"gvs_val, cost = {arrays}model.gvs(data, target))\n" in text
    assert "grad = [model.gradients(data, target).numpy()]\n" in text


@pytest.mark.parametrize(
    "more",
    [
        "cell = tf.nn.rnn_cell.BasicLSTMCell(2)\nboth = cell.zero_state(1, tf.float32)\n",  # a tuple of two, or one
        "both = tf.gradients(loss, tf.trainable_variables())\nboth += [loss]\n",
    ],
)
def test_a_form_that_the_source_does_not_say_is_refused(more: str, tmp_path: Path) -> None:
    folder, trace = copied("scoped", tmp_path / "scoped"), Trace(HERE / "traces/scoped.trace")
    path = folder / "scoped.py"
    text = path.read_text("utf-8").replace("with tf.Session()", f"{more}with tf.Session()", 1)
    path.write_text(text.replace("[train_op, loss]", "[tf.gradients(loss, x), both]"), "utf-8")
    facts = facts_in(evidence(trace, folder), str(trace.path))
    lines = more.count("\n")
    runs = tuple(
        replace(run, line=run.line + lines, leaves=("a:0", "b:0", "c:0") if run.feeds else run.leaves)
        for run in facts.runs
    )
    made = make_native(check_tree(folder, Settings(), None), replace(facts, runs=runs), write_model=writer_of(trace))
    refused = [finding for finding in findings_of(made) if finding.name == "not-native"]
    assert refused[-1].code == "NAT002"
    assert "it fetched 3 tensors, and the source does not say in what form" in refused[-1].message


def test_ops_on_arrays_compute_at_once(tmp_path: Path) -> None:
    text = (written("looked_up", tmp_path / "looked_up") / "looked_up.py").read_text("utf-8")
    assert 'print("Label: ", tf.argmax(labels[r:r + 1], 1).numpy())\n' in text


@pytest.mark.parametrize("fetched", ["tf.reduce_mean(loss * step)", "[loss, tf.add_n([loss])][step % 2]"])
def test_a_fetch_that_is_made_of_changing_values_is_refused(fetched: str, tmp_path: Path) -> None:
    folder = copied("scoped", tmp_path / "scoped")
    path = folder / "scoped.py"
    path.write_text(path.read_text("utf-8").replace("[train_op, loss]", f"[train_op, {fetched}]"), "utf-8")
    refused = [finding for finding in findings_of(made_of("scoped", folder)) if finding.name == "not-native"]
    assert refused[-1].code == "NAT004"
    assert "is made of step, which the graph has with its recorded value" in refused[-1].message


def test_each_object_has_the_functions_of_its_net(tmp_path: Path) -> None:
    text = (written("rivals", tmp_path / "rivals") / "rivals.py").read_text("utf-8")
    made = "    recorded_model.train,\n    recorded_model.train_2,\n    recorded_model.train_3,\n"
    assert f"net_functions = iter([\n{made}])\n" in text
    assert "    def __init__(self, **kwargs):\n        self.train = next(net_functions)\n" in text
    assert "        self.output, self.optimizer = next(model_functions)\n        self.name = name\n" in text
    assert "        l = net.train(b_x, b_y).numpy()\n" in text


def test_an_object_whose_net_never_ran_is_refused(tmp_path: Path) -> None:
    folder, trace = copied("rivals", tmp_path / "rivals"), Trace(HERE / "traces/rivals.trace")
    facts = facts_in(evidence(trace, folder), str(trace.path))
    (last,) = (run for run in facts.runs if run.line == 63 and "Adam" in run.leaves)
    runs = tuple(run for run in facts.runs if run is not last)
    made = make_native(check_tree(folder, Settings(), None), replace(facts, runs=runs), write_model=writer_of(trace))
    refused = [finding for finding in findings_of(made) if finding.name == "not-native"]
    assert (refused[-1].code, refused[-1].line) == ("NAT002", 63)


def test_a_call_takes_the_function_for_what_it_feeds(tmp_path: Path) -> None:
    text = (written("carried", tmp_path / "carried") / "carried.py").read_text("utf-8")
    assert '(model.train_op if "init_s" in feed_dict else model.train_op_2)(**feed_dict)' in text


def test_a_value_of_a_call_that_the_program_builds_with_is_refused(tmp_path: Path) -> None:
    folder = copied("scoped", tmp_path / "scoped")
    path = folder / "scoped.py"
    more = "    total = 0.0\n    total += value\n    mean = tf.reduce_mean([total, 1.0])\n"
    path.write_text(path.read_text("utf-8") + more, "utf-8")
    refused = [finding for finding in findings_of(made_of("scoped", folder)) if finding.name == "not-native"]
    assert (refused[-1].code, refused[-1].line) == ("NAT004", 31)
    assert "the graph has total, which calls of the session gave, as it was recorded" in refused[-1].message
