"""The statements of a training step: those of a block, with lists of gradients and loops over variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import tensorflow as tf

from tf2bridge.decompile.blocks import Block
from tf2bridge.decompile.expressions import filled
from tf2bridge.decompile.ir import Node, Value
from tf2bridge.decompile.lines import Line, indented
from tf2bridge.decompile.names import Names
from tf2bridge.decompile.training.gradients import DENSE
from tf2bridge.decompile.training.lanes import EACH, Item, Leaf, leaf_of
from tf2bridge.decompile.training.lists import LIST
from tf2bridge.decompile.training.trainer_attributes import TrainerAttributes, list_name


class StepBlock(Block):
    """Writes the body of a training step.

    Attributes:
        gradients: The name of the list of gradients of each loss.
        lengths: The length of each.
    """

    _store: TrainerAttributes
    gradients: Sequence[str] = ()
    lengths: Sequence[int] = ()
    _loop_names: Mapping[Node | Item, str] = {}

    def text(self, value: Value) -> str:
        """Returns the expression of a value."""
        leaf = leaf_of(value)
        if leaf is not None and isinstance(leaf[0], Item):
            return self._item(leaf[0]) + ("" if leaf[1] == DENSE else f".{leaf[1]}")
        return self._texts[value.node] if value.node.op == LIST else super().text(value)

    def _input_text(self, value: Value) -> str:
        """As `text`, but a constant of one element is a number."""
        is_number = value.node.op == "Const" and value.spec.dtype == tf.float32
        return self._number(value) if is_number else super()._input_text(value)

    def _item(self, item: Item) -> str:
        """Returns the expression of an item of a list: the whole gradient if it is a sparse one."""
        if item in self._loop_names:
            return self._loop_names[item]
        return f"{self._list(item.owner)}[{item.place}]"

    def _list(self, owner: int | Node) -> str:
        return self.gradients[owner] if isinstance(owner, int) else self._texts[owner]

    def _length(self, owner: int | Node) -> int:
        length: int = self.lengths[owner] if isinstance(owner, int) else owner.attributes["count"]
        return length

    def _expression(self, node: Node) -> str | None:
        writers: dict[str, Callable[[Node], str | None]] = {LIST: self._list_call, EACH: self._loop_over_lists}
        return writers.get(node.op, super()._expression)(node)

    def _list_call(self, node: Node) -> str | None:
        count = node.attributes["count"]
        further = {f"_{number}": self._number(value) for number, value in enumerate(node.inputs[count:])}
        text = filled(node.attributes["template"], {"_list": self._items(node.inputs[:count]), **further})
        if not node.attributes["several"]:
            return text
        name = self._names.new(node.name)
        self._texts[node] = name
        self.lines.append(Line(f"{name}, _ = {text}"))
        return None

    def _items(self, values: Sequence[Value]) -> str:
        """Returns the expression of a list of values; gradients are whole."""
        leaves = [leaf_of(value) for value in values]
        items = [leaf[0] for leaf in leaves if leaf is not None and isinstance(leaf[0], Item)]
        if len(items) == len(values):
            return self._items_text(items)
        texts = (
            self._item(leaf[0]) if leaf is not None and isinstance(leaf[0], Item) else self.text(value)
            for leaf, value in zip(leaves, values, strict=True)
        )
        return f"[{', '.join(texts)}]"

    def _items_text(self, items: Sequence[Item]) -> str:
        """Returns the expression of a list of items: the list itself, or a slice of it, if these are its items."""
        owners, places = {item.owner for item in items}, [item.place for item in items]
        first, end = places[0], places[-1] + 1
        if len(owners) > 1 or places != list(range(first, end)):
            return f"[{', '.join(map(self._item, items))}]"
        name, length = self._list(items[0].owner), self._length(items[0].owner)
        if (first, end) == (0, length):
            return name
        return f"{name}[{first or ''}:{end if end < length else ''}]"

    def _loop_over_lists(self, node: Node) -> None:
        """Writes a loop over lists of variables and gradients."""
        (body,) = node.bodies
        leaves: Sequence[Leaf] = node.attributes["leaves"]
        names = Names(self._names)
        variables = [names.new(_loop_name(leaf)) for leaf in leaves]
        lists = [self._leaf_list(leaf) for leaf in leaves]
        inner, _ = self._inner([], names, {})
        for leaf, name in zip(leaves, variables, strict=True):
            first = leaf.items[0]
            inner._loop_names = {**inner._loop_names, first: name}
            if isinstance(first, Node):
                inner._texts[first] = name
        inner.write(body)
        over = lists[0] if len(lists) == 1 else f"zip({', '.join(lists)}, strict=True)"
        self.lines += [Line(f"for {', '.join(variables)} in {over}:"), *indented(inner.lines)]

    def _leaf_list(self, leaf: Leaf) -> str:
        variables = [item for item in leaf.items if isinstance(item, Node)]
        items = [item for item in leaf.items if isinstance(item, Item)]
        return (
            self._store.variables(variables, list_name(leaf.role, variables)) if variables else self._items_text(items)
        )

    def _inner(
        self, parameters: Sequence[Node], names: Names, given: Mapping[Node, str]
    ) -> tuple[StepBlock, list[str]]:
        block, own = super()._inner(parameters, names, given)
        assert isinstance(block, StepBlock)  # a block makes blocks of its own class
        block.gradients, block.lengths, block._loop_names = self.gradients, self.lengths, self._loop_names
        return block, own


def _loop_name(leaf: Leaf) -> str:
    if isinstance(leaf.items[0], Item):
        return "gradient"
    return {"var": "variable", "resource": "variable", "ref": "variable"}.get(leaf.role, leaf.role or "variable")
