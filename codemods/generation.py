"""Whether a file is of TensorFlow 2: then the names that it shares with TensorFlow 1 mean what they mean there.

A file says so itself, by a name that only one of the two has (tf.summary.create_file_writer, tf.placeholder); else the
files that it imports do, then those that import it, then those of its folder and of the folders around it, by their
majority.
"""

from __future__ import annotations

from functools import cache

from codemods import symbols
from codemods.facts import Facts
from codemods.names import in_v1
from codemods.project import Project, folders
from codemods.symbols.exports import State, status

# They came with 1.13 and 1.14, where a program that is not of graphs switched eager execution on.
_EAGER = frozenset(("tensorflow.GradientTape", "tensorflow.function"))
_ENABLES = frozenset(
    f"tensorflow.{head}{name}"
    for head in ("", "compat.v1.", "contrib.eager.")
    for name in ("enable_eager_execution", "enable_v2_behavior")
)
_ELSEWHERE = ("compat.", "python.", "contrib.", "models.", "examples.", "core.")


def is_second(path: str, project: Project) -> bool:
    """Whether the file at `path` was written for TensorFlow 2."""
    votes = _votes(project)
    if own := votes.get(path, 0):
        return own > 0
    if all(vote <= 0 for vote in votes.values()):
        return False  # as it most often is: the rest costs each file as much as there are files
    around = [project.reaches(path), project.reached_by(path)]
    around += [frozenset(each for each in votes if each.startswith(folder)) for folder in folders(path)]
    totals = (sum(votes[each] for each in files) for files in around)
    return next((total > 0 for total in totals if total), False)


def _votes(project: Project) -> dict[str, int]:
    """1 for each file that is of TensorFlow 2 by its own names, -1 for each that is of TensorFlow 1, else 0."""
    if not project.generations:
        project.generations.update((path, _vote(facts)) for path, facts in project.files.items())
    return project.generations


def _vote(facts: Facts) -> int:
    used = facts.names_used
    if not used or _ENABLES & used or any(map(_only_first, used)):
        return -int(bool(used))
    return int(bool(_EAGER & used) or any(map(_only_second, used)))


@cache
def _only_first(name: str) -> bool:
    """Whether only TensorFlow 1 had a name; the rewritten file has `tf2bridge.v1` or `tf.compat.v1` before it."""
    short = in_v1(name)
    if short.startswith("contrib."):
        return True
    if short.startswith(_ELSEWHERE) or name.endswith("disable_v2_behavior"):
        return name.endswith("disable_v2_behavior")
    found = symbols.longest(short)
    if found is None or found[0].module:
        return False
    return status(f"tensorflow.{found[0].name}").state is State.MISSING


@cache
def _only_second(name: str) -> bool:
    """Whether a name is of TensorFlow 2.21 and no release of 1.x had it."""
    short = name.removeprefix("tensorflow.")
    if short.startswith(_ELSEWHERE) or status(name).state is not State.OK:
        return False
    found = symbols.longest(short)
    if found is not None and not found[0].module:
        return False
    return status(f"tensorflow.compat.v1.{short}").state is State.MISSING
