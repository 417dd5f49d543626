"""Finds the TensorFlow release for which a file was written, from its names, or else from the whole project."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, lru_cache

from codemods import symbols
from codemods.choices import either
from codemods.context import Era
from codemods.errors import UnknownVersionError
from codemods.facts import Facts
from codemods.names import Names
from codemods.project import Project, folders

RELEASES = ("0.12", "1.4", "1.12", "1.15")
# They mean something else before 0.12, and again since 1.13.
_TWICE = frozenset(["image.random_crop"])
# 1.0 and later raise "Only call ... with named arguments" when these are called by position.
_LOSSES = frozenset(
    f"tensorflow.nn.{name}_cross_entropy_with_logits" for name in ("softmax", "sparse_softmax", "sigmoid")
)
# How many files must contradict one file if no common program is known.
_MANY = 4
_REPLICAS = "tensorflow.train.SyncReplicasOptimizer"


def fixed(version: str) -> Era | None:
    """Returns the era that `--from-version` names; None for auto. Raises UnknownVersionError."""
    if version == "auto":
        return None
    parts = version.split(".")
    if len(parts) < 2 or not all(part.isdigit() for part in parts[:2]):
        raise UnknownVersionError(version)
    major, minor = int(parts[0]), int(parts[1])
    if major == 0 and minor >= 5:
        return Era("0.12", f"--from-version {version}", True, told=True)
    if major != 1 or minor > 15:
        raise UnknownVersionError(version)
    nearest = max((r for r in RELEASES[1:] if int(r[2:]) <= max(minor, 4)), key=lambda r: int(r[2:]))
    return Era(nearest, f"--from-version {version}", True, told=True)


def evidence(names: Names) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the evidence for 0.x and the evidence for 1.x in a file, each a phrase with its line."""
    older: list[str] = []
    newer: list[str] = []
    late = _compat_import(names)
    if late:  # 0.x could not run this file, even if it has names of 0.x
        return (), (f"an import of tensorflow.compat.v1 on line {late}",)
    for line, phrase, old in sorted(_signs(names)):
        (older if old else newer).append(f"{phrase} on line {line}")
    return tuple(older), tuple(newer)


def _compat_import(names: Names) -> int | None:
    """Returns the line where the file imports the whole of tensorflow.compat.v1, which is new in 1.13."""
    for node in (*names.nodes.get(ast.Import, []), *names.nodes.get(ast.ImportFrom, [])):
        assert isinstance(node, ast.Import | ast.ImportFrom)
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        if any(f"{module}{alias.name}" == "tensorflow.compat.v1" for alias in node.names):
            return node.lineno
    return None


def _signs(names: Names) -> Iterator[tuple[int, str, bool]]:
    for chain in names.chains:
        name = names.qualified(chain)
        if name and name.startswith("tensorflow."):
            short = name.removeprefix("tensorflow.")
            known = _releases(short)
            if not _tells(short, known) or chain in either(names):
                continue
            yield chain.lineno, f"tf.{short}", "0.12" in known or not known
    for node in names.nodes.get(ast.Call, []):
        assert isinstance(node, ast.Call)
        name = names.qualified(node.func)
        if name is None or not name.startswith("tensorflow."):
            continue
        signs = [*_call_signs(node, name), *_keyword_signs(node, name)]
        yield from signs if signs and node not in either(names) else []


def _tells(short: str, known: tuple[str, ...]) -> bool:
    """Returns whether only releases of 0.x, or only those of 1.x, had a name."""
    one_kind = bool(known) and ("0.12" in known) != any(release != "0.12" for release in known)
    return short not in _TWICE and (one_kind or _is_older(short))


def _call_signs(call: ast.Call, name: str) -> Iterator[tuple[int, str, bool]]:
    """Yields the signs of a release in the order of a call's arguments."""
    short = name.replace("tensorflow.", "tf.", 1)
    if name == "tensorflow.concat" and len(call.args) == 2:
        if _is_integer(call.args[0]) and not _is_integer(call.args[1]):
            yield call.lineno, "tf.concat(axis, values)", True
        elif _is_integer(call.args[1]):
            yield call.lineno, "tf.concat(values, axis)", False
    if name == "tensorflow.split" and len(call.args) >= 2:
        first, second = (_is_integer(arg) for arg in call.args[:2])
        if first and len(call.args) == 3 and not _is_integer(call.args[2]):
            yield call.lineno, "tf.split(axis, number, value)", True
        elif not first and second:
            yield call.lineno, "tf.split(value, number)", False
    if name in _LOSSES and len(call.args) >= 2:
        yield call.lineno, f"{short} by position", True


