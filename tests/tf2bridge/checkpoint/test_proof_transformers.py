"""Transformers in Keras 3 that get checkpoints with the names of BERT's and GPT-2's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from tests.tf2bridge.checkpoint.proofs import check_next_step, check_output, filled
from tests.tf2bridge.checkpoint.recorded import of, unpacked

layers = keras.layers


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkpoints")


def norm(name: str) -> Any:
    return layers.LayerNormalization(epsilon=1e-5, name=name)


def gelu(x: Any) -> Any:
    return 0.5 * x * (1.0 + ops.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def heads(x: Any) -> Any:
    """[batch, length, width] -> [batch, head, length, size], of two heads."""
    return ops.transpose(ops.reshape(x, [-1, 5, 2, 2]), [0, 2, 1, 3])


def attended(query: Any, key: Any, value: Any, hidden: Any = 0.0) -> Any:
    scores = ops.matmul(heads(query), ops.transpose(heads(key), [0, 1, 3, 2])) * 2**-0.5
    outputs = ops.matmul(ops.softmax(scores - 1e9 * hidden), heads(value))
    return ops.reshape(ops.transpose(outputs, [0, 2, 1, 3]), [-1, 5, 4])


class Encoder(layers.Layer):  # type: ignore[misc]
    """A layer of BERT, its parts in a dict."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        dense = {part: layers.Dense(4, name=part) for part in ("query", "key", "value", "attention_output", "output")}
        norms = {part: norm(f"{part}_norm") for part in ("attention_output", "output")}
        self.parts = {"dense": dense, "norms": norms, "intermediate": layers.Dense(6, name="intermediate")}

    def build(self, shape: Any) -> None:
        for part in ("query", "key", "value", "attention_output"):
            self.parts["dense"][part].build(shape)
        self.parts["intermediate"].build(shape)
        self.parts["dense"]["output"].build((*shape[:-1], 6))
        for norm in self.parts["norms"].values():
            norm.build(shape)

    def call(self, x: Any) -> Any:
        dense, norms = self.parts["dense"], self.parts["norms"]
        result = attended(dense["query"](x), dense["key"](x), dense["value"](x))
        x = norms["attention_output"](x + dense["attention_output"](result))
        return norms["output"](x + dense["output"](gelu(self.parts["intermediate"](x))))


def bert() -> Any:
    ids, kinds = keras.Input([5], dtype="int32"), keras.Input([5], dtype="int32")
    words, sorts = layers.Embedding(11, 4, name="word_embeddings"), layers.Embedding(2, 4, name="token_type_embeddings")
    places = layers.Embedding(7, 4, name="position_embeddings")
    at = ops.cumsum(ops.ones_like(ids), axis=1) - 1  # of a constant, a functional model would not hold the layer
    x = norm("embeddings_norm")(words(ids) + sorts(kinds) + places(at))
    for number in range(2):
        x = Encoder(f"layer_{number}")(x)
    return keras.Model([ids, kinds], [x, layers.Dense(4, "tanh", name="pooler")(x[:, 0])])


@pytest.mark.parametrize("name", of("bert"))
def test_bert(name: str, parent: Path) -> None:
    """Its optimizer is its own, and its slots are none of a layer's variables."""
    program_files = unpacked(name, parent)
    model = bert()
    filled(model, program_files, drop=[".*/adam_[mv]"])
    sequence, pooled = model([program_files.expected["in input_ids"], program_files.expected["in segment_ids"]])
    check_output(sequence, program_files, "sequence")
    check_output(pooled, program_files, "pooled")


class Gpt2(keras.Model):  # type: ignore[misc]
    """Its layers in lists; the words' table is the last layer too."""

    def __init__(self) -> None:
        super().__init__()
        self.wte, self.wpe = layers.Embedding(11, 4, name="wte"), layers.Embedding(7, 4, name="wpe")
        self.norms = [[norm(f"h{n}_ln_{part}") for part in (1, 2)] for n in range(2)]
        sizes = {"attn_c_attn": 12, "attn_c_proj": 4, "mlp_c_fc": 16, "mlp_c_proj": 4}
        self.dense = [{part: layers.Dense(size, name=f"h{n}_{part}") for part, size in sizes.items()} for n in range(2)]
        self.last = norm("ln_f")

    def call(self, ids: Any) -> Any:
        x = self.wte(ids) + self.wpe(ops.arange(5))
        hidden = 1.0 - ops.tril(ops.ones([5, 5]))
        for (first, second), dense in zip(self.norms, self.dense, strict=True):
            query, key, value = ops.split(dense["attn_c_attn"](first(x)), 3, axis=-1)
            x = x + dense["attn_c_proj"](attended(query, key, value, hidden))
            x = x + dense["mlp_c_proj"](gelu(dense["mlp_c_fc"](second(x))))
        return ops.matmul(self.last(x), ops.transpose(self.wte.embeddings))


@pytest.mark.parametrize("name", of("gpt2"))
def test_gpt_2(name: str, parent: Path) -> None:
    program_files = unpacked(name, parent)
    model, tokens = Gpt2(), program_files.expected["in tokens"]
    model(tokens)
    model.compile(keras.optimizers.Adam(program_files.hyper["learning_rate"], epsilon=1e-8), "mse", run_eagerly=True)
    plan = filled(model, program_files)
    check_output(model(tokens), program_files, "logits")
    keys = ("attn_c_attn/bias", slice(4, 8))  # a softmax does not change by what it adds to all keys
    check_next_step(model, program_files, plan, tokens, np.full([4, 5, 11], 0.25, np.float32), unseen=keys)
