"""`tf.gfile.Glob` of a missing folder is an error, as in all of 1.x; TensorFlow 2.21 returns no files.

The folder is the text up to the last "/" before the first wildcard. Without the error, a program would go on without
data. This holds for file systems only; buckets (`gs://`) have no folders.
"""

from __future__ import annotations

import functools
import os
import re
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import rebind

_WILD = re.compile(r"[*?\[\\]")


def install() -> None:
    """Makes it an error in this process."""
    files: Any = internals.support.file_io
    original = files.get_matching_files_v2  # which `get_matching_files` calls
    rebind({id(original): (original, _checked(files, original))})


def _checked(files: Any, original: Any) -> Any:
    @functools.wraps(original)
    def matching(pattern: Any) -> Any:
        for path in [pattern] if isinstance(pattern, str | bytes | os.PathLike) else pattern:
            _check(files, os.fsdecode(path))
        return original(pattern)

    return matching


def _check(files: Any, pattern: str) -> None:
    """Raises NotFoundError for a folder that is not there, FailedPreconditionError for a file in its place."""
    folder = _WILD.split(pattern)[0].rpartition("/")[0]
    errors: Any = internals.framework.errors_impl
    if not folder or "://" in folder:
        return
    if not files.file_exists_v2(folder):
        raise errors.NotFoundError(None, None, f"{folder}; No such file or directory")
    if not files.is_directory_v2(folder):
        raise errors.FailedPreconditionError(None, None, f"{folder}; Not a directory")
