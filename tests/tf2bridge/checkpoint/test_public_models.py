"""Checkpoints that many have, by their names and shapes, planned into models that call their layers otherwise.

BERT, GPT-2, InceptionV1 and facenet; the other networks of slim are in test_plan_names. No variable may get a tensor
that is not its own, whatever is left open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import tf2bridge
from tests.tf2bridge.checkpoint import public_names
from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo

Shape = tuple[int, ...]


class Listed(Checkpoint):
    """Names and shapes without values."""

    def __init__(self, shapes: dict[str, Shape]) -> None:
        self.path, self.format = Path("listed"), "V2"
        self.tensors = {name: TensorInfo(name, shape, "float32", 0) for name, shape in sorted(shapes.items())}

    def pieces(self, name: str) -> Iterator[bytes]:
        raise NotImplementedError(name)

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError(name)

    def close(self) -> None:
        pass


def planned(shapes: dict[str, Shape], called: Callable[[str], str], shaped: Any = None) -> tuple[Plan, list[str]]:
    """The plan into variables of other names (and, by `shaped`, shapes), and the moves that take another's tensor."""
    truth = {called(name): name for name in shapes}
    assert len(truth) == len(shapes)
    target = {new: shaped(new, shapes[old]) if shaped else shapes[old] for new, old in truth.items()}
    plan = tf2bridge.checkpoint.plan(Listed(shapes), target)
    return plan, [f"{move.target} <- {move.sources}" for move in plan.moves if move.sources != (truth[move.target],)]


def replaced(*pairs: tuple[str, str]) -> Callable[[str], str]:
    """A renaming by regular expressions, in their order."""

    def rename(name: str) -> str:
        for pattern, new in pairs:
            name = re.sub(pattern, new, name)
        return name

    return rename


ROLES = ((r"/weights$", "/kernel"), (r"/biases$", "/bias"))
BERT_ENDS = (
    (r"word_embeddings$", "word_embeddings/weight"),
    (r"(token_type|position)_embeddings$", r"\1_embeddings/embeddings"),
)
BERT = {
    "without its scope": replaced((r"^bert/", "")),
    "transformers": replaced(*BERT_ENDS, (r"^", "tf_bert_model/"), (r"layer_(\d+)", r"layer_._\1")),
    "blocks with the words of BERT": replaced(
        (r"^bert/embeddings/(\w+)_embeddings$", r"\1_embedding/embeddings"),
        (r"^bert/embeddings/LayerNorm", "embeddings_layer_norm"),
        (r"^bert/encoder/layer_(\d+)/", r"transformer_layer_\1/"),
        (r"attention/self/", "self_attention_layer/"),
        (r"attention/output/dense", "self_attention_layer/attention_output"),
        (r"attention/output/LayerNorm", "self_attention_layer_norm"),
        (r"intermediate/dense", "feedforward_intermediate_dense"),
        (r"(\d)/output/dense", r"\1/feedforward_output_dense"),
        (r"(\d)/output/LayerNorm", r"\1/feedforward_layer_norm"),
    ),
}
GPT_2 = {
    "without its scope": replaced(
        (r"^model/", ""), (r"/w$", "/kernel"), (r"ln_(\w)/g$", r"ln_\1/gamma"), (r"ln_(\w)/b$", r"ln_\1/beta")
    ),
    "transformers": replaced(
        (r"^model/", "tfgpt2_model/transformer/"),
        (r"/h(\d+)/", r"/h_._\1/"),
        (r"ln_(\w)/g$", r"ln_\1/gamma"),
        (r"ln_(\w)/b$", r"ln_\1/beta"),
        (r"/w$", "/weight"),
        (r"/b$", "/bias"),
    ),
}
INCEPTION = {
    "in one scope": replaced(*ROLES, (r"^Inception\w+/", ""), (r"/(?=.*/)", "_")),
    "small letters": replaced(*ROLES, (r"BatchNorm", "bn"), (r"^Inception\w+/", "net/")),
}


