"""Copies TensorFlow's log to standard error, without the notices of its start. Runs as a script, without tf2bridge.

The log comes on standard input. The argument is the lowest level that is shown, as in TF_CPP_MIN_LOG_LEVEL.
"""

import os
import re
import signal
import sys

# The level is in the first group with TensorFlow 2.21, in the second one with 2.20.
_RECORD = re.compile(rb"([IWEF])\d{4} \d\d:\d\d:|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: ([IWEF]) ")
_BEFORE_START = b"WARNING: All log messages before absl::InitializeLog()"
# TensorFlow logs this as an error on every machine that has no CUDA driver. It then computes on the CPU.
_NO_DRIVER = re.compile(rb"failed call to cuInit: .*\(303\)")


def is_shown(line: bytes, level: int) -> bool:
    """Returns whether a user sees this line of the log."""
    if line.startswith(_BEFORE_START):
        return False
    record = _RECORD.match(line)
    if record is None:
        return True
    return b"IWEF".index(record[1] or record[2]) >= level and _NO_DRIVER.search(line) is None


def main() -> None:
    """Copies the lines until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that writes the log ends first
    for line in sys.stdin.buffer:
        if is_shown(line, int(sys.argv[1])):
            try:
                os.write(2, line)
            except OSError:  # nobody reads standard error; the writer must not notice
                continue


if __name__ == "__main__":
    main()
