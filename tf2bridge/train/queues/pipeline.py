"""Makes the tf.data pipeline of the elements that queue runners give to a step of their graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.nodes import endpoint
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.graph.refusals import UnfedPlaceholderError, UnsupportedOpsError
from tf2bridge.graph.wrap import CHANGING
from tf2bridge.train.queues.readers import reading
from tf2bridge.train.queues.shuffled import shuffled
from tf2bridge.train.queues.wiring import COUNTS, QUEUES, READERS, READS, Filler, Step, Wiring, taker_of

Elements: Any = tf.data.Dataset
_NOTHING = None
"""Stands for a data set after a problem: the problems in the rest of the graph are still collected."""


class Pipeline:
    """Makes the data sets of steps, whose elements are tuples.

    Attributes:
        problems: What tf.data cannot do.
        undetermined: Why TensorFlow 1.x does not determine the order.
    """

    def __init__(self, module: GraphModule, wiring: Wiring, initial: Callable[[str], int]) -> None:
        """Takes the graph.

        Args:
            module: The graph as a live object.
            wiring: The queues, readers and counters of the graph.
            initial: The function from the variable of a counter of epochs to its initial value.
        """
        self._module = module
        self._wiring = wiring
        self._initial = initial
        self.problems: list[str] = list(wiring.problems)
        self.undetermined: list[str] = []

    def wanted(self) -> Any:
        """Returns the data set of the results of the step that the user asked for."""
        return self._elements(self._wiring.wanted)

    def _elements(self, step: Step) -> Any:
        """Returns the data set of the results of a step, one for each set of elements that it takes."""
        taken = [self._source(step, name) for name in step.sources]
        function = self._function(step)
        if function is None or self.problems:
            return _NOTHING
        given = Elements.zip(tuple(taken)) if taken else Elements.from_tensors(0).repeat()
        places = [(place, port) for place, ports in enumerate(step.sources.values()) for port in ports]

        def compute(*elements: Any) -> tuple[tf.Tensor, ...]:
            results = function(*(elements[place][port] for place, port in places))
            return tuple(result for result in results if result is not None)

        return given.map(compute)

    def _function(self, step: Step) -> Callable[..., list[Any]] | None:
        """Returns the function from what a step takes to its results.

        None, and notes of the problems, if there is none.
        """
        nodes = self._wiring.nodes
        changing = [name for name in step.nodes if fits(nodes[name].op, CHANGING)]
        self.problems += [f"{name} ({nodes[name].op}) changes a variable in a step" for name in sorted(changing)]
        feeds = [f"{name}:{port}" for name, ports in step.sources.items() for port in ports]
        try:
            return self._module.function(feeds, step.fetches)
        except UnsupportedOpsError as error:
            self.problems += error.lines
        except UnfedPlaceholderError as error:
            self.problems.append(str(error))
        return None

    def _source(self, step: Step, name: str) -> Any:
        """Returns the data set of what a dequeue, a read or a counter gives at each step."""
        node, source = self._wiring.nodes[name], self._wiring.held(name)
        if fits(node.op, COUNTS):
            start, limit = self._initial(source), node.attr["limit"].i
            counts = Elements.range(start, limit, output_type=tf.as_dtype(node.attr["T"].type))
            return self._part(counts.map(lambda count: (count,)), source, taker_of(step, name))
        number = self._number(node)
        if fits(node.op, READS):
            records = self._read(name, source, number, keyed=0 in step.sources[name])
            return self._part(records, source, taker_of(step, name))
        elements = self._part(self._queue(source, number or 1), source, taker_of(step, name))
        if number is None or self.problems:
            return elements
        drop_remainder = "UpTo" not in node.op
        shapes = self._shapes(source)
        if self._wiring.nodes[source].op.startswith("PaddingFIFOQueue"):
            return elements.padded_batch(number, tuple(shapes), drop_remainder=drop_remainder)
        return elements.batch(number, drop_remainder=drop_remainder)

    def _number(self, node: Any) -> int | None:
        """Returns how many elements a node takes at once; None if it takes one without a batch dimension."""
        if "Many" not in node.op and "UpTo" not in node.op:
            return None
        source = node.input[2] if fits(node.op, READS) else node.input[1]
        (number,) = self._module.function([], [endpoint(source)])()
        assert number is not None, "an endpoint has a value"
        return int(number)

    def _read(self, name: str, reader: str, number: int | None, keyed: bool) -> Any:
        """Returns the records of a reader, with their keys if `keyed`. Several records at once come from one file."""
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
        """Returns the elements of a queue in the order in which they leave it.

        A step takes `taken` elements at once.
        """
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
        """Returns what one thread of a queue runner puts into its queue."""
        elements = self._elements(filler.step)
        if self.problems:
            return _NOTHING
        if filler.keep is not None:
            elements = elements.filter(lambda *given: given[filler.components] == filler.keep)
            elements = elements.map(lambda *given: given[: filler.components])
        return elements.unbatch() if filler.many else elements

    def _shapes(self, queue: str) -> list[tf.TensorShape]:
        attributes = self._wiring.nodes[queue].attr
        known = [tf.TensorShape(shape) for shape in attributes["shapes"].list.shape]
        return known or [tf.TensorShape(None) for _ in attributes["component_types"].list.type]

    def _part(self, elements: tf.data.Dataset, source: str, taker: tuple[str, ...]) -> Any:
        """Returns the elements that one of several takers of a queue, reader or counter gets. Takers take turns."""
        count, place = self._wiring.share(source, taker)
        if count == 1 or self.problems:
            return elements
        self.undetermined.append(f"{', '.join(self._wiring.takers(source))} take from {source}")
        return elements.shard(count, place)


def _in_turn(put: Sequence[tf.data.Dataset]) -> Any:
    """Returns the elements of several data sets in turn, until the last one ends."""
    return Elements.choose_from_datasets(put, Elements.range(len(put)).repeat(), stop_on_empty_dataset=False)
