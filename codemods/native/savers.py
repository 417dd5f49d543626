"""Savers: a short class writes checkpoints by tf.train.Checkpoint, and restores those of TensorFlow 1."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from codemods.names import Names
from codemods.native import keras_saver, layer_objects, recurrent, variables
from codemods.native.functions import Function
from codemods.native.items import Body, Item
from codemods.native.kinds import OF_VARIABLES, Kind, calls_of, v1_name
from codemods.native.layers import is_scope
from codemods.native.legacy_optimizers import KerasOptimizer
from codemods.native.places import method_of, named_arguments, place_of
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.native.state import Rewriting
from codemods.native.stored_order import saved_of_store
from codemods.tree import walk

SAVER = '''\
class Saver:
    """Checkpoints of variables. It also restores those that TensorFlow 1 wrote, by the names of the variables.

    `variables` returns the variables; one with another name in checkpoints comes as (name, variable), and those of an
    optimizer as its slots.
    """

    def __init__(self, variables, max_to_keep=5):
        self.variables, self.max_to_keep, self.kept = variables, max_to_keep, []

    def by_name(self):
        listed = list(self.variables())
        pairs = [
            v if isinstance(v, tuple) else (v.name.split(":")[0], v) for v in listed if not isinstance(v, dict)]
        names = {variable.ref(): name for name, variable in pairs}
        for slots in (v for v in listed if isinstance(v, dict)):
            pairs += [(f"{names[ref]}/{slot}", variable) for (ref, slot), variable in slots.items()]
        if len(dict(pairs)) < len(pairs):
            raise ValueError(f"several variables have the same name: {sorted(name for name, _ in pairs)}")
        return dict(pairs)

    def save(self, save_path, global_step=None):
        """Writes a checkpoint, removes the oldest if there are too many, and returns its path."""
        path = save_path if global_step is None else f"{save_path}-{int(global_step)}"
        tf.train.Checkpoint(variables=self.by_name()).write(path)
        self.kept = [other for other in self.kept if other != path] + [path]
        while self.max_to_keep and len(self.kept) > self.max_to_keep:
            for file in tf.io.gfile.glob(self.kept.pop(0) + ".*"):
                tf.io.gfile.remove(file)
        with tf.io.gfile.GFile(os.path.join(os.path.dirname(path), "checkpoint"), "w") as state:
            state.write(f'model_checkpoint_path: "{os.path.basename(path)}"\\n')
            for other in self.kept:
                state.write(f'all_model_checkpoint_paths: "{os.path.basename(other)}"\\n')
        return path

    def restore(self, save_path):
        """Gives the variables the values of a checkpoint."""
        reader = tf.train.load_checkpoint(save_path)
        if reader.has_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"):
            tf.train.Checkpoint(variables=self.by_name()).read(save_path).assert_existing_objects_matched()
        else:
            for name, variable in self.by_name().items():
                variable.assign(reader.get_tensor(name))
'''
"""The class that a program with savers gets once."""

MADE = "Saver(lambda"
"""How the text of a call begins that makes one."""

RECOVERING = """
    def recover_last_checkpoints(self, checkpoint_paths):
        \"\"\"Counts checkpoints of an earlier run among those that are kept.\"\"\"
        self.kept = [path for path in checkpoint_paths if tf.io.gfile.glob(path + ".index")]
