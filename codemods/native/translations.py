"""Writes names of TensorFlow 1 as names of TensorFlow 2, in place, and renames the arguments of calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from codemods.names import Names, root_of
from codemods.native.checks import own_names
from codemods.native.counterparts import DEFAULTS, Counterpart, counterpart
from codemods.native.kinds import SEEDS, VOCABULARIES, Kind
from codemods.native.layers import NAMES as LAYERS
from codemods.native.own_files import OF_BRIDGE
from codemods.native.source_text import SourceText
from codemods.native.stored_layers import NORMALIZING
from codemods.native.variable_store import METHODS, STORED
from codemods.symbols import Answer, lookup

_OF_ABSL = {"app.flags": "flags", "flags": "flags", "app": "app", "logging": "logging"}
_GONE_MODULES = (
    "tf2bridge.old_numpy",
    "tf2bridge.v1.contrib.rnn",
    "tf2bridge.v1.contrib.layers",
    "tf2bridge.v1.contrib.slim",
    "tf2bridge.v1.contrib.learn",
    "tensorflow.compat.v1.nn.rnn_cell",
)
"""Modules whose calls are all written anew."""
_OF_V1 = ("tensorflow.compat.v1.", "tf2bridge.v1.")
_OF_KERAS = {
    "random_normal_initializer": "keras.initializers.RandomNormal",
    "random_uniform_initializer": "keras.initializers.RandomUniform",
}
MODULES_OF_MNIST = (
    "examples.tutorials.mnist.input_data",
    "contrib.learn.python.learn.datasets.mnist",
    "contrib.learn.datasets.mnist",
)
"""Modules of TensorFlow 1 that become the file input_data.py beside the program."""
_FILES = tuple(f"tf2bridge.v1.{name}" for name in MODULES_OF_MNIST)
_OF_FILE = ("read_data_sets", "DataSet")
"""What input_data.py has."""


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
        legacy: Object of a layer -> what its variables begin with.
        updates: The name of the list of updates.
        normalizes: Whether the program needs the class that normalizes by batches.
        layer_texts: Name of an object -> the expression that makes it.
        formulas: Function with a formula of TensorFlow 1 that the program needs -> its name here.
        release: The release of TensorFlow 1 that a trace is of; "" if none is known.
        spec_names: Call of tf.placeholder -> the name of its specification, where dicts have them as keys.
        recurrent: The recurrent cells, and functions that run them, that the program needs.
        store: The name of the store of variables.
        stored: What the program calls of the store.
    """

    source: SourceText
    names: Names
    places: Mapping[str, Kind]
    imports: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    layers: Mapping[ast.Call, str] = field(default_factory=dict)
    prefixes: Mapping[ast.Call, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    release: str = ""
    spec_names: Mapping[ast.Call, str] = field(default_factory=dict)
    legacy: Mapping[str, str] = field(default_factory=dict)
    updates: str = "updates"
    normalizes: bool = False
    layer_texts: dict[str, str] = field(default_factory=dict)
    recurrent: set[str] = field(default_factory=set)
    formulas: dict[str, str] = field(default_factory=dict)
    store: str = "store"
    stored: set[str] = field(default_factory=set)

    @property
    def tf(self) -> str:
        """How the file spells TensorFlow."""
        return self.names.alias_of("tensorflow") or self.names.alias_of("tensorflow.compat.v1") or "tf"

    def write_import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Writes an import of TensorFlow 1 as one of TensorFlow 2, or removes it."""
        if isinstance(statement, ast.ImportFrom) and statement.module in _FILES:
            if all(alias.name in _OF_FILE for alias in statement.names):
                start = self.source.span(statement)[0] + len("from ")
                self.source.replace((start, start + len(statement.module)), "input_data")
                self.files.add("input_data.py")
            return
        if self._is_of_bridge(statement):
            return
        if isinstance(statement, ast.ImportFrom) and _only_names(statement):
            self._remove_names(statement)  # what they name is written in full where it is used
            return
        if len(statement.names) != 1:
            return
        alias = statement.names[0]
        head = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
        name, spelled = head + alias.name, f" as {alias.asname}" if alias.asname else ""
        if (name == "tf2bridge.v1" and not alias.asname) or name in _GONE_MODULES:
            self.source.delete(self.source.lines_of(statement))
        elif name == "tensorflow.compat.v1" and alias.asname:
            self.source.replace(self.source.span(statement), f"import tensorflow{spelled}")
        elif name in _FILES and (head or alias.asname):
            self.source.replace(self.source.span(statement), f"import input_data{spelled}")
            self.files.add("input_data.py")

    def _is_of_bridge(self, statement: ast.Import | ast.ImportFrom) -> bool:
        """Writes an import of a module of tf2bridge that a program gets a copy of. Returns whether it is one."""
        named = [getattr(statement, "module", None) or statement.names[0].name]
        module = named[0].removeprefix("tf2bridge.")
        if module not in OF_BRIDGE or not named[0].startswith("tf2bridge."):
            return False
        start = self.source.data.index(named[0].encode(), self.source.span(statement)[0])
        self.source.replace((start, start + len(named[0])), module)
        self.files.add(f"{module}.py")
        return True

    def write_bridged(self, chain: ast.expr) -> None:
        """tf2bridge.old_images.imread -> old_images.imread."""
        for module in OF_BRIDGE:
            if ast.unparse(chain).startswith(f"tf2bridge.{module}."):
                start = self.source.span(chain)[0]
                self.source.replace((start, start + len("tf2bridge.")), "")

    def _remove_names(self, statement: ast.ImportFrom) -> None:
        """Removes an import of names of TensorFlow 1. The first of a file without `tf` imports that in its place."""
        known = self.names.alias_of("tensorflow") or self.names.alias_of("tensorflow.compat.v1")
        others = (node for node in self.names.nodes.get(ast.ImportFrom, []) if isinstance(node, ast.ImportFrom))
        first = next((node for node in others if f"{node.module}.".startswith(_OF_V1)), statement)
        if known is None and first is statement:
            self.source.replace(self.source.span(statement), "import tensorflow as tf")
        elif self.source.is_alone(statement):
            self.source.delete(self.source.lines_of(statement))

    def write_alias(self, statement: ast.AST) -> None:
        """Removes `slim = tf.contrib.slim`: the calls of these modules are all written anew."""
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Attribute):
            return
        if self.names.qualified(statement.value) in _GONE_MODULES and self.source.is_alone(statement):
            self.source.delete(self.source.lines_of(statement))

    def old_name(self, chain: ast.AST) -> str | None:
        """Returns the name of TensorFlow 1, if the file spells it in a way that TensorFlow 2 has not."""
        qualified = self.names.qualified(chain) or ""
        for module in ("tensorflow.compat.v1.", "tf2bridge.v1.", "tf2bridge.v0."):
            if qualified.startswith(module):
                return qualified.removeprefix(module)
        return None

    def write_name(self, chain: ast.expr, call: ast.Call | None) -> None:
        name = self.old_name(chain)
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
        words = next((known for known in VOCABULARIES if f"{name}.".startswith(f"{known}.")), None)
        if words is not None:
            self.imports.add("vocabularies")
            self.files.add("vocabularies.py")
            self.source.replace(self.source.span(chain), "vocabularies.VocabularyProcessor" + name.removeprefix(words))
            return
        symbol = lookup(name)
        same = symbol is not None and symbol.answer is Answer.SAME
        row = counterpart(name)
        if row is not None and (row.parameters or not same):
            if row.parameters and call is None and not row.keeps_positions:
                return
            if call is None or self.rename_arguments(call, row):
                self._state_defaults(call, name, row)
                self._put_name(chain, call, self.spelled(row.name))
        elif same and symbol is not None:
            self._put_name(chain, call, self.spelled(symbol.target))

    def write_stored(self, chain: ast.expr, name: str) -> None:
        """Writes a name of the store of variables as that of a method."""
        function = name.removeprefix(STORED)
        self.stored.add(function)
        self.normalizes |= function in NORMALIZING
        self.imports |= {"contextlib", "keras", "re"}
        self.source.replace(self.source.span(chain), f"{self.store}.{METHODS.get(function, function)}")

    def _put_name(self, chain: ast.expr, call: ast.Call | None, new: str) -> None:
        """Writes a name. An initializer of Keras that is no argument of a layer may be one of several."""
        parent = self.names.parents[call] if call is not None else None
        owner = self.names.parents[parent] if isinstance(parent, ast.keyword) else parent
        function = self.old_name(owner.func) if isinstance(owner, ast.Call) else None
        in_place = function is not None
        of_keras = _OF_KERAS.get(self.old_name(chain) or "") if call is not None else None
        if of_keras is not None and (function in LAYERS or not in_place) and self._has_seeded_layers:
            new = self.spelled(of_keras)
        if call is not None and new.startswith("keras.initializers.") and not in_place:
            end = self.source.span(call)[1]
            self.source.replace((end, end), ")")
            new = f"{self.formula('drawn_anew')}({new}"
        self.source.replace(self.source.span(chain), new)

    @property
    def _has_seeded_layers(self) -> bool:
        """Whether the program sets a seed and has layers.

        Keras makes the variables of a layer when a function is traced. With a seed, tf.random would draw the same for
        layers at the same place of two functions.
        """
        calls = [self.old_name(call.func) for call in self.calls()]
        return bool(self.layers) and any(name in SEEDS for name in calls)

    def _state_defaults(self, call: ast.Call | None, name: str, row: Counterpart) -> None:
        """Writes the defaults of parameters that have another one today."""
        if call is None:
            return
        positions = [old for old, _ in row.parameters]
        given = {*positions[: len(call.args)], *(keyword.arg for keyword in call.keywords)}
        missing = [f"{key}={value}" for key, value in DEFAULTS.get(name, {}).items() if key not in given]
        if missing:
            end = self.source.span(call)[1] - 1
            before = "" if self.source.data[:end].rstrip().endswith((b",", b"(")) else ", "
            self.source.replace((end, end), before + ", ".join(missing))

    def formula(self, name: str) -> str:
        """Returns what a function of a few lines is called here, which the program gets."""
        if name not in self.formulas:
            short = name.rpartition(".")[2]
            has = own_names(self.source.tree)
            possible = (short, f"{short}_of", f"compute_{short}", f"{short}_of_tensors")
            self.formulas[name] = next(new for new in possible if new not in has)
        return self.formulas[name]

    def spelled(self, name: str) -> str:
        """Returns a name of TensorFlow 2, or of Keras, as the file spells it."""
        if name.startswith("keras."):
            self.imports.add("keras")
            return name
        return f"{self.tf}.{name}"

    def rename_arguments(self, call: ast.Call, row: Counterpart) -> bool:
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
            if new is None and self._is_default_type(keyword):
                edits.append((self._span_with_comma(keyword, call), ""))
                continue
            if new is None:
                return False
            start = self.source.span(keyword)[0]
            edits.append(((start, start + len(keyword.arg)), new))
        for span, text in edits:
            self.source.replace(span, text)
        return True

    def _is_default_type(self, keyword: ast.keyword) -> bool:
        """Returns whether this is dtype=tf.float32, the default of initializers; `get_variable` gives its own type."""
        return keyword.arg == "dtype" and (self.names.qualified(keyword.value) or "").endswith(".float32")

    def _span_with_comma(self, keyword: ast.keyword, call: ast.Call) -> tuple[int, int]:
        """Returns the span of an argument with the comma before it, or behind it if it is the first."""
        start, end = self.source.span(keyword)
        ends = [self.source.span(part)[1] for part in (*call.args, *call.keywords)]
        before = [other for other in ends if other <= start]
        if before:
            return max(before), end
        after = [self.source.span(part)[0] for part in (*call.args, *call.keywords) if self.source.span(part)[0] > end]
        return start, min(after, default=end)

    def write_dimension(self, node: ast.AST) -> None:
        """`x.shape[1].value` and `x.get_shape()[1].value`: a dimension is an int in TensorFlow 2."""
        assert isinstance(node, ast.Attribute)
        of = node.value
        if node.attr != "value" or not isinstance(of, ast.Subscript):
            return
        shape = of.value.func if isinstance(of.value, ast.Call) else of.value
        if isinstance(shape, ast.Attribute) and shape.attr in ("shape", "get_shape"):
            self.source.replace((self.source.span(of)[1], self.source.span(node)[1]), "")

    def calls(self) -> list[ast.Call]:
        """Returns all calls, the last first, so that what is inside of a call comes before it is written."""
        calls = [node for node in self.names.nodes.get(ast.Call, []) if isinstance(node, ast.Call)]
        return sorted(calls, key=lambda call: -self.source.span(call)[0])

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


def _only_names(statement: ast.ImportFrom) -> bool:
    """Returns whether an import binds names of TensorFlow 1, none of which becomes a file beside the program."""
    named = {f"{statement.module}.{alias.name}" for alias in statement.names}
    return f"{statement.module}.".startswith(_OF_V1) and not any(n in _FILES or n.endswith("*") for n in named)
