"""The ways of calling a function that the measurements distinguish, each a short text made from the arguments.

Each function takes the bound arguments of a call (name -> value) and returns its way. Two calls of one way must have
the same difference in the number of operations. A property of the arguments that changes this difference belongs in the
text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tf2bridge.behaviour.seeds.kinds import Arguments, Way, given, kind, rank, static


def filled(arguments: Arguments) -> str:
    """For zeros and ones: a small or big known shape, a tensor, or a list with tensors in it ("ti": tensor, integer).

    TensorFlow 1.12 and later multiply the entries of such a list to see whether it is small (`_constant_if_small`).
    """
    shape = arguments["shape"]
    if kind(shape) == "tensor":
        return "tensor"
    if kind(shape) == "sequence" and any(kind(size) == "tensor" for size in shape):
        return _pattern(shape)
    try:
        size = math.prod(_sizes(shape))
    except TypeError:
        return "other"
    return "small" if size < 1000 else "big"


def alike(arguments: Arguments) -> str:
    """For zeros_like: whether another type is wanted, and how much of the shape is known."""
    own, wanted = getattr(arguments["tensor"], "dtype", None), arguments.get("dtype")
    return f"{'' if wanted is None or own == wanted else 'dtype'} {static(arguments['tensor'])}"


def _pattern(shape: Sequence[Any]) -> str:
    """Returns the pattern of a list. Integers before the first tensor count as one factor."""
    letters = "".join("t" if kind(size) == "tensor" else "i" for size in shape)
    return "i" * letters.startswith("i") + letters.lstrip("i")


def _sizes(shape: Any) -> list[int]:
    sizes = [shape] if isinstance(shape, int) else list(shape)
    return [int(getattr(size, "value", size)) for size in sizes]


def reduced(arguments: Arguments) -> str:
    """For reductions: an axis, or what is reduced as a whole."""
    if arguments["axis"] is not None:
        return "axis"
    value = arguments["x"]
    return kind(value) if rank(value) not in ("0", "?") else f"{kind(value)} of rank {rank(value)}"


def bounds(arguments: Arguments) -> str:
    """For random_uniform: this TensorFlow has a shorter way where a bound is the Python integer 0 or 1."""
    if "int" in str(arguments["dtype"]):
        return "integers"
    low, high = arguments["minval"], arguments["maxval"]
    zero = isinstance(low, int) and low == 0
    is_one = high is None or (isinstance(high, int) and high == 1)
    return f"{'0' if zero else kind(low)} to {'1' if is_one else kind(high)}"


def wrapped(arguments: Arguments) -> str:
    """For dropout around a cell: whether a cond or a loop has to capture the probability to keep."""
    keep = arguments["keep_prob"]
    context = _context(keep)
    return f"{kind(keep)}{' captured' if context is not None and keep.name not in context._values else ''}"


def _context(value: Any) -> Any:
    graph = getattr(value, "graph", None)
    return None if graph is None else graph._get_control_flow_context()


def initial(arguments: Arguments) -> str:
    """For variables: a callable initial value, or one that exists already."""
    return "callable" if callable(arguments.get("initial_value")) else "value"


def axis(arguments: Arguments) -> str:
    """For softmax: the rank, and whether the axis is the last one."""
    value, chosen = arguments["logits"], arguments.get("axis")
    chosen = arguments.get("dim") if chosen is None else chosen
    last = chosen is None or chosen == -1 or str(chosen + 1) == rank(value)
    return f"{rank(value)} {'last' if last else 'other'}"


def averaged(arguments: Arguments) -> str:
    """For moments: whether the sizes of the reduced axes are known, and whether the axes are kept."""
    sizes = getattr(getattr(arguments["x"], "shape", None), "dims", None)
    known = sizes is not None and all(sizes[axis].value is not None for axis in arguments["axes"])
    keep = arguments.get("keep_dims") or arguments.get("keepdims")
    return f"{'known' if known else 'unknown'}{' kept' if keep else ''}"


def matrix(arguments: Arguments) -> str:
    """For orthogonal initializers: the form of the matrix with the last axis as columns and all others as rows."""
    sizes = _sizes(arguments["shape"])
    rows, columns = math.prod(sizes[:-1]), sizes[-1]
    return "square" if rows == columns else "tall" if rows > columns else "wide"


def mapped(arguments: Arguments) -> str:
    """For map_fn, scan and folds: how many inputs, a known length or not, and an initializer."""
    elements = arguments["elems"]
    leaves = list(elements) if isinstance(elements, (list, tuple)) else [elements]
    length = getattr(getattr(leaves[0], "shape", None), "dims", None)
    known = length is not None and len(length) > 0 and getattr(length[0], "value", length[0]) is not None
    outputs = arguments.get("dtype")
    count = len(outputs) if isinstance(outputs, (list, tuple)) else 1
    return f"{len(leaves)} to {count} {'known' if known else 'unknown'} {given('initializer')(arguments)}".strip()


def array_size(arguments: Arguments) -> str:
    """For a TensorArray: what kind its size is."""
    return kind(getattr(arguments["self"], "_size", None))


def cell(arguments: Arguments) -> str:
    """For recurrent cells: the class, the first call or a later one, and options that add operations."""
    owner = arguments["self"]
    context = _context(arguments["inputs"])
    options = [] if context is None or owner.built else ["inside"]
    options += ["captured"] if options and arguments["inputs"].name not in context._values else []
    options += [name for name in ("_use_peepholes", "_num_proj", "_cell_clip") if getattr(owner, name, None)]
    if getattr(owner, "_state_is_tuple", True) is False:
        options.append("joined")
    return " ".join([type(owner).__name__, "later" if owner.built else "first", *options])


def loop(arguments: Arguments) -> str:
    """For dynamic_rnn: what is known of the shape, time first or not, the number of states, and the given arguments."""
    parts = [static(arguments["inputs"]), "time" if arguments.get("time_major") else "batch"]
    parts.append(f"{_leaves(arguments['cell'].state_size)} states")
    parts += ["begun"] if arguments.get("initial_state") is not None else []
    return " ".join([*parts, *(["lengths"] if arguments.get("sequence_length") is not None else [])])


def _leaves(sizes: Any) -> int:
    return sum(_leaves(size) for size in sizes) if isinstance(sizes, (list, tuple)) else 1


def dilated(arguments: Arguments) -> str:
    """For convolutions: with holes or without."""
    return _dilated(arguments.get("dilations"))


def dilated_layer(arguments: Arguments) -> str:
    """For layers that convolve: with holes, or nothing."""
    return _dilated(arguments["self"].dilation_rate).replace("dense", "")


def enlarged(arguments: Arguments) -> str:
    """For transposed convolutions of images: the padding, and how many of height and width are known."""
    owner, shape = arguments["self"], arguments["inputs"].shape
    first = 2 if owner.data_format == "channels_first" else 1
    return f"{owner.padding} {sum(size is not None for size in shape.as_list()[first : first + 2])} known"


def _dilated(rate: Any) -> str:
    sizes = rate if isinstance(rate, (list, tuple)) else [rate]
    return "dilated" if any(isinstance(size, int) and size > 1 for size in sizes) else "dense"


def spread(arguments: Arguments) -> str:
    """For atrous_conv2d: its rate. A rate of 1 is a plain convolution."""
    return "dense" if isinstance(arguments["rate"], int) and arguments["rate"] == 1 else "dilated"


def looked_up(arguments: Arguments) -> str:
    """For embedding_lookup: how many parts the table has, and how they are numbered."""
    table = arguments["params"]
    parts = len(table) if isinstance(table, (list, tuple)) or hasattr(table, "_get_partitions") else 1
    if parts > 1:
        return f"{parts} {arguments['partition_strategy']}"
    return str(parts) if isinstance(table, (list, tuple)) else kind(table)


def asserted(arguments: Arguments) -> str:
    """For the assertions of two values: which, and whether there is a message or data to print."""
    details = [name for name in ("message", "data") if arguments.get(name) is not None]
    return " ".join([arguments["opname"], *details])


def sparsely(arguments: Arguments) -> str:
    """For embedding_lookup_sparse: how rows are combined, weights, and the type of the indices."""
    weights = " weights" if arguments.get("sp_weights") is not None else ""
    return f"{arguments.get('combiner') or 'mean'}{weights}"


def remembered(arguments: Arguments) -> str:
    """For the memory of attention: lengths, and what is known of the shape."""
    lengths = " lengths" if arguments.get("memory_sequence_length") is not None else ""
    return f"{static(arguments['memory'])}{lengths}"


def decoded(arguments: Arguments) -> str:
    """For dynamic_decode: options that add operations. The number of iterations may be a tensor."""
    names = ("output_time_major", "impute_finished", "maximum_iterations")
    given = {name: arguments.get(name) for name in names}
    return ",".join(name for name, value in given.items() if value is not None and value is not False)


def averaged_losses(arguments: Arguments) -> str:
    """For sequence_loss: the axes of the mean."""
    names = ("average_across_timesteps", "average_across_batch")
    return ",".join(name for name in names if arguments.get(name))


def inside(arguments: Arguments) -> str:
    """For averages of tensors: whether a cond or a loop has to capture one of them."""
    captured = any(_context(value) is not None for value in arguments["var_list"] or ())
    return "captured" if captured else ""


def weighted(arguments: Arguments) -> str:
    """For contrib's weighted means: what is known of the losses, and whether the weight is one number."""
    losses = arguments["losses"]
    return f"{static(losses)} {rank(losses)} {kind(arguments['weights'])}"