"""
"""What the class has too where a program goes on from its checkpoints."""

_RECOVER = "recover_last_checkpoints"
OPTIONS = {"save": ("sess", "save_path", "global_step"), "restore": ("sess", "save_path")}
_IGNORED = frozenset(("write_meta_graph", "write_state"))
_OWN = {"Adam": ("beta1_power", "beta2_power")}
"""Optimizer -> its variables that belong to no variable of the program."""


def is_made(text: str) -> bool:
    """Returns whether a text makes a saver."""
    return MADE in text or keras_saver.MADE in text


def class_for(text: str) -> str:
    """Returns the class that a program with savers gets."""
    return SAVER + (RECOVERING if f".{_RECOVER}(" in text else "")


def made_savers(names: Names) -> list[ast.Call]:
    """Returns the calls that make savers."""
    return list(calls_of(names.nodes.get(ast.Call, []), names, ("train.Saver",)))


def require_known_names(unsure: Sequence[ast.Call], names: Names) -> None:
    """Refuses variables whose names in checkpoints the source does not say.

    Args:
        unsure: The calls that make them.
        names: The meanings of names.

    Raises:
        NotNativeError: There is one, and the program has a saver.
    """
    if unsure and made_savers(names):
        message = "TensorFlow 1 may have numbered the name of this variable in checkpoints; give it a name of its own"
        raise NotNativeError(unsure[0], "NAT005", message)


def keep_savers(body: Body) -> None:
    """Leaves the savers where they are made."""
    for item in body.items:
        if item.kind is Kind.SAVER and isinstance(item.node, ast.Assign):
            item.kind = Kind.PYTHON


def sessions(calls: Mapping[ast.Call, None]) -> Iterator[ast.AST]:
    """Yields the sessions among the arguments of calls of savers, which vanish."""
    for call in (call for call in calls if method_of(call) != _RECOVER):
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "sess")
        if call.args:
            yield call.args[0]


def making(functions: Sequence[Function]) -> list[Function]:
    """Returns the functions that make variables at their first call: of layers, cells or optimizers."""
    return [
        function
        for function in functions
        if any(
            item.kind is Kind.TRAIN or item.effects.layers or item.effects.stores or _runs_cells(item.node)
            for item in function.slice.ordered
        )
    ]


def _runs_cells(node: ast.AST) -> bool:
    """Returns whether a statement calls what has the name of a function that runs cells, of whatever module."""
    calls = (below for below in walk(node) if isinstance(below, ast.Call))
    return any(recurrent.function_of(f"nn.{ast.unparse(call.func).rpartition('.')[2]}") for call in calls)


def write_calls(state: Rewriting, made: layer_objects.LayerObjects) -> None:
    """Writes the calls that make savers, and those of their methods.

    Raises:
        NotNativeError: The source does not say what is saved, or a call has an option without a counterpart.
    """
    for call in made_savers(state.names):
        state.source.replace(state.source.span(call), _saver(state, call, made))
        state.translation.imports.add("os")
    for call in state.meanings.savers:
        write_method(state.source, call)


def write_method(source: SourceText, call: ast.Call) -> None:
    """Writes the call of a method of a saver, without its session.

    Raises:
        NotNativeError: The method, or an option, has no counterpart.
    """
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == _RECOVER and len(call.args) == 1 and not call.keywords:
        return
    parameters = OPTIONS.get(call.func.attr)
    if parameters is None or len(call.args) > len(parameters):
        raise NotNativeError(call, "NAT001", f"the method {call.func.attr} of a saver, so called, has no counterpart")
    given = named_arguments(call, parameters)
    unknown = sorted(given.keys() - {*parameters} - _IGNORED)
    if unknown or "save_path" not in given:
        raise NotNativeError(call, "NAT001", f"the option {unknown[:1]} of a saver has no counterpart; remove it")
    text = source.text_of
    parts = [text(given["save_path"])] + ([text(given["global_step"])] if "global_step" in given else [])
    source.replace(source.span(call), f"{text(call.func)}({', '.join(parts)})")


def _saver(state: Rewriting, call: ast.Call, made: layer_objects.LayerObjects) -> str:
    """Returns the call that makes a saver in the native program."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    unknown = sorted({name or "**" for name in given} - {"var_list", "max_to_keep"})
    if unknown or len(call.args) > 1:
        raise NotNativeError(call, "NAT001", f"the option {unknown[:1]} of a saver has no counterpart; remove it")
    saved = call.args[0] if call.args else given.get("var_list")
    optimizers: list[tuple[str, KerasOptimizer, str]] = []
    holder = next((item for item in state.body.items if any(below is call for below in walk(item.node))), None)
    if holder is None or isinstance(holder.node, (ast.FunctionDef, ast.ClassDef)):
        raise NotNativeError(call, "NAT008", "this saver is made in a function; make it where the graph is built")
    name = v1_name(state.names, saved.func) if isinstance(saved, ast.Call) else None
    trained = name == "trainable_variables" and isinstance(saved, ast.Call) and not (saved.args or saved.keywords)
    if saved is None or trained or name in ("global_variables", "all_variables"):
        indent = state.source.indent_of(holder.node) + state.source.indent_step
        listed = f"[\n{indent}{f',{chr(10)}{indent}'.join(_all(state, call, holder, made, trained))}]"
        before = state.body.items[: 0 if trained else holder.index]
        optimizers = [optimizer for item in before for optimizer in _of_keras(state, item)]
    elif state.meanings.kind(saved) in OF_VARIABLES and not isinstance(saved, ast.Call):
        text = state.source.text_of(saved)
        listed = f"{text}.items()" if isinstance(saved, ast.Dict) else text
    else:
        raise NotNativeError(call, "NAT008", "the source does not say which variables this saver has; name them")
    keep = given.get("max_to_keep")
    option = f", max_to_keep={state.source.text_of(keep)}" if keep is not None else ""
    if optimizers:
        return keras_saver.call(state, *optimizers[0], listed, option)
    return f"{MADE}: {listed}{option})"


