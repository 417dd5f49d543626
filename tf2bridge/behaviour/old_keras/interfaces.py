"""`keras.legacy.interfaces`: decorators that let a layer or optimizer of Keras 2 accept the argument names of Keras 1.

    @interfaces.legacy_dense_support
    def __init__(self, units, kernel_initializer="uniform"): ...    # Layer(output_dim=3, init="zero") works

Only names are translated. A call by position in the order of Keras 1 fails with Python's own TypeError. The exceptions
are `add_weight` and `get_updates`: the type of their first argument shows the order. Source of the names: Keras 2.2.5.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_Function = Callable[..., Any]
_WEIGHTS = {
    "init": "kernel_initializer",
    "W_regularizer": "kernel_regularizer",
    "b_regularizer": "bias_regularizer",
    "W_constraint": "kernel_constraint",
    "b_constraint": "bias_constraint",
    "bias": "use_bias",
}
_IMAGES = {"border_mode": "padding", "dim_ordering": "data_format"}
_ORDERINGS = {"dim_ordering": {"tf": "channels_last", "th": "channels_first", "default": None}}


def generate_legacy_interface(
    allowed_positional_args: Iterable[str] | None = None,
    conversions: Iterable[tuple[str, str]] | None = None,
    preprocessor: Callable[[tuple[Any, ...], dict[str, Any]], Any] | None = None,
    value_conversions: Mapping[str, Mapping[Any, Any]] | None = None,
    object_type: str = "class",
) -> Callable[[_Function], _Function]:
    """Returns a decorator that translates keyword arguments.

    Args:
        allowed_positional_args: Names of the arguments that a call may give by position; None allows all.
        conversions: Pairs of the old and the new name of an argument.
        preprocessor: Gets the arguments first; returns them, and a list that is not used.
        value_conversions: The new value of each old one, by the old name of the argument.
        object_type: Only told in Keras' own messages.
    """
    del object_type

    def decorated(function: _Function) -> _Function:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if preprocessor is not None:
                args, kwargs, _ = preprocessor(args, kwargs)
            if allowed_positional_args is not None:
                _check_places(function, args, tuple(allowed_positional_args))
            return function(*args, **_renamed(function, kwargs, dict(conversions or ()), value_conversions or {}))

        call.__dict__["_original_function"] = function
        return call

    return decorated


generate_legacy_method_interface = functools.partial(generate_legacy_interface, object_type="method")


def _check_places(function: _Function, args: tuple[Any, ...], allowed: tuple[str, ...]) -> None:
    """Raises TypeError for an argument by position that Keras 2 wants by name."""
    if len(args) > len(allowed) + 1:
        raise TypeError(
            f"{function.__qualname__} takes {len(allowed)} arguments by position ({', '.join(allowed)}), "
            f"not {len(args) - 1}; name the others"
        )


def _renamed(
    function: _Function, kwargs: dict[str, Any], words: Mapping[str, str], values: Mapping[str, Mapping[Any, Any]]
) -> dict[str, Any]:
    """Returns the keyword arguments by their names in Keras 2. Raises TypeError where both names are given."""
    translated: dict[str, Any] = {}
    for name, value in kwargs.items():
        new = words.get(name, name)
        if new != name and new in kwargs:
            raise TypeError(f"{function.__qualname__} gets {name} and {new}, which are the same; leave {name} out")
        if new != name:
            warnings.warn(f"{function.__qualname__}: {name} of Keras 1 is {new} in Keras 2", stacklevel=3)
        known = values.get(name, {})
        translated[new] = known[value] if isinstance(value, str) and value in known else value
    return translated


def _of_words(words: Mapping[str, str]) -> Callable[[_Function], _Function]:
    orderings = _ORDERINGS if "dim_ordering" in words else {}
    return generate_legacy_interface(conversions=words.items(), value_conversions=orderings)


def _weight(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], list[Any]]:
    """Keras 1 gave the shape first, then a text: the name."""
    if len(args) > 1 and isinstance(args[1], tuple | list):
        kwargs = {**kwargs, "shape": args[1]}
        args = (args[0], *args[2:])
        if len(args) > 1 and isinstance(args[1], str):
            kwargs["name"] = args[1]
            args = (args[0], *args[2:])
    return args, kwargs, []


def _updates(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any], list[Any]]:
    """Keras 1 gave the variables, their constraints and the loss."""
    if len(args) == 4:
        return args[:1], {**kwargs, "params": args[1], "loss": args[3]}, []
    if len(args) == 3 and isinstance(args[1], tuple | list):
        return args[:1], {**kwargs, "params": args[1]}, []
    return args, kwargs, []


_RECURRENT = {
    **{name: new for name, new in _WEIGHTS.items() if not name.endswith("constraint") and name != "bias"},
    "output_dim": "units",
    "inner_init": "recurrent_initializer",
    "inner_activation": "recurrent_activation",
    "U_regularizer": "recurrent_regularizer",
    "dropout_W": "dropout",
    "dropout_U": "recurrent_dropout",
}
_EMBEDDING = {
    "init": "embeddings_initializer",
    "W_regularizer": "embeddings_regularizer",
    "W_constraint": "embeddings_constraint",
}
_GENERATORS = {  # numbers of samples are left out: Keras 2 counts batches
    "nb_epoch": "epochs",
    "nb_worker": "workers",
    "pickle_safe": "use_multiprocessing",
    "max_q_size": "max_queue_size",
}
_CONV1D = {"nb_filter": "filters", "filter_length": "kernel_size", "subsample_length": "strides"}

legacy_dense_support = _of_words({"output_dim": "units", **_WEIGHTS})
legacy_dropout_support = _of_words({"p": "rate"})
legacy_embedding_support = _of_words(_EMBEDDING)
legacy_gaussiannoise_support = _of_words({"sigma": "stddev"})
legacy_recurrent_support = _of_words(_RECURRENT)
legacy_batchnorm_support = _of_words({"beta_init": "beta_initializer", "gamma_init": "gamma_initializer"})
legacy_pooling1d_support = _of_words({"pool_length": "pool_size", "stride": "strides", "border_mode": "padding"})
legacy_pooling2d_support = _of_words(_IMAGES)
legacy_conv1d_support = _of_words({**_CONV1D, "border_mode": "padding", **_WEIGHTS})
legacy_conv2d_support = _of_words({"nb_filter": "filters", "subsample": "strides", **_IMAGES, **_WEIGHTS})
legacy_model_constructor_support = _of_words({"input": "inputs", "output": "outputs"})
legacy_generator_methods_support = _of_words(_GENERATORS)
legacy_add_weight_support = generate_legacy_interface(preprocessor=_weight)
legacy_get_updates_support = generate_legacy_interface(preprocessor=_updates)
