"""The variables of models that many have checkpoints of: their names and shapes, as the files list them."""

from __future__ import annotations

from collections.abc import Iterator

Shape = tuple[int, ...]
Named = Iterator[tuple[str, Shape]]


def bert(layers: int = 12, width: int = 768, words: int = 30522) -> dict[str, Shape]:
    """BERT as Google published it in 2018: the base model, with the heads of its pre-training."""
    return dict(_bert(layers, width, words))


def _bert(layers: int, width: int, words: int) -> Named:
    yield "bert/embeddings/word_embeddings", (words, width)
    yield "bert/embeddings/token_type_embeddings", (2, width)
    yield "bert/embeddings/position_embeddings", (512, width)
    yield from _norm("bert/embeddings/LayerNorm", width)
    for layer in range(layers):
        scope = f"bert/encoder/layer_{layer}"
        for name in ("query", "key", "value"):
            yield from _dense(f"{scope}/attention/self/{name}", width, width)
        yield from _dense(f"{scope}/attention/output/dense", width, width)
        yield from _norm(f"{scope}/attention/output/LayerNorm", width)
        yield from _dense(f"{scope}/intermediate/dense", width, 4 * width)
        yield from _dense(f"{scope}/output/dense", 4 * width, width)
        yield from _norm(f"{scope}/output/LayerNorm", width)
    yield from _dense("bert/pooler/dense", width, width)
    yield from _dense("cls/predictions/transform/dense", width, width)
    yield from _norm("cls/predictions/transform/LayerNorm", width)
    yield "cls/predictions/output_bias", (words,)
    yield "cls/seq_relationship/output_weights", (2, width)
    yield "cls/seq_relationship/output_bias", (2,)


def _dense(scope: str, inputs: int, outputs: int) -> Named:
    yield f"{scope}/kernel", (inputs, outputs)
    yield f"{scope}/bias", (outputs,)


def _norm(scope: str, width: int) -> Named:
    yield f"{scope}/gamma", (width,)
    yield f"{scope}/beta", (width,)


def gpt2(layers: int = 12, width: int = 768, words: int = 50257) -> dict[str, Shape]:
    """GPT-2 as OpenAI published it in 2019: the smallest model."""
    return dict(_gpt2(layers, width, words))


def _gpt2(layers: int, width: int, words: int) -> Named:
    yield "model/wpe", (1024, width)
    yield "model/wte", (words, width)
    sizes = {"attn/c_attn": (1, 3), "attn/c_proj": (1, 1), "mlp/c_fc": (1, 4), "mlp/c_proj": (4, 1)}
    for layer in range(layers):
        for name in ("ln_1", "ln_2"):
            yield f"model/h{layer}/{name}/g", (width,)
            yield f"model/h{layer}/{name}/b", (width,)
        for name, (inputs, outputs) in sizes.items():
            yield f"model/h{layer}/{name}/w", (1, inputs * width, outputs * width)
            yield f"model/h{layer}/{name}/b", (outputs * width,)
    yield "model/ln_f/g", (width,)
    yield "model/ln_f/b", (width,)


def _conv(scope: str, size: int, inputs: int, outputs: int) -> Named:
    yield f"{scope}/weights", (size, size, inputs, outputs)
    yield f"{scope}/biases", (outputs,)


def _conv_norm(scope: str, size: int | tuple[int, int], inputs: int, outputs: int, gamma: bool = True) -> Named:
    sizes = (size, size) if isinstance(size, int) else size
    yield f"{scope}/weights", (*sizes, inputs, outputs)
    yield from _batch_norm(f"{scope}/BatchNorm", outputs, gamma)


def _batch_norm(scope: str, width: int, gamma: bool = True) -> Named:
    yield f"{scope}/beta", (width,)
    if gamma:
        yield f"{scope}/gamma", (width,)
    yield f"{scope}/moving_mean", (width,)
    yield f"{scope}/moving_variance", (width,)


STEM = (("1a_3x3", 3, 3, 32), ("2a_3x3", 3, 32, 32), ("2b_3x3", 3, 32, 64))
Unit = tuple[str, "int | tuple[int, int]", int, int]
"""Of a convolution: its scope, size, inputs, outputs."""


def facenet(units: tuple[int, int, int] = (5, 10, 5), classes: int = 10575) -> dict[str, Shape]:
    """The face recognizer of D. Sandberg, an inception_resnet_v1: slim, batch normalization without gamma."""
    scope = "InceptionResnetV1"
    return {f"{scope}/{name}" if name[0] != "/" else name[1:]: shape for name, shape in _facenet(units, classes)}


def _facenet(units: tuple[int, int, int], classes: int) -> Named:
    stem = [*STEM, ("3b_1x1", 1, 64, 80), ("4a_3x3", 3, 80, 192), ("4b_3x3", 3, 192, 256)]
    yield from _units([(f"Conv2d_{name}", *sizes) for name, *sizes in stem])
    for number in range(1, units[0] + 1):
        yield from _residual(f"Repeat/block35_{number}", _block35(), 96, 256)
    yield from _units([(f"Mixed_6a/{name}", *sizes) for name, *sizes in _reduction_a()])
    for number in range(1, units[1] + 1):
        yield from _residual(f"Repeat_1/block17_{number}", _block17(), 256, 896)
    yield from _units([(f"Mixed_7a/{name}", *sizes) for name, *sizes in _reduction_b()])
    for number in range(1, units[2] + 1):
        yield from _residual(f"Repeat_2/block8_{number}", _block8(), 384, 1792)
    yield from _residual("Block8", _block8(), 384, 1792)
    yield "Bottleneck/weights", (1792, 128)
    yield from _batch_norm("Bottleneck/BatchNorm", 128, gamma=False)
    yield "/Logits/weights", (128, classes)
    yield "/Logits/biases", (classes,)