def _all(
    state: Rewriting, call: ast.Call, saver: Item, made: layer_objects.LayerObjects, trained: bool
) -> Iterator[str]:
    """Yields the variables that are made before a saver; `trained`: the trainable ones alone."""
    yield from saved_of_store(call, saver, state.body, state.translation.store, trained)
    for item in state.body.items[: saver.index]:
        cells = [
            known for known in item.effects.variables if recurrent.cell_class(v1_name(state.names, known.func) or "")
        ]
        for known in item.effects.layers:
            name = made.objects[known]
            if made.homes[name] is item:
                if trained and "trainable" in made.calls[name].given:
                    raise NotNativeError(call, "NAT008", "some variables of a layer are not trained; name the others")
                yield from _of_layer(made, name, trained)
        if cells and len(cells) == len(item.effects.variables) and isinstance(item.node, ast.Assign):
            place = place_of(item.node.targets[0])
            if place is None or item.kind is not Kind.VARIABLE:
                raise NotNativeError(call, "NAT008", f"the cells of line {item.node.lineno} have no name of their own")
            if not _is_inside(state, place, item):
                yield f"*{place}.variables()"
        elif item.effects.variables:
            yield from variables.variables_of(item, saver, state.body, state.names, trained)
        if not trained:
            yield from _of_optimizer(state, item)


def _is_inside(state: Rewriting, place: str, made: Item) -> bool:
    """Returns whether a cell is part of a later one."""
    later = (item for item in state.body.items[made.index + 1 :] if item.kind in OF_VARIABLES)
    return any(place in item.reads for item in later)


def _of_layer(made: layer_objects.LayerObjects, name: str, trained: bool) -> Iterator[str]:
    if made.calls[name].normalization is not None:
        yield f"*{name}.variables{'[:-2]' if trained else ''}"  # the last two are averages
        return
    use_bias = made.calls[name].given.get("use_bias")
    if use_bias is not None and not isinstance(use_bias, ast.Constant):
        raise NotNativeError(made.calls[name].call, "NAT008", "the source does not say whether this layer has a bias")
    weights, biases = made.calls[name].variables
    yield f'("{made.legacy[name]}/{weights}", {name}.kernel.value)'
    if use_bias is None or (isinstance(use_bias, ast.Constant) and use_bias.value):
        yield f'("{made.legacy[name]}/{biases}", {name}.bias.value)'


def _of_optimizer(state: Rewriting, item: Item) -> Iterator[str]:
    """Yields the variables of an exact optimizer at the op that trains with it, where TensorFlow 1 made them."""
    for place, maker, prefix in _optimizers(state, item):
        if maker.index not in state.planner.keras:
            yield f"{place}.slots"
            for own in _OWN.get(state.planner.classes[maker.index], ()):
                yield f'("{prefix}{own}", {place}.{own})'


def _of_keras(state: Rewriting, item: Item) -> Iterator[tuple[str, KerasOptimizer, str]]:
    """Yields the optimizer of Keras at the op that trains with it: its place, what it is, what the scopes add."""
    for place, maker, prefix in _optimizers(state, item):
        if maker.index in state.planner.keras:
            yield place, state.planner.keras[maker.index], prefix


def _optimizers(state: Rewriting, item: Item) -> Iterator[tuple[str, Item, str]]:
    """Yields the optimizers of an op that trains: its place, what makes it, what the scopes round the op add."""
    steps = [step for step in state.planner.steps.get(item.index, []) if step.method in ("minimize", "apply_gradients")]
    for step in steps:
        name = state.made_optimizers.get(item.index)
        place = name or (place_of(step.optimizer) if step.optimizer is not None else None)
        maker = item if name else state.body.definition(place or "", item.index)
        if place is None or maker is None:
            raise NotNativeError(step.call, "NAT008", "the source does not say which optimizer this saver has")
        if sum(item.kind is Kind.TRAIN and bool(state.planner.steps.get(item.index)) for item in state.body.items) > 1:
            raise NotNativeError(step.call, "NAT008", "the names of variables of several optimizers are not certain")
        yield place, maker, "".join(_scopes(state, item))


def _scopes(state: Rewriting, item: Item) -> Iterator[str]:
    """Yields what the name scopes round an op add to names of variables."""
    for block in item.blocks:
        for part in block.items if isinstance(block, ast.With) else ():
            if not is_scope(part.context_expr, state.names):
                continue
            assert isinstance(part.context_expr, ast.Call)
            opened = v1_name(state.names, part.context_expr.func)
            first = part.context_expr.args[0] if part.context_expr.args else None
            if opened == "name_scope" and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield f"{first.value}/"
            elif opened != "device":
                raise NotNativeError(
                    item.node, "NAT008", "the names of the optimizer's variables in this scope are not certain"
                )
