"""Keys of random draws, and the op seeds for a key and a seed. Needs no TensorFlow."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from tf2bridge.formats.checkpoints.names import modern, plain, role

_OF_OPS = (
    *("random_uniform", "random_normal", "truncated_normal", "parameterized_truncated_normal", "random_shuffle"),
    *("random_gamma", "random_poisson", "multinomial", "categorical", "Initializer"),
    *("stateless_random_uniform", "stateless_random_normal", "stateful_uniform", "stateful_normal"),
)
"""Name scopes that TensorFlow's random functions and `get_variable` add."""

SEEDS_BELOW = 2**30


def of_variable(name: str) -> str:
    """Returns the key for a variable's initial value: its name in the spelling of the latest release.

    "fc/weights", "fc/kernel:0" and Keras's "fc/kernel" have one key. So have the names of older releases; see
    tf2bridge/formats/checkpoints/names.py.
    """
    path = modern(plain(name))
    scope, slash, leaf = path.rpartition("/")
    return scope + slash + (role(leaf) or leaf)


def of_scope(scope: str) -> str:
    """Returns the key for a draw in a name scope: the scope of the layer.

    "drop1/dropout/random_uniform" of tf.layers.dropout gives "drop1", which is also the path of a Keras layer.
    """
    segments = [segment for segment in scope.split("/") if segment]
    while segments and segments[-1] in _OF_OPS:
        segments.pop()
    if len(segments) > 1 and segments[-1] == "dropout":
        segments.pop()
    return modern("/".join(segments))


def renamed(key: str, names: Mapping[str, str]) -> str:
    """Returns `key` with its longest prefix in `names`, the key itself or a scope around it, replaced."""
    parts = key.split("/")
    for end in range(len(parts), 0, -1):
        if (new_name := names.get("/".join(parts[:end]))) is not None:
            return "/".join([new_name, *parts[end:]])
    return key


def seed_of(seed: int, key: str) -> tuple[int, int]:
    """Returns the two seeds of stateless ops for `key`, each from 0 to 2**30. A run adds to the second seed."""
    digest = hashlib.sha256(f"{seed}\n{key}".encode()).digest()
    first, second = (int.from_bytes(digest[at : at + 8], "little") % SEEDS_BELOW for at in (0, 8))
    return first, second
