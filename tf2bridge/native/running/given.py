"""Gives the variables of a native program their recorded first values as soon as they are made.

`tf.variable_creator_scope` shows each tf.Variable; a Keras variable makes one of these, and knows its own path.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.native.wanted import Wanted, numbered
from tf2bridge.patching import put


@dataclass
class Made:
    """A variable of the native program.

    Attributes:
        name: Its name in the new trace.
        variable: The tf.Variable.
        wanted: Its row of the map; None if the map does not name it.
        own: The value that the program gave it first; None while it has none.
        later: Its value before the first call of a function.
    """

    name: str
    variable: Any
    wanted: Wanted | None
    own: np.ndarray[Any, Any] | None = None
    later: np.ndarray[Any, Any] | None = None


class GivenVariables:
    """The variables of the program in the order of making.

    Args:
        rows: The rows of the map.
        find: Returns the object behind "train:Model.cell", or None.
    """

    def __init__(self, rows: Sequence[Wanted], find: Callable[[str], Any]) -> None:
        self._by_name = {row.row.path: row for row in rows if ":" not in row.row.path}
        self._by_path = {row.row.path: row for row in rows if ":" in row.row.path}
        self._find = find
        self._counts: dict[str, int] = {}
        self._in_keras: list[list[Any]] = []
        self._deferred: list[Any] = []
        self.made: list[Made] = []

    @contextlib.contextmanager
    def noticed(self) -> Iterator[None]:
        """Notices all variables that are made within the block."""
        import keras
        import tensorflow as tf

        put(keras.Variable, "__init__", self._of_keras(keras.Variable.__init__))
        with tf.variable_creator_scope(self._create):
            yield

    def settle(self) -> None:
        """Gives the variables their values that were made in a trace, and finds those that have paths of attributes."""
        for path, row in list(self._by_path.items()):
            variable = self._find(path)
            variable = variable.value if _is_keras(variable) else variable
            for made in self.made:
                if made.variable is variable:
                    made.wanted, made.name = row, row.name
                    self._assign(made)
                    self._by_path.pop(path, None)
        for made in self.made:
            self._give(made)

    def before_first_call(self) -> None:
        """Notes what the program has made of its variables so far."""
        self.settle()
        for made in self.made:
            if made.later is None and made.own is not None:
                made.later = np.array(made.variable.numpy())

    def _create(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        variable = next_creator(**options)
        if self._in_keras:
            self._in_keras[-1].append(variable)
        elif self._deferred and self._deferred[0].name == options.get("name"):
            self._add(self._deferred.pop(0).path, variable)
        else:
            self._add(str(variable.name).partition(":")[0], variable)
        return variable

    def _of_keras(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def init(variable: Any, *args: Any, **options: Any) -> None:
            self._in_keras.append([])
            try:
                original(variable, *args, **options)
            finally:
                inner = self._in_keras.pop()
            if inner:
                self._add(variable.path, inner[-1])
            else:
                self._deferred.append(variable)

        return init

    def _add(self, name: str, variable: Any) -> None:
        self._counts[name] = self._counts.get(name, 0) + 1
        path = numbered(name, self._counts[name])
        count = self._counts[name]
        row = self._by_name.get(path) or self._below_a_scope(path)
        if row is None and count > 1 and "/" not in name:
            row = self._by_name.get(f"{name}_{count - 1}")  # TensorFlow 1 numbered equal names, as beta1_power_1
        self.made.append(Made(row.name if row else path, variable, row))
        self._give(self.made[-1])

    def _below_a_scope(self, path: str) -> Wanted | None:
        """Returns the row of a variable of an optimizer: Keras adds the scope to names of variables, not to paths."""
        ends = [path.partition("/")[2]] if "/" in path else []
        while ends and "/" in ends[-1]:
            ends.append(ends[-1].partition("/")[2])
        rows = [self._by_name[end] for end in ends if end in self._by_name]
        return next((row for row in rows if row.row.path != row.row.legacy and not row.is_stated), None)

    def _give(self, made: Made) -> None:
        """Notes the first value of a variable as soon as it has one, and gives it the recorded one."""
        import tensorflow as tf

        if made.own is not None or not tf.executing_eagerly():
            return
        try:
            made.own = np.array(made.variable.numpy())
        except (tf.errors.FailedPreconditionError, NotImplementedError):
            return  # it gets its first value when the function that makes it has been traced
        self._assign(made)

    def _assign(self, made: Made) -> None:
        """Gives a variable its recorded first value if that was drawn: the program gives the others itself."""
        wanted, own = made.wanted, made.own
        if wanted is None or not wanted.is_drawn or wanted.initial is None or own is None:
            return
        if wanted.initial.shape == own.shape:
            made.variable.assign(wanted.initial.astype(own.dtype))


def _is_keras(variable: Any) -> bool:
    import keras

    return isinstance(variable, keras.Variable)
