"""Writes calls of TensorFlow 1 as calls of TensorFlow 2, in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from codemods.names import Names, root_of
from codemods.native.counterparts import Counterpart, counterpart
from codemods.native.kinds import Kind, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.layers import layer_call
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.symbols import Answer, lookup

_OF_ABSL = {"app.flags": "flags", "flags": "flags", "app": "app", "logging": "logging"}
_GONE_MODULES = ("tf2bridge.v1.contrib.rnn", "tensorflow.compat.v1.nn.rnn_cell")
"""Modules whose calls are all written anew."""
_CASTS = {"to_float": "float32", "to_int32": "int32", "to_int64": "int64", "to_double": "float64"}


@dataclass
class Translation:
    """Translates the calls of one file.

    Attributes:
        source: The text, which gets the edits.
        names: The meanings of its names.
        places: Kinds of the places of the body.
        imports: The modules that the result needs.
        files: The files that the result needs beside it.
        layers: Call of a layer -> the name of its object.
        prefixes: Call of get_variable -> the scope of its variable, such as "net/".
        renamed: Object of a layer that needs a name in Keras -> this name.
        layer_texts: Name of an object -> the expression that makes it.
        penalties: The penalties of weights that the program needs.
        recurrent: The recurrent cells, and functions that run them, that the program needs.
    """

    source: SourceText
    names: Names
    places: Mapping[str, Kind]
    imports: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    layers: Mapping[ast.Call, str] = field(default_factory=dict)
    prefixes: Mapping[ast.Call, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    layer_texts: dict[str, str] = field(default_factory=dict)
    recurrent: set[str] = field(default_factory=set)
    penalties: set[str] = field(default_factory=set)

    @property
    def tf(self) -> str:
        """How the file spells TensorFlow."""
        return self.names.alias_of("tensorflow") or self.names.alias_of("tensorflow.compat.v1") or "tf"

    def all(self) -> None:
        """Translates every name of the file, the innermost first."""
        chains = [chain for chain in self.names.chains if v1_name(self.names, chain)]
        called = {id(call.func): call for call in self.names.nodes.get(ast.Call, []) if isinstance(call, ast.Call)}
        waiting: list[ast.Call] = []
        for chain in chains:
            call = called.get(id(chain))
            if call is None or not self._is_special(call):
                self._name(chain, call)
            else:
                waiting.append(call)
        for node in self.names.nodes.get(ast.Attribute, []):
            self._dimension(node)
        for node in (*self.names.nodes.get(ast.Import, []), *self.names.nodes.get(ast.ImportFrom, [])):
            assert isinstance(node, (ast.Import, ast.ImportFrom))
            self._import(node)
        for call in sorted(waiting, key=lambda call: -self.source.span(call)[0]):
            _special(v1_name(self.names, call.func) or "")(self, call)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Writes an import of TensorFlow 1 as one of TensorFlow 2, or removes it."""
        if len(statement.names) != 1:
            return
        alias = statement.names[0]
        head = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
        name, spelled = head + alias.name, f" as {alias.asname}" if alias.asname else ""
        if (name == "tf2bridge.v1" and not alias.asname) or name in _GONE_MODULES:
            self.source.delete(self.source.lines_of(statement))
        elif name == "tensorflow.compat.v1" and alias.asname:
            self.source.replace(self.source.span(statement), f"import tensorflow{spelled}")
        elif name == "tf2bridge.v1.examples.tutorials.mnist.input_data" and (head or alias.asname):
            self.source.replace(self.source.span(statement), f"import input_data{spelled}")
            self.files.add("input_data.py")

    def _is_special(self, call: ast.Call) -> bool:
        name = v1_name(self.names, call.func)
        return name in _SPECIAL or name in LAYERS

    def _old(self, chain: ast.AST) -> str | None:
        """Returns the name of TensorFlow 1, if the file spells it in a way that TensorFlow 2 has not."""
        qualified = self.names.qualified(chain) or ""
        for module in ("tensorflow.compat.v1.", "tf2bridge.v1.", "tf2bridge.v0."):
            if qualified.startswith(module):
                return qualified.removeprefix(module)
        return None

    def _name(self, chain: ast.expr, call: ast.Call | None) -> None:
        name = self._old(chain)
        root = root_of(chain)
        if name is None or (root is not None and any(binding.alias for binding in self.names.bindings(root))):
            return  # the alias itself is translated where it is assigned
        absl = next((known for known in _OF_ABSL if name == known or name.startswith(known + ".")), None)
        if absl is not None:
            self.imports.add(f"absl.{_OF_ABSL[absl]}")
            self.source.replace(self.source.span(chain), "absl." + _OF_ABSL[absl] + name.removeprefix(absl))
            named = {keyword.arg for keyword in call.keywords} if call is not None else set()
            if name == "app.run" and call is not None and not call.args and "main" not in named:
                start = self.source.span(call.keywords[0])[0] if call.keywords else self.source.span(call)[1] - 1
                self.source.replace((start, start), "main, " if call.keywords else "main")
            return
        symbol = lookup(name)
        same = symbol is not None and symbol.answer is Answer.SAME
        row = counterpart(name)
        if row is not None and (row.parameters or not same):
            if row.parameters and call is None:
                return
            if call is None or self._arguments(call, row):
                self.source.replace(self.source.span(chain), self.spelled(row.name))
        elif same and symbol is not None:
            self.source.replace(self.source.span(chain), self.spelled(symbol.target))

    def spelled(self, name: str) -> str:
        """Returns a name of TensorFlow 2, or of Keras, as the file spells it."""
        if name.startswith("keras."):
            self.imports.add("keras")
            return name
        return f"{self.tf}.{name}"

    def _arguments(self, call: ast.Call, row: Counterpart) -> bool:
        """Renames the arguments of a call. Returns False if one has no counterpart, and changes nothing then."""
        renamed = dict(row.parameters)
        if any(isinstance(part, ast.Starred) for part in call.args) or len(call.args) > len(row.parameters):
            return not row.parameters
        edits: list[tuple[tuple[int, int], str]] = []
        for number, argument in enumerate(call.args):
            new = row.parameters[number][1]
            if new is None:
                return False
            start = self.source.span(argument)[0]
            if number >= row.same:
                edits.append(((start, start), f"{new}="))
        for keyword in call.keywords:
            if keyword.arg is None or keyword.arg not in renamed:
                return not row.parameters
            new = renamed[keyword.arg]
            if new is None:
                return False
            start = self.source.span(keyword)[0]
            edits.append(((start, start + len(keyword.arg)), new))
        for span, text in edits:
            self.source.replace(span, text)
        return True

    def _dimension(self, node: ast.AST) -> None:
        """`x.shape[1].value` and `x.get_shape()[1].value`: a dimension is an int in TensorFlow 2."""
        assert isinstance(node, ast.Attribute)
        of = node.value
        if node.attr != "value" or not isinstance(of, ast.Subscript):
            return
        shape = of.value.func if isinstance(of.value, ast.Call) else of.value
        if isinstance(shape, ast.Attribute) and shape.attr in ("shape", "get_shape"):
            self.source.replace((self.source.span(of)[1], self.source.span(node)[1]), "")

    def argument(self, call: ast.Call, position: int, name: str) -> ast.expr | None:
        """Returns an argument of a call; None if it is not given."""
        named = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
        return named if named is not None else call.args[position] if len(call.args) > position else None

    def text(self, node: ast.AST) -> str:
        """Returns the text of a node with the edits in it."""
        return self.source.text_of(node)

    def put(self, call: ast.Call, text: str) -> None:
        """Puts a text in place of a call."""
        self.source.replace(self.source.span(call), text)


