"""Flags of a program with the names that absl and TensorFlow have taken since."""

from __future__ import annotations

import subprocess

import pytest

from tests import forked, oracles

PROGRAM = """
import tensorflow as tf
{switch}
flags = {tf}.app.flags
flags.DEFINE_string("log_dir", "logs", "")
flags.DEFINE_integer("v", 1, "")
{more}
def main(argv):
    print(flags.FLAGS.log_dir, flags.FLAGS.v, {value}, argv[1:])
{tf}.app.run(main)
"""
READ_BY_RUN = ("profile_file", "verbosity", "only_check_args")
BEHIND_RUN = {
    "more": "\n".join(f"flags.DEFINE_string({name!r}, {name[0]!r}, '')" for name in READ_BY_RUN),
    "value": ", ".join(f"flags.FLAGS.{name}" for name in READ_BY_RUN),
}
NOT_BEHIND_RUN = {"more": "", "value": "None"}
ARGUMENTS = ["--log_dir=x", "--v", "7"]
# What 0.12.1, 1.4.1 and 1.12.3 print; in 1.15.5 it is a DuplicateFlagError already.
CASES = [(BEHIND_RUN, "x 7 p v o []"), (NOT_BEHIND_RUN, "x 7 None []")]
NAMES = ["with-flags-that-run-reads", "without"]


@pytest.mark.parametrize("release", ["0.12", "1.4", "1.12", "1.15"])
@pytest.mark.parametrize("parts, printed", CASES, ids=NAMES)
def test_the_flag_of_the_program_is_its_own(release: str, parts: dict[str, str], printed: str) -> None:
    switch = f"import tf2bridge.v1; tf2bridge.v1.enable(api={release!r})"
    done = forked.run(PROGRAM.format(switch=switch, tf="tf.compat.v1", **parts), *ARGUMENTS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed


@pytest.mark.parametrize("parts", [parts for parts, _ in CASES], ids=NAMES)
def test_help_shows_the_flags_of_the_program(parts: dict[str, str]) -> None:
    switch = "import tf2bridge.v1; tf2bridge.v1.enable()"
    done = forked.run(PROGRAM.format(switch=switch, tf="tf.compat.v1", **parts), "--helpshort")
    assert done.returncode == 1  # as absl's
    assert "--log_dir" in done.stdout


@pytest.mark.parametrize("module", ["__main__", "another"])
def test_two_flags_of_one_name_in_the_program_are_an_error_still(module: str) -> None:
    code = (
        "from absl import flags\nimport tf2bridge.v1\ntf2bridge.v1.enable()\n"
        "flags.DEFINE_integer('log_dir', 1, '')\n"
        f"flags.DEFINE_integer('log_dir', 2, '', module_name={module!r})\n"
    )
    done = forked.run(code)
    assert done.returncode == 1
    assert "DuplicateFlagError" in done.stderr


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.12.3", "1.15.5"])
@pytest.mark.parametrize("parts, printed", CASES, ids=NAMES)
def test_the_genuine_release_has_it_so(release: str, parts: dict[str, str], printed: str) -> None:
    program = PROGRAM.format(switch="", tf="tf", **parts)
    command = [str(oracles.interpreter(release)), "-c", program, *ARGUMENTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if release == "1.15.5":
        assert "DuplicateFlagError" in done.stderr
    else:
        assert done.stdout.strip() == printed
