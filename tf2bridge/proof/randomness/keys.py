"""What a draw is called, and the numbers that its name and the seed come to. Needs no TensorFlow."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from tf2bridge.formats.checkpoints.names import modern, plain, role

_OF_OPS = (
    *("random_uniform", "random_normal", "truncated_normal", "parameterized_truncated_normal", "random_shuffle"),
    *("random_gamma", "random_poisson", "multinomial", "categorical", "Initializer"),
    *("stateless_random_uniform", "stateless_random_normal", "stateful_uniform", "stateful_normal"),
)
"""Scopes that TensorFlow's random functions and `get_variable` put around what they draw."""

SEEDS_BELOW = 2**30


def of_variable(name: str) -> str:
    """Returns what the draw of a variable's initial value is called: its name in the latest words.

    "fc/weights", "fc/kernel:0" and Keras's "fc/kernel" are one; so are names of older releases, see
    tf2bridge/formats/checkpoints/names.py.
    """
    path = modern(plain(name))
    scope, slash, leaf = path.rpartition("/")
    return scope + slash + (role(leaf) or leaf)


def of_scope(scope: str) -> str:
    """Returns what the draw made in a name scope is called: the scope of the layer.

    "drop1/dropout/random_uniform" of tf.layers.dropout is "drop1", as the path of a Keras layer is.
    """
    segments = [segment for segment in scope.split("/") if segment]
    while segments and segments[-1] in _OF_OPS:
        segments.pop()
    if len(segments) > 1 and segments[-1] == "dropout":
        segments.pop()
    return modern("/".join(segments))


def renamed(key: str, names: Mapping[str, str]) -> str:
    """Returns the name that stands for `key` in `names`, of the key itself or of the scopes around it."""
    parts = key.split("/")
    for end in range(len(parts), 0, -1):
        if (new_name := names.get("/".join(parts[:end]))) is not None:
            return "/".join([new_name, *parts[end:]])
    return key


def seed_of(seed: int, key: str) -> tuple[int, int]:
    """Returns the two seeds, each from 0 to 2**30, that stateless ops draw from for `key`; a run adds to the second."""
    digest = hashlib.sha256(f"{seed}\n{key}".encode()).digest()
    first, second = (int.from_bytes(digest[at : at + 8], "little") % SEEDS_BELOW for at in (0, 8))
    return first, second
