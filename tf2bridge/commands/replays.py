"""The commands `tf2bridge replay` and `tf2bridge recorder`: record genuine TensorFlow, and compare TensorFlow 2."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, html_option, output_format, print_json, write_page
from tf2bridge.commands.proving import (
    atol_option,
    feeds_option,
    onednn_option,
    progress,
    rounding_option,
    rtol_option,
    say_what_runs,
    search_option,
    seeds_option,
    tolerance_of,
)


@click.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.option(
    "--api", default="", help="Run an unchanged program of this release. Without it, the program is a migrated one."
)
@click.option("--graph", is_flag=True, help="Run the recorded graphs instead of a program.")
@search_option
@click.option(
    "--also",
    multiple=True,
    metavar="TRACE",
    type=click.Path(path_type=Path),
    help="Another recording of the program with other random numbers. Run the program once for each, and test whether "
    "old and new runs are alike.",
)
@seeds_option
@feeds_option
@rounding_option
@rtol_option
@atol_option
@onednn_option
@output_format
@html_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def replay(trace: Path, api: str, graph: bool, command: Sequence[str], **options: Any) -> int:
    """Run a program, or the recorded graphs, and compare with TRACE.

    tf2bridge replay TRACE [OPTIONS] -- train.py ARGS...; the program runs in the current directory.

    tf2bridge replay TRACE --graph runs the graphs in a v1 session of TensorFlow 2, and as functions.

    tf2bridge replay TRACE --also TRACE ... -- train.py ARGS is for seeds that cannot be matched. It needs five traces
    or more.
    """
    if graph == bool(command):
        raise click.UsageError("give either a program (tf2bridge replay TRACE -- train.py ARGS...) or --graph")
    if options["also"] and (graph or options["html"] is not None):
        raise click.UsageError("--also tests many runs of a program; it goes with neither --graph nor --html")
    if graph:
        return _replay_graphs(trace, options)
    if options["also"]:
        return _replay_many((trace, *options["also"]), api, command, options)
    return _replay_once(trace, api, command, options)


def _replay_once(trace: Path, api: str, command: Sequence[str], options: dict[str, Any]) -> int:
    from tf2bridge.native.proving import prove
    from tf2bridge.program.replaying import replay as run_beside
    from tf2bridge.proof.replaying.process import FROM_PROGRAM, require_tensorflow
    from tf2bridge.proof.replaying.seeding import FROM_TRACE
    from tf2bridge.proof.reporting.replay_text import as_json, print_text
    from tf2bridge.proof.traces.reader import Trace

    recorded = Trace(trace)
    native_map = _native_map(api, command)
    require_tensorflow("running the program")
    say_what_runs(command, str(Path.cwd()))
    total = len(recorded.calls)
    chosen: dict[str, Any] = {"seeds": options["seeds"] or FROM_TRACE, "tolerance": tolerance_of(options)}
    chosen["search"] = not options["no_search"]
    with progress("running on TensorFlow 2") as on_call:
        on_call(0, total)
        chosen["on_call"] = lambda calls: on_call(calls, total)
        chosen["feeds"] = options["feeds"] or FROM_PROGRAM
        if native_map is not None:
            proof = prove(recorded, command, Path.cwd(), native_map, **chosen)
        else:
            proof = run_beside(recorded, command, Path.cwd(), api=api, **chosen)
    if options["output_format"] == "json":
        print_json(as_json(proof))
    else:
        print_text(proof)
    if options["html"] is not None:
        from tf2bridge.proof.reporting.pages import of_replay

        write_page(options["html"], of_replay(proof, recorded, command))
    return EQUAL if proof.passes(options["accept_rounding"]) else DIFFERENT


def _native_map(api: str, command: Sequence[str]) -> Path | None:
    """Returns the map of the native program that a command runs, or None for a program with sessions."""
    from tf2bridge.native.proving import map_beside

    path = map_beside(Path.cwd(), command)
    if path is not None and api:
        raise click.UsageError(f"--api is for programs with sessions, and {path.name} says that this one has none")
    return path


def _replay_many(traces: Sequence[Path], api: str, command: Sequence[str], options: dict[str, Any]) -> int:
    from tf2bridge.program.replaying import RECORDING
    from tf2bridge.proof.replaying.many import replay_many
    from tf2bridge.proof.replaying.process import require_tensorflow
    from tf2bridge.proof.reporting.runs_text import as_json, print_text
    from tf2bridge.proof.traces.reader import Trace

    recorded = [Trace(trace) for trace in traces]
    require_tensorflow("running the program")
    say_what_runs(command, f"copies of {Path.cwd()}")
    with progress("runs on TensorFlow 2") as on_run:
        on_run(0, len(recorded))
        outcome = replay_many(
            recorded, command, Path.cwd(), RECORDING, api=api, on_run=lambda runs: on_run(runs, len(recorded))
        )
    if options["output_format"] == "json":
        print_json(as_json(outcome))
    else:
        print_text(outcome)
    return DIFFERENT if outcome.told_apart else EQUAL


def _replay_graphs(trace: Path, options: dict[str, Any]) -> int:
    from tf2bridge.proof.replaying.process import require_tensorflow
    from tf2bridge.proof.reporting.graph_text import as_json, print_text
    from tf2bridge.proof.traces.reader import Trace

    require_tensorflow("running a graph")
    from tf2bridge.proof.replaying.graphs import replay_graphs

    recorded = Trace(trace)
    total = 2 * len(recorded.calls)
    with progress("running on TensorFlow 2") as on_call:
        proof = replay_graphs(recorded, tolerance_of(options), lambda calls: on_call(calls, total))
    if options["output_format"] == "json":
        print_json(as_json(proof))
    else:
        print_text(proof)
    if options["html"] is not None:
        from tf2bridge.proof.reporting.pages import of_graphs

        write_page(options["html"], of_graphs(proof, recorded))
    return EQUAL if proof.proven else DIFFERENT


@click.command()
def recorder() -> int:
    """Print the recorder for the old machine.

    The recorder is one file. Run it where the old TensorFlow still works:

    \b
    tf2bridge recorder > recorder.py
    python recorder.py --output train.trace -- train.py ARGS    # on the old machine
    """
    from tf2bridge.proof.recording.assembled import assembled

    click.echo(assembled(), nl=False)
    return EQUAL
