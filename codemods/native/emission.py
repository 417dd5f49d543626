"""Writes the functions of a program as text."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from codemods.native.functions import Function, Planner, outside_tape, tape_items
from codemods.native.items import Item
from codemods.native.iterators import first_taken
from codemods.native.kinds import OF_VARIABLES, Kind
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Fetch
from codemods.native.slices import Slice, places_in
from codemods.native.source_text import SourceText, reindented
from codemods.native.stored_order import between
from codemods.native.training import Step


@dataclass
class Writer:
    """Writes functions, with the statements of the author where they can stay as they are."""

    source: SourceText
    planner: Planner
    tf: str
    optimizers: dict[int, str]
    indent: str
    core: Sequence[Item] = ()
    core_name: str = ""
    core_results: tuple[str, ...] = ()
    core_feeds: tuple[str, ...] = ()
    fetches: dict[ast.expr, str] = field(default_factory=dict)
    summaries: str = ""
    store: str = "store"

    def read_fetches(self) -> None:
        """Reads the texts of what is fetched, before other texts stand in place of the calls."""
        nodes = (fetch.node for function in self.planner.functions for fetch in function.fetches)
        self.fetches = {node: self.source.text_of(node) for node in nodes}

    def lines(self, item: Item, indent: str) -> str:
        """Returns the lines of a statement at another indentation."""
        if not self.source.is_alone(item.node):
            return indent + self.source.text_of(item.node) + "\n"
        text = self.source.rendered(self.source.lines_of(item.node))
        text = reindented(text, text[: len(text) - len(text.lstrip())], indent)
        return text if text.endswith("\n") else text + "\n"

    def plan_core(self, items: Sequence[Item]) -> None:
        """Plans the plain function that several functions call."""
        self.core = items
        numbers = {item.index for item in items}
        read: list[str] = []
        for function in self.planner.functions:
            reading = [item for item in function.slice.ordered if item.index not in numbers]
            wanted = {place for item in reading for place in item.reads}
            wanted |= places_in(fetch.node for fetch in function.fetches)
            for step in (step for item in reading for step in self.planner.steps.get(item.index, [])):
                wanted |= places_in(step.given.values())
            read += sorted(wanted)
        made = [place for item in items for place in sorted(item.writes) if " " not in place]  # no updates
        self.core_results = tuple(dict.fromkeys(place for place in made if place in read))
        feeds = {
            place for item in items for place in item.reads
            if (known := self.planner.body.definition(place, item.index))
            and (known.kind is Kind.PLACEHOLDER or (known.moves and known.index not in numbers))
        }  # fmt: skip
        order = [place for item in self.planner.body.items for place in sorted(item.writes)]
        self.core_feeds = tuple(place for place in dict.fromkeys(order) if place in feeds)
        if self.planner.updates.isidentifier() and any(self.planner.normalizing.get(item.index) for item in items):
            self.core_feeds += (self.planner.updates,)
        last = own_name(self.core_results[-1]) if self.core_results else "model"
        self.core_name = self.planner.free(f"compute_{last}" if len(self.core_results) == 1 else "compute_model")

    def core_text(self, indent: str) -> str:
        """Returns the text of the shared function."""
        inner = indent + self.indent
        body = "".join(self.lines(item, inner) for item in self.core)
        head = f"{indent}def {self.core_name}({', '.join(map(own_name, self.core_feeds))}):\n"
        return head + body + f"{inner}return {', '.join(map(own_name, self.core_results))}\n"

    def text(self, function: Function, indent: str) -> str:
        """Returns the text of a function."""
        inner = indent + self.indent
        specs = ", ".join(self._spec(place, function) for place in function.feeds)
        decorator = (
            f"{indent}@{self.tf}.function(input_signature=[{specs}])\n" if specs else f"{indent}@{self.tf}.function\n"
        )
        parameters = ", ".join(map(own_name, function.feeds))
        head = f"{decorator}{indent}def {function.name}({parameters}):\n"
        return head + self._with_needed("".join(self._body(function, inner)) + self._return(function, inner))

    def _with_needed(self, body: str) -> str:
        """Returns the body of a function with `_` for what it takes from the shared function and does not need."""
        names = [own_name(place) for place in self.core_results]
        call = f"{', '.join(names)} = {self.core_name}("
        before, taking, after = body.partition(call)
        words = set(re.findall(r"\w+", before + after))
        if not taking or "_" in words:
            return body
        return f"{before}{', '.join(name if name in words else '_' for name in names)} = {self.core_name}({after}"

    def _spec(self, place: str, function: Function) -> str:
        """Returns the specification of a parameter: that of a tensor is the one of the function that computes it."""
        names = {of: maker.name for of, maker in self.planner.makers.items()}
        spec = self.planner.iterators.spec(place, names, self.tf)
        if spec is not None:
            return spec
        if not self.planner.is_tensor(place, function.at):
            return place
        maker, index = self.planner.computing(place, function.runs[0])
        made = f"{maker.name}.get_concrete_function().structured_outputs{index}"
        return f'{self.tf}.TensorSpec.from_tensor({made}, "{own_name(place)}")'

    def _body(self, function: Function, indent: str) -> list[str]:
        steps = [(item, step) for item in function.slice.ordered for step in self.planner.steps.get(item.index, [])]
        taped = Slice()
        for item, step in steps:
            taped.items |= tape_items(step, self.planner.body, item, function.feeds).items
        taped.items |= between(function, taped, self.planner.body)
        if any(item.kind is not Kind.TENSOR for item in taped.ordered):
            raise NotNativeError(
                function.runs[0].node, "NAT008", "a loss of gradients, or of all variables, is not supported"
            )
        outside_tape(function, taped.ordered, self.planner)
        gradients = [(item, step) for item, step in steps if step.differentiated is not None]
        summarised = any(self.summaries in item.writes for item in function.slice.ordered)
        stores = any(item.effects.stores for item in function.slice.ordered)
        lines = [f"{indent}{self.store}.begin()\n"] if stores else []
        lines += [f"{indent}{self.summaries} = {{}}\n"] if summarised else []
        early = [fetch for fetch in function.values if fetch.order == "before"]
        lines += [f"{indent}{_early(fetch)} = {self.tf}.identity({self.fetches[fetch.node]})\n" for fetch in early]
        written = {place for item in function.slice.ordered for place in item.writes | item.reads}
        lines += [f"{indent}{place} = []\n" for place in sorted(written & self.planner.lists)]
        normalizes = any(self.planner.normalizing.get(index) for index in function.slice.items)
        if normalizes and self.planner.updates.isidentifier():  # the store begins its own list
            lines.append(f"{indent}{self.planner.updates} = []\n")
        lines += self._tape(gradients, taped, indent) if gradients else []
        rest = [item for item in function.slice.ordered if item.index not in taped.items]
        before = [item for item in rest if item.kind not in (Kind.TRAIN, Kind.ASSIGN)]
        lines += self._items(before, indent)
        element = first_taken(function.slice.ordered)
        inner = indent + self.indent if element else indent
        changes = self._changes(function, rest, inner)
        if element and changes:  # without an element, nothing changes
            lines.append(f"{indent}with {self.tf}.control_dependencies({self.tf}.nest.flatten({element})):\n")
        lines += changes
        if not lines and not function.values:
            lines.append(f"{indent}pass\n")
        return lines

    def _changes(self, function: Function, rest: Sequence[Item], indent: str) -> list[str]:
        """Returns the lines that change variables."""
        lines: list[str] = []
        if any(item.controls is not None for item in function.slice.ordered):
            lines.append(f"{indent}for update in {self.planner.updates}:\n{indent}{self.indent}update()\n")
        lines += self._trains([item for item in rest if item.kind is Kind.TRAIN], indent)
        lines += [self.lines(item, indent) for item in rest if item.kind is Kind.ASSIGN]
        unnamed = (fetch for fetch in function.operations if fetch.place is None)
        return lines + [f"{indent}{self.fetches[fetch.node]}\n" for fetch in unnamed]

    def _items(self, items: Sequence[Item], indent: str) -> list[str]:
        numbers = {item.index for item in self.core}
        present = {item.index for item in items}
        lines: list[str] = []
        called = not (numbers and numbers <= present)
        for item in items:
            if item.index in numbers and numbers <= present:
                if not called:
                    results, feeds = (", ".join(map(own_name, part)) for part in (self.core_results, self.core_feeds))
                    lines.append(f"{indent}{results} = {self.core_name}({feeds})\n")
                    called = True
                continue
            lines.append(self.lines(item, indent))
        return lines

    def _tape(self, gradients: Sequence[tuple[Item, Step]], taped: Slice, indent: str) -> list[str]:
        persistent = "persistent=True" if len(gradients) > 1 else ""
        lines = [f"{indent}with {self.tf}.GradientTape({persistent}) as tape:\n"]
        inner = indent + self.indent
        body = self._items(taped.ordered, inner)
        for item, step in gradients:
            loss = step.differentiated
            if loss is not None and place_of(loss) is None:
                body.append(f"{inner}{self._loss_name(item, len(gradients))} = {self.source.text_of(loss)}\n")
        return lines + (body or [f"{inner}pass\n"])

    def _loss_name(self, item: Item, steps: int) -> str:
        """Returns a name for a loss that the author gave none."""
        name = "loss" if steps == 1 else f"loss_{item.index}"
        return name if not self.planner.body.definitions(name) else f"{name}_of_step"

    def _trains(self, trains: Sequence[Item], indent: str) -> list[str]:
        lines: list[str] = []
        applied: list[str] = []
        for number, item in enumerate(trains):
            for step in self.planner.steps[item.index]:
                if step.method not in ("minimize", "apply_gradients"):
                    continue
                optimizer, rate, before = self._optimizer(item, step)
                comments = self._comments(item, indent)
                if step.method == "minimize":
                    suffix = "" if len(trains) == 1 else f"_{number + 1}"
                    variables = step.given.get("var_list")
                    trained = self.source.text_of(variables) if variables is not None else ""
                    if variables is None or place_of(variables) is None:
                        value = trained or "tape.watched_variables()"
                        trained = f"variables{suffix}"
                        lines.append(f"{indent}{trained} = {value}\n")
                    target = step.differentiated
                    assert target is not None
                    loss = self.source.text_of(target) if place_of(target) else self._loss_name(item, len(trains))
                    gradient = f"tape.gradient({loss}, {trained})"
                    if len(trains) > 1:
                        lines.append(f"{indent}gradients{suffix} = {gradient}\n")
                        gradient = f"gradients{suffix}"
                    pairs = f"zip({gradient}, {trained})"
                else:
                    pairs = self.source.text_of(step.given["grads_and_vars"])
                first = f"{indent}{before}\n" if before else ""
                applied.append(f"{comments}{first}{indent}{optimizer}.apply_gradients({pairs}{rate})\n")
                step_variable = step.given.get("global_step")
                if step_variable is not None:
                    applied.append(f"{indent}{self.source.text_of(step_variable)}.assign_add(1)\n")
        return lines + applied

    def _comments(self, item: Item, indent: str) -> str:
        """Returns the comments above a statement that is replaced."""
        if not self.source.is_alone(item.node) or item.index in self.optimizers:
            return ""
        start, _ = self.source.lines_of(item.node)
        end = self.source.positions.line_start(self.source.span(item.node)[0])
        text = self.source.rendered((start, end))
        return reindented(text, text[: len(text) - len(text.lstrip())], indent)

    def _optimizer(self, item: Item, step: Step) -> tuple[str, str, str]:
        """Returns the name of the optimizer of a step, and how it gets its learning rate if that is a tensor.

        The exact classes have an argument for it, and those of Keras a variable that a statement before the step gives.
        """
        if item.index in self.optimizers:
            name, made = self.optimizers[item.index], item
        else:
            assert step.optimizer is not None
            place = place_of(step.optimizer)
            known = self.planner.body.definition(place, item.index) if place else None
            if known is None or place is None:
                raise NotNativeError(step.call, "NAT008", "the source does not say which optimizer this is")
            name, made = place, known
        rate = self.planner.rates.get(made.index)
        if rate is None:
            return name, "", ""
        text = self.source.text_of(rate)
        is_keras = made.index in self.planner.keras
        return (name, "", f"{name}.learning_rate.assign({text})") if is_keras else (name, f", learning_rate={text}", "")

    def _return(self, function: Function, indent: str) -> str:
        values = []
        for fetch in function.values:
            moved = self.planner.body.definition(fetch.place, function.at, function.home) if fetch.place else None
            text = self.fetches[fetch.node]
            text = own_name(text) if moved is not None and (moved.moves or moved.kind is Kind.PLACEHOLDER) else text
            if fetch.order == "before":
                values.append(_early(fetch))
                continue
            values.append(f"{self.tf}.identity({text})" if fetch.kind in OF_VARIABLES else text)
        return f"{indent}return {', '.join(values)}\n" if values else ""


def _early(fetch: Fetch) -> str:
    """Returns a name for the value of a variable before the step."""
    name = "".join(letter if letter.isalnum() else "_" for letter in ast.unparse(fetch.node))
    return f"{name.removeprefix('self_')}_before"


def own_name(place: str) -> str:
    """Returns what a place is called inside a function: `x` for `self.x`."""
    return place.removeprefix("self.")
