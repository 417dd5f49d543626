"""What slim calls the variables of its published models, their shapes, and the layer of keras.applications for each."""

from __future__ import annotations

Named = tuple[dict[str, list[int]], dict[str, str]]
"""Variable -> shape, and scope -> layer."""
_STATISTICS = ("gamma", "beta", "moving_mean", "moving_variance")


class _Names:
    def __init__(self) -> None:
        self.shapes: dict[str, list[int]] = {"global_step": []}
        self.layers: dict[str, str] = {}

    def biased(self, scope: str, layer: str, shape: list[int]) -> None:
        self.shapes |= {f"{scope}/weights": shape, f"{scope}/biases": shape[-1:]}
        self.layers[scope] = layer

    def normed(self, scope: str, layer: str, norm: str, shape: list[int], leaf: str = "weights") -> None:
        outputs = shape[2] if leaf == "depthwise_weights" else shape[3]
        self.shapes[f"{scope}/{leaf}"] = shape
        self.shapes |= {f"{scope}/BatchNorm/{statistic}": [outputs] for statistic in _STATISTICS}
        self.layers |= {scope: layer, f"{scope}/BatchNorm": norm}


def vgg_16() -> Named:
    """Without its three large layers."""
    names, inputs = _Names(), 3
    for block, (count, outputs) in enumerate(((2, 64), (2, 128), (3, 256), (3, 512), (3, 512)), 1):
        for n in range(1, count + 1):
            names.biased(f"vgg_16/conv{block}/conv{block}_{n}", f"block{block}_conv{n}", [3, 3, inputs, outputs])
            inputs = outputs
    return names.shapes, names.layers


def resnet_v1_50() -> Named:
    names, inputs = _Names(), 64
    names.normed("resnet_v1_50/conv1", "conv1_conv", "conv1_bn", [7, 7, 3, 64])
    for block, (base, units) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
        for unit in range(1, units + 1):
            scope, layer = f"resnet_v1_50/block{block}/unit_{unit}/bottleneck_v1", f"conv{block + 1}_block{unit}"
            shapes = {"conv1": [1, 1, inputs, base], "conv2": [3, 3, base, base], "conv3": [1, 1, base, 4 * base]}
            if unit == 1:
                shapes["shortcut"] = [1, 1, inputs, 4 * base]
            for name, shape in shapes.items():
                place = 0 if name == "shortcut" else int(name[-1])
                names.normed(f"{scope}/{name}", f"{layer}_{place}_conv", f"{layer}_{place}_bn", shape)
            inputs = 4 * base
    names.biased("resnet_v1_50/logits", "predictions", [1, 1, 2048, 1000])
    return names.shapes, names.layers


def mobilenet_v1() -> Named:
    names, inputs = _Names(), 32
    names.normed("MobilenetV1/Conv2d_0", "conv1", "conv1_bn", [3, 3, 3, 32])
    for n, outputs in enumerate((64, 128, 128, 256, 256, *[512] * 6, 1024, 1024), 1):
        scope = f"MobilenetV1/Conv2d_{n}"
        names.normed(f"{scope}_depthwise", f"conv_dw_{n}", f"conv_dw_{n}_bn", [3, 3, inputs, 1], "depthwise_weights")
        names.normed(f"{scope}_pointwise", f"conv_pw_{n}", f"conv_pw_{n}_bn", [1, 1, inputs, outputs])
        inputs = outputs
    names.biased("MobilenetV1/Logits/Conv2d_1c_1x1", "conv_preds", [1, 1, 1024, 1000])
    return names.shapes, names.layers
