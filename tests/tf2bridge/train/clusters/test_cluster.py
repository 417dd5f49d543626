"""The processes of a cluster: their output, their end, their faults. No TensorFlow is in them."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import textwrap
import threading

import pytest

from tests.tf2bridge.train.clusters.trials import SAY, running
from tf2bridge.train.clusters.cluster import Cluster, Launch
from tf2bridge.train.clusters.outcomes import Outcome
from tf2bridge.train.clusters.refusals import PortInUseError
from tf2bridge.train.clusters.tasks import Task, on_loopback

PS, FIRST, SECOND = Task("ps", 0), Task("worker", 0), Task("worker", 1)
SERVE = "import signal; print('serving', flush=True); signal.pause()"


def python(programs: dict[Task, str]) -> list[Launch]:
    """Some Python for each task."""
    return [Launch(task, [sys.executable, "-c", textwrap.dedent(code)], {}) for task, code in programs.items()]


def test_parameter_servers_are_ended_when_the_workers_are_done() -> None:
    with running(python({PS: SERVE, FIRST: "print('done')", SECOND: "import sys; sys.stderr.write('also')"})) as trial:
        assert trial.cluster.wait() == Outcome(0)
        assert trial.cluster.processes()[PS].status == -signal.SIGTERM
        assert trial.cluster.processes()[FIRST].status == 0
    assert b"worker 0 | done\n" in trial.out.getvalue()
    assert trial.err.getvalue() == b"worker 1 | also\n"


def test_no_line_is_torn() -> None:
    code = """
        import os
        for part in range(400):
            os.write(1, b'%d ' % part * 50)
            os.write(1, b'end\\r\\n')
        os.write(1, b'10%\\r20%\\r30%\\rlast, without an end')
    """
    with running(python({FIRST: code, SECOND: code})) as trial:
        assert trial.cluster.wait() == Outcome(0)
    lines = trial.out.getvalue().splitlines()
    for name in (b"worker 0 | ", b"worker 1 | "):
        own = [line.removeprefix(name) for line in lines if line.startswith(name)]
        assert own == [b"%d " % part * 50 + b"end" for part in range(400)] + [b"last, without an end"]


def test_the_first_that_fails_is_named_and_ends_all() -> None:
    with running(python({PS: SERVE, FIRST: SERVE, SECOND: "print('about to fail'); raise SystemExit(3)"})) as trial:
        assert trial.cluster.wait() == Outcome(3, "worker 1 ended with status 3; ps 0 and worker 0 were ended")
    assert b"worker 1 | about to fail\n" in trial.out.getvalue()


def test_a_parameter_server_that_dies() -> None:
    with running(python({PS: "import os; os.kill(os.getpid(), 9)", FIRST: SERVE})) as trial:
        assert trial.cluster.wait() == Outcome(137, "ps 0 was killed by SIGKILL; worker 0 was ended")


def test_what_ignores_sigterm_and_what_a_task_started_are_ended_too() -> None:
    stubborn = "import signal, sys; signal.signal(15, signal.SIG_IGN); print('here', flush=True); signal.pause()"
    parent = f"""
        import subprocess, sys, signal
        child = subprocess.Popen([sys.executable, '-c', {stubborn!r}])
        signal.pause()
    """
    with running(python({PS: parent, FIRST: SERVE}), grace=0.3) as trial:
        trial.wait_for(PS, b"here")
        trial.cluster.interrupt(signal.SIGTERM)
        assert trial.cluster.wait() == Outcome(143, "SIGTERM: every process was ended")


def test_a_child_that_outlives_its_task_is_ended() -> None:
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SERVE!r}])"
    with running(python({FIRST: code})) as trial:
        assert trial.cluster.wait() == Outcome(0)


def test_a_worker_is_killed_and_started_again() -> None:
    code = """
        import signal, sys
        signal.signal(signal.SIGUSR1, lambda *_: sys.exit(0))
        print('started', flush=True)
        signal.pause()
    """
    with running(python({PS: SERVE, FIRST: code, SECOND: SERVE})) as trial:
        trial.wait_for(PS, b"serving")
        trial.wait_for(FIRST, b"started")
        trial.cluster.kill(FIRST)
        before = trial.cluster.processes()[FIRST]
        assert before.status == -signal.SIGKILL
        trial.line(FIRST, b"started").clear()
        trial.cluster.restart(FIRST)
        trial.wait_for(FIRST, b"started")
        assert trial.cluster.processes()[FIRST].group != before.group
        trial.cluster.kill(PS)
        trial.cluster.restart(PS)
        trial.cluster.kill(SECOND)
        trial.cluster.processes()[FIRST].signal(signal.SIGUSR1)
        assert trial.cluster.wait() == Outcome(0)


def test_a_parameter_server_that_is_started_again_has_the_whole_time_once_more() -> None:
    addresses = on_loopback({"ps": 1})
    port = addresses["ps"][0].rpartition(":")[2]
    serve = f"""
        import signal, socket, time
        time.sleep(0.3)
        with socket.create_server(('127.0.0.1', {port})):
            print('serving', flush=True)
            signal.pause()
    """
    work = f"""
        import signal, socket, time
        time.sleep(3.5)  # longer than the servers may take to start
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        print('late', flush=True)
        signal.sigwait([signal.SIGUSR1])
        while socket.socket().connect_ex(('127.0.0.1', {port})):
            time.sleep(0.01)
    """
    with running(python({PS: serve, FIRST: work}), addresses, timeout=3) as trial:
        trial.wait_for(PS, b"serving")
        trial.wait_for(FIRST, b"late")
        trial.cluster.kill(PS)
        trial.cluster.restart(PS)
        trial.cluster.processes()[FIRST].signal(signal.SIGUSR1)
        assert trial.cluster.wait() == Outcome(0)


def test_a_parameter_server_whose_server_does_not_start() -> None:
    with running(python({PS: SERVE, FIRST: SERVE}), timeout=0.2) as trial:
        outcome = trial.cluster.wait()
    assert outcome.status == 1
    assert outcome.why.startswith("the cluster did not form in 0.2 s: no server of ps 0 (127.0.0.1:")


def test_a_worker_that_outlasts_its_parameter_server_is_ended() -> None:
    serve = "from tf2bridge.train.clusters import link; link.connect(); link.tell(link.SERVING)"
    with running(python({PS: serve, FIRST: SERVE}), timeout=3) as trial:
        assert trial.cluster.wait() == Outcome(1, "ps 0 ended with status 0, and 3 s later worker 0 had not ended")


def test_a_worker_needs_no_parameter_server_that_never_served() -> None:
    with running(python({PS: "print('none')", FIRST: "import time; time.sleep(3)"}), timeout=2.5) as trial:
        assert trial.cluster.wait() == Outcome(0)


def test_a_worker_that_comes_back_is_waited_for() -> None:
    with running(python({FIRST: "print('done')", SECOND: SERVE})) as trial:
        trial.wait_for(SECOND, b"serving")
        trial.wait_for(FIRST, b"done")
        trial.cluster.kill(SECOND, comes_back=True)
        ended = threading.Event()
        waiting = threading.Thread(target=lambda: (trial.cluster.wait(), ended.set()))
        waiting.start()
        trial.line(SECOND, b"serving").clear()
        trial.cluster.restart(SECOND)
        trial.wait_for(SECOND, b"serving")
        assert not ended.is_set()
        trial.cluster.kill(SECOND)
        assert ended.wait(SAY), "the cluster is not done when the last worker was killed for good"
        waiting.join()


def test_a_port_in_use_is_named_before_anything_starts() -> None:
    addresses = on_loopback({"ps": 1})
    launch = Launch(PS, [sys.executable, "-c", SERVE], {})
    port = int(addresses["ps"][0].rpartition(":")[2])
    text = rf"ps 0 cannot listen at 127.0.0.1:{port}: Address already in use"
    with socket.create_server(("127.0.0.1", port)), pytest.raises(PortInUseError, match=text):
        Cluster([launch], addresses).start()


def test_a_port_of_a_cluster_goes_to_no_other_program() -> None:
    """TensorFlow takes seconds until it listens, in which another cluster started at the same time chose its ports."""

    def take() -> None:
        with socket.socket() as other:
            other.bind(("127.0.0.1", port))

    addresses = on_loopback({"ps": 1, "worker": 1})
    port = int(addresses["ps"][0].rpartition(":")[2])
    with running(python({PS: "import time; time.sleep(60)", FIRST: SERVE}), addresses=addresses) as trial:
        with pytest.raises(OSError, match="Address already in use"):
            take()
        trial.cluster.kill(PS)
        with pytest.raises(OSError, match="Address already in use"):
            take()
    take()


def test_tasks_end_with_a_launcher_that_is_killed() -> None:
    member = f"from tf2bridge.train.clusters import link; link.connect(); {SERVE}"
    launcher = f"""
        import sys
        from tf2bridge.train.clusters.cluster import Cluster, Launch
        from tf2bridge.train.clusters.tasks import Task
        launch = Launch(Task('worker', 0), [sys.executable, '-c', {member!r}], {{}})
        with Cluster([launch], {{}}) as cluster:
            print(cluster.processes()[Task('worker', 0)].group, flush=True)
            cluster.wait()
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(launcher)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    group = int(process.stdout.readline())
    task = os.pidfd_open(group)  # readable when the process has ended
    try:
        assert process.stdout.readline() == b"worker 0 | serving\n"
        process.kill()
        ended, _, _ = select.select([task], [], [], SAY)
        assert ended, f"the task runs on {SAY} s after its launcher was killed"
    finally:
        os.close(task)
        process.kill()
        process.communicate(timeout=SAY)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
