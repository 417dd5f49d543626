"""The command line of tf2bridge; nothing here imports TensorFlow before a command needs it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from tf2bridge.commands import checkpoints, clusters, graphs, plans, programs, proofs, replays
from tf2bridge.commands.output import DIFFERENT, WRONG

_INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tf2bridge", message="tf2bridge %(version)s")
def cli() -> None:
    """Bring TensorFlow 0.x/1.x programs to TensorFlow 2, and prove that they compute the same numbers.

    Exit status: 0 all equal; 1 differences, or not proven; 2 wrong usage or input.
    """


for _command in (
    *(programs.migrate, programs.run, clusters.cluster, replays.replay, replays.recorder, proofs.compare),
    *(graphs.inspect, graphs.audit, graphs.export, plans.plan, checkpoints.convert),
):
    cli.add_command(_command)


def main(args: Sequence[str] | None = None, prog_name: str = "tf2bridge") -> None:
    """Runs the command line and exits; a user's error is one line on standard error and status 2."""
    sys.exit(_guarded(args, prog_name))


def _guarded(args: Sequence[str] | None, prog_name: str) -> int:
    from codemods.errors import CodemodsError
    from tf2bridge.errors import BridgeError

    try:
        status = cli.main(args, prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
        return int(status or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (BridgeError, CodemodsError) as error:
        click.echo(f"{prog_name}: error: {error}", err=True)
        return WRONG
    except BrokenPipeError:
        sys.stderr.close()
        return DIFFERENT
    except OSError as error:
        click.echo(f"{prog_name}: error: {error.filename or 'output'}: {error.strerror or error}", err=True)
        return WRONG
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"{prog_name}: interrupted", err=True)
        return _INTERRUPTED
