"""What every format of checkpoint is to the rest: names, what is known of each tensor, and its values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # NumPy takes longer to import than thousands of names to be read
    from numpy.typing import NDArray

PIECE = 8 << 20
"""How many bytes of a tensor are in memory at once where it is copied, converted or checked."""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """What a checkpoint says of one of its tensors, without its values."""

    name: str
    """Under which the file holds it: a variable's name, the key of an object, a path in an HDF5 file."""
    shape: tuple[int, ...]
    dtype: str
    """As TensorFlow calls it: "float32", "bfloat16", "string"."""
    nbytes: int
    """What it takes in the file, texts with their lengths."""
    full_name: str = ""
    """What a Saver of TF 1.x calls the variable, where an object-based checkpoint or a file of Keras 1 or 2 says it."""
    layer: str = ""
    """The names of the layer and of those around it, "rnn/lstm_cell", if a file of Keras 3 says them."""


class Checkpoint(Mapping[str, "NDArray[Any]"]):
    """A checkpoint that is open: its tensors by name, read when they are asked for and checked as they are read.

    `checkpoint[name]` is an array of the tensor's shape; of texts, an array of `bytes` objects.
    """

    path: Path
    """As TensorFlow would be given it: the prefix of a V2 checkpoint, the file or directory of the others."""
    format: str
    """ "V1", "V2", "objects" (of `tf.train.Checkpoint`), "h5" (of Keras 1 and 2), "weights.h5" and "keras" (of 3),
    "npz", "npy", "safetensors"."""
    tensors: Mapping[str, TensorInfo]
    """By name, in the order of the file."""
    by_place: bool = False
    """Whether it reads its files by place alone, so that processes forked from this one may read it, too."""

    @abstractmethod
    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """The bytes of a tensor, little-endian, last dimension fastest, at most PIECE at a time; not of texts.

        What the file says of the bytes (a checksum) is checked before the last piece is handed out. Raises KeyError for
        a name that is not there, DamagedCheckpointError.
        """

    @abstractmethod
    def __getitem__(self, name: str) -> NDArray[Any]: ...

    @abstractmethod
    def close(self) -> None:
        """Closes its files; a value that was read stays."""

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    def __contains__(self, name: object) -> bool:
        return name in self.tensors

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
