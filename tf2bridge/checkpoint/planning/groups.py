"""What is matched as one: a layer's variables, or the tensors that a program made in one scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tf2bridge.checkpoint.layers.cells import cell_of
from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.formats.checkpoints.names import role


@dataclass(frozen=True)
class Group:
    """Tensors or variables of one scope: their shapes by what each is to its layer, and their names.

    `order` is the place in which the program made it, None where that is not known.
    """

    name: str
    names: Mapping[str, str]
    """Role -> name."""
    shapes: Mapping[str, Shape]
    """Role -> shape."""
    kind: str = ""
    """The class of a Keras layer, or what a cell of TF 1.x is called."""
    order: int | None = None

    @property
    def signature(self) -> tuple[object, ...]:
        """Equal for groups that fit the same: kind, roles and shapes."""
        return self.kind, tuple(sorted(self.shapes.items()))


@dataclass(frozen=True)
class Pair:
    """A group of the checkpoint for a group of the target."""

    source: Group
    target: Group
    moves: tuple[Move, ...]


def of_tensors(shapes: Mapping[str, Shape], called: Mapping[str, str], order: Mapping[str, int]) -> list[Group]:
    """Groups the tensors of a checkpoint by scope, and those of a cell that has scopes of its own, as a GRU cell, too.

    `called`: tensor -> its name as today's TensorFlow has it. A tensor is in two groups, then, of which one may be
    paired.
    """
    scopes: dict[str, dict[str, str]] = {}
    leaves: dict[str, list[str]] = {}
    for name in shapes:
        scope, _, leaf = called[name].rpartition("/")
        leaves.setdefault(scope, []).append(leaf)
    clashing = set()
    for name in shapes:
        scope, _, leaf = called[name].rpartition("/")
        said = role(leaf, leaves[scope]) or leaf
        for key, mine in ((scope, said), *_within_cell(scope, said)):
            if key and mine in scopes.setdefault(key, {}):
                clashing.add(key)
            scopes.setdefault(key, {})[mine] = name
    return [
        Group(scope, names, {key: shapes[name] for key, name in names.items()}, cell_of(scope), _first(names, order))
        for scope, names in scopes.items()
        if scope and scope not in clashing
    ]


def _within_cell(scope: str, said: str) -> list[tuple[str, str]]:
    """The cell around a scope, and what a tensor is there: "candidate/input_projection/kernel" of cuDNN's GRU."""
    segments = scope.split("/")
    for length in range(len(segments) - 1, max(0, len(segments) - 3), -1):
        if cell_of(cell := "/".join(segments[:length])):
            return [(cell, "/".join((*segments[length:], said)))]
    return []


def of_variables(variables: Iterable[TargetVariable], ordered: bool = True) -> list[Group]:
    """Groups the variables of a target by layer. ordered: whether they come in the order of creation."""
    layers: dict[str, list[tuple[int, TargetVariable]]] = {}
    for place, each in enumerate(variables):
        layers.setdefault(f"{each.layer}{each.name[len(each.name.partition('#')[0]) :]}", []).append((place, each))
    found = []
    for layer, members in layers.items():
        names = {role(each.role) or each.role: each.name for _, each in members}
        if layer and len(names) == len(members):
            shapes = {role(each.role) or each.role: each.shape for _, each in members}
            found.append(Group(layer, names, shapes, members[0][1].layer_class, members[0][0] if ordered else None))
    return found


def single(name: str, called: str, shape: Shape, order: int | None) -> Group:
    """A tensor or variable on its own."""
    return Group(called, {"": name}, {"": shape}, "", order)


def keras_like(name: str) -> str:
    """A name whose last part says its role as Keras does: "conv1/weights" is "conv1/kernel"."""
    scope, slash, leaf = name.rpartition("/")
    return f"{scope}{slash}{role(leaf) or leaf}"


def _first(names: Mapping[str, str], order: Mapping[str, int]) -> int | None:
    return min((order[name] for name in names.values() if name in order), default=None)
