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
import fnmatch
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from codemods.symbols import DATA, RELEASES, TODAY, declared, present, private
from codemods.symbols.today import Found, find, in_bridge

# Private modules that old programs import.
PRIVATE = (
    "examples.tutorials.mnist.input_data",
    "models.rnn.ptb.reader",
    "models.rnn.rnn",
    "models.rnn.rnn_cell",
    "models.rnn.seq2seq",
    *(f"python.client.{name}" for name in ("device_lib", "session", "timeline")),
    *(f"python.framework.{name}" for name in ("constant_op", "dtypes", "errors", "function", "graph_util", "ops")),
    *(f"python.framework.{name}" for name in ("random_seed", "tensor_shape", "tensor_util")),
    *(f"python.layers.{name}" for name in ("base", "convolutional", "core", "normalization", "pooling", "utils")),
    *(f"python.ops.{name}" for name in ("array_ops", "check_ops", "clip_ops", "control_flow_ops", "ctc_ops")),
    *(f"python.ops.{name}" for name in ("data_flow_ops", "embedding_ops", "functional_ops", "gradients", "image_ops")),
    *(f"python.ops.{name}" for name in ("init_ops", "io_ops", "linalg_ops", "logging_ops", "math_ops", "metrics")),
    *(f"python.ops.{name}" for name in ("nn", "nn_ops", "parsing_ops", "random_ops", "rnn", "rnn_cell")),
    *(f"python.ops.{name}" for name in ("rnn_cell_impl", "seq2seq", "sparse_ops", "state_ops", "string_ops")),
    *(f"python.ops.{name}" for name in ("tensor_array_ops", "variable_scope", "variables")),
    *(f"python.platform.{name}" for name in ("app", "flags", "gfile", "tf_logging")),
    *(f"python.training.{name}" for name in ("moving_averages", "optimizer", "saver", "session_run_hook")),
    *(f"python.util.{name}" for name in ("compat", "nest")),
)
UNWANTED = ("raw_ops.*", "compiler*", "contrib.*_pb2*", "contrib.*.python.*", "*.xrange", "*.zip", "*.tf_export")


@dataclass(frozen=True)
class Legacy:
    """One name as the releases had it: where, of what kind, its arguments by release, its other names by release."""

    name: str
    kind: str
    arguments: dict[str, tuple[str, ...] | None]
    aliases: frozenset[str]


def surface(python: Path) -> dict[str, list[object]]:
    """The rows of `surface.py`, run by the interpreter of a genuine release."""
    script = Path(__file__).with_name("surface.py")
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("TF2_BEHAVIOR", None)  # set where TensorFlow 2 was imported; it changes the names of 1.15
    command = [str(python), str(script), *PRIVATE]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    symbols: dict[str, list[object]] = json.loads(result.stdout[result.stdout.index('{"symbols"') :])["symbols"]
    return {name: row for name, row in symbols.items() if not any(fnmatch.fnmatch(name, each) for each in UNWANTED)}


def collect(oracles: Path) -> dict[str, Legacy]:
    """Every name of every release."""
    found: dict[str, Legacy] = {}
    for release in RELEASES:
        rows = surface(oracles / release / "bin" / "python")
        groups: dict[object, set[str]] = {}
        for name, (_, identity, _) in rows.items():
            groups.setdefault(identity, set()).add(name)
        for name, (kind, identity, arguments) in rows.items():
            old = found.get(name)
            names = groups[identity] - {name} if identity and kind != "module" else set()
            listed = tuple(arguments) if isinstance(arguments, list) else None
            by_release = {**(old.arguments if old else {}), release: listed}
            found[name] = Legacy(name, str(kind), by_release, (old.aliases if old else frozenset()) | names)
    return found


def answer(legacy: Legacy, known: dict[str, Legacy], seen: frozenset[str] = frozenset()) -> dict[str, str]:
    """The fields `is`, `to` and `why` of a name's line."""
    name = legacy.name
    target = moved(name)
    if target is not None and target != name:
        return answer(known.get(target, _unwalked(target)), known, seen | {name}) | _to(target, known, seen | {name})
    if bridged(name) and in_bridge(name):
        return _core(name) or {"is": "BRIDGE", "to": name}
    now = find(name)
    if now.state == "ok" and not bridged(name):
        if name.startswith("python."):
            return _private(legacy, now)
        return {"is": "SAME" if now.same else "COMPAT", "to": name}
    better = [_to(alias, known, seen | {name}) for alias in _ranked(legacy.aliases - seen)] if not seen else []
    for found in better:
        if found["is"] != "DEAD":
            return found
    why = "contrib" if name.startswith("contrib.") else "refused" if now.state == "refused" else "gone"
    return {"is": "DEAD", "why": why}


def _core(name: str) -> dict[str, str] | None:
    """The answer for a name of contrib that tf2bridge.v1 lists as an alias of one that TensorFlow still has."""
    from tf2bridge.v1.catalog import TREE

    target = TREE.aliases.get(name, "")
    now = find(target) if name.startswith("contrib.") and target and not bridged(target) else Found("missing")
    return _plain(target, now) if now.state == "ok" and target not in TREE.names else None


def _unwalked(name: str) -> Legacy:
    return Legacy(name, "function", {}, frozenset())


def _to(name: str, known: dict[str, Legacy], seen: frozenset[str]) -> dict[str, str]:
    """The answer for another name of the same thing."""
    return answer(known.get(name, _unwalked(name)), known, seen)


def _ranked(names: Iterable[str]) -> list[str]:
    """Public names before private ones, core before contrib, short before long."""
    return sorted(names, key=lambda name: (name.startswith("python."), name.startswith("contrib."), len(name), name))


def _private(legacy: Legacy, now: Found) -> dict[str, str]:
    """A private path that still imports: SAME unless TensorFlow put another object under the old name."""
    for alias in _ranked(legacy.aliases):
        public = find(alias)
        if not alias.startswith(("python.", "contrib.")) and public.state == "ok" and public.identity:
            return {"is": "SAME", "to": legacy.name} if public.identity == now.identity else _plain(alias, public)
    return {"is": "SAME", "to": legacy.name}


def _plain(name: str, now: Found) -> dict[str, str]:
    return {"is": "SAME" if now.same else "COMPAT", "to": name}


def moved(name: str) -> str | None:
    """The name that replaced this one, by what is declared; None if nothing is."""
    if name in declared.RENAMED:
        return declared.RENAMED[name]
    if declared.MOVED.get(name):
        return declared.MOVED[name]
    head, _, last = name.rpartition(".")
    if head in declared.MOVED and last:
        return f"{declared.MOVED[head]}.{last}".lstrip(".")
    return None


def older(name: str, releases: str) -> dict[str, str]:
    """The field `0.x` of a name's line, for what 0.x had and tf2bridge.v0 provides."""
    head = next((head for head in declared.OLDER if name == head or name.startswith(f"{head}.")), None)
    if head is None or (releases and not releases.startswith("0.")):
        return {}
    target = declared.OLDER[head] + name.removeprefix(head)
    return {"0.x": target} if in_bridge(target, "tf2bridge.v0") else {}


def bridged(name: str) -> bool:
    """Whether tf2bridge.v1 is declared to provide names like this."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in declared.BRIDGED)


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
    everything = {name: _unwalked(name) for name in extra}
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
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


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