def placeholder(translation: Translation, call: ast.Call) -> None:
    """tf.placeholder(dtype, shape, name) -> tf.TensorSpec(shape, dtype, name): what a function takes."""
    dtype, shape, name = (translation.argument(call, at, key) for at, key in enumerate(("dtype", "shape", "name")))
    parts = [translation.text(shape) if shape is not None else "None"]
    parts += [translation.text(dtype)] if dtype is not None else []
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isidentifier():
        parts.append(f"name={translation.text(name)}")
    translation.put(call, f"{translation.tf}.TensorSpec({', '.join(parts)})")


def dropout(translation: Translation, call: ast.Call) -> None:
    """tf.nn.dropout(x, rate=...): a call with keep_prob gets its rate."""
    keep = translation.argument(call, 1, "keep_prob")
    if keep is None or (isinstance(keep, ast.Constant) and keep.value is None):
        translation._name(call.func, call)
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
    if row is None or labels is None or translation._old(call.func) is None:
        return
    if not translation._arguments(call, row):
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
    if not {"labels", "inputs"} <= named:
        raise NotNativeError(call, "NAT001", "releases differ in the order of labels and inputs; give them by name")
    name = v1_name(translation.names, call.func) or ""
    translation.source.replace(translation.source.span(call.func), translation.spelled(name))


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


def assign(translation: Translation, call: ast.Call) -> None:
    """tf.assign(ref, value) -> ref.assign(value)."""
    if len(call.args) == 2 and not call.keywords:
        name = (v1_name(translation.names, call.func) or "").rpartition(".")[2]
        translation.put(call, f"{translation.text(call.args[0])}.{name}({translation.text(call.args[1])})")


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


def variable_scope(translation: Translation, call: ast.Call) -> None:
    """A scope in a function only names ops in TensorFlow 2: its layers are objects."""
    if call.args:
        translation.put(call, f"{translation.tf}.name_scope({translation.text(call.args[0])})")


def layer(translation: Translation, call: ast.Call) -> None:
    """tf.layers.dense(x, 10) -> dense(x), with `dense = keras.layers.Dense(10)` before the function."""
    known = layer_call(call, translation.names)
    if known is None:
        return
    parts = [
        translation.text(value) if value in call.args[1:3] else f"{name}={translation.text(value)}"
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


def _special(name: str) -> Callable[[Translation, ast.Call], None]:
    return layer if name in LAYERS else _SPECIAL[name]


_SPECIAL: Mapping[str, Callable[[Translation, ast.Call], None]] = {
    "placeholder": placeholder,
    "nn.dropout": dropout,
    "layers.dropout": layers_dropout,
    "nn.softmax_cross_entropy_with_logits": softmax_cross_entropy,
    "train.exponential_decay": exponential_decay,
    "get_variable": get_variable,
    "examples.tutorials.mnist.input_data.read_data_sets": read_data_sets,
    "variable_scope": variable_scope,
    "nn.nce_loss": sampled_loss,
    "nn.sampled_softmax_loss": sampled_loss,
    "where": where,
    "assign": assign,
    "assign_add": assign,
    "assign_sub": assign,
    **dict.fromkeys(_CASTS, cast),
    **dict.fromkeys(_LOSSES, loss),
}
