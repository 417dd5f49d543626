"""Builds the data of `codemods.symbols` from the genuine releases and TensorFlow 2.21; run by hand.

    python -m codemods.symbols.build --oracles DIR     rebuild (DIR holds a virtual environment per release)
    python -m codemods.symbols.build --today           rebuild only what this TensorFlow and tf2bridge have now
    python -m codemods.symbols.build --check           every target resolves on this TensorFlow

The interpreter that runs it has TensorFlow 2.21 and tf_keras. A symbol is one line of data/names.json:
`in` the first and last release that had it, `is` the answer (SAME if absent), `to` the target if named otherwise,
`0.x` the name under tf2bridge.v0 for programs of 0.x, where they need another. `present` and `private` say what the
other files hold.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from codemods.symbols import DATA, RELEASES, TODAY, declared, present, private
from codemods.symbols.legacy import Legacy, collect
from codemods.symbols.targets import answer, older, unwalked
from codemods.symbols.today import Found, find


def span(releases: Iterable[str]) -> str:
    """ "first-last" of the releases, or the one there is."""
    listed = [release for release in RELEASES if release in set(releases)]
    return "" if not listed else listed[0] if len(listed) == 1 else f"{listed[0]}-{listed[-1]}"


def name_rows(known: dict[str, Legacy]) -> dict[str, dict[str, str]]:
    """The lines of names.json."""
    extra = [name for name in declared.RENAMED if name not in known]
    extra += [f"{head}.{name}" for head, names in declared.MOVED_NAMES.items() for name in names]
    extra += [f"models.rnn.rnn_cell.{name.split('.')[2]}" for name in known if name.startswith("nn.rnn_cell.")]
    extra += [f"models.rnn.seq2seq.{name.split('.')[2]}" for name in known if name.startswith("nn.seq2seq.")]
    everything = {name: unwalked(name) for name in extra}
    everything |= {name: Legacy(name, "module", {}, frozenset()) for name in declared.MOVED}
    everything |= known
    rows = {}
    for name, legacy in sorted(everything.items()):
        fields = answer(legacy, everything)
        row = {"in": span(legacy.arguments), **fields}
        if row["is"] == "SAME":
            del row["is"]
        if row.get("why") == "contrib" and not name.startswith("contrib"):
            row["why"] = "gone"
        if row.get("to") == name:
            del row["to"]
        row |= older(name, row["in"])
        if name.startswith("python.") and set(row) == {"in"}:
            continue  # a private path that still means what it meant
        rows[name] = row if legacy.kind != "module" else {**row, "kind": "module"}
    return rows


def signature_rows(known: dict[str, Legacy], rows: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The lines of signatures.json: core functions whose arguments differ between releases or from TODAY's."""
    found = {}
    for name, legacy in sorted(known.items()):
        if name.startswith(("contrib.", "keras.", "estimator.", "python.", "app.", "flags.", "test.", "logging.")):
            continue
        row: dict[str, str] = {}
        for release, arguments in legacy.arguments.items():
            text = _spell(arguments)
            if text is not None and (not row or text != list(row.values())[-1]):
                row[release] = text
        answered = rows[name]
        today = find(answered.get("to", name)) if answered.get("is") in (None, "COMPAT") else Found("missing")
        now = _spell(today.arguments)
        if row and now is not None and set(row.values()) != {now}:
            found[name] = {**row, TODAY: now}
    return found


def _spell(arguments: tuple[str, ...] | None) -> str | None:
    """Argument names in one string; wrappers that take anything tell nothing."""
    if arguments is None or (arguments and set(arguments) <= {"*args", "**kwargs", "**kwds"}):
        return None
    return " ".join(name for name in arguments if name != "self")


def write(path: Path, rows: dict[str, dict[str, str]]) -> None:
    """One line per entry, sorted."""
    lines = [f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(rows.items())]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def build(oracles: Path) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """The contents of names.json and signatures.json."""
    known = collect(oracles)
    rows = name_rows(known)
    return rows, signature_rows(known, rows)


def private_rows(oracles: Path) -> dict[str, dict[str, str]]:
    """The contents of private.json."""
    old = [private.package(oracles / release) for release in RELEASES]
    import tensorflow

    return private.rows(old, Path(str(tensorflow.__file__)).parent)


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m codemods.symbols.build", description=__doc__.splitlines()[0])
    parser.add_argument("--oracles", type=Path, default=os.environ.get("TF_ORACLES"))
    parser.add_argument("--output", type=Path, default=DATA)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--today", action="store_true")
    options = parser.parse_args()
    sys.argv[1:] = []  # tf.compat.v1.flags.FLAGS parses the command line when it is looked at
    if options.check:
        from codemods.symbols.check import problems

        found = problems()
        print("\n".join(found) or "every target resolves")
        return 1 if found else 0
    options.output.mkdir(exist_ok=True)
    write(options.output / "today.json", present.tensorflow_rows())
    write(options.output / "bridge.json", present.bridge_rows())
    if options.today:
        return 0
    if options.oracles is None:
        parser.error("name the directory of the genuine releases with --oracles")
    write(options.output / "private.json", private_rows(options.oracles))
    for name, rows in zip(("names", "signatures"), build(options.oracles), strict=True):
        write(options.output / f"{name}.json", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
