"""`examples.tutorials.mnist.input_data` of TF 1.x, reading local files: nothing is downloaded."""

from __future__ import annotations

import collections
import gzip
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.behaviour.in_force import enabled
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.contrib.learn.refusals import DataFilesMissingError

FILES = (
    "train-images-idx3-ubyte.gz",
    "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz",
)
IMAGES_MAGIC, LABELS_MAGIC = 2051, 2049  # of the idx files of the MNIST database

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


def _before_one() -> bool:
    release = enabled()
    return release is not None and release.before_one


class DataSet:
    """Images and labels in shuffled batches, with the random draws of the release given to `enable`."""

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = "float32",
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        self._before_one = _before_one()
        if not self._before_one:
            _seed_numpy(seed)
        kind = tensorflow().as_dtype(dtype).base_dtype.name
        if kind not in ("uint8", "float32"):
            raise TypeError(f"MNIST images are read as uint8 or float32, not {kind}")
        self.one_hot = one_hot
        self._num_examples = 10000 if fake_data else len(images)
        self._images = images if fake_data else _pixels(images, labels, kind, reshape)
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self) -> Any:
        """[examples, pixels], or [examples, rows, columns, 1]; float32 in [0, 1], or uint8."""
        return self._images

    @property
    def labels(self) -> Any:
        """[examples] of digits, or [examples, 10] one-hot."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """The number of examples."""
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """The number of completed epochs."""
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """Returns the next `batch_size` images and labels.

        0.12 starts in file order and drops the rest of an epoch; 1.x shuffles first and fills up from the next epoch.
        """
        if fake_data:
            label: Any = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        if self._before_one:
            return self._dropping_batch(batch_size)
        return self._filling_batch(batch_size, shuffle)

    def _dropping_batch(self, size: int) -> tuple[Any, Any]:
        if self._index_in_epoch + size > self._num_examples:
            if size > self._num_examples:
                raise ValueError(f"a batch of {size} is larger than the {self._num_examples} examples")
            self._epochs_completed += 1
            self._shuffle()
            self._index_in_epoch = 0
        return self._take(size)

    def _filling_batch(self, size: int, shuffle: bool) -> tuple[Any, Any]:
        if self._epochs_completed == 0 and self._index_in_epoch == 0 and shuffle:
            self._shuffle()
        left = self._num_examples - self._index_in_epoch
        if size <= left:
            return self._take(size)
        old = self._take(left)
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        self._index_in_epoch = 0
        new = self._take(size - left)
        return np.concatenate((old[0], new[0]), axis=0), np.concatenate((old[1], new[1]), axis=0)

    def _take(self, size: int) -> tuple[Any, Any]:
        chosen = slice(self._index_in_epoch, self._index_in_epoch + size)
        self._index_in_epoch += size
        return self._images[chosen], self._labels[chosen]

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)  # the global state, as TF 1.x drew from it
        self._images, self._labels = self._images[order], self._labels[order]


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = "float32",
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str | None = None,
) -> Any:
    """Returns the data sets (train, validation, test) from the four idx files in `train_dir`.

    Raises DataFilesMissingError, naming the files, if one is not there; ValueError for a `validation_size` that the
    training images do not allow.
    """
    del source_url  # nothing is downloaded
    if fake_data:
        fakes = [DataSet([], [], True, one_hot, dtype, seed=seed) for _ in range(3)]
        return Datasets(*fakes)
    parts = _read_files(Path(train_dir), one_hot)
    if not 0 <= validation_size <= len(parts[0]):
        raise ValueError(f"validation_size is {validation_size}, but there are {len(parts[0])} training images")
    images, labels, test_images, test_labels = parts
    cuts = (
        (images[validation_size:], labels[validation_size:]),
        (images[:validation_size], labels[:validation_size]),
    )
    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    return Datasets(*(DataSet(*cut, **options) for cut in (*cuts, (test_images, test_labels))))


def load_mnist(train_dir: str = "MNIST-data") -> Any:
    """Returns `read_data_sets(train_dir)`."""
    return read_data_sets(train_dir)


def dense_to_one_hot(labels_dense: Any, num_classes: int) -> Any:
    """Returns float64 [labels, num_classes], one-hot, of the labels [labels]."""
    return np.eye(num_classes)[np.ravel(labels_dense)]


def _read_files(directory: Path, one_hot: bool) -> tuple[Any, Any, Any, Any]:
    missing = [name for name in FILES if not (directory / name).is_file()]
    if missing:
        raise DataFilesMissingError(str(directory), missing)
    paths = [directory / name for name in FILES]
    arrays = []
    for place, path in enumerate(paths):
        with path.open("rb") as file:
            arrays.append(extract_labels(file, one_hot) if place % 2 else extract_images(file))
    return arrays[0], arrays[1], arrays[2], arrays[3]


def extract_images(f: Any) -> Any:
    """Returns the images of the gzipped idx file `f`, uint8 [images, rows, columns, 1]. Raises ValueError."""
    print("Extracting", f.name)
    with gzip.GzipFile(fileobj=f) as stream:
        _check_magic(stream, IMAGES_MAGIC, f.name)
        count, rows, columns = (_read32(stream) for _ in range(3))
        return np.frombuffer(stream.read(count * rows * columns), np.uint8).reshape(count, rows, columns, 1)


def extract_labels(f: Any, one_hot: bool = False, num_classes: int = 10) -> Any:
    """Returns the labels of the gzipped idx file `f`, uint8 [labels], or float64 [labels, num_classes]."""
    print("Extracting", f.name)
    with gzip.GzipFile(fileobj=f) as stream:
        _check_magic(stream, LABELS_MAGIC, f.name)
        labels = np.frombuffer(stream.read(_read32(stream)), np.uint8)
    return np.eye(num_classes)[labels] if one_hot else labels


def _read32(stream: gzip.GzipFile) -> int:
    return int.from_bytes(stream.read(4), "big")


def _check_magic(stream: gzip.GzipFile, expected: int, name: str) -> None:
    magic = _read32(stream)
    if magic != expected:
        raise ValueError(f"{name}: begins with {magic}, an MNIST file of this kind with {expected}; get the file again")


def _pixels(images: Any, labels: Any, kind: str, reshape: bool) -> Any:
    if len(images) != len(labels):
        raise ValueError(f"there are {len(images)} images but {len(labels)} labels")
    if reshape:
        images = images.reshape(len(images), images.shape[1] * images.shape[2])
    return np.multiply(images.astype(np.float32), 1.0 / 255.0) if kind == "float32" else images


def _seed_numpy(seed: int | None) -> None:
    graph_seed, op_seed = tensorflow().compat.v1.get_seed(seed)
    np.random.seed(graph_seed if seed is None else op_seed)