def _units(units: list[Unit]) -> Named:
    for name, size, inputs, outputs in units:
        yield from _conv_norm(name, size, inputs, outputs, gamma=False)


def _residual(scope: str, units: list[Unit], joined: int, outputs: int) -> Named:
    yield from _units([(f"{scope}/{name}", *sizes) for name, *sizes in units])
    yield from _conv(f"{scope}/Conv2d_1x1", 1, joined, outputs)


def _block35() -> list[Unit]:
    first = [("Branch_0/Conv2d_1x1", 1, 256, 32), ("Branch_1/Conv2d_0a_1x1", 1, 256, 32)]
    second = [("Branch_1/Conv2d_0b_3x3", 3, 32, 32), ("Branch_2/Conv2d_0a_1x1", 1, 256, 32)]
    return [*first, *second, ("Branch_2/Conv2d_0b_3x3", 3, 32, 32), ("Branch_2/Conv2d_0c_3x3", 3, 32, 32)]


def _block17() -> list[Unit]:
    first = [("Branch_0/Conv2d_1x1", 1, 896, 128), ("Branch_1/Conv2d_0a_1x1", 1, 896, 128)]
    return [*first, ("Branch_1/Conv2d_0b_1x7", (1, 7), 128, 128), ("Branch_1/Conv2d_0c_7x1", (7, 1), 128, 128)]


def _block8() -> list[Unit]:
    first = [("Branch_0/Conv2d_1x1", 1, 1792, 192), ("Branch_1/Conv2d_0a_1x1", 1, 1792, 192)]
    return [*first, ("Branch_1/Conv2d_0b_1x3", (1, 3), 192, 192), ("Branch_1/Conv2d_0c_3x1", (3, 1), 192, 192)]


def _reduction_a() -> list[Unit]:
    first = [("Branch_0/Conv2d_1a_3x3", 3, 256, 384), ("Branch_1/Conv2d_0a_1x1", 1, 256, 192)]
    return [*first, ("Branch_1/Conv2d_0b_3x3", 3, 192, 192), ("Branch_1/Conv2d_1a_3x3", 3, 192, 256)]


def _reduction_b() -> list[Unit]:
    first = [("Branch_0/Conv2d_0a_1x1", 1, 896, 256), ("Branch_0/Conv2d_1a_3x3", 3, 256, 384)]
    second = [("Branch_1/Conv2d_0a_1x1", 1, 896, 256), ("Branch_1/Conv2d_1a_3x3", 3, 256, 256)]
    third = [("Branch_2/Conv2d_0a_1x1", 1, 896, 256), ("Branch_2/Conv2d_0b_3x3", 3, 256, 256)]
    return [*first, *second, *third, ("Branch_2/Conv2d_1a_3x3", 3, 256, 256)]


def inception_v1(classes: int = 1001) -> dict[str, Shape]:
    """slim's InceptionV1 as TensorFlow published it in 2016: batch normalization without gamma."""
    return {f"InceptionV1/{name}": shape for name, shape in _inception_v1(classes)}


def _inception_v1(classes: int) -> Named:
    stem = [("Conv2d_1a_7x7", 7, 3, 64), ("Conv2d_2b_1x1", 1, 64, 64), ("Conv2d_2c_3x3", 3, 64, 192)]
    yield from _units(list(stem))
    inputs = 192
    for name, sizes in INCEPTION_V1.items():
        one, two_in, two, three_in, three, four = sizes
        last = "Conv2d_0a_3x3" if name == "Mixed_5b" else "Conv2d_0b_3x3"  # so it is in the published file
        branches: list[Unit] = [
            (f"{name}/Branch_0/Conv2d_0a_1x1", 1, inputs, one),
            (f"{name}/Branch_1/Conv2d_0a_1x1", 1, inputs, two_in),
            (f"{name}/Branch_1/Conv2d_0b_3x3", 3, two_in, two),
            (f"{name}/Branch_2/Conv2d_0a_1x1", 1, inputs, three_in),
            (f"{name}/Branch_2/{last}", 3, three_in, three),
            (f"{name}/Branch_3/Conv2d_0b_1x1", 1, inputs, four),
        ]
        yield from _units(branches)
        inputs = one + two + three + four
    yield from _conv("Logits/Conv2d_0c_1x1", 1, inputs, classes)


INCEPTION_V1 = {
    "Mixed_3b": (64, 96, 128, 16, 32, 32),
    "Mixed_3c": (128, 128, 192, 32, 96, 64),
    "Mixed_4b": (192, 96, 208, 16, 48, 64),
    "Mixed_4c": (160, 112, 224, 24, 64, 64),
    "Mixed_4d": (128, 128, 256, 24, 64, 64),
    "Mixed_4e": (112, 144, 288, 32, 64, 64),
    "Mixed_4f": (256, 160, 320, 32, 128, 128),
    "Mixed_5b": (256, 160, 320, 32, 128, 128),
    "Mixed_5c": (384, 192, 384, 48, 128, 128),
}
"""Of each module: outputs of its four branches, the narrow beginnings of the two in the middle before theirs."""
