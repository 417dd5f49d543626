"""Groups of variables or tensors that are matched together: those of a layer, or of a scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tf2bridge.checkpoint.layers.cells import cell_of
from tf2bridge.checkpoint.moves import Shape, TargetVariable
from tf2bridge.formats.checkpoints.names import role


@dataclass(frozen=True)
class Group:
    """Tensors or variables of one scope.

    Attributes:
        name: The scope.
        names: Role in the layer -> name.
        shapes: Role in the layer -> shape.
        kind: The class of a Keras layer, or the name of a TF 1.x cell.
        order: The place in the order of creation; None if it is not known.
    """

    name: str
    names: Mapping[str, str]
    shapes: Mapping[str, Shape]
    kind: str = ""
    order: int | None = None

    @property
    def signature(self) -> tuple[object, ...]:
        """Returns a key that is equal for groups that fit the same groups: kind, roles and shapes."""
        return self.kind, tuple(sorted(self.shapes.items()))


def of_tensors(shapes: Mapping[str, Shape], called: Mapping[str, str], order: Mapping[str, int]) -> list[Group]:
    """Groups the tensors of a checkpoint by scope, and also by cell if a cell has scopes of its own, as a GRU cell has.

    A tensor of such a cell is in two groups, of which one may be paired.

    Args:
        shapes: Tensor -> shape.
        called: Tensor -> its name in today's TensorFlow.
        order: Tensor -> its place in the order of creation.
    """
    scopes: dict[str, dict[str, str]] = {}
    leaves: dict[str, list[str]] = {}
    for name in shapes:
        scope, _, leaf = called[name].rpartition("/")
        leaves.setdefault(scope, []).append(leaf)
    clashing = set()
    for name in shapes:
        scope, _, leaf = called[name].rpartition("/")
        leaf_role = role(leaf, leaves[scope]) or leaf
        for key, mine in ((scope, leaf_role), *_within_cell(scope, leaf_role)):
            if key and mine in scopes.setdefault(key, {}):
                clashing.add(key)
            scopes.setdefault(key, {})[mine] = name
    return [
        Group(scope, names, {key: shapes[name] for key, name in names.items()}, cell_of(scope), _first(names, order))
        for scope, names in scopes.items()
        if scope and scope not in clashing
    ]


def _within_cell(scope: str, leaf_role: str) -> list[tuple[str, str]]:
    """Returns the cell around a scope and the tensor's role in it, such as "candidate/input_projection/kernel"."""
    segments = scope.split("/")
    for length in range(len(segments) - 1, max(0, len(segments) - 3), -1):
        if cell_of(cell := "/".join(segments[:length])):
            return [(cell, "/".join((*segments[length:], leaf_role)))]
    return []


def of_variables(variables: Iterable[TargetVariable], ordered: bool = True) -> list[Group]:
    """Groups the variables of a target by layer. `ordered`: the variables are in the order of creation."""
    layers: dict[str, list[tuple[int, TargetVariable]]] = {}
    for place, variable in enumerate(variables):
        layers.setdefault(f"{variable.layer}{variable.name[len(variable.name.partition('#')[0]) :]}", []).append(
            (place, variable)
        )
    groups = []
    for layer, members in layers.items():
        names = {role(variable.role) or variable.role: variable.name for _, variable in members}
        if layer and len(names) == len(members):
            shapes = {role(variable.role) or variable.role: variable.shape for _, variable in members}
            groups.append(Group(layer, names, shapes, members[0][1].layer_class, members[0][0] if ordered else None))
    return groups


def single(name: str, called: str, shape: Shape, order: int | None) -> Group:
    """Returns a group of one tensor or variable."""
    return Group(called, {"": name}, {"": shape}, "", order)


def keras_like(name: str) -> str:
    """Returns the name with the role that Keras uses: "conv1/weights" becomes "conv1/kernel"."""
    scope, slash, leaf = name.rpartition("/")
    return f"{scope}{slash}{role(leaf) or leaf}"


def _first(names: Mapping[str, str], order: Mapping[str, int]) -> int | None:
    return min((order[name] for name in names.values() if name in order), default=None)