def layer(*names: str) -> Way:
    """Tells layers apart by these attributes and by the kind of `training`."""

    def way(arguments: Arguments) -> str:
        owner = arguments["self"]
        training = arguments.get("training")
        mode = str(training) if kind(training) in ("none", "number") else kind(training)
        return " ".join([*(str(getattr(owner, name, None)) for name in names), mode, rank(arguments.get("inputs"))])

    return way


def normalized(arguments: Arguments) -> str:
    """For contrib's batch_norm: whether it trains, and whether the averages are updated at once."""
    settings = arguments["settings"]
    training = kind(settings.is_training)
    mode = str(bool(settings.is_training)) if training in ("none", "number") else training
    return f"{mode}{'' if settings.updates_collections else ' now'}"


def joined(arguments: Arguments) -> str:
    """For the shapes of recurrent states: a static shape makes no operations here."""
    return f"{kind(arguments['prefix'])}{' static' if arguments.get('static') else ''}"


def keeps(arguments: Arguments) -> str:
    """For dropout around a cell: whether each probability is a number below 1, the number 1, or a tensor."""
    values = [arguments[f"{name}_keep_prob"] for name in ("input", "state", "output")]
    return ",".join(("1" if value == 1 else "number") if kind(value) == "number" else kind(value) for value in values)


def features(arguments: Arguments) -> str:
    """For parsing examples: how many features there are of each kind."""
    names = sorted(type(feature).__name__ for feature in arguments["features"].values())
    return ",".join(names)
