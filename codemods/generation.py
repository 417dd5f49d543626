"""Decides whether a file uses TensorFlow 2. Its names that exist in both versions then have their TensorFlow 2 meaning.

A name that only one version has decides (tf.summary.create_file_writer, tf.placeholder). Without such a name, the
majority decides: first of the files that it imports, then of the files that import it, then of the files in its folder,
then of those in each folder around it.
"""

from __future__ import annotations

from codemods.project import Project, folders


def is_second(path: str, project: Project) -> bool:
    """Returns whether the file at `path` was written for TensorFlow 2."""
    votes = project.votes
    if own := votes.get(path, 0):
        return own > 0
    if all(vote <= 0 for vote in votes.values()):
        return False  # the most frequent case; the code below takes time proportional to the number of files
    around = [project.reaches(path), project.reached_by(path)]
    around += [frozenset(file for file in votes if file.startswith(folder)) for folder in folders(path)]
    totals = (sum(votes[file] for file in files) for files in around)
    return next((total > 0 for total in totals if total), False)
