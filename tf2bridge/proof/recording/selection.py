"""Selects the tensors of a call to record: the leaves of its fetches, and inner tensors that it computes anyway."""

from tf2bridge.proof.recording.encoding import TEXTS, as_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # never true: Python 2.7 has no typing
    from typing import Any, Callable, Iterator

# They need only the shape of their input. The graph optimizer may then not compute the input.
_SHAPE_ONLY = ("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike")
# They forward the memory of their input. For a variable, that memory has the value at the end of the step.
_FORWARDING = ("Identity", "Reshape", "Squeeze", "ExpandDims", "StopGradient", "CheckNumerics")
_LOOP_ENDS = ("Enter", "RefEnter")
_FIRST = 10  # the first calls with the same fetches are always recorded


class Tally(object):
    """Counts of calls with the same fetches: all calls, and those left out since the last written count."""

    def __init__(self):
        # type: () -> None
        self.made = self.left_out = self._looked = 0

    def takes(self, every):
        # type: (int) -> bool
        """Returns whether to record the current call, and counts it."""
        number = self.made
        self.made += 1
        return number < _FIRST or number % every == 0

    def is_time_to_look(self):
        # type: () -> bool
        """Returns whether to look for new variable values after this call; less and less often, as calls repeat."""
        self._looked += 1
        return not self._looked & (self._looked - 1)


class Plan(object):
    """The fetches of calls with the same fetches.

    Attributes:
        names: The names of the leaves, depth first.
        elements: The tensors and operations to fetch: the leaves, then the inner tensors.
        inner: The names of the inner tensors.
        form: "one" if the program gets the value of a single element, "list" if it gets the list of values.
    """

    def __init__(self, fetched, inner, tally, keep, form):
        # type: (list[Any], list[Any], Tally, Any, str) -> None
        self.form = "" if inner else form
        self.names = [as_text(item.name) for item in fetched]
        self.inner = [as_text(tensor.name) for tensor in inner]
        self.elements = fetched + inner
        self.tally = tally
        self._keep = keep  # kept alive, because the plan's key has its ids


def key_of(fetch):
    # type: (Any) -> Any
    """Returns a key that identifies a nest of fetches while its objects live."""
    if isinstance(fetch, (list, tuple)):
        return tuple([key_of(part) for part in fetch])
    if hasattr(fetch, "keys"):
        return tuple([(as_text(key), key_of(fetch[key])) for key in fetch.keys()])  # noqa: SIM118 - any Mapping
    if hasattr(type(fetch), "__attrs_attrs__"):
        return tuple([key_of(part) for part in _fields(fetch)])
    return as_text(fetch) if isinstance(fetch, TEXTS) else id(fetch)


def leaves(graph, expansion, fetch):
    # type: (Any, Callable[[Any], Any], Any) -> Iterator[Any]
    """Yields the tensors and operations of a nest of fetches. Raises TensorFlow's errors for invalid fetches."""
    if isinstance(fetch, (list, tuple)):
        parts = list(fetch)
    elif hasattr(fetch, "keys"):
        parts = [fetch[key] for key in sorted(fetch.keys(), key=_order)]
    elif hasattr(type(fetch), "__attrs_attrs__"):
        parts = _fields(fetch)
    else:
        for element in expansion(fetch)[1](fetch)[0]:
            yield graph.as_graph_element(element)
        return
    for part in parts:
        for leaf in leaves(graph, expansion, part):
            yield leaf


def _fields(instance):
    # type: (Any) -> list[Any]
    return [getattr(instance, field.name) for field in type(instance).__attrs_attrs__]


def form_of(fetch, expansion):
    # type: (Any, Callable[[Any], Any]) -> str
    """Returns "one" for a leaf that is one tensor or operation, "list" for a list or tuple of such, else ""."""
    if type(fetch) in (list, tuple):
        return "list" if all([form_of(part, expansion) == "one" for part in fetch]) else ""
    is_nest = isinstance(fetch, (list, tuple)) or hasattr(fetch, "keys") or hasattr(type(fetch), "__attrs_attrs__")
    return "" if is_nest or expansion(fetch)[0] is not object else "one"


