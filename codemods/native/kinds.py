"""What an expression of a program of TensorFlow 1 is: Python, a tensor, a variable, or machinery of sessions."""

from __future__ import annotations

import ast
import functools
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import Enum

from codemods.names import Names
from codemods.native.counterparts import MODULES, SAME, counterpart
from codemods.native.recurrent import cell_class, function_of


class Kind(Enum):
    """What an expression gives when the program builds its graph."""

    PYTHON = "a Python value"
    CONSTANT = "a tensor that depends on no placeholder, variable or draw"
    TENSOR = "a tensor"
    PLACEHOLDER = "a placeholder"
    VARIABLE = "a variable"
    VARIABLES = "a container of variables"
    COLLECTED = "the trainable variables of the graph"
    OPTIMIZER = "an optimizer"
    GRADIENTS = "gradients"
    TRAIN = "an op that trains"
    ASSIGN = "an op that assigns"
    INIT = "an op that initializes"
    SESSION = "a session"
    SAVER = "a saver"
    SUMMARY = "a summary"
    WRITER = "a writer of summaries"
    CONFIG = "settings of a session"
    GRAPH = "a graph"
    UPDATES = "the updates of batch normalization"
    DATASET = "a dataset"
    FED_DATASET = "a dataset of placeholders"
    ITERATOR = "an iterator"
    START = "an op that starts an iterator"


BUILT = frozenset(
    {Kind.TENSOR, Kind.GRADIENTS, Kind.TRAIN, Kind.ASSIGN, Kind.COLLECTED, Kind.SUMMARY, Kind.FED_DATASET}
)
"""Kinds of what becomes part of a function."""
GONE = frozenset({Kind.INIT, Kind.SESSION, Kind.CONFIG, Kind.GRAPH, Kind.SAVER, Kind.WRITER, Kind.UPDATES, Kind.START})
"""Kinds of session machinery, which has no value in the result."""
OF_VARIABLES = frozenset({Kind.VARIABLE, Kind.VARIABLES})

_MADE: Mapping[Kind, str] = {
    Kind.PLACEHOLDER: "placeholder",
    Kind.VARIABLE: "Variable get_variable train.create_global_step train.get_or_create_global_step",
    Kind.SESSION: "Session InteractiveSession",
    Kind.INIT: (
        "global_variables_initializer local_variables_initializer initialize_all_variables tables_initializer "
        "initialize_local_variables initialize_all_tables variables_initializer initialize_variables "
        "initializers.global_variables initializers.local_variables"
    ),
    Kind.SAVER: "train.Saver",
    Kind.SUMMARY: (
        "summary.scalar summary.histogram summary.image summary.merge_all summary.merge scalar_summary "
        "histogram_summary image_summary"
    ),
    Kind.WRITER: "summary.FileWriter train.SummaryWriter",
    Kind.GRADIENTS: "gradients",
    Kind.ASSIGN: (
        "assign assign_add assign_sub scatter_update scatter_add scatter_sub scatter_mul scatter_div scatter_max "
        "scatter_min"
    ),
    Kind.CONFIG: "ConfigProto GPUOptions",
    Kind.GRAPH: "Graph get_default_graph reset_default_graph disable_v2_behavior disable_eager_execution enable",
}
MACHINERY = {name: kind for kind, listed in _MADE.items() for name in listed.split()}
"""Name of TensorFlow 1 -> what a call of it gives."""

COLLECTIONS = frozenset(("trainable_variables", "global_variables", "get_collection"))
"""Names that give the variables of the graph, or of a scope of it."""

DRAWS = frozenset(
    (
        "random_normal", "random_uniform", "truncated_normal", "random_shuffle", "random_crop", "nn.dropout",
        "layers.dropout",
        "random.normal", "random.uniform", "random.truncated_normal", "random.shuffle", "random.categorical",
        "image.random_flip_left_right", "nn.nce_loss", "nn.sampled_softmax_loss", "multinomial",
        "random_gamma", "py_func", "numpy_function",
    )
)  # fmt: skip

"""Names whose results differ from call to call."""

SEEDS = frozenset(("set_random_seed", "random.set_random_seed"))
"""Names that set the seed of the graph."""

ASSIGNING = frozenset(("assign", "assign_add", "assign_sub"))
"""Names that give a variable a new value, as functions and as its methods."""

