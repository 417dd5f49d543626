"""The command `tf2bridge cluster`: runs a program with parameter servers and workers on this machine."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from tf2bridge import systems
from tf2bridge.commands.output import say
from tf2bridge.systems import starting


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--ps", default=1, show_default=True, metavar="N", type=click.IntRange(0), help="The number of parameter servers."
)
@click.option(
    "--workers", default=2, show_default=True, metavar="N", type=click.IntRange(0), help="The number of workers."
)
@click.option("--chief", "chief", flag_value="chief", help="Add a chief to the workers, as Estimators do.")
@click.option(
    "--master", "chief", flag_value="master", help="Add a chief that is called master, as in TF_CONFIG before 1.4."
)
@click.option("--evaluator", is_flag=True, help="Add an evaluator, as train_and_evaluate does.")
@click.option("--api", default="1.15", show_default=True, help="The TensorFlow release the program was written for.")
@click.option("--tf2", is_flag=True, help="The program is a TensorFlow 2 program: run it unchanged, with TF_CONFIG.")
@click.option(
    "--via",
    type=click.Choice(["auto", "flags", "tf-config"]),
    default="auto",
    show_default=True,
    help="How the program learns its task; auto finds out from the program's text.",
)
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(1, 65535),
    help="The first of consecutive ports. Without it, free ports are used.",
)
@click.option(
    "--timeout",
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    type=click.FloatRange(0, 10**6, min_open=True),
    help="How long the servers may take to start.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="-- [NAME=VALUE]... SCRIPT|-m MODULE [ARGS]...")
def cluster(arguments: Sequence[str], **options: Any) -> int:
    """Run an unchanged program with parameter servers and workers on this machine.

    Each task is a process that `tf2bridge run` runs. It learns its task from the flags that the program defines
    (--job_name, --task_index, --ps_hosts, --worker_hosts or similar names), or from TF_CONFIG. If the program uses
    something else, write {job}, {task}, {ps_hosts} and {worker_hosts} into ARGS or the environment:

    \b
        tf2bridge cluster --ps 1 --workers 2 -- trainer.py --steps 100
        tf2bridge cluster -- trainer.py --role={job} --number={task} --servers={ps_hosts}
        tf2bridge cluster -- ROLE={job} NUMBER={task} trainer.py

    Only this machine can reach the servers of --ps and --workers. A server that cannot ensure this says so.

    When the workers are done, the parameter servers are ended. With --tf2 and a chief, all tasks end when the chief
    is done. If a task fails, all tasks are ended, and the exit status is that of the first task that failed.
    """
    from tf2bridge.behaviour.release import parse
    from tf2bridge.proof.replaying.process import require_tensorflow
    from tf2bridge.train.clusters.cluster import Cluster
    from tf2bridge.train.clusters.launching import launches
    from tf2bridge.train.clusters.loopback import OPEN
    from tf2bridge.train.clusters.tasks import EVALUATOR, PS, WORKER

    if not arguments:
        raise click.UsageError("name the program to run: tf2bridge cluster --ps 1 --workers 2 -- SCRIPT ARGS...")
    if not (options["ps"] or options["workers"] or options["chief"]):
        raise click.UsageError("no task to start: give --ps or --workers")
    require_tensorflow("running a program")
    starter = [sys.executable] if options["tf2"] else through_run(parse(options["api"]).asked)
    chief = {options["chief"]: 1} if options["chief"] else {}
    jobs = {**chief, PS: options["ps"], WORKER: options["workers"], EVALUATOR: options["evaluator"]}
    started, addresses = launches(
        arguments, jobs, starter, "tf-config" if options["tf2"] else options["via"], options["port"]
    )
    if options["tf2"]:
        notice = (
            "servers that the program starts itself, as tf.distribute does, may listen on every address of this machine"
        )
        say(f"tf2bridge: {notice}; {OPEN}")
    for launch in started:
        environment = [f"{name}={systems.joined([value])}" for name, value in launch.environment.items()]
        shown = " ".join([*environment, systems.joined(launch.command[len(starter) :])])
        say(f"tf2bridge: {launch.task}: {shown}")
    with Cluster(started, addresses, timeout=options["timeout"]) as running, _interrupting(running.interrupt):
        if options["tf2"] and chief:  # workers of tf.distribute serve and never end by themselves
            for task, process in running.processes().items():
                process.joined = task.job == WORKER
        outcome = running.wait()
    if outcome.why:
        say(f"tf2bridge: error: {outcome.why}")
    return outcome.status


def through_run(api: str) -> list[str]:
    """Returns the start of a command that runs a program as `tf2bridge run --api` does, with a line to the launcher."""
    return [*starting.command("tf2bridge.commands.cluster_member"), "--api", api]


@contextlib.contextmanager
def _interrupting(interrupt: Callable[[int], None]) -> Iterator[None]:
    """Within a with block, calls `interrupt` with the number of each signal that asks this process to end."""
    heard = [number for number in systems.ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = [signal.signal(number, lambda caught, _frame: interrupt(caught)) for number in heard]
    try:
        yield
    finally:
        for number, handler in zip(heard, before, strict=True):
            signal.signal(number, handler)
