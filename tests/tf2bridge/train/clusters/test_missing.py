"""Programs whose cluster cannot form, or loses a parameter server: who is meant is said, and nothing is left."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.tf2bridge.train.clusters.commands import CLUSTERED, cluster, write
from tests.tf2bridge.train.clusters.trials import running
from tf2bridge.commands.clusters import through_run
from tf2bridge.train.clusters.launching import launches
from tf2bridge.train.clusters.outcomes import Outcome
from tf2bridge.train.clusters.tasks import PS, WORKER, Task

ENDLESS = f"""{CLUSTERED}
    with tf.Session(server.target) as session:
        session.run(count.initializer)
        print('begun')
        while True:
            session.run(count.assign_add(1))
"""


def test_a_parameter_server_that_is_killed_is_named_first(tmp_path: Path) -> None:
    words = [str(write(tmp_path, ENDLESS))]
    with running(*launches(words, {PS: 1, WORKER: 1}, through_run("1.15"))) as trial:
        trial.wait_for(Task(WORKER, 0), b"begun")
        trial.cluster.processes()[Task(PS, 0)].signal(signal.SIGKILL)
        outcome = trial.cluster.wait()
    # The worker's session fails by itself when the connection breaks, and may do so before it is ended.
    assert outcome in (
        Outcome(137, "ps 0 was killed by SIGKILL"),
        Outcome(137, "ps 0 was killed by SIGKILL; worker 0 was ended"),
    )


def test_a_task_that_nobody_started_is_named(tmp_path: Path) -> None:
    program = write(tmp_path, ENDLESS)
    done = cluster("--ps", 0, "--workers", 1, "--timeout", 1, "--", program, "--more=,127.0.0.1:1")
    assert done.returncode == 1
    assert "begun" not in done.stdout
    message = "the cluster did not form in 1 s: no server of worker 1 (127.0.0.1:1) has started (worker 1 was not among"
    assert message in done.stderr.splitlines()[-1]
