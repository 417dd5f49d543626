"""The command line of the recorder."""

import argparse
import os
import re
import signal
import sys

from tf2bridge.proof.recording.encoding import describe
from tf2bridge.proof.recording.program import die_of, run_program
from tf2bridge.proof.recording.recorder import MAX_BYTES, MAX_CALLS, Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any


def main(arguments):
    # type: (list[str]) -> int
    """Records one program. Returns its exit status, or 2 if nothing was run or the trace could not be written."""
    parser = _parser()
    given = parser.parse_args(arguments)
    argv = given.program[1:] if given.program[:1] == ["--"] else given.program
    _check(parser, argv, given)
    is_module = argv[0] == "-m"
    try:
        recorder = Recorder(
            given.output,
            os.getcwd() if is_module else os.path.dirname(argv[0]) or ".",
            given.max_calls,
            given.max_bytes,
            every=given.every,
            intermediate=given.intermediate,
            argv=argv,
            draws=not given.no_draws,
        )
        recorder.install()
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, lambda number, _: recorder.when_idle(lambda: _terminate(recorder, number)))
        status, error = run_program(argv)
        recorder.close(status, error)
    except (EnvironmentError, ImportError) as problem:
        parser.error("cannot record to %s: %s" % (given.output, describe(problem)))
    if status < 0:
        die_of(-status)
    return status


def _terminate(recorder, number):
    # type: (Recorder, int) -> None
    recorder.close(-number, "signal %d" % number)
    die_of(number)


def _parser():
    # type: () -> argparse.ArgumentParser
    parser = argparse.ArgumentParser(
        prog="recorder.py", usage="%(prog)s --output TRACE [options] -- [-m MODULE | PROGRAM] [ARGS]"
    )
    parser.add_argument("--output", required=True, help="the trace to write, one zip")
    parser.add_argument("--max-calls", type=int, default=MAX_CALLS, help="default %(default)s")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="of arrays; default %(default)s")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="record every Nth call of the same fetches")
    parser.add_argument("--intermediate", action="append", default=[], metavar="PATTERN", help="inner tensors, too")
    parser.add_argument("--no-draws", action="store_true", help="not what random ops without a seed drew")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    return parser


def _check(parser, argv, given):
    # type: (argparse.ArgumentParser, list[str], Any) -> None
    if argv[:1] == ["-m"]:
        if len(argv) == 1:
            parser.error("no module is named after -m")
    elif not argv or not os.path.isfile(argv[0]):
        parser.error("no such program: %s; write `-- train.py ARGS` last" % (argv[0] if argv else "none is named"))
    if given.every < 1:
        parser.error("--every %d: a whole number from 1" % given.every)
    for pattern in given.intermediate:
        try:
            re.compile(pattern)
        except re.error as problem:
            parser.error("--intermediate %s: no regular expression: %s" % (pattern, problem))
