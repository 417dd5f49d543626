"""VocabularyProcessor and the MNIST reader, against what TF 1.x did with the same files."""

from __future__ import annotations

import gzip
import json
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

CONFORMANCE = Path(__file__).resolve().parents[3] / "fixtures" / "conformance"
sys.path.insert(0, str(CONFORMANCE))
from record import QUIET, interpreter  # noqa: E402  # beside the data it makes

from tf2bridge.contrib.learn.datasets.mnist import read_data_sets  # noqa: E402  # as above
from tf2bridge.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary  # noqa: E402  # after the path
from tf2bridge.contrib.learn.preprocessing.text import VocabularyProcessor  # noqa: E402  # as above
from tf2bridge.contrib.learn.refusals import DataFilesMissingError, UnsafePickleError  # noqa: E402  # as above

DOCUMENTS = ["the cat SAT on theMat", "a cat, isn't it", "dogs and cats and the cat"]
SAVE = f"""
import sys
from tensorflow.contrib.learn.python.learn.preprocessing import VocabularyProcessor
processor = VocabularyProcessor(5, int(sys.argv[2]))
rows = [list(map(int, row)) for row in processor.fit_transform({DOCUMENTS!r})]
processor.save(sys.argv[1])
print("=== " + str(rows))
"""
BATCHES = """
import sys, json
import numpy as np
import tensorflow as tf
tf.set_random_seed(3)
np.random.seed(5)
from tensorflow.examples.tutorials.mnist import input_data
data = input_data.read_data_sets(sys.argv[1], one_hot=True, validation_size=2)
found = [data.train.images.shape, data.validation.num_examples, data.test.labels.tolist()]
for _ in range(4):
    images, labels = data.train.next_batch(3)
    found.append([images.sum(1).tolist(), labels.argmax(1).tolist(), data.train.epochs_completed])
print("=== " + json.dumps(found))
"""


def run_genuine(release: str, code: str, *args: str) -> Any:
    python = interpreter(release)
    if not python.exists():
        pytest.skip(f"no genuine TensorFlow {release} at {python}: run fixtures/oracles.sh")
    return result_of([str(python), "-c", code, *args])


def result_of(command: list[str]) -> Any:
    done = subprocess.run(command, env=QUIET, capture_output=True, text=True, check=False)
    assert "=== " in done.stdout, done.stderr
    return json.loads(done.stdout.rpartition("=== ")[2])


def test_words_get_ids_in_order_of_appearance(tmp_path: Path) -> None:
    processor = VocabularyProcessor(4)
    rows = np.array(list(processor.fit_transform(["b a", "a c b d e"])))
    assert rows.tolist() == [[1, 2, 0, 0], [2, 3, 1, 4]]
    assert list(processor.reverse(rows)) == ["b a <UNK> <UNK>", "a c b d"]
    processor.save(str(tmp_path / "vocab"))
    again = VocabularyProcessor.restore(str(tmp_path / "vocab"))
    assert np.array(list(again.transform(["e f b"]))).tolist() == [[5, 0, 1, 0]]


def test_a_trimmed_vocabulary_follows_frequency() -> None:
    vocabulary = CategoricalVocabulary()
    for word in ["c", "a", "b", "b", "a", "b"]:
        vocabulary.add(word)
    vocabulary.trim(1)
    assert [vocabulary.reverse(index) for index in range(len(vocabulary))] == ["<UNK>", "b", "a"]


def test_a_pickle_that_would_run_code_is_refused(tmp_path: Path) -> None:
    class Harm:
        def __reduce__(self) -> Any:
            return print, ("harm",)

    (tmp_path / "vocab").write_bytes(pickle.dumps(Harm()))
    with pytest.raises(UnsafePickleError, match=r"builtins\.print"):
        VocabularyProcessor.restore(str(tmp_path / "vocab"))


@pytest.mark.oracle
@pytest.mark.parametrize("frequency", ["0", "1"])
@pytest.mark.parametrize("release", ["0.12.1", "0.12.1-py2", "1.4.1", "1.15.5"])
def test_a_vocabulary_of_genuine_tensorflow_is_read(release: str, frequency: str, tmp_path: Path) -> None:
    rows = run_genuine(release, SAVE, str(tmp_path / "vocab"), frequency)
    ours = VocabularyProcessor(5, int(frequency))
    assert np.array(list(ours.fit_transform(DOCUMENTS))).tolist() == rows
    restored = VocabularyProcessor.restore(str(tmp_path / "vocab"))
    assert np.array(list(restored.transform(DOCUMENTS))).tolist() == rows


def write_idx(folder: Path) -> None:
    rng = np.random.default_rng(0)
    for part, count in (("train", 10), ("t10k", 3)):
        images = rng.integers(0, 256, (count, 4, 4), dtype=np.uint8)
        head = struct.pack(">4i", 2051, count, 4, 4)
        (folder / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(head + images.tobytes()))
        labels = rng.integers(0, 10, count, dtype=np.uint8)
        head = struct.pack(">2i", 2049, count)
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(head + labels.tobytes()))


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataFilesMissingError, match=r"train-images-idx3-ubyte\.gz.*nothing is downloaded"):
        read_data_sets(str(tmp_path))


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.15.5"])
def test_batches_are_those_of_genuine_tensorflow(release: str, tmp_path: Path) -> None:
    write_idx(tmp_path)
    genuine = run_genuine(release, BATCHES, str(tmp_path))
    program = tmp_path / "program.py"
    program.write_text(BATCHES)
    ours = result_of([sys.executable, "-m", "tf2bridge", "run", "--api", release, str(program), str(tmp_path)])
    for one, two in zip(ours, genuine, strict=True):
        np.testing.assert_allclose(_flat(one), _flat(two), rtol=1e-6)


def _flat(value: Any) -> list[float]:
    if isinstance(value, list):
        return [number for item in value for number in _flat(item)]
    return [float(value)]
