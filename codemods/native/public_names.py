"""Names that programs take from inside TensorFlow 1 and that have a public one: `ops.reset_default_graph()`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native.source_text import SourceText
from codemods.tree import walk

_OPS = {
    "framework.dtypes": (
        "",
        "DType as_dtype bfloat16 bool complex128 complex64 float16 float32 float64 int16 int32 int64 int8 string "
        "uint16 uint8",
    ),
    "ops.array_ops": (
        "",
        "boolean_mask concat constant diag expand_dims fill gather identity matrix_diag one_hot ones ones_like pad "
        "placeholder rank reshape shape size slice split squeeze stack stop_gradient strided_slice tile transpose "
        "unstack where zeros zeros_like",
    ),
    "ops.math_ops": (
        "",
        "abs add add_n argmax argmin cast ceil cos cumsum divide equal erf exp floor greater greater_equal less "
        "less_equal log logical_and logical_not logical_or matmul maximum minimum multiply not_equal pow range "
        "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum round rsqrt sigmoid sign sin "
        "sqrt square squared_difference subtract tanh to_double to_float to_int32 to_int64 trace truediv",
    ),
    "ops.random_ops": ("", "random_normal random_shuffle random_uniform truncated_normal"),
    "ops.functional_ops": ("", "foldl foldr map_fn scan"),
    "ops.control_flow_ops": ("", "cond group no_op while_loop"),
    "ops.linalg_ops": ("", "cholesky matrix_determinant matrix_inverse matrix_solve norm svd"),
    "ops.nn_ops": ("nn.", "bias_add conv2d dropout l2_loss log_softmax max_pool relu softmax softplus"),
    "ops.rnn_cell": ("nn.rnn_cell.", "BasicLSTMCell BasicRNNCell DropoutWrapper GRUCell LSTMCell MultiRNNCell"),
    "ops.variables": (
        "",
        "Variable global_variables global_variables_initializer initialize_all_variables local_variables_initializer "
        "trainable_variables variables_initializer",
    ),
    "ops.variable_scope": ("", "get_variable get_variable_scope variable_scope"),
    "ops.rnn": ("nn.", "bidirectional_dynamic_rnn dynamic_rnn"),
}
"""Module of ops below `tensorflow.python` -> its public place, and the names that are public there (1.4.1, 1.15.5)."""
_PUBLIC = {
    "tensorflow.python.framework.ops": ("", ("reset_default_graph", "get_default_graph", "Graph", "convert_to_tensor")),
    "tensorflow.python.platform.gfile": (
        "gfile.",
        ("FastGFile", "GFile", "Open", "Exists", "Glob", "IsDirectory", "ListDirectory", "MakeDirs", "Remove"),
    ),
    **{f"tensorflow.python.{module}": (place, tuple(listed.split())) for module, (place, listed) in _OPS.items()},
}
"""Module -> its public place below `tf.compat.v1`, and the names that are the same there (1.15.5)."""


def with_public_names(text: str) -> str:
    """Returns a text with public names in place of these, and without their imports. No line moves.

    A module of which the text uses other names too stays.
    """
    if "tensorflow.python." not in text:
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    tf = names.alias_of("tensorflow")
    for statement in tree.body:
        if tf is None or not isinstance(statement, ast.ImportFrom) or len(statement.names) != 1:
            continue
        bound = statement.names[0].asname or statement.names[0].name
        uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == bound]
        public = _publicly(statement, uses, names)
        if public is None or not source.is_alone(statement):
            continue
        for part, name in public:
            source.replace(source.span(part), f"{tf}.compat.v1.{name}")
        start, end = source.span(statement)
        source.replace((start, end), "\n" * source.data[start:end].count(b"\n"))
    return source.result()


def _publicly(statement: ast.ImportFrom, uses: Sequence[ast.Name], names: Names) -> list[tuple[ast.expr, str]] | None:
    """Returns each use of what a statement imports, with its public name; None if one has none.

    An import that nothing uses has no effect, whatever it is of.
    """
    module = statement.module or ""
    imported = f"{module}.{statement.names[0].name}"
    if not uses:
        return [] if module.startswith("tensorflow.python.") else None
    place, known = _PUBLIC.get(module, ("", ()))
    if statement.names[0].name in known:
        is_it = all(names.qualified(use) == imported for use in uses)
        return [(use, place + statement.names[0].name) for use in uses] if is_it else None
    place, known = _PUBLIC.get(imported, ("", ()))
    parts = [names.parents.get(use) for use in uses]
    chains = [part for part in parts if isinstance(part, ast.Attribute) and part.attr in known]
    if len(chains) != len(uses) or any(names.qualified(part) != f"{imported}.{part.attr}" for part in chains):
        return None
    return [(part, place + part.attr) for part in chains]
