"""Runs many changed programs beside their traces, each in a fork of one process that has TensorFlow imported.

Reads a list of cases as JSON from standard input, {program, release, changes: [[old text, new text]], untouched}, and
writes for each a line of JSON: {rows, bad, outcome, otherwise, rounding, first, op, type, our_op, added, cause, text,
error}. An `untouched` program
runs under its release; any other one is migrated first.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT))
MUTATIONS = ROOT / "fixtures/mutations"
_LIMITS = (10_000, 1 << 30)


def migrated(text: str, release: str) -> str:
    """The program for TensorFlow 2, as `codemods check --target bridge` leaves it."""
    api = ".".join(release.split(".")[:2])
    entry = f'from tf2bridge import v1 as tf\n\ntf.enable(api="{api}")'
    assert text.count("import tensorflow as tf") == 1
    return text.replace("import tensorflow as tf", entry)


def changed(case: dict[str, Any]) -> str:
    """The migrated program with its faults in it."""
    text = (MUTATIONS / "programs" / f"{case['program']}.py").read_text()
    if not case.get("untouched"):
        text = migrated(text, case["release"])
    for old, new in case["changes"]:
        assert text.count(old) >= 1, f"{case['program']} does not hold {old!r}"
        text = text.replace(old, new)
    return text


def run(case: dict[str, Any]) -> dict[str, Any]:
    """Runs one changed program, compares it with its trace, and searches the first op that differs."""
    from tf2bridge.program.replayed import run_untouched
    from tf2bridge.proof.comparing.rows import first_divergence
    from tf2bridge.proof.numbers.tolerance import DEFAULT
    from tf2bridge.proof.replaying.child import Task, perform
    from tf2bridge.proof.replaying.judging import judged
    from tf2bridge.proof.replaying.process import Run, seeds_of
    from tf2bridge.proof.reporting.replay_text import describe
    from tf2bridge.proof.traces.reader import Trace

    reference = MUTATIONS / case["release"] / f"{case['program']}.trace"
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        name = f"{case['program']}.py"
        Path(name).write_text(changed(case))
        heard, told = socket.socketpair()  # nobody listens
        api = ".".join(case["release"].split(".")[:2]) if case.get("untouched") else ""
        task = Task(
            (name,),
            "new.trace",
            str(reference),
            "trace",
            "program",
            "seeds.json",
            api,
            {"descriptor": told.detach()},
            _LIMITS,
        )
        status = perform(task, run_untouched)
        heard.close()
        run = Run(Trace("new.trace"), seeds_of(Path("seeds.json")), status, "")
        replay = judged(run, Trace(reference), DEFAULT)
        bad = first_divergence(replay.rows)
        result: dict[str, Any] = {"rows": len(replay.rows), "bad": sum(not row.passed for row in replay.rows)}
        result |= {"status": status, "proven": replay.proven, "outcome": replay.outcome.value}
        result |= {"otherwise": list(replay.otherwise), "rounding": replay.rounding, "error": replay.not_searched}
        if bad is not None:
            result["first"] = describe(bad)
        if replay.divergence is not None:
            added = replay.divergence.evidence.added
            result["added"] = added.name if added is not None else ""
            for item in ("op", "type", "our_op", "our_type", "cause", "text", "call"):
                result[item] = getattr(replay.divergence, item)
    return result


def main() -> int:
    """Runs all cases."""
    import tensorflow as tf  # noqa: F401 - once, for all forks
    import tf_keras  # noqa: F401 - which half of a case would be spent on importing

    import tf2bridge.proof.diverging.search
    import tf2bridge.proof.replaying.judging
    import tf2bridge.v1  # noqa: F401

    for case in json.load(sys.stdin):
        out, answer = os.pipe()
        child = os.fork()
        if not child:
            os.dup2(2, 1)
            try:
                result = run(case)
            except BaseException:
                result = {"error": traceback.format_exc()}
            with os.fdopen(answer, "w") as pipe:
                pipe.write(json.dumps(result) + "\n")
            os._exit(0)
        os.close(answer)
        with os.fdopen(out) as pipe:
            line = pipe.read()
        os.waitpid(child, 0)
        sys.stdout.write(line or json.dumps({"error": "the process died"}) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
