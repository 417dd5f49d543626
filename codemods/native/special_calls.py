"""Calls of TensorFlow 1 that are written anew as a whole: other arguments, several calls, or an object.

A function here writes one kind of call; `_SPECIAL` says which.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TypeAlias

from codemods.native.changing_calls import assign, scatter
from codemods.native.counterparts import counterpart
from codemods.native.counters import MAKERS, make_counter
from codemods.native.first_values import read_first
from codemods.native.formulas import scaled_initializer, xavier_initializer
from codemods.native.kinds import SEEDS, v1_name
from codemods.native.layer_calls import dropout, get_variable, layer, layers_dropout
from codemods.native.layers import NAMES as LAYERS
from codemods.native.loss_calls import LOSSES, loss, sampled_loss, softmax_cross_entropy
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.resized_images import OPS, resize
from codemods.native.translations import MODULES_OF_MNIST, Translation
from codemods.native.variable_store import STORED

_Writer: TypeAlias = Callable[[Translation, ast.Call], None]
_CASTS = {"to_float": "float32", "to_int32": "int32", "to_int64": "int64", "to_double": "float64"}


def translate(translation: Translation) -> None:
    """Translates every name of a file; the calls that are written anew as a whole come last, the innermost first."""
    names, source = translation.names, translation.source
    called = {id(call.func): call for call in names.nodes.get(ast.Call, []) if isinstance(call, ast.Call)}
    waiting: list[tuple[ast.Call, _Writer]] = []
    for chain in names.chains:
        name = v1_name(names, chain)
        call = called.get(id(chain))
        if not name:
            translation.write_bridged(chain)
            continue
        if name.startswith(STORED):
            translation.write_stored(chain, name)
            continue
        writer = layer if name in LAYERS else _SPECIAL.get(name)
        if call is None or writer is None:
            translation.write_name(chain, call)
        else:
            waiting.append((call, writer))
    for node in names.nodes.get(ast.Attribute, []):
        translation.write_dimension(node)
        read_first(source, translation.places, node)
    for node in (*names.nodes.get(ast.Import, []), *names.nodes.get(ast.ImportFrom, [])):
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        translation.write_import(node)
    for node in names.nodes.get(ast.Assign, []):
        translation.write_alias(node)
    for call, writer in sorted(waiting, key=lambda pair: -source.span(pair[0])[0]):
        writer(translation, call)


def placeholder(translation: Translation, call: ast.Call) -> None:
    """tf.placeholder(dtype, shape, name) -> tf.TensorSpec(shape, dtype, name): what a function takes."""
    dtype, shape, name = (translation.argument(call, at, key) for at, key in enumerate(("dtype", "shape", "name")))
    parts = [translation.text(shape) if shape is not None else "None"]
    parts += [translation.text(dtype)] if dtype is not None else []
    if call in translation.spec_names:
        parts.append(f'name="{translation.spec_names[call]}"')
    elif isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isidentifier():
        parts.append(f"name={translation.text(name)}")
    translation.put(call, f"{translation.tf}.TensorSpec({', '.join(parts)})")


def read_data_sets(translation: Translation, call: ast.Call) -> None:
    """TensorFlow 1 shuffled the MNIST data by the seed of the graph, where the program had set it before."""
    position = translation.source.span(call)[0]
    seeds = [
        other
        for other in translation.names.nodes.get(ast.Call, [])
        if isinstance(other, ast.Call) and other.args and translation.source.span(other)[0] < position
        and v1_name(translation.names, other.func) in SEEDS
    ]  # fmt: skip
    if seeds and all(keyword.arg != "seed" for keyword in call.keywords):
        end = translation.source.span(call)[1] - 1
        translation.source.replace((end, end), f", seed={translation.source.plain(seeds[-1].args[0])}")


def where(translation: Translation, call: ast.Call) -> None:
    """tf.where chose rows by a vector, and TensorFlow 2 broadcasts; the op of both is the same."""
    condition, x, y = (translation.argument(call, at, key) for at, key in enumerate(("condition", "x", "y")))
    if condition is None or any(isinstance(part, ast.Starred) for part in call.args):
        raise NotNativeError(call, "NAT001", "tf.where with these options has no counterpart")
    if x is None or y is None:
        translation.put(call, f"{translation.tf}.where({translation.text(condition)})")
        return
    parts = f"condition={translation.text(condition)}, x={translation.text(x)}, y={translation.text(y)}"
    translation.put(call, f"{translation.tf}.raw_ops.Select({parts})")


def cast(translation: Translation, call: ast.Call) -> None:
    """tf.to_float(x) -> tf.cast(x, tf.float32)."""
    value = translation.argument(call, 0, "x")
    dtype = _CASTS[v1_name(translation.names, call.func) or ""]
    if value is not None and len(call.args) + len(call.keywords) == 1:
        translation.put(call, f"{translation.tf}.cast({translation.text(value)}, {translation.tf}.{dtype})")


def xw_plus_b(translation: Translation, call: ast.Call) -> None:
    """tf.nn.xw_plus_b(x, w, b) -> the two ops that it made (`nn_ops.py` of 1.15.5)."""
    keys = ("x", "weights", "biases")
    texts = [translation.text(part) for at, key in enumerate(keys) if (part := translation.argument(call, at, key))]
    if len(texts) == len(keys):
        tf = translation.tf
        translation.put(call, f"{tf}.nn.bias_add({tf}.matmul({texts[0]}, {texts[1]}), {texts[2]})")


def cond(translation: Translation, call: ast.Call) -> None:
    """tf.cond: TensorFlow 1 made of a list with one tensor this tensor, and TensorFlow 2 does not."""
    row = counterpart("cond")
    functions = [
        translation.argument(call, at, key) or translation.argument(call, 9, old)
        for at, key, old in ((1, "true_fn", "fn1"), (2, "false_fn", "fn2"))
    ]
    strict = translation.argument(call, 3, "strict")
    if row is None or None in functions or strict is not None or translation.old_name(call.func) is None:
        return
    if not all(isinstance(part, ast.Lambda) and not isinstance(part.body, (ast.List, ast.Tuple)) for part in functions):
        raise NotNativeError(call, "NAT001", "write the branches of tf.cond as lambdas that give one tensor")
    if translation.rename_arguments(call, row):
        translation.source.replace(translation.source.span(call.func), translation.spelled(row.name))


def while_loop(translation: Translation, call: ast.Call) -> None:
    """tf.while_loop: TensorFlow 1 gave the only value of a loop without its list, and TensorFlow 2 gives the list."""
    values = translation.argument(call, 2, "loop_vars")
    if translation.old_name(call.func) is None:
        return
    parts = values.elts if isinstance(values, (ast.List, ast.Tuple)) else []
    if len(parts) < 2 or any(isinstance(part, ast.Starred) for part in parts):
        raise NotNativeError(call, "NAT001", "write what this tf.while_loop changes as a list of two or more values")
    translation.write_name(call.func, call)


def string_split(translation: Translation, call: ast.Call) -> None:
    """tf.string_split splits at each of the letters of the delimiter; the op of both is the same."""
    keys = ("source", "delimiter", "skip_empty")
    given = named_arguments(call, keys)
    if "source" not in given or not given.keys() <= {*keys} or len(call.args) > len(keys):
        raise NotNativeError(call, "NAT001", "tf.string_split with these options has no counterpart")
    source, delimiter, skips = (translation.text(given[key]) if key in given else "" for key in keys)
    parts = f"input={source}, delimiter={delimiter or repr(' ')}, skip_empty={skips or True}"
    translation.put(call, f"{translation.tf}.SparseTensor(*{translation.tf}.raw_ops.StringSplit({parts}))")


def checkpoint_exists(translation: Translation, call: ast.Call) -> None:
    """A checkpoint has an index; one of the first format is a file (`checkpoint_management.py` of 1.15.5)."""
    if len(call.args) == 1 and isinstance(call.args[0], (ast.Name, ast.Attribute, ast.Constant)):
        path = translation.text(call.args[0])
        translation.put(call, f'bool({translation.tf}.io.gfile.glob([{path} + ".index", {path}]))')


def exponential_decay(translation: Translation, call: ast.Call) -> None:
    """The schedule of Keras has the same formula; it is called with the step."""
    keys = ("learning_rate", "global_step", "decay_steps", "decay_rate", "staircase", "name")
    rate, step, steps, decay, staircase, _ = (translation.argument(call, at, key) for at, key in enumerate(keys))
    if rate is None or step is None or steps is None or decay is None:
        return
    parts = [translation.text(part) for part in (rate, steps, decay)]
    parts += [f"staircase={translation.text(staircase)}"] if staircase is not None else []
    made = translation.spelled("keras.optimizers.schedules.ExponentialDecay")
    translation.put(call, f"{made}({', '.join(parts)})({translation.text(step)})")


def variable_scope(translation: Translation, call: ast.Call) -> None:
    """A scope in a function only names ops in TensorFlow 2: its layers are objects."""
    if call.args:
        translation.put(call, f"{translation.tf}.name_scope({translation.text(call.args[0])})")


_SPECIAL: Mapping[str, _Writer] = {
    "placeholder": placeholder,
    "nn.dropout": dropout,
    "layers.dropout": layers_dropout,
    "nn.softmax_cross_entropy_with_logits": softmax_cross_entropy,
    "train.exponential_decay": exponential_decay,
    "train.checkpoint_exists": checkpoint_exists,
    "get_variable": get_variable,
    "contrib.layers.variance_scaling_initializer": scaled_initializer,
    "contrib.layers.xavier_initializer": xavier_initializer,
    **{f"{module}.read_data_sets": read_data_sets for module in MODULES_OF_MNIST},
    "variable_scope": variable_scope,
    **dict.fromkeys(MAKERS, make_counter),
    "nn.nce_loss": sampled_loss,
    "nn.sampled_softmax_loss": sampled_loss,
    "where": where,
    "assign": assign,
    "assign_add": assign,
    "assign_sub": assign,
    "cond": cond,
    "string_split": string_split,
    "while_loop": while_loop,
    "nn.xw_plus_b": xw_plus_b,
    **{f"scatter_{way}": scatter for way in ("update", "add", "sub", "mul", "div", "max", "min")},
    **dict.fromkeys(_CASTS, cast),
    **dict.fromkeys(LOSSES, loss),
    **dict.fromkeys(OPS, resize),
}
