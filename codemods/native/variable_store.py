"""The class `Variables`: variables by name, in scopes that functions open while they are traced.

It stands in programs whose functions make variables in scopes that only a run of them tells: in loops, with computed
names, with `reuse`. It names them as `variable_scope.py` of TensorFlow 1.15.5 does, and `tf.layers` with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from codemods.native.effects import Effects
from codemods.native.kinds import Kind
from codemods.native.stored_layers import NORMALIZING, is_named, methods_text

STORED = "stored."
"""What names begin with that `stored_variables` writes for what becomes a method of the class."""
PART = "part_of_scope"
"""The name of a scope that stands round one statement of several: it is open for each of them."""
METHODS: Mapping[str, str] = {
    "get_variable": "get",
    "variable_scope": "scope",
    PART: "scope",
    "get_variable_scope": "scope_here",
}
"""Name behind `STORED` -> the method of the class, where it is another."""

_HEAD = '''\
class Scope:
    """A scope of variables: what their names begin with, whether it uses them again, and how they begin."""

    def __init__(self, name="", reuse=None, initializer=None):
        self.name, self.reuse, self.initializer = name, reuse, initializer

    def reuse_variables(self):
        self.reuse = True


class Variables:
    """The variables of the program, under the names that they had in TensorFlow 1."""

    def __init__(self):
        self.by_name, self.layers = {}, {}
        self.begin()

    def begin(self):
        """Begins the names anew: each function that is traced builds its part of the graph."""
        self.here, self.counts, self.used, self.updates = Scope(), {}, set(), []

    def scope_here(self):
        return self.here

    def trainable(self, scope=""):
        """Returns the trainable variables whose names begin with a pattern."""
        return [v for name, v in self.by_name.items() if v.trainable and re.match(scope, name)]

    @contextlib.contextmanager
    def scope(self, name_or_scope, default_name=None, reuse=None, initializer=None):
        """Opens a scope inside the one that is open, or the given one again."""
        outer, is_again = self.here, isinstance(name_or_scope, Scope)
        source = name_or_scope if is_again else outer
        name = source.name if is_again else self.path(name_or_scope, default_name)
        self.counts[name] = self.counts.get(name, 0) + 1
        before = dict(self.counts)
        self.here = Scope(name, reuse or source.reuse, source.initializer if initializer is None else initializer)
        try:
            yield self.here
        finally:
            inside = [other for other in self.counts if other.startswith(name + "/")]
            self.counts = before if is_again else {**self.counts, **dict.fromkeys(inside, 0)}
            self.here = outer

    def path(self, name, default_name=None):
        """Returns a name in this scope; the default name is numbered if the scope has it."""
        prefix = self.here.name + "/" if self.here.name else ""
        if name is not None:
            return prefix + name
        path, number = prefix + default_name, 0
        while self.counts.get(path):
            number += 1
            path = f"{prefix}{default_name}_{number}"
        return path

    def get(self, name, shape=None, dtype="float32", initializer=None, trainable=True):
        """Returns a variable of this scope, which is made if no function has made it before."""
        path, reuse = self.path(name), self.here.reuse
        if path in self.used and not reuse:
            raise ValueError(f"the variable {path} is there already; set reuse=True")
        if path not in self.by_name:
            if reuse and reuse != "auto":
                raise ValueError(f"the variable {path} is not there, and reuse=True")
            with tf.init_scope(), tf.name_scope(""):
                first = self.first_value(shape, dtype, self.here.initializer if initializer is None else initializer)
                self.by_name[path] = tf.Variable(first, trainable=trainable, name=path)
        self.used.add(path)
        return self.by_name[path]

    def first_value(self, shape, dtype, initializer):
        if initializer is None:
            is_float = tf.as_dtype(dtype).is_floating
            initializer = keras.initializers.GlorotUniform() if is_float else tf.zeros_initializer()
        if isinstance(initializer, type):
            initializer = initializer()
        if isinstance(initializer, keras.initializers.Initializer):  # used again, it would draw the same numbers
            initializer = type(initializer).from_config(initializer.get_config())
        if not callable(initializer):
            return initializer
        if shape is None:
            return initializer()
        sizes = [shape] if isinstance(shape, int) else shape
        return initializer([int(size) for size in sizes], tf.as_dtype(dtype).name)
'''


def kind_of_stored(node: ast.Call, name: str, effects: Effects, is_in_store: bool) -> Kind:
    """Returns the kind of a call of the store, and adds to the effects.

    Args:
        node: The call.
        name: The name that it calls, which begins with `STORED`.
        effects: The effects.
        is_in_store: Whether the statement itself opens the scope that the call is in.
    """
    function = name.removeprefix(STORED)
    if METHODS.get(function) in ("scope", "scope_here"):
        return Kind.PYTHON
    effects.stores = True
    effects.normalizes |= function in NORMALIZING
    if function != "get_variable" and not is_named(node, function) and not is_in_store:
        effects.counts = True
    return Kind.TENSOR


def store_text(called: Iterable[str], store: str) -> list[str]:
    """Returns the text of the class and of its object; nothing for a program without a store.

    Args:
        called: What the program calls of the store.
        store: The name of the object.
    """
    names = set(called)
    text = f"{_HEAD}{methods_text(names)}\n\n{store} = Variables()"
    return [text] if names else []