def _order(key):
    # type: (Any) -> str
    """Returns a key as text. Objects, such as hooks, give their type, because their text may have an address."""
    return as_text(key) if isinstance(key, TEXTS + (int,)) else type(key).__name__


def inner_tensors(fetched, fed, patterns, draws=()):
    # type: (list[Any], Any, list[Any], Any) -> list[Any]
    """Returns tensors that a call computes anyway, producers first: floating tensors with matching names, and draws.

    Args:
        fetched: The fetched tensors and operations.
        fed: The names of the fed tensors. Ops that only these need are not computed.
        patterns: Compiled regular expressions for names.
        draws: The names of ops whose results are all included.
    """
    depths = {}  # type: dict[Any, int]
    known = set([as_text(item.name) for item in fetched])
    tensors, variables = [], set()
    for op in _upstream(fetched, fed):
        depths[op] = depth = _depth(op, depths)
        if op.type in _FORWARDING and (_is_reference(op.inputs[0]) or op.inputs[0].op in variables):
            variables.add(op)
        elif not depth and not op.type.startswith("Placeholder") and op.graph.is_fetchable(op):
            for tensor in op.outputs:
                name = as_text(tensor.name)
                if _is_reference(tensor) or name in known or name in fed:
                    continue
                is_matched = tensor.dtype.is_floating and any(pattern.search(name) for pattern in patterns)
                if is_matched or as_text(op.name) in draws:
                    tensors.append(tensor)
    return tensors


def ops_behind(items):
    # type: (list[Any]) -> set[str]
    """Returns the names of the ops that tensors and operations need."""
    return set([as_text(op.name) for op in _upstream(items, ())])


def _is_reference(tensor):
    # type: (Any) -> bool
    return bool(tensor.dtype != tensor.dtype.base_dtype)


def _upstream(fetched, fed):
    # type: (list[Any], Any) -> list[Any]
    """Returns the ops that a call runs, producers first, without ops that are only in bodies of loops."""
    order, seen = [], set()  # type: list[Any], set[Any]
    stack = [(op, False) for op in [_op(item) for item in fetched if as_text(item.name) not in fed]]
    while stack:
        op, done = stack.pop()
        if done:
            order.append(op)
        elif op not in seen:
            seen.add(op)
            stack.append((op, True))
            stack.extend([(source, False) for source in _before(op, fed) if source not in seen])
    return order


def _before(op, fed):
    # type: (Any, Any) -> list[Any]
    inputs = [] if op.type in _SHAPE_ONLY else [t.op for t in op.inputs if as_text(t.name) not in fed]
    return [tensor for tensor in inputs if tensor.type not in ("NextIteration", "RefNextIteration")] + list(
        op.control_inputs
    )


def _op(item):
    # type: (Any) -> Any
    return getattr(item, "op", item)


def _depth(op, depths):
    # type: (Any, dict[Any, int]) -> int
    """Returns the number of conditional branches and loops around an op. A Switch counts as inside its branch."""
    inputs = [tensor.op for tensor in op.inputs]
    depth = max([0] + [depths.get(source, 0) for source in inputs + list(op.control_inputs)])
    if op.type in ("Switch", "RefSwitch"):
        return depth + (0 if _is_loop(inputs[0]) else 1)
    if op.type in ("Merge", "RefMerge"):
        return depth - (0 if _is_loop(op) else 1)
    return depth + (op.type in _LOOP_ENDS) - (op.type in ("Exit", "RefExit"))


def _is_loop(op):
    # type: (Any) -> bool
    return op.type in ("Merge", "RefMerge") and any(tensor.op.type in _LOOP_ENDS for tensor in op.inputs)
