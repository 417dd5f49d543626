"""The tf.data pipeline of what queue runners give to a step of their graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.audit import fits
from tf2bridge.formats.graphs.nodes import endpoint
from tf2bridge.graph.module import GraphModule
from tf2bridge.graph.refusals import UnfedPlaceholderError, UnsupportedOpsError
from tf2bridge.graph.wrap import CHANGING
from tf2bridge.train.queues.readers import reading
from tf2bridge.train.queues.shuffled import shuffled
from tf2bridge.train.queues.wiring import COUNTS, QUEUES, READERS, READS, Filler, Step, Wiring, taker_of

Elements: Any = tf.data.Dataset
_NOTHING = None
"""In place of a data set, when there are problems: these are still gathered, of the rest of the graph."""


class Pipeline:
    """Makes the data sets of steps, of tuples; `problems` and `undetermined` say what was met on the way."""

    def __init__(self, module: GraphModule, wiring: Wiring, initial: Callable[[str], int]) -> None:
        """initial: what gives the value with which a counter of epochs, the name of its variable, begins."""
        self._module = module
        self._wiring = wiring
        self._initial = initial
        self.problems: list[str] = list(wiring.problems)
        self.undetermined: list[str] = []

    def wanted(self) -> Any:
        """What the step that is wanted computes each time."""
        return self._elements(self._wiring.wanted)

    def _elements(self, step: Step) -> Any:
        """What a step computes, for each of the elements that it takes."""
        taken = [self._source(step, name) for name in step.sources]
        function = self._function(step)
        if function is None or self.problems:
            return _NOTHING
        given = Elements.zip(tuple(taken)) if taken else Elements.from_tensors(0).repeat()
        places = [(place, port) for place, ports in enumerate(step.sources.values()) for port in ports]

        def compute(*elements: Any) -> tuple[tf.Tensor, ...]:
            found = function(*(elements[place][port] for place, port in places))
            return tuple(each for each in found if each is not None)

        return given.map(compute)

    def _function(self, step: Step) -> Callable[..., list[Any]] | None:
        """What a step computes of what it takes; None, with the problems, where that is not known."""
        nodes = self._wiring.nodes
        changing = [name for name in step.nodes if fits(nodes[name].op, CHANGING)]
        self.problems += [f"{name} ({nodes[name].op}) changes a variable in a step" for name in sorted(changing)]
        feeds = [f"{name}:{port}" for name, ports in step.sources.items() for port in ports]
        try:
            return self._module.function(feeds, step.fetches)
        except UnsupportedOpsError as error:
            self.problems += error.found
        except UnfedPlaceholderError as error:
            self.problems.append(str(error))
        return None

    def _source(self, step: Step, name: str) -> Any:
        """What a dequeue, a read or a counter gives, one time after another."""
        node, held = self._wiring.nodes[name], self._wiring.held(name)
        if fits(node.op, COUNTS):
            start, limit = self._initial(held), node.attr["limit"].i
            counts = Elements.range(start, limit, output_type=tf.as_dtype(node.attr["T"].type))
            return self._part(counts.map(lambda count: (count,)), held, taker_of(step, name))
        number = self._number(node)
        if fits(node.op, READS):
            records = self._read(name, held, number, keyed=0 in step.sources[name])
            return self._part(records, held, taker_of(step, name))
        elements = self._part(self._queue(held, number or 1), held, taker_of(step, name))
        if number is None or self.problems:
            return elements
        whole = "UpTo" not in node.op
        shapes = self._shapes(held)
        if self._wiring.nodes[held].op.startswith("PaddingFIFOQueue"):
            return elements.padded_batch(number, tuple(shapes), drop_remainder=whole)
        return elements.batch(number, drop_remainder=whole)

    def _number(self, node: Any) -> int | None:
        """How many elements a node takes at once, None where it takes one as it is."""
        if "Many" not in node.op and "UpTo" not in node.op:
            return None
        source = node.input[2] if fits(node.op, READS) else node.input[1]
        (number,) = self._module.function([], [endpoint(source)])()
        assert number is not None, "an endpoint has a value"
        return int(number)

    def _read(self, name: str, reader: str, number: int | None, keyed: bool) -> Any:
        """The records of a reader, with their keys if these are used; several at once are of one file."""
        node, queue = self._wiring.nodes[reader], self._wiring.queue_read(name)
        if not fits(node.op, READERS):
            self.problems.append(f"{reader} ({node.op}) is no reader that tf.data has")
        files = self._part(self._queue(queue, 1), queue, (reader,))
        if self.problems:
            return _NOTHING
        of_file = reading(node, keyed)
        if number is None:
            return files.flat_map(of_file)
        return files.flat_map(lambda file: of_file(file).batch(number))

    def _queue(self, queue: str, taken: int) -> Any:
        """The elements of a queue, tuples of components, in the order in which they leave it, `taken` at once."""
        node, fillers = self._wiring.nodes[queue], self._wiring.fillers.get(queue, ())
        if not fits(node.op, QUEUES):
            self.problems.append(f"{queue} ({node.op}) is no queue whose order tf.data has")
        elif not fillers:
            self.problems.append(f"{queue} ({node.op}) is filled by no queue runner of the graph")
        threads = sum(filler.threads for filler in fillers)
        if threads > 1:
            self.undetermined.append(f"{threads} threads fill {queue}")
        put = [self._put(filler) for filler in fillers]
        if self.problems:
            return _NOTHING
        elements = put[0] if len(put) == 1 else _in_turn(put)
        if not node.op.startswith("RandomShuffleQueue"):
            return elements
        self.undetermined.append(f"what is in {queue} (a shuffling queue) when a step takes from it")
        return shuffled(elements, node, self._shapes(queue), taken)

    def _put(self, filler: Filler) -> Any:
        """What a thread of a queue runner puts into the queue."""
        found = self._elements(filler.step)
        if self.problems:
            return _NOTHING
        if filler.keep is not None:
            found = found.filter(lambda *given: given[filler.components] == filler.keep)
            found = found.map(lambda *given: given[: filler.components])
        return found.unbatch() if filler.many else found

    def _shapes(self, queue: str) -> list[tf.TensorShape]:
        attributes = self._wiring.nodes[queue].attr
        known = [tf.TensorShape(each) for each in attributes["shapes"].list.shape]
        return known or [tf.TensorShape(None) for _ in attributes["component_types"].list.type]

    def _part(self, elements: tf.data.Dataset, held: str, taker: tuple[str, ...]) -> Any:
        """What one of those who take from the same queue, reader or counter gets, taking turns."""
        count, place = self._wiring.share(held, taker)
        if count == 1 or self.problems:
            return elements
        self.undetermined.append(f"{', '.join(self._wiring.takers(held))} take from {held}")
        return elements.shard(count, place)


def _in_turn(put: Sequence[tf.data.Dataset]) -> Any:
    """The elements of several, each in its turn, until the last one ends."""
    return Elements.choose_from_datasets(put, Elements.range(len(put)).repeat(), stop_on_empty_dataset=False)
