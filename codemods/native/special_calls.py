"""Calls of TensorFlow 1 that are written anew as a whole: other arguments, several calls, or an object.

A function here writes one kind of call; `_SPECIAL` says which.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TypeAlias

from codemods.native.batch_norm import LAYER, Normalization
from codemods.native.changing_calls import assign, scatter
from codemods.native.counterparts import counterpart
from codemods.native.counters import MAKERS, make_counter
from codemods.native.first_values import read_first
from codemods.native.formulas import scaled_initializer, xavier_initializer
from codemods.native.kinds import Kind, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.layers import layer_call
from codemods.native.places import calls_bound_to, place_of
from codemods.native.refusals import NotNativeError
from codemods.native.translations import MODULES_OF_MNIST, Translation

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


def dropout(translation: Translation, call: ast.Call) -> None:
    """tf.nn.dropout(x, rate=...): a call with keep_prob gets its rate."""
    keep = translation.argument(call, 1, "keep_prob")
    if keep is None or (isinstance(keep, ast.Constant) and keep.value is None):
        translation.write_name(call.func, call)
        return
    text = translation.text(keep)
    simple = isinstance(keep, (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript))
    translation.source.replace(
        next(
            (translation.source.span(keyword) for keyword in call.keywords if keyword.arg == "keep_prob"),
            translation.source.span(keep),
        ),
        f"rate=1 - {text if simple else f'({text})'}",
    )
    translation.source.replace(translation.source.span(call.func), f"{translation.tf}.nn.dropout")


def layers_dropout(translation: Translation, call: ast.Call) -> None:
    """tf.layers.dropout(x, rate, training=t) -> tf.cond(t, lambda: tf.nn.dropout(x, rate=rate), lambda: x)."""
    keys = ("inputs", "rate", "noise_shape", "seed", "training", "name")
    inputs, rate, noise, seed, training, _ = (translation.argument(call, at, key) for at, key in enumerate(keys))
    if inputs is None or place_of(inputs) is None or any(keyword.arg not in keys for keyword in call.keywords):
        raise NotNativeError(call, "NAT001", "give what tf.layers.dropout drops a name, and no other options")
    x = translation.text(inputs)
    options = [f"rate={translation.text(rate) if rate is not None else '0.5'}"]
    options += [f"noise_shape={translation.text(noise)}"] if noise is not None else []
    options += [f"seed={translation.text(seed)}"] if seed is not None else []
    dropped = f"{translation.tf}.nn.dropout({x}, {', '.join(options)})"
    stated = training.value if isinstance(training, ast.Constant) else None
    if training is None or stated is False:
        translation.put(call, x)
    elif stated is True:
        translation.put(call, dropped)
    elif translation.places.get(place_of(training) or "") is Kind.PLACEHOLDER:
        text = translation.text(training)
        translation.put(call, f"{translation.tf}.cond({text}, lambda: {dropped}, lambda: {x})")
    else:
        raise NotNativeError(call, "NAT001", "the source does not say whether this dropout is of training; feed it")


def softmax_cross_entropy(translation: Translation, call: ast.Call) -> None:
    """TensorFlow 1 takes no gradients of the labels. Labels that are fed have none."""
    row = counterpart("nn.softmax_cross_entropy_with_logits")
    labels = translation.argument(call, 1, "labels")
    if row is None or labels is None or translation.old_name(call.func) is None:
        return
    if not translation.rename_arguments(call, row):
        return
    translation.source.replace(translation.source.span(call.func), translation.spelled(row.name))
    if translation.places.get(place_of(labels) or "") is not Kind.PLACEHOLDER:
        start, end = translation.source.span(labels)
        translation.source.replace((start, end), f"{translation.tf}.stop_gradient({translation.text(labels)})")


def read_data_sets(translation: Translation, call: ast.Call) -> None:
    """TensorFlow 1 shuffled the MNIST data by the seed of the graph, where the program had set it before."""
    position = translation.source.span(call)[0]
    seeds = [
        other
        for other in translation.names.nodes.get(ast.Call, [])
        if isinstance(other, ast.Call) and other.args and translation.source.span(other)[0] < position
        and v1_name(translation.names, other.func) in ("set_random_seed", "random.set_random_seed")
    ]  # fmt: skip
    if seeds and all(keyword.arg != "seed" for keyword in call.keywords):
        end = translation.source.span(call)[1] - 1
        translation.source.replace((end, end), f", seed={translation.source.plain(seeds[-1].args[0])}")


def sampled_loss(translation: Translation, call: ast.Call) -> None:
    """Writes a loss by sampled classes. The strategy, an option TensorFlow 2 lacks, is for weights in several parts."""
    weights = translation.argument(call, 0, "weights")
    named = {keyword.arg for keyword in call.keywords}
    if translation.places.get(place_of(weights or call) or "") is not Kind.VARIABLE or "partition_strategy" in named:
        raise NotNativeError(call, "NAT001", "this loss is of weights in several parts, which are divided otherwise")
    if not {"labels", "inputs"} <= named and not translation.release.startswith("1."):  # 0.x had the inputs first
        _name_labels(translation, call)
    name = v1_name(translation.names, call.func) or ""
    translation.source.replace(translation.source.span(call.func), translation.spelled(name))


_OF_LOSS = ("num_sampled", "num_classes", "num_true")


def _name_labels(translation: Translation, call: ast.Call) -> None:
    """Gives the labels and inputs of a loss by name. Placeholders of integers are the labels in all releases.

    Raises:
        NotNativeError: The source does not say which are the labels.
    """
    given = call.args[2:4]
    labels = [part for part in given if _is_fed_integers(translation, part)]
    if len(given) != 2 or len(labels) != 1 or len(call.args) > 4 + len(_OF_LOSS):
        raise NotNativeError(call, "NAT001", "releases differ in the order of labels and inputs; give them by name")
    for part in given:
        start = translation.source.span(part)[0]
        translation.source.replace((start, start), "labels=" if part is labels[0] else "inputs=")
    for name, part in zip(_OF_LOSS, call.args[4:], strict=False):
        start = translation.source.span(part)[0]
        translation.source.replace((start, start), f"{name}=")


def _is_fed_integers(translation: Translation, node: ast.expr) -> bool:
    """Returns whether a place is bound once, to a placeholder of integers."""
    place = place_of(node)
    assigned = [n for n in translation.names.nodes.get(ast.Assign, []) if isinstance(n, ast.Assign)]
    made = [n.value for n in assigned if place is not None and any(place_of(target) == place for target in n.targets)]
    call = made[0] if len(made) == 1 else None
    if not isinstance(call, ast.Call) or v1_name(translation.names, call.func) != "placeholder":
        return False
    dtype = translation.argument(call, 0, "dtype")
    return dtype is not None and (v1_name(translation.names, dtype) or "") in ("int32", "int64")


def where(translation: Translation, call: ast.Call) -> None:
    """tf.where chose rows by a vector, and TensorFlow 2 broadcasts; the op of both is the same."""
    condition, x, y = (translation.argument(call, at, key) for at, key in enumerate(("condition", "x", "y")))
    if condition is None or any(isinstance(part, ast.Starred) for part in call.args):
        raise NotNativeError(call, "NAT001", "tf.where with these options has no counterpart")
    if x is None or y is None:
        translation.put(call, f"{translation.tf}.where({translation.text(condition)})")
        return
    parts = f"condition={translation.text(condition)}, t={translation.text(x)}, e={translation.text(y)}"
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


def get_variable(translation: Translation, call: ast.Call) -> None:
    """tf.get_variable(name, shape, initializer=i) -> tf.Variable(i(shape), name=name)."""
    keys = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")
    name, shape, dtype, initializer, regularizer, trainable = (
        translation.argument(call, at, key) for at, key in enumerate(keys)
    )
    known = {*keys}
    if regularizer is not None or any(keyword.arg not in known for keyword in call.keywords) or len(call.args) > 6:
        raise NotNativeError(call, "NAT001", "get_variable with this option has no counterpart; remove the option")
    if name is None:
        return
    after = f", {translation.text(dtype)}" if dtype is not None else ""
    if initializer is None:
        made = translation.spelled("keras.initializers.GlorotUniform") + "()"
    elif isinstance(initializer, ast.Call) and v1_name(translation.names, initializer.func):
        made = translation.text(initializer)
        if "initializer" not in (v1_name(translation.names, initializer.func) or ""):
            shape = None
    elif shape is not None and _is_initializer(translation, initializer):
        made = translation.text(initializer)
    else:
        raise NotNativeError(call, "NAT008", "write the initializer of this variable as a call, in place")
    value = f"{made}({translation.text(shape)}{after})" if shape is not None else made
    parts = [value] + ([f"trainable={translation.text(trainable)}"] if trainable is not None else [])
    prefix = translation.prefixes.get(call, "")
    stated = name.value if isinstance(name, ast.Constant) else None
    if not isinstance(stated, str) and prefix:
        raise NotNativeError(call, "NAT008", "the name of this variable is not a text in the source")
    full = repr(prefix + stated) if prefix and isinstance(stated, str) else translation.text(name)
    translation.put(call, f"{translation.tf}.Variable({', '.join(parts)}, name={full})")


def _is_initializer(translation: Translation, node: ast.expr) -> bool:
    """Returns whether a name is only bound to calls that make initializers."""
    calls = calls_bound_to(place_of(node), translation.source.tree)
    names = [v1_name(translation.names, call.func) or "" for call in calls]
    return bool(names) and all(name.endswith("_initializer") for name in names)


def variable_scope(translation: Translation, call: ast.Call) -> None:
    """A scope in a function only names ops in TensorFlow 2: its layers are objects."""
    if call.args:
        translation.put(call, f"{translation.tf}.name_scope({translation.text(call.args[0])})")


def layer(translation: Translation, call: ast.Call) -> None:
    """tf.layers.dense(x, 10) -> dense(x), with `dense = keras.layers.Dense(10)` before the function."""
    known = layer_call(call, translation.names)
    if known is None:
        return
    if known.normalization is not None:
        normalize(translation, call, known.normalization)
        return
    parts = [
        _text(translation, value)
        if value in call.args[1:3] and not known.of_contrib
        else f"{name}={_text(translation, value)}"
        for name, value in known.given.items()
    ]
    inputs = translation.text(known.inputs)
    name = translation.layers.get(call)
    if name is not None and name in translation.renamed:
        parts.append(f"name={translation.renamed[name]!r}")
    elif known.has_variables and known.name is not None:
        parts.append(f"name={known.name!r}")
    made = translation.spelled(f"keras.layers.{known.layer}") + f"({', '.join(parts)})"
    if known.has_variables and name is not None:
        translation.layer_texts.setdefault(name, made)
        translation.put(call, f"{name}({inputs})")
    elif not known.has_variables:
        translation.put(call, f"{made}({inputs})")


def _text(translation: Translation, value: ast.expr) -> str:
    """Returns the text of an argument; one that the call does not have has no place in the source."""
    return translation.text(value) if hasattr(value, "lineno") else ast.unparse(value)


def normalize(translation: Translation, call: ast.Call, known: Normalization) -> None:
    """tf.layers.batch_normalization(x, training=t) -> normalize(x, t, updates), by an object made before."""
    name = translation.layers[call]
    options = [f"{key}={_text(translation, value)}" for key, value in known.given.items()]
    parts = [repr(translation.legacy[name]), *options]
    translation.layer_texts.setdefault(name, f"{LAYER}({', '.join(parts)})")
    translation.normalizes = True
    training = translation.text(known.training) if known.training is not None else str(known.trains)
    updates = f", {translation.updates}" if known.collected else ""
    made = f"{name}({translation.text(known.inputs)}, {training}{updates})"
    translation.put(call, made if known.activation is None else f"{translation.text(known.activation)}({made})")


def loss(translation: Translation, call: ast.Call) -> None:
    """Writes the mean of a loss. Weights and collections have no counterpart."""
    name = v1_name(translation.names, call.func) or ""
    template, *keys = _LOSSES[name]
    values = [translation.argument(call, at, key) for at, key in enumerate(keys)]
    named = [keyword for keyword in call.keywords if keyword.arg != "scope"]  # which only names ops
    if None in values or len(call.args) + len(named) > len(keys):
        raise NotNativeError(call, "NAT001", f"tf.{name} with these options has no counterpart")
    texts = [translation.text(value) for value in values if value is not None]
    translation.put(call, template.format(*texts, tf=translation.tf))


_LOSSES: Mapping[str, tuple[str, ...]] = {
    "losses.mean_squared_error": (
        "{tf}.reduce_mean({tf}.math.squared_difference({1}, {0}))", "labels", "predictions"
    ),
    "losses.absolute_difference": ("{tf}.reduce_mean({tf}.abs({1} - ({0})))", "labels", "predictions"),
    "losses.softmax_cross_entropy": (
        "{tf}.reduce_mean({tf}.nn.softmax_cross_entropy_with_logits(labels={tf}.stop_gradient({0}), logits={1}))",
        "onehot_labels", "logits",
    ),
    "losses.sparse_softmax_cross_entropy": (
        "{tf}.reduce_mean({tf}.nn.sparse_softmax_cross_entropy_with_logits(labels={0}, logits={1}))", "labels", "logits"
    ),
    "losses.sigmoid_cross_entropy": (
        "{tf}.reduce_mean({tf}.nn.sigmoid_cross_entropy_with_logits(labels={0}, logits={1}))",
        "multi_class_labels", "logits",
    ),
}  # fmt: skip
"""Loss of TensorFlow 1 -> its formula, and its parameters (`losses_impl.py` of 1.15.5)."""

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
    "nn.xw_plus_b": xw_plus_b,
    **{f"scatter_{way}": scatter for way in ("update", "add", "sub", "mul", "div", "max", "min")},
    **dict.fromkeys(_CASTS, cast),
    **dict.fromkeys(_LOSSES, loss),
}