_PYTHON = (
    "gfile set_random_seed random.set_seed app flags logging compat.as_str compat.as_bytes compat.as_text "
    "random_normal_initializer random_uniform_initializer truncated_normal_initializer constant_initializer "
    "zeros_initializer ones_initializer orthogonal_initializer glorot_uniform_initializer glorot_normal_initializer "
    "io.gfile "
    "TensorShape Dimension initializers keras.initializers errors train.get_checkpoint_state train.latest_checkpoint "
    "train.checkpoint_exists keras.datasets keras.utils.get_file contrib.layers.variance_scaling_initializer "
    "contrib.layers.xavier_initializer contrib.layers.l2_regularizer "
    "FixedLenFeature VarLenFeature io.FixedLenFeature io.VarLenFeature FixedLenSequenceFeature "
    "io.FixedLenSequenceFeature python_io.TFRecordWriter io.TFRecordWriter "
    "train.Example train.Features train.Feature train.Int64List train.FloatList train.BytesList "
    "contrib.learn.python.learn.datasets.mnist contrib.learn.datasets.mnist "
    "contrib.layers.l1_regularizer examples.tutorials.mnist.input_data __version__ version VERSION as_dtype DType "
    "SparseTensorValue test.is_built_with_cuda test.is_gpu_available test.gpu_device_name"
)
VOCABULARIES = tuple(
    f"contrib.learn.{module}.VocabularyProcessor"
    for module in ("preprocessing", "preprocessing.text", "python.learn.preprocessing.text")
)
"""Names of what turns words into numbers, which becomes the file vocabularies.py beside the program."""
PYTHON = (*_PYTHON.split(), *VOCABULARIES)
"""Names, and modules of names, that give Python values."""


LOSSES = frozenset(
    f"losses.{name}"
    for name in (
        "mean_squared_error", "absolute_difference", "softmax_cross_entropy", "sparse_softmax_cross_entropy",
        "sigmoid_cross_entropy",
    )
)  # fmt: skip
"""Losses that have a formula."""

NORMAL = frozenset(
    f"{module}distributions.{name}" for module in ("", "contrib.") for name in ("Normal", "kl_divergence")
)
"""Names of normal distributions."""
SPARSE = frozenset(
    ("SparseTensor", "sparse_placeholder", "sparse_reorder", "sparse_retain", "sparse_softmax", "string_split")
)
"""Names that give sparse tensors."""
_MORE = NORMAL | frozenset(
    (
        "train.exponential_decay", "contrib.seq2seq.sequence_loss", "contrib.legacy_seq2seq.sequence_loss_by_example",
        "losses.log_loss", "nn.rnn_cell.LSTMStateTuple",
        "contrib.rnn.LSTMStateTuple", "div", "string_split",
    )
)  # fmt: skip
_MODULES_OF_OURS = ("tf2bridge.v1.", "tf2bridge.v0.", "tensorflow.compat.v1.", "tensorflow.compat.v2.", "tensorflow.")


def v1_name(names: Names, node: ast.AST) -> str | None:
    """Returns the name in TensorFlow 1 of an expression, without `tensorflow.`; None if it is not TensorFlow's."""
    qualified = names.qualified(node) if not isinstance(node, ast.Call) else None  # what is called is no name
    if qualified is None:
        return None
    for module in _MODULES_OF_OURS:
        if qualified.startswith(module):
            return qualified.removeprefix(module)
    return None


def v1_alias(names: Names) -> str:
    """Returns what a file calls the names of TensorFlow 1, such as `tf.compat.v1`."""
    return names.alias_of("tensorflow.compat.v1") or f"{names.alias_of('tensorflow') or 'tf'}.compat.v1"


def is_reset(statement: ast.AST, names: Names) -> bool:
    """Returns whether a statement is `tf.reset_default_graph()`, after which a new graph begins."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and v1_name(names, call.func) == "reset_default_graph"


def makes_session(node: ast.AST, names: Names) -> bool:
    """Returns whether a node is a call that makes a session."""
    return isinstance(node, ast.Call) and kind_of_call(v1_name(names, node.func) or "") is Kind.SESSION


def calls_of(nodes: Iterable[ast.AST], names: Names, wanted: Container[str]) -> Iterator[ast.Call]:
    """Yields the calls, among these nodes, of what has one of these names in TensorFlow 1."""
    for node in nodes:
        if isinstance(node, ast.Call) and v1_name(names, node.func) in wanted:
            yield node


@functools.cache
def kind_of_call(name: str) -> Kind | None:
    """Returns what a call of a name of TensorFlow 1 gives; None if it is not known.

    Args:
        name: The name without `tensorflow.`, as "nn.relu".
    """
    if name in MACHINERY:
        return MACHINERY[name]
    if name.startswith("train.") and name.endswith("Optimizer"):
        return Kind.OPTIMIZER
    if cell_class(name):
        return Kind.VARIABLE
    if any(name == known or name.startswith(known + ".") for known in PYTHON) or name.endswith(".as_numpy_dtype"):
        return Kind.PYTHON
    if name in DRAWS or name in LOSSES:
        return Kind.TENSOR
    if name in SAME or name.split(".")[0] in MODULES or counterpart(name) or name in _MORE or function_of(name):
        return Kind.CONSTANT
    return None
