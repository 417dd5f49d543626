"""The errors of reading checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tf2bridge.errors import BridgeError


class DamagedCheckpointError(BridgeError):
    """A checkpoint does not match its own checksums or sizes."""

    def __init__(self, path: Path | str, why: str, tensor: str = "") -> None:
        self.why = why
        where = f"tensor {tensor!r}: " if tensor else ""
        super().__init__(f"{path}: {where}{why}; copy the checkpoint again from where it came from, all its files")


class UnsupportedCheckpointError(BridgeError):
    """A checkpoint is complete, but has a form that is not supported."""

    def __init__(self, path: Path | str, why: str, remedy: str, tensor: str = "") -> None:
        where = f"tensor {tensor!r}: " if tensor else ""
        super().__init__(f"{path}: {where}{why}; {remedy}")


class NoCheckpointError(BridgeError):
    """There is no checkpoint at a path."""

    def __init__(self, path: Path | str, nearest: Sequence[str] = (), other: str = "") -> None:
        state = f"no checkpoint, but {other}" if other else "no checkpoint of this name"
        near = f"; there is {', '.join(nearest)}" if nearest else ""
        remedy = "" if other else ": name a prefix, as model.ckpt-5, one of its files, or the directory they lie in"
        super().__init__(f"{path}: {state}{near}{remedy}")


class NoIndexError(BridgeError):
    """A V2 checkpoint has data files but no index."""

    def __init__(self, path: Path | str, data: str, why: str = "") -> None:
        why = why or f"{data} is there, but not the .index that says what is in it: copy it from where that came from"
        super().__init__(f"{path}: {why}")


class UnfinishedError(NoCheckpointError):
    """A checkpoint is incomplete: a process is writing it, or was killed while writing."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(
            path,
            other="one that is being written, or was when its process was killed: write it again, which puts in order "
            "what is left",
        )


class NewestGoneError(BridgeError):
    """The newest checkpoint of a directory, which its state file names, does not exist."""

    def __init__(self, path: Path | str, newest: Path, others: Sequence[str]) -> None:
        rest = f"name one of those that are: {', '.join(others)}" if others else "none of the others it names is either"
        super().__init__(f"{path}: the newest checkpoint it names, {newest}, is not there; {rest}")


class SeveralCheckpointsError(BridgeError):
    """A directory has several checkpoints, and no state file that names the newest."""

    def __init__(self, path: Path | str, names: Sequence[str]) -> None:
        listed = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        super().__init__(f"{path}: holds {len(names)} checkpoints and no state file: name one of {listed}")


class MissingShardError(BridgeError):
    """A data file of a checkpoint does not exist."""

    def __init__(self, path: Path | str, missing: Sequence[Path], count: int) -> None:
        names = ", ".join(path.name for path in missing[:3])
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        super().__init__(
            f"{path}: {names}{more} of its {count} data files not there; copy all files of the checkpoint to one place"
        )


class MissingSliceError(BridgeError):
    """A checkpoint holds only a part of a partitioned variable."""

    def __init__(self, path: Path | str, tensor: str, why: str) -> None:
        super().__init__(
            f"{path}: tensor {tensor!r}: {why}; save it again with all parts in the Saver's variables, or drop it"
        )
