"""What a program does with its Estimator: where it makes it, trains, evaluates and predicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.estimators.dataset_inputs import read_dataset
from codemods.native.estimators.modes import EVAL, PREDICT, TRAIN
from codemods.native.estimators.settings import bound_value, logging_hooks, settings_of
from codemods.native.kinds import v1_name
from codemods.native.machinery import ESTIMATOR
from codemods.native.places import is_main_block, method_of, named_arguments
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

INPUTS = "estimator.inputs.numpy_input_fn"
_PARAMETERS = ("model_fn", "model_dir", "config", "params", "warm_start_from")
_MODES = {"train": TRAIN, "evaluate": EVAL, "predict": PREDICT}
_OPTIONS = {
    TRAIN: ("input_fn", "hooks", "steps", "max_steps", "saving_listeners"),
    EVAL: ("input_fn", "steps", "hooks", "checkpoint_path", "name"),
    PREDICT: ("input_fn", "predict_keys", "hooks", "checkpoint_path", "yield_single_examples"),
}
_TAKEN = {TRAIN: {"input_fn", "steps", "max_steps"}, EVAL: {"input_fn", "steps"}, PREDICT: {"input_fn"}}
_BOTH = "estimator.train_and_evaluate"
_SPECS = {
    TRAIN: ("estimator.TrainSpec", ("input_fn", "max_steps", "hooks")),
    EVAL: (
        "estimator.EvalSpec",
        ("input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"),
    ),
}
_BY_CLOCK = ("name", "throttle_secs", "start_delay_secs")
_OF_INPUTS = ("x", "y", "batch_size", "num_epochs", "shuffle", "queue_capacity", "num_threads")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Input:
    """What an input_fn gives.

    Attributes:
        call: Where the source says it.
        features: Its arrays by their keys, or the only array.
        labels: The array of its labels.
        is_shuffled: Whether the order of its rows may be another in each run.
    """

    call: ast.expr
    features: dict[str, ast.expr] | ast.expr
    labels: ast.expr | None
    is_shuffled: bool

    @property
    def arrays(self) -> list[ast.expr]:
        """The arrays."""
        features = [*self.features.values()] if isinstance(self.features, dict) else [self.features]
        return [*features, *([self.labels] if self.labels is not None else [])]


@dataclass(frozen=True)
class Site:
    """A call of a method of the Estimator.

    Attributes:
        call: The call.
        mode: The mode that it runs.
        options: Its arguments by their names.
        given: What its input_fn may be.
        lines: The lines that run it: what predicts runs where its rows are taken.
    """

    call: ast.Call
    mode: str
    lines: tuple[int, ...]
    options: dict[str, ast.expr]
    given: list[Input]


@dataclass
class Program:
    """The only Estimator of a program.

    Attributes:
        made: The statement that makes it.
        options: The arguments of that.
        model_fn: The function that builds its graphs.
        block: The function that makes it, or the module.
        body: The statements among which it is made.
        sites: The calls that use it.
        folders: Where the program reads its model_dir.
        settings: The settings of its RunConfig.
        gone: The statements that make its RunConfig and hooks.
        hooks: The hooks.
        both: The calls that train and evaluate.
        returned: What an input function returns, and the dataset whose element that is, by the id of the first.
    """

    made: ast.Assign
    options: dict[str, ast.expr]
    model_fn: ast.FunctionDef
    block: ast.Module | ast.FunctionDef
    body: list[ast.stmt]
    sites: list[Site] = field(default_factory=list)
    folders: list[ast.Attribute] = field(default_factory=list)
    settings: dict[str, ast.expr] = field(default_factory=dict)
    gone: list[ast.stmt] = field(default_factory=list)
    hooks: list[ast.expr] = field(default_factory=list)
    both: list[ast.Call] = field(default_factory=list)
    returned: dict[int, tuple[ast.expr, ast.expr]] = field(default_factory=dict)


def read_program(tree: ast.Module, names: Names) -> Program | None:
    """Returns the Estimator of a program; None if it has none.

    Raises:
        NotNativeError: The source does not say what the program does with it.
    """
    calls = [node for node in names.nodes.get(ast.Call, []) if isinstance(node, ast.Call)]
    made = [call for call in calls if v1_name(names, call.func) == ESTIMATOR]
    if not made:
        return None
    if len(made) > 1:
        raise NotNativeError(made[1], "NAT008", "this is a second Estimator; a program may have one")
    statement = names.parents.get(made[0])
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        raise NotNativeError(made[0], "NAT008", "this Estimator has no name of its own; give it one")
    block, body = _place(statement, tree, names)
    options = named_arguments(made[0], _PARAMETERS)
    model_fn = options.get("model_fn")
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    function = functions.get(model_fn.id) if isinstance(model_fn, ast.Name) else None
    if function is None:
        raise NotNativeError(made[0], "NAT008", "the model_fn of this Estimator is no function of this file")
    program = Program(statement, options, function, block, body)
    program.settings, config = settings_of(options, block, names)
    program.gone += [config] if config is not None else []
    _read_uses(program, statement.targets[0].id, names)
    return program


def _place(statement: ast.stmt, tree: ast.Module, names: Names) -> tuple[ast.Module | ast.FunctionDef, list[ast.stmt]]:
    """Returns the block and the statements among which the Estimator is made: of the module, or of a function of it."""
    above = names.parents.get(statement)
    if isinstance(above, ast.Module):
        return above, above.body
    if above in tree.body and isinstance(above, ast.FunctionDef):
        return above, above.body
    if above in tree.body and isinstance(above, ast.stmt) and is_main_block(above):
        return tree, above.body
    message = "this Estimator is made in a block; make it in a statement of the module, or of a function of it"
    raise NotNativeError(statement, "NAT008", message)


def _read_uses(program: Program, name: str, names: Names) -> None:
    for node in (node for node in names.nodes.get(ast.Name, []) if isinstance(node, ast.Name)):
        if node.id == program.model_fn.name and names.parents.get(node) not in _options(program):
            raise NotNativeError(node, "NAT008", f"{node.id} is the model_fn of an Estimator, and is used here too")
        if node.id != name or node is program.made.targets[0]:
            continue
        if not isinstance(node.ctx, ast.Load):
            raise NotNativeError(node, "NAT008", f"{name} has several values; one is an Estimator")
        attribute = names.parents.get(node)
        call = names.parents.get(attribute) if isinstance(attribute, ast.Attribute) else None
        if isinstance(attribute, ast.Attribute) and attribute.attr == "model_dir":
            program.folders.append(attribute)
        elif isinstance(attribute, ast.Call) and v1_name(names, attribute.func) == _BOTH:
            _read_both(attribute, names, program)
        elif isinstance(call, ast.Call) and call.func is attribute and method_of(call) in _MODES:
            mode = _MODES[method_of(call)]
            program.sites.append(_site(call, names, program, mode, named_arguments(call, _OPTIONS[mode])))
            if len(call.args) > 1:
                raise NotNativeError(call, "NAT008", "give the arguments of this call by their names")
        else:
            use = f"its method {attribute.attr}" if isinstance(attribute, ast.Attribute) else "this use of it"
            raise NotNativeError(node, "NAT001", f"{name} is an Estimator, and {use} has no counterpart")


def _read_both(call: ast.Call, names: Names, program: Program) -> None:
    """Notes the training and the evaluation of `tf.estimator.train_and_evaluate`, which evaluates at the end.

    On one machine it also evaluates by the clock, when a checkpoint is saved.
    """
    if not isinstance(names.parents.get(call), ast.Expr) or len(call.args) + len(call.keywords) != 3:
        raise NotNativeError(call, "NAT008", "the program uses what train_and_evaluate returns")
    given = named_arguments(call, ("estimator", "train_spec", "eval_spec"))
    for name, mode in (("train_spec", TRAIN), ("eval_spec", EVAL)):
        spec = given.get(name)
        made, statement = bound_value(spec, program.block, names) if spec is not None else (None, None)
        if not isinstance(made, ast.Call) or v1_name(names, made.func) != _SPECS[mode][0]:
            raise NotNativeError(call, "NAT008", f"the source does not say the {name} of this call")
        program.gone += [statement] if statement is not None else []
        options = named_arguments(made, _SPECS[mode][1])
        options = {
            key: value for key, value in options.items() if key not in ("name", "throttle_secs", "start_delay_secs")
        }
        if mode == EVAL:
            options.setdefault("steps", ast.copy_location(ast.Constant(100), call))
        site = _site(call, names, program, mode, options)
        program.sites.append(site)
    program.both.append(call)


def _options(program: Program) -> list[ast.AST]:
    call = program.made.value
    assert isinstance(call, ast.Call)
    return [call, *call.keywords]


def _site(call: ast.Call, names: Names, program: Program, mode: str, options: dict[str, ast.expr]) -> Site:
    if mode == TRAIN and isinstance(options.get("hooks"), (ast.Name, ast.List, ast.Tuple)):
        for hook, made in logging_hooks(options.pop("hooks"), program.block, names):
            program.hooks.append(hook)
            program.gone += [made] if made is not None else []
    for option in options.keys() - _TAKEN[mode]:
        if not (isinstance(options[option], ast.Constant) and options[option].value is None):  # type: ignore[attr-defined]
            raise NotNativeError(call, "NAT001", f"{option} of {ast.unparse(call.func)} has no counterpart")
    if "input_fn" not in options:
        raise NotNativeError(call, "NAT008", "the source does not say the input_fn of this call")
    if any(isinstance(node, _FUNCTIONS) and node is not program.block for node in names.above(call)):
        raise NotNativeError(call, "NAT008", "this call is in another function than the one that makes the Estimator")
    if not any(node in program.body for node in names.above(call)):
        raise NotNativeError(call, "NAT008", "this call is in another block than the one that makes the Estimator")
    if mode == TRAIN and not isinstance(names.parents.get(call), ast.Expr):
        raise NotNativeError(call, "NAT008", "the program uses what train returns; train in a statement of its own")
    given = list(_inputs(options["input_fn"], call, names, program))
    return Site(call, mode, _lines(call, mode, names, program), options, given)


def _lines(call: ast.Call, mode: str, names: Names, program: Program) -> tuple[int, ...]:
    statement = names.parents.get(call)
    if mode != PREDICT or not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return (call.lineno,)
    name = statement.targets[0].id
    beside = [part for part in program.body if not isinstance(part, _FUNCTIONS)]
    reads = [node for part in beside for node in walk(part) if isinstance(node, ast.Name) and node.id == name]
    return call.lineno, *(node.lineno for node in reads if isinstance(node.ctx, ast.Load))


def _inputs(node: ast.expr, call: ast.Call, names: Names, program: Program) -> Iterator[Input]:
    """Yields the calls of numpy_input_fn that may give an input_fn."""
    is_function = isinstance(node, ast.Name) and any(
        isinstance(part, ast.FunctionDef) and part.name == node.id for part in names.tree.body
    )
    values = [node]
    if isinstance(node, ast.Name) and not is_function:
        values = list(_values(node, call, names, program))
    for value in values:
        made = read_dataset(value, program.block, names)
        if made is not None:
            program.returned |= {id(made.returned[0]): made.returned} if made.returned is not None else {}
            program.gone += made.gone
            yield Input(value, made.features, made.labels, made.is_shuffled)
            continue
        if not isinstance(value, ast.Call) or v1_name(names, value.func) != INPUTS:
            raise NotNativeError(
                value,
                "NAT008",
                "this input_fn is no numpy_input_fn, and no function of this file",
            )
        yield _input(value)


def _values(name: ast.Name, call: ast.Call, names: Names, program: Program) -> Iterator[ast.expr]:
    """Yields what a name may hold at a call: of statements beside the Estimator, the last one before it."""
    nodes = [node for node in walk(program.block) if isinstance(node, ast.Name) and node.id == name.id]
    stores = [node for node in nodes if not isinstance(node.ctx, ast.Load)]
    made = [statement for statement in map(names.parents.get, stores) if isinstance(statement, ast.Assign)]
    if not made or len(made) != len(stores):
        raise NotNativeError(call, "NAT008", f"the source does not say what the input_fn {name.id} is")
    if all(statement in program.body for statement in made):
        before = [statement for statement in made if statement.lineno < call.lineno]
        made = [max(before, key=lambda statement: statement.lineno)] if before else made
    yield from (statement.value for statement in made)


def _input(call: ast.Call) -> Input:
    options = named_arguments(call, _OF_INPUTS)
    threads = options.get("num_threads")
    if options.keys() - {*_OF_INPUTS} or not options.keys() >= {"x", "shuffle"} or threads is not None:
        raise NotNativeError(call, "NAT008", "the source does not say in which order this gives the rows")
    shuffle = options["shuffle"]
    is_shuffled = not isinstance(shuffle, ast.Constant) or bool(shuffle.value)
    x, y = options["x"], options.get("y")
    if isinstance(y, ast.Constant) and y.value is None:
        y = None
    if not isinstance(x, ast.Dict):
        return Input(call, x, y, is_shuffled)
    keys = [key.value if isinstance(key, ast.Constant) else None for key in x.keys]
    if not keys or not all(isinstance(key, str) for key in keys):
        raise NotNativeError(x, "NAT008", "the source does not say the names of these features")
    return Input(call, dict(zip(map(str, keys), x.values, strict=True)), y, is_shuffled)
