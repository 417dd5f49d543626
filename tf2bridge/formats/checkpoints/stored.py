"""`Checkpoint`, the common interface of all formats: names, facts about tensors, and values."""

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
"""The bytes of a tensor that are in memory at a time while it is copied, converted or checked."""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """The facts about a tensor of a checkpoint, without its values."""

    name: str
    """The name in the file: a variable's name, the key of an object, or a path in an HDF5 file."""
    shape: tuple[int, ...]
    dtype: str
    """The type by its name in TensorFlow: "float32", "bfloat16", "string"."""
    nbytes: int
    """The bytes in the file; for texts they include the lengths."""
    full_name: str = ""
    """The variable's name for a Saver of TF 1.x, if an object-based checkpoint or a file of Keras 1 or 2 has it."""
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
        """Returns the bytes of a tensor, little-endian, last dimension fastest, at most PIECE at a time; not of texts.

        What the file says of the bytes (a checksum) is checked before the last piece is handed out. Raises KeyError for
        a name that is not there, DamagedCheckpointError.
        """

    @abstractmethod
    def __getitem__(self, name: str) -> NDArray[Any]: ...

    @abstractmethod
    def close(self) -> None:
        """Closes the files of the checkpoint. Values that were read stay valid."""

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
