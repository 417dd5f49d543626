"""Whether a file is of TensorFlow 2: then the names that it shares with TensorFlow 1 mean what they mean there.

A file says so itself, by a name that only one of the two has (tf.summary.create_file_writer, tf.placeholder); else the
files that it imports do, then those that import it, then those of its folder and of the folders around it, by their
majority.
"""

from __future__ import annotations

from codemods.project import Project, folders


def is_second(path: str, project: Project) -> bool:
    """Whether the file at `path` was written for TensorFlow 2."""
    votes = project.votes
    if own := votes.get(path, 0):
        return own > 0
    if all(vote <= 0 for vote in votes.values()):
        return False  # as it most often is: the rest costs each file as much as there are files
    around = [project.reaches(path), project.reached_by(path)]
    around += [frozenset(other for other in votes if other.startswith(folder)) for folder in folders(path)]
    totals = (sum(votes[other] for other in files) for files in around)
    return next((total > 0 for total in totals if total), False)
