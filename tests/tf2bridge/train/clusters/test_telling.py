"""What a program is told of its place, by its flags, by TF_CONFIG or by what is written in its arguments."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from tf2bridge.train.clusters.launching import launches
from tf2bridge.train.clusters.program import program_of
from tf2bridge.train.clusters.refusals import ChiefWantedError, UnknownPlaceholderError, UntoldProgramError
from tf2bridge.train.clusters.tasks import Addresses, Task, tasks_of
from tf2bridge.train.clusters.telling import AUTO, BY_TF_CONFIG, Told, tell

ADDRESSES: Addresses = {"ps": ["h:1"], "worker": ["h:2", "h:3"]}

FLAGS = """
    flags = tf.app.flags
    flags.DEFINE_string("ps_hosts", "", "")
    flags.DEFINE_string("worker_hosts", "", "")
    flags.DEFINE_string("job_name", "", "")
    flags.DEFINE_integer("task_index", 0, "")
"""


def told(
    folder: Path,
    text: str,
    *arguments: str,
    addresses: Addresses = ADDRESSES,
    via: str = AUTO,
    environment: tuple[str, ...] = (),
) -> list[Told]:
    path = folder / "trainer.py"
    path.write_text(textwrap.dedent(text))
    program = program_of([*environment, str(path), *arguments])
    return tell(program, addresses, tasks_of(addresses), via)


def arguments_of(all_told: list[Told], task: Task) -> list[str]:
    return next(item.arguments for item in all_told if item.task == task)


def test_the_flags_of_the_tutorials(tmp_path: Path) -> None:
    lines = told(tmp_path, FLAGS, "--steps", "5")
    hosts = ["--ps_hosts=h:1", "--worker_hosts=h:2,h:3", "--steps", "5"]
    assert [line.arguments for line in lines] == [
        ["--job_name=ps", "--task_index=0", *hosts],
        ["--job_name=worker", "--task_index=0", *hosts],
        ["--job_name=worker", "--task_index=1", *hosts],
    ]
    assert all(line.environment == {} for line in lines)


def test_a_flag_given_by_hand_stays(tmp_path: Path) -> None:
    lines = told(tmp_path, FLAGS, "--worker_hosts=a:1,b:2")
    assert arguments_of(lines, Task("ps", 0)) == [
        "--job_name=ps",
        "--task_index=0",
        "--ps_hosts=h:1",
        "--worker_hosts=a:1,b:2",
    ]


def test_other_spellings_and_counts(tmp_path: Path) -> None:
    text = """
        tf.app.flags.DEFINE_string('job_name', 'worker', '')
        tf.app.flags.DEFINE_string('ps_hosts', '', '')
        tf.app.flags.DEFINE_string('worker_hosts', '', '')
        tf.app.flags.DEFINE_integer('task_id', 0, '')
        tf.app.flags.DEFINE_integer('replica_id', 0, '')
        tf.app.flags.DEFINE_integer('worker_replicas', 1, '')
        tf.app.flags.DEFINE_bool('is_chief', False, '')
        tf.app.flags.DEFINE_string('task', 'train', 'not the number of a task: it is text, and task_id is there')
    """
    assert arguments_of(told(tmp_path, text), Task("worker", 1)) == [
        "--job_name=worker",
        "--task_id=1",
        "--ps_hosts=h:1",
        "--worker_hosts=h:2,h:3",
        "--worker_replicas=2",
        "--is_chief=False",
        "--replica_id=1",
    ]


def test_argparse_with_dashes_lists_and_switches(tmp_path: Path) -> None:
    text = """
        parser = argparse.ArgumentParser()
        parser.add_argument('-j', '--job-name', choices=['ps', 'worker'])
        parser.add_argument('--task-index', type=int, default=0)
        parser.add_argument('--ps-hosts', nargs='+')
        parser.add_argument('--worker-hosts', nargs='*')
        parser.add_argument('--is-chief', action='store_true')
    """
    lines = told(tmp_path, text)
    hosts = ["--ps-hosts", "h:1", "--worker-hosts", "h:2", "h:3"]
    assert arguments_of(lines, Task("worker", 0)) == ["--job-name=worker", "--task-index=0", *hosts, "--is-chief"]
    assert arguments_of(lines, Task("worker", 1)) == ["--job-name=worker", "--task-index=1", *hosts]


def test_flags_defined_in_a_module_of_the_program_written_for_python_2(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text(textwrap.dedent(FLAGS) + "print 'settings'\n")
    assert arguments_of(told(tmp_path, "from settings import flags\nprint flags"), Task("ps", 0))[0] == "--job_name=ps"


def test_flags_of_a_package_named_by_m(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "train.py").write_text("from . import options\nfrom pkg.options import FLAGS\n")
    (package / "options.py").write_text(textwrap.dedent(FLAGS))
    monkeypatch.chdir(tmp_path)
    program = program_of(("-m", "pkg.train", "--steps", "5"))
    assert (program.entry, program.arguments) == (("-m", "pkg.train"), ("--steps", "5"))
    assert set(program.interface().flags) == {"ps_hosts", "worker_hosts", "job_name", "task_index"}


def test_a_program_that_names_its_hosts_itself(tmp_path: Path) -> None:
    text = """
        parser.add_argument('--job', choices=['worker', 'ps'])
        parser.add_argument('--index')
    """
    assert arguments_of(told(tmp_path, text), Task("worker", 1)) == ["--job=worker", "--index=1"]
    started, addresses = launches([str(tmp_path / "trainer.py")], {"ps": 1, "worker": 2}, ["python"])
    assert started[0].command[2:] == ["--job=ps", "--index=0"]
    assert addresses == {}


def test_workers_alone_need_no_job(tmp_path: Path) -> None:
    text = """
        tf.app.flags.DEFINE_string('worker_hosts', '', '')
        tf.app.flags.DEFINE_integer('task_index', 0, '')
    """
    lines = told(tmp_path, text, addresses={"worker": ["h:2", "h:3"]})
    assert arguments_of(lines, Task("worker", 1)) == ["--task_index=1", "--worker_hosts=h:2,h:3"]


def test_tf_config(tmp_path: Path) -> None:
    lines = told(tmp_path, "config = json.loads(os.environ.get('TF_CONFIG', '{}'))", "--steps", "5")
    assert [line.arguments for line in lines] == [["--steps", "5"]] * 3
    assert json.loads(lines[2].environment["TF_CONFIG"]) == {
        "cluster": {"ps": ["h:1"], "worker": ["h:2", "h:3"]},
        "task": {"type": "worker", "index": 1},
        "environment": "cloud",
    }


def test_an_estimator_needs_a_chief(tmp_path: Path) -> None:
    text = "tf.estimator.train_and_evaluate(estimator, train, evaluation)"
    with pytest.raises(ChiefWantedError, match=r"trainer\.py uses train_and_evaluate, .* add --chief"):
        told(tmp_path, text)
    with_master: Addresses = {"master": ["h:4"], **ADDRESSES}
    environment = told(tmp_path, text, addresses=with_master)[0].environment
    assert json.loads(environment["TF_CONFIG"])["task"] == {"type": "master", "index": 0}
    with_chief: Addresses = {"chief": ["h:4"], **ADDRESSES}
    environment = told(tmp_path, text, addresses=with_chief)[0].environment
    assert json.loads(environment["TF_CONFIG"])["task"] == {"type": "chief", "index": 0}


def test_flags_come_before_tf_config_unless_said(tmp_path: Path) -> None:
    text = FLAGS + "\n    os.environ['TF_CONFIG']\n"
    assert told(tmp_path, text)[0].environment == {}
    assert told(tmp_path, text, via=BY_TF_CONFIG)[0].arguments == []


def test_placeholders_are_filled_in_and_nothing_is_added(tmp_path: Path) -> None:
    lines = told(tmp_path, FLAGS, "--me={job}:{task}", "--ps={ps_hosts}", "--all={worker_hosts}", '{"json": 1}')
    assert arguments_of(lines, Task("worker", 1)) == ["--me=worker:1", "--ps=h:1", "--all=h:2,h:3", '{"json": 1}']


def test_what_is_written_before_the_program_is_its_environment(tmp_path: Path) -> None:
    lines = told(tmp_path, "os.environ['TASK']", "--steps=5", environment=("TASK={job}/{task}", "MODE=a=b"))
    assert lines[2].environment == {"TASK": "worker/1", "MODE": "a=b"}
    assert lines[2].arguments == ["--steps=5"]
    lines = told(tmp_path, FLAGS, environment=("MODE=fast",))
    assert (lines[0].environment, lines[0].arguments[0]) == ({"MODE": "fast"}, "--job_name=ps")


def test_a_placeholder_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnknownPlaceholderError, match=r"--me=\{jobname\}: there is no \{jobname\}; use .*\{job\}"):
        told(tmp_path, FLAGS, "--me={jobname}")


def test_a_program_that_tells_nothing(tmp_path: Path) -> None:
    with pytest.raises(UntoldProgramError) as raised:
        told(tmp_path, "tf.app.flags.DEFINE_string('job_name', '', '')")
    text = str(raised.value)
    assert "no flag for the task (--task_index, --task_id" in text
    assert "no flag for the job" not in text
    assert "as in `-- " in text
    assert "trainer.py --job_name={job} --ps={ps_hosts} --workers={worker_hosts}`" in text
