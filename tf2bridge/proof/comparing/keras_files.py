"""Pairs the variables of a plan with the tensors of a Keras 3 file that `convert --plan` wrote.

Keras 3 names a tensor by the class of its layer and by numbers ("layers/dense_1/vars/0"), and sorts layers by these
names. So the order in the file is not that of the model. The file also has the names of layers. Layers are paired by
name, and the tensors within a layer by order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tf2bridge.proof.comparing.aligning import unnumbered
from tf2bridge.proof.comparing.matching import by_name


def by_layers(variables: Iterable[str], layers: Mapping[str, str]) -> dict[str, str]:
    """Returns variable -> tensor of the file, for layers whose pairing is certain.

    Args:
        variables: The Keras paths, such as "rnn/lstm_cell/kernel", in the order of the model.
        layers: Tensor of the file -> the names of its layer (`TensorInfo.layer`), in the order of the file.
    """
    of_plan = _grouped({variable: variable.rpartition("/")[0] for variable in variables})
    of_file = _grouped(layers)
    pairs = dict(by_name(dict.fromkeys(of_plan, ()), {layer: _inner(layer) for layer in of_file}).pairs)
    pairs |= _renumbered(
        [layer for layer in of_plan if layer not in pairs], [layer for layer in of_file if layer not in pairs.values()]
    )
    return {
        variable: tensor
        for layer, tensors_of in pairs.items()
        if len(of_plan[layer]) == len(of_file[tensors_of])
        for variable, tensor in zip(of_plan[layer], of_file[tensors_of], strict=True)
    }


def _grouped(layers: Mapping[str, str]) -> dict[str, list[str]]:
    """Returns layer -> the names in it. Names without a layer are left out."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, layer in layers.items():
        if layer:
            groups[layer].append(name)
    return groups


def _inner(layer: str) -> list[str]:
    """Returns the names of a layer without outer models: Keras omits these in a variable's path."""
    names = layer.split("/")
    return ["/".join(names[start:]) for start in range(1, len(names))]


def _renumbered(of_plan: Iterable[str], of_file: Iterable[str]) -> dict[str, str]:
    """Pairs, in order, layers whose names differ only in numbers: Keras numbers layers by creation in a process."""
    kinds: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, layers in enumerate((of_plan, of_file)):
        for layer in layers:
            kinds[unnumbered(layer)][side].append(layer)
    return {
        old: new for olds, news in kinds.values() if len(olds) == len(news) for old, new in zip(olds, news, strict=True)
    }
