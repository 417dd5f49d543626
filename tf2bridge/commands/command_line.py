"""All commands of `tf2bridge`, and what becomes of their errors. Only a command that needs TensorFlow imports it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from tf2bridge import quiet_start
from tf2bridge.commands import (
    checkpoints,
    clusters,
    decompiles,
    doctors,
    ending,
    fleet_reports,
    fleet_runs,
    fleets,
    graphs,
    plans,
    programs,
    proofs,
    replays,
    seals,
)


@click.group(cls=ending.Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tf2bridge", message="tf2bridge %(version)s")
def cli() -> None:
    """Bring TensorFlow 0.x/1.x programs to TensorFlow 2, and prove that they compute the same numbers.

    Exit status: 0 all equal; 1 differences, or not proven; 2 wrong usage or wrong input.
    """


for _command in (
    *(programs.migrate, programs.run, clusters.cluster, replays.replay, replays.recorder, proofs.compare),
    *(graphs.inspect, graphs.audit, graphs.export, plans.plan, checkpoints.convert),
    *(decompiles.decompile, seals.seal, doctors.doctor, fleets.fleet),
):
    cli.add_command(_command)
fleets.fleet.add_command(fleet_runs.run)
fleets.fleet.add_command(fleet_reports.report)


_OF_PROGRAMS = ("run", "cluster")
"""Commands whose output is the program's own and stays unchanged."""
_OF_VERDICTS = ("compare", "replay", "migrate", "decompile")
"""Commands that run graphs or programs, and whose status 0 means that these compute the same."""


def main(args: Sequence[str] | None = None, prog_name: str = "tf2bridge") -> None:
    """Runs the command line and exits. A user's error gives one line on standard error and status 2."""
    words = sys.argv[1:] if args is None else list(args)
    if words[:1] and words[0] in _OF_PROGRAMS:
        sys.exit(_guarded(words, prog_name))
    ending.prepared_output()
    if args is None:
        quiet_start.choose()
    is_verdict = args is None and words[:1] and words[0] in _OF_VERDICTS
    sys.exit(ending.to_its_end(prog_name, lambda: _guarded(words, prog_name), bool(is_verdict)))


def _guarded(args: Sequence[str], prog_name: str) -> int:
    from codemods.errors import CodemodsError
    from tf2bridge.errors import BridgeError
    from tf2bridge.systems.memory import is_out_of_memory

    try:
        return _status(args, prog_name)
    except click.ClickException as error:
        return ending.misused(error)
    except (BridgeError, CodemodsError) as error:
        return ending.out_of_memory(prog_name) if is_out_of_memory(error) else ending.fail(prog_name, error)
    except (KeyboardInterrupt, click.Abort):
        return ending.interrupted(prog_name)
    except RecursionError:
        return ending.fail(prog_name, "something in the input is nested too deeply; name fewer files to find it")
    except ending.ClosedPipeError as error:
        return ending.unwritten(prog_name, error.pipe)
    except Exception as error:
        if is_out_of_memory(error):
            return ending.out_of_memory(prog_name)
        if isinstance(error, OSError):
            return ending.unwritten(prog_name, error)
        raise


def _status(args: Sequence[str], prog_name: str) -> int:
    status = cli.main(args, prog_name=prog_name, standalone_mode=False)
    if sys.stdout is not None:
        sys.stdout.flush()
    return int(status or 0)
