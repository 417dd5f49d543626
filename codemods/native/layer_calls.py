"""Calls of layers, of dropout and of `tf.get_variable`, which are written anew as a whole."""

from __future__ import annotations

import ast

from codemods.native.batch_norm import LAYER, Normalization
from codemods.native.kinds import Kind, v1_name
from codemods.native.layers import layer_call
from codemods.native.places import calls_bound_to, place_of
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation

DROPOUT = "dropout_in_training"
"""The function for a dropout of tf.layers where a run alone tells whether it drops."""


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
    """tf.layers.dropout(x, rate, training=t) -> tf.cond(t, lambda: tf.nn.dropout(x, rate=rate), lambda: x).

    Where `t` may be a Python value or a tensor, as in a function, a function of a few lines asks it.
    """
    keys = ("inputs", "rate", "noise_shape", "seed", "training", "name")
    inputs, rate, noise, seed, training, _ = (translation.argument(call, at, key) for at, key in enumerate(keys))
    if inputs is None or any(keyword.arg not in keys for keyword in call.keywords):
        raise NotNativeError(call, "NAT001", "tf.layers.dropout with this option has no counterpart; remove the option")
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
    elif translation.places.get(place_of(training) or "") is Kind.PLACEHOLDER and place_of(inputs) is not None:
        text = translation.text(training)
        translation.put(call, f"{translation.tf}.cond({text}, lambda: {dropped}, lambda: {x})")
    elif translation.places.get(place_of(training) or "") is Kind.PYTHON:
        translation.put(call, f"({dropped} if {translation.text(training)} else {x})")
    else:
        function = translation.formula(DROPOUT)
        translation.put(call, f"{function}({x}, {', '.join([*options, f'training={translation.text(training)}'])})")


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
    text = translation.text(name)
    if prefix and not isinstance(stated, str):
        is_one = isinstance(name, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.JoinedStr))
        text = f"{prefix!r} + {text}" if is_one else f"{prefix!r} + ({text})"
    full = repr(prefix + stated) if prefix and isinstance(stated, str) else text
    translation.put(call, f"{translation.tf}.Variable({', '.join(parts)}, name={full})")


def _is_initializer(translation: Translation, node: ast.expr) -> bool:
    """Returns whether a name is only bound to calls that make initializers."""
    calls = calls_bound_to(place_of(node), translation.source.tree)
    names = [v1_name(translation.names, call.func) or "" for call in calls]
    return bool(names) and all(name.endswith("_initializer") for name in names)


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
