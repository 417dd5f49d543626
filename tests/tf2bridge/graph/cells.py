"""Proves every recorded model of every release, and writes what passes, and what does not and why.

    python -m tests.tf2bridge.graph.cells [--go-on]   writes fixtures/graphs/cells.json and cells.md, after each case;
                                                      or goes on with those that are not in them yet
    python -m tests.tf2bridge.graph.cells --in PROOFS CASE...    proves these, as "1.4.1/loop", a line of JSON for each

A case is a model of a release; its cells are the proofs below. Each batch of cases runs in a process of its own, so
that one that ends it is one case that fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.tf2bridge.graph.recorded import ALL, FOLDER

PROOFS = {
    "output": "the outputs equal those of the release, to 1e-5",
    "gradient": "the gradient equals that of the release, or, where the model trains, the difference quotient",
    "step": 'one step of the original train op equals that of a v1 session, bit for bit; "step as written" where it '
    "does so only if TensorFlow rewrites neither graph",
    "SavedModel": "written as a TF 2 SavedModel and loaded again, the outputs are the same",
    "TFLite": "written as TFLite and interpreted, the outputs are the same",
}
PASSES = "passes"
AS_WRITTEN = "passes as written"
"""What a cell begins with that passes where TensorFlow is asked not to rewrite the graphs (`load(exact=True)`), and
only there: its rewriting (Grappler) sees other graphs in a session than in a function, and may sum in another order.
"""
NOT_APPLICABLE = "-"
"""What does not apply begins so, and says why."""

Cells = Mapping[str, Mapping[str, str]]
"""Case -> proof -> PASSES, NOT_APPLICABLE and why, or what went wrong."""

ROOT = Path(__file__).parents[3]
DATA = FOLDER / "cells.json"
_BATCH = 60
_TOGETHER = (("output", "gradient", "step", "SavedModel"), ("TFLite",))
"""The proofs that share a process: TFLite's converter adds functions that it has changed under the names they had."""


def prove(
    cases: list[str], known: Cells | None = None, on_case: Callable[[Cells], None] = lambda _: None
) -> dict[str, dict[str, str]]:
    """Returns what each proof of each case said; what is `known` already is not proven again.

    `on_case` is called after each case with all that is found so far.
    """
    by_name = {case: dict((known or {}).get(case, {})) for case in cases}
    for proofs in _TOGETHER:
        waiting = [case for case in cases if not by_name[case].keys() >= set(proofs)]
        while waiting:
            for case, cells in _batch(waiting[:_BATCH], proofs):
                by_name[case] |= cells
                waiting.remove(case)
                on_case({case: cells for case, cells in by_name.items() if cells})
    return by_name


def _batch(cases: list[str], proofs: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The cases that a process of their own ends; one that ends the process fails."""
    command = [sys.executable, "-m", "tests.tf2bridge.graph.cells", "--in", ",".join(proofs), *cases]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = set()
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                report = json.loads(line)
                done.add(report["case"])
                yield report["case"], report["cells"]
    if len(done) < len(cases):
        case = next(case for case in cases if case not in done)
        yield case, dict.fromkeys(proofs, f"the process ended with status {process.returncode}")


def counts(cells: Cells) -> dict[str, int]:
    """How many models, cases and cells there are, and how many of the applicable ones pass."""
    applicable = [
        proof_ for proofs in cells.values() for proof_ in proofs.values() if not proof_.startswith(NOT_APPLICABLE)
    ]
    result = [case for case, proofs in cells.items() if all(_yes(proof_) or _no(proof_) for proof_ in proofs.values())]
    return {
        "models": len({case.partition("/")[2] for case in cells}),
        "cases": len(cells),
        "cases passing": len(result),
        "cells": len(applicable),
        "cells passing": sum(map(_yes, applicable)),
        "cells passing as written": sum(message.startswith(AS_WRITTEN) for message in applicable),
    }


def _yes(message: str) -> bool:
    return message.startswith(PASSES)


def _no(message: str) -> bool:
    return message.startswith(NOT_APPLICABLE)


def as_markdown(cells: Cells) -> str:
    """Returns the table: a row for each model, a column for each release, and what does not pass below."""
    releases = sorted({case.partition("/")[0] for case in cells}, key=lambda item: [int(n) for n in item.split(".")])
    totals = counts(cells)
    lines = [
        "# What of the recorded graphs is proven",
        "",
        f"{totals['models']} models, {totals['cases']} cases (a model of a release), of which "
        f"{totals['cases passing']} pass whole; {totals['cells passing']} of {totals['cells']} applicable cells pass, "
        f"{totals['cells passing as written']} of them as written. Written by `python -m tests.tf2bridge.graph.cells`.",
        "",
        *(f"- {name}: {what}." for name, what in PROOFS.items()),
        "",
        f"| model | {' | '.join(releases)} |",
        f"|---|{'---|' * len(releases)}",
    ]
    for model in sorted({case.partition("/")[2] for case in cells}):
        row = [_cell(cells.get(f"{release}/{model}")) for release in releases]
        lines.append(f"| {model} | {' | '.join(row)} |")
    lines += ["", "Does not pass:", ""]
    for case, proofs in cells.items():
        wrong = {proof: proof_ for proof, proof_ in proofs.items() if not _yes(proof_) and not _no(proof_)}
        lines += [f"- {case}, {proof}: {value}" for proof, value in wrong.items()]
    lines += ["", "Passes as written:", ""]
    for case, proofs in cells.items():
        lines += [f"- {case}, {proof}: {proof_}" for proof, proof_ in proofs.items() if proof_.startswith(AS_WRITTEN)]
    return "\n".join([*lines, ""])


def _cell(proofs: Mapping[str, str] | None) -> str:
    if proofs is None:
        return "not recorded"
    wrong = [proof for proof, proof_ in proofs.items() if not _yes(proof_) and not _no(proof_)]
    written = {proof: " as written" for proof, proof_ in proofs.items() if proof_.startswith(AS_WRITTEN)}
    proven = [proof + written.get(proof, "") for proof, proof_ in proofs.items() if _yes(proof_)]
    return f"not {', '.join(wrong)}" if wrong else ", ".join(proven)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--in"]:
        from tests.tf2bridge.graph.cell_proofs import proofs_of

        with tempfile.TemporaryDirectory() as folder:
            for case in arguments[2:]:
                print(
                    json.dumps({"case": case, "cells": proofs_of(case, arguments[1].split(","), Path(folder))}),
                    flush=True,
                )
        return 0
    known = json.loads(DATA.read_text()) if "--go-on" in arguments and DATA.exists() else {}
    cells = prove(ALL, known, write)
    write(cells)
    print(as_markdown(cells))
    return 0


def write(cells: Cells) -> None:
    """Writes both files."""
    DATA.write_text(json.dumps(cells, indent=1) + "\n")
    DATA.with_suffix(".md").write_text(as_markdown(cells))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