def _keyword_signs(call: ast.Call, name: str) -> Iterator[tuple[int, str, bool]]:
    """Yields the arguments that only 0.x or only 1.x accepts."""
    for keyword in call.keywords:
        if keyword.arg == "keepdims" or (keyword.arg == "replica_id" and name == _REPLICAS):
            short = name.replace("tensorflow.", "tf.", 1)
            yield call.lineno, f"{short}({keyword.arg}=)", keyword.arg == "replica_id"


def _is_integer(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int


@cache
def _releases(name: str) -> tuple[str, ...]:
    """Returns the measured releases that had a symbol, such as "0.12" or "1.4"; () if it is unknown."""
    symbol = symbols.lookup(name)
    return tuple(".".join(release.split(".")[:2]) for release in symbol.releases) if symbol else ()


def _is_older(name: str) -> bool:
    """Returns whether a symbol was removed before 0.12.1."""
    symbol = symbols.lookup(name)
    return symbol is not None and not symbol.releases and not name.startswith(symbols.declared.TIMELESS)


def decide(own: Facts, project: Project) -> Era:
    """Returns the era of a file: by its own evidence, unless the files around it outvote it, else by the project."""
    if own.older and own.newer:
        return _mixed(own)
    required = _required(own.path, project)
    if own.older and required and required.newer:  # code that never runs may have an old name
        return Era(_asked(required), f"{own.older[0]}, but {required.path}: {required.newer[0]}", False)
    if own.older or own.newer:
        return _outvoted(own, project) or _by_names(own, required, project)
    if required is not None:
        return Era(_asked(required), f"{required.path}: {(required.older or required.newer)[0]}", True)
    older, newer = project.older, project.newer
    if older and not newer:
        return Era("0.12", older[0], True)
    if newer and not older:
        return Era(_newest(own, project), newer[0], True)
    if older and newer:
        return Era("0.12" if len(older) > len(newer) else "1.15", f"{older[0]}, but {newer[0]}", False)
    return Era("1.15", "nothing tells 0.x from 1.x", False)


def _by_names(own: Facts, required: Facts | None, project: Project) -> Era:
    """Returns the era by a file's own names. For 1.x, a list of packages gives the release."""
    if own.older:
        return Era("0.12", own.older[0], True)
    if required is not None and required.newer:
        return Era(_asked(required), f"{own.newer[0]}, and {required.path}: {required.newer[0]}", True)
    return Era(_newest(own, project), own.newer[0], True)


def _outvoted(own: Facts, project: Project) -> Era | None:
    """Returns an uncertain era if other files of the same program, or many more files of the project, contradict it.

    A process has one release, so one file cannot differ from 28 others of its program.
    """
    if all(bool(facts.older) == bool(own.older) for facts in project.by_names):
        return None  # the most frequent case; the code below takes time proportional to the number of files
    program = (project.reaches(own.path) | project.reached_by(own.path)) - {own.path}
    for paths, weight in ((program, 1), (project.files.keys() - {own.path}, _MANY)):
        others = [facts for facts in project.by_names if facts.path in paths]
        against = [facts for facts in others if bool(facts.older) != bool(own.older)]
        if len(against) > weight * (len(others) - len(against) + 1):
            first = against[0]
            why = f"{(own.older or own.newer)[0]}, but {first.path}: {(first.older or first.newer)[0]}"
            more = f" and {len(against) - 1} more files" if len(against) > 1 else ""
            return Era("0.12" if first.older else _newest(first, project), f"{why}{more}", False)
    return None


def _required(path: str, project: Project) -> Facts | None:
    """Returns the requirements of the folder of a file, or of a folder above it, if they name releases of one kind."""
    for folder in folders(path):
        nearest = [facts for facts in project.required if facts.path.startswith(folder)]
        beside = [facts for facts in nearest if "/" not in facts.path[len(folder) :].removeprefix("requirements/")]
        if beside:
            return beside[0] if len({bool(facts.older) for facts in beside}) == 1 else None
    return None


def _asked(required: Facts) -> str:
    """Returns the measured release that a list of packages requires."""
    known = fixed(required.asked)
    return known.release if known is not None else RELEASES[-1]


def _mixed(own: Facts) -> Era:
    release = "0.12" if len(own.older) >= len(own.newer) else "1.15"
    return Era(release, f"{own.older[0]}, but {own.newer[0]}", False)


def _newest(own: Facts, project: Project) -> str:
    """Returns the last 1.x release with every symbol of the project, or else with every symbol of the file."""
    for used in (project.names_used, own.names_used):
        if release := _last_with(used):
            return release
    return RELEASES[-1]


@lru_cache(maxsize=64)
def _last_with(used: frozenset[str]) -> str | None:
    having = [set(known) for name in used if (known := _releases(name.removeprefix("tensorflow.")))]
    fitting = [release for release in RELEASES[1:] if all(release in known for known in having)]
    return fitting[-1] if fitting else None
