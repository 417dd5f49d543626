"""`tensorflow.models.rnn.ptb.reader`: the word ids of the Penn Treebank, for the language model tutorial of 0.x."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
PARTS = ("train", "valid", "test")


def ptb_raw_data(data_path: str) -> tuple[list[int], list[int], list[int], int]:
    """Returns the word ids of ptb.train.txt, ptb.valid.txt and ptb.test.txt, and the number of words.

    Frequent words of the training text have small ids, equally frequent ones by their spelling; words that it lacks are
    left out. Raises FileNotFoundError.
    """
    texts = [_words(Path(data_path) / f"ptb.{part}.txt") for part in PARTS]
    counts = collections.Counter(texts[0])
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    ids = {word: number for number, word in enumerate(ranked)}
    train, valid, test = ([ids[word] for word in text if word in ids] for text in texts)
    return train, valid, test, len(ids)


def _words(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").replace("\n", "<eos>").split()


def ptb_iterator(raw_data: Sequence[int], batch_size: int, num_steps: int) -> Iterator[tuple[Any, Any]]:
    """Yields arrays x and y [batch_size, num_steps]; y is what follows each word of x. Raises ValueError if too few."""
    data, length = np.asarray(raw_data, np.int32), len(raw_data) // batch_size
    rows = data[: batch_size * length].reshape(batch_size, length)
    epoch_size = (length - 1) // num_steps
    if epoch_size == 0:
        raise ValueError(f"{len(raw_data)} words are no batch of {batch_size} x {num_steps}: decrease either")
    for start in range(0, epoch_size * num_steps, num_steps):
        yield rows[:, start : start + num_steps], rows[:, start + 1 : start + num_steps + 1]


def ptb_producer(raw_data: Sequence[int], batch_size: int, num_steps: int, name: str | None = None) -> Any:
    """Returns tensors x and y [batch_size, num_steps] that a queue moves on by `num_steps` at each run.

    Running them raises InvalidArgumentError where the data are too few for one step.
    """
    with v1.name_scope(name, "PTBProducer", [raw_data, batch_size, num_steps]):
        words = tf.convert_to_tensor(raw_data, name="raw_data", dtype=tf.int32)
        length = v1.size(words) // batch_size
        rows = tf.reshape(words[0 : batch_size * length], [batch_size, length])
        epoch_size = (length - 1) // num_steps
        enough = v1.assert_positive(epoch_size, message="epoch_size == 0, decrease batch_size or num_steps")
        with tf.control_dependencies([enough]):
            epoch_size = tf.identity(epoch_size, name="epoch_size")
        step = v1.train.range_input_producer(epoch_size, shuffle=False).dequeue()
        x = tf.slice(rows, [0, step * num_steps], [batch_size, num_steps])
        y = tf.slice(rows, [0, step * num_steps + 1], [batch_size, num_steps])
        return x, y
