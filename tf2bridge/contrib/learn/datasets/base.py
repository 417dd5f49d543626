"""Data sets of contrib.learn, from local files: nothing is downloaded."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.learn.datasets.iris import iris_lines
from tf2bridge.contrib.learn.datasets.mnist import Datasets, load_mnist
from tf2bridge.contrib.learn.datasets.synthetic import Dataset, circles, spirals
from tf2bridge.contrib.learn.refusals import DataFilesMissingError


def load_csv_with_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """Returns the data [rows, features] and targets [rows] of a CSV file that begins with its two sizes."""
    with tf.io.gfile.GFile(filename) as file:
        return _with_header(file, target_dtype, features_dtype, target_column)


def _with_header(lines: Iterable[str], target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    rows = csv.reader(lines)
    header = next(rows)
    data = np.zeros((int(header[0]), int(header[1])), dtype=features_dtype)
    target = np.zeros((int(header[0]),), dtype=target_dtype)
    for place, row in enumerate(rows):
        target[place] = np.asarray(row.pop(target_column), dtype=target_dtype)
        data[place] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


def load_csv_without_header(filename: str, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """Returns the data and the targets of a CSV file."""
    data, target = [], []
    with tf.io.gfile.GFile(filename) as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


def shrink_csv(filename: str, ratio: int) -> None:
    """Writes every `ratio`-th row of "x.csv" to "x_small.csv"."""
    small = filename.replace(".", "_small.")
    with tf.io.gfile.GFile(small, "w") as target, tf.io.gfile.GFile(filename) as source:
        writer = csv.writer(target)
        writer.writerows(row for place, row in enumerate(csv.reader(source)) if place % ratio == 0)


def load_iris(data_path: str | None = None) -> Dataset:
    """Returns Fisher's iris data of the file at `data_path`, or of an installed scikit-learn.

    Raises DataFilesMissingError without either.
    """
    lines = iris_lines() if data_path is None else None
    if lines is not None:
        return _with_header(lines, int, float)
    return load_csv_with_header(_given(data_path, "iris.csv (an installed scikit-learn has it, too)"), int, float)


def load_boston(data_path: str | None = None) -> Dataset:
    """Returns the Boston housing data of the file at `data_path`. Raises DataFilesMissingError without one."""
    return load_csv_with_header(_given(data_path, "boston_house_prices.csv"), float, float)


def _given(path: str | None, name: str) -> str:
    if path is None:
        raise DataFilesMissingError("data_path", [f"{name}: TensorFlow 1.x shipped it"])
    return path


def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> Datasets:
    """Returns DBpedia's texts of ./dbpedia_data/dbpedia_csv/{train,test}.csv. Raises DataFilesMissingError."""
    if test_with_fake_data:
        raise DataFilesMissingError("test_with_fake_data", ["text_train.csv, text_test.csv"])
    folder = "dbpedia_data/dbpedia_csv"
    paths = [f"{folder}/{part}{'_small' if size == 'small' else ''}.csv" for part in ("train", "test")]
    if missing := [path for path in paths if not tf.io.gfile.exists(path)]:
        raise DataFilesMissingError(folder, missing)
    train, test = (load_csv_without_header(path, "int32", str, target_column=0) for path in paths)
    return Datasets(train=train, validation=None, test=test)


DATASETS: dict[str, Callable[..., Any]] = {
    "iris": load_iris,
    "boston": load_boston,
    "mnist": load_mnist,
    "dbpedia": load_dbpedia,
}
SYNTHETIC: dict[str, Callable[..., Any]] = {"circles": circles, "spirals": spirals}


def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """Returns the data set "iris", "boston", "mnist" or "dbpedia". Raises ValueError for another name."""
    if name not in DATASETS:
        raise ValueError(f"there is no data set {name!r}; there are {', '.join(DATASETS)}")
    if name == "dbpedia":
        return DATASETS[name](size, test_with_fake_data)
    return DATASETS[name]()


def make_dataset(
    name: str, n_samples: int = 100, noise: float | None = None, seed: int | None = 42, *args: Any, **kwargs: Any
) -> Any:
    """Returns the synthetic data set "circles" or "spirals". Raises ValueError for another name."""
    if name not in SYNTHETIC:
        raise ValueError(f"there is no synthetic data set {name!r}; there are {', '.join(SYNTHETIC)}")
    return SYNTHETIC[name](*args, n_samples=n_samples, noise=noise, seed=seed, **kwargs)


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """Returns the path of a file in `work_directory`. Raises DataFilesMissingError: nothing is downloaded."""
    path = f"{work_directory}/{filename}"
    if not tf.io.gfile.exists(path):
        raise DataFilesMissingError(work_directory, [f"{filename} ({source_url}{filename})"])
    return path
