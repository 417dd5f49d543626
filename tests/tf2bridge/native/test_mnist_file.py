"""The file that gives a native program the MNIST data."""

import gzip
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from codemods.native.own_files import content_of

ROWS = {"train": 8, "t10k": 4}


@pytest.fixture
def input_data(tmp_path, monkeypatch):
    """Returns the file as a module, which downloads from a folder."""
    served = tmp_path / "served"
    served.mkdir()
    for part, count in ROWS.items():
        images = np.array([2051, count, 28, 28], ">i4").tobytes() + bytes(range(count)) * 784
        labels = np.array([2049, count], ">i4").tobytes() + bytes(range(count))
        (served / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(images))
        (served / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))
    path = tmp_path / "input_data.py"
    path.write_bytes(content_of("input_data.py"))
    spec = importlib.util.spec_from_file_location("input_data", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "SOURCE_URL", served.as_uri() + "/")
    monkeypatch.chdir(tmp_path)
    return module


@pytest.mark.parametrize("folder", ["MNIST_data/", "a/b"])
def test_what_the_folder_lacks_is_downloaded_into_it(input_data, folder):
    data = input_data.read_data_sets(folder, one_hot=True, validation_size=2)
    assert sorted(path.name for path in Path(folder).iterdir()) == [
        "t10k-images-idx3-ubyte.gz",
        "t10k-labels-idx1-ubyte.gz",
        "train-images-idx3-ubyte.gz",
        "train-labels-idx1-ubyte.gz",
    ]
    assert data.train.images.shape == (6, 784)
    assert data.validation.labels.shape == (2, 10)
    assert data.test.num_examples == 4


def test_what_the_folder_has_is_not_downloaded(input_data, monkeypatch):
    first = input_data.read_data_sets("data", validation_size=0)
    monkeypatch.setattr(input_data, "SOURCE_URL", "file:///not/there/")
    assert np.array_equal(input_data.read_data_sets("data", validation_size=0).test.images, first.test.images)


def test_each_set_seeds_numpy_as_genuine_releases_from_1_4_did(input_data, monkeypatch):
    seeds = []
    monkeypatch.setattr(np.random, "seed", seeds.append)
    input_data.read_data_sets("data", validation_size=2)
    input_data.read_data_sets("data", validation_size=2, seed=3)
    assert seeds == [None, None, None, 3, 3, 3]
