"""`tf.keras.utils.HDF5Matrix`: a part of a dataset of an HDF5 file, in place of an array.

Keras dropped the class with TensorFlow 2.4 (its release notes). Facts are those of TensorFlow 1.15.5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np


class HDF5Matrix:
    """Rows `start` to `end` of a dataset of an HDF5 file, which are read at each access.

    Args:
        datapath: Path of the file. dataset: Name of the dataset in the file. start: First row. end: The row after the
        last; None is all rows. normalizer: A function whose result replaces the rows that are read.

    Raises:
        OSError: The file cannot be read as HDF5.
        KeyError: The file has no such dataset.
    """

    refs: ClassVar[dict[str, Any]] = {}
    """The files that are open."""

    def __init__(
        self,
        datapath: str,
        dataset: str,
        start: int = 0,
        end: int | None = None,
        normalizer: Callable[[Any], Any] | None = None,
    ) -> None:
        import h5py  # Keras imports without it

        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        rows = self.data[self._rows(key)]
        return rows if self.normalizer is None else self.normalizer(rows)

    def _rows(self, key: Any) -> Any:
        """Returns the rows of the dataset for `key`. Raises IndexError for rows after the last."""
        if isinstance(key, slice):
            first = 0 if key.start is None else key.start
            end = len(self) if key.stop is None else key.stop
            if end + self.start > self.end:
                raise IndexError
            return slice(first + self.start, end + self.start)
        alone = isinstance(key, int | np.integer)
        if (key if alone else max(key)) + self.start >= self.end:
            raise IndexError
        return key + self.start if alone else [row + self.start for row in key]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the part."""
        return (len(self), *self.data.shape[1:])

    @property
    def dtype(self) -> Any:
        """The NumPy type of the dataset."""
        return self.data.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions of the dataset."""
        return int(self.data.ndim)

    @property
    def size(self) -> Any:
        """The number of elements of the part."""
        return np.prod(self.shape)