def without_width_1(_: str, shape: Shape) -> Shape:
    """Of GPT-2's dense layers, which are convolutions of width 1, as dense ones."""
    return shape[1:] if len(shape) == 3 else shape


@pytest.mark.parametrize("style", BERT)
def test_bert(style: str) -> None:
    plan, wrong = planned(public_names.bert(), BERT[style])
    assert wrong == []
    assert plan.complete


@pytest.mark.parametrize("style", GPT_2)
def test_gpt_2(style: str) -> None:
    plan, wrong = planned(public_names.gpt2(), GPT_2[style], without_width_1)
    assert wrong == []
    assert plan.complete


@pytest.mark.parametrize("style", INCEPTION)
@pytest.mark.parametrize("shapes", [public_names.inception_v1(), public_names.facenet()], ids=["v1", "facenet"])
def test_inception(shapes: dict[str, Shape], style: str) -> None:
    plan, wrong = planned(shapes, INCEPTION[style])
    assert wrong == []
    assert plan.complete


def square(scopes: Sequence[str], leaves: tuple[str, str]) -> dict[str, Shape]:
    """Layers that all have the same shapes."""
    return {f"{scope}/{leaf}": shape for scope in scopes for leaf, shape in zip(leaves, ((5, 5), (5,)), strict=True)}


LAYERS = {
    "a name without a number after two with": (["fc1", "fc2", "out"], ["dense", "dense_1", "dense_2"]),
    "without a number before one with": (["hidden", "hidden_1", "out"], ["dense", "dense_1", "dense_2"]),
    "numbers of two kinds of layers": (["a/dense", "a/dense_1", "b/dense"], ["layer_1", "layer_2", "layer_3"]),
    "roles that both sides call otherwise": (["actor", "critic", "value"], ["policy", "q", "v"]),
    "shortened": (["encoder/fc", "decoder/fc"], ["dec", "enc"]),
}
TRUE = {"shortened": ["enc", "dec"]}


@pytest.mark.parametrize("case", LAYERS)
def test_layers_of_one_shape_are_not_guessed(case: str) -> None:
    old, new = LAYERS[case]
    truth = dict(zip(TRUE.get(case, new), old, strict=True))
    source, target = square(old, ("weights", "biases")), square(new, ("kernel", "bias"))
    plan = tf2bridge.checkpoint.plan(Listed(source), target)
    for move in plan.moves:
        assert move.sources[0].rpartition("/")[0] == truth[move.target.rpartition("/")[0]], str(plan)


def numbered_through() -> Callable[[str], str]:
    """Layers in one row, whatever they are: layer_0, layer_1 ... as a list of a subclassed model names them."""
    places: dict[str, int] = {}

    def rename(name: str) -> str:
        scope, _, leaf = name.rpartition("/")
        return f"layer_{places.setdefault(scope, len(places))}/{leaf}"

    return rename


def test_numbers_that_count_other_things_settle_nothing() -> None:
    body = {name: shape for name, shape in public_names.bert().items() if not name.startswith("cls")}
    _, wrong = planned(body, numbered_through())
    assert wrong == []


@pytest.mark.parametrize("shapes", [public_names.inception_v1(), public_names.facenet()], ids=["v1", "facenet"])
def test_the_order_in_which_a_program_made_them(shapes: dict[str, Shape]) -> None:
    """As a .meta beside the checkpoint says it, into layers that Keras has numbered."""
    kinds: dict[str, list[str]] = {"conv2d": [], "batch_normalization": []}
    target, truth = {}, {}
    for name, shape in shapes.items():
        scope, _, leaf = name.rpartition("/")
        kind = "batch_normalization" if "BatchNorm" in scope else "conv2d"
        if scope not in kinds[kind]:
            kinds[kind].append(scope)
        number = kinds[kind].index(scope)
        new = f"{kind}{f'_{number}' if number else ''}/{replaced(*ROLES)(f'/{leaf}')[1:]}"
        target[new], truth[new] = shape, name
    plan = tf2bridge.checkpoint.plan(Listed(shapes), target, created=list(shapes))
    assert {move.target: move.sources[0] for move in plan.moves} == truth
