"""Writes a program with an Estimator as one with the sessions that the Estimator made for it.

The Estimator builds a graph for each mode, with the same variables. Here the statements of its model_fn stand once,
where the program makes the Estimator; sessions run what each mode needs of them. `model.train(input_fn, steps=100)`
becomes `train(input_fn, steps=100)`, a function with the loop that the Estimator ran.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from codemods import scopes
from codemods.native import metrics
from codemods.native.estimators import driving
from codemods.native.estimators.checks import require_one_model
from codemods.native.estimators.modes import EVAL, PREDICT, TRAIN, read_model
from codemods.native.estimators.parameters import add_placeholders, put_parameters, require_known_parameters
from codemods.native.estimators.results import add_tensors, counted, predictions, read_results, tensor
from codemods.native.estimators.state import Line, State, state_of
from codemods.native.estimators.uses import INPUTS, read_program
from codemods.native.kinds import v1_name
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import reindented
from codemods.tree import walk

_METHOD = {TRAIN: "train", EVAL: "evaluate", PREDICT: "predict"}
_IMPORTS = ("itertools", "os", "tempfile", "numpy")


@dataclass(frozen=True)
class Plain:
    """A program without an Estimator.

    Attributes:
        text: Its text.
        origins: The old number of each line.
        sites: Old line of a session's run -> the old lines of all calls of the Estimator that it stands for.
        left_out: The old lines of hooks that are left out.
        shuffled: The old lines of calls that get their rows in an order of chance.
    """

    text: str
    origins: tuple[int, ...]
    sites: Mapping[int, tuple[int, ...]]
    shuffled: tuple[int, ...]
    left_out: tuple[int, ...]

    def line(self, number: int) -> int:
        """Returns the number that a line had."""
        return self.origins[min(number, len(self.origins)) - 1] if number > 0 else number


def with_sessions(text: str) -> Plain | None:
    """Returns a text with sessions in place of its Estimator; None if it has none.

    Raises:
        NotNativeError: The source does not say what the Estimator does.
    """
    if "Estimator(" not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    program = read_program(tree, names)
    if program is None:
        return None
    modes = [mode for mode in _METHOD if any(site.mode == mode for site in program.sites)]
    state = state_of(text, names, program, read_model(program.model_fn, modes, names))
    _require_known(state)
    seed = program.settings.get("tf_random_seed")
    if seed is not None:
        state.add(f"{state.v1}.set_random_seed({state.source.plain(seed)})", state.at)
    add_placeholders(state)
    state.add(f"{state.spelled.global_step} = {state.v1}.train.get_or_create_global_step()", state.at)
    read_results(state)
    require_one_model(state)
    put_parameters(state)
    _add_statements(state)
    sites: dict[int, tuple[int, ...]] = {}
    functions = [line for mode in modes for line in _function(mode, state, sites)]
    _add_session(state)
    state.lines += [*functions, *_blank(state.at)]
    for call in program.both:
        state.source.replace(state.source.span(call), "\n".join(_of_both(call, state)))
    for site in (site for site in program.sites if site.call not in program.both):
        state.source.replace(state.source.span(site.call.func), state.functions[site.mode])
        hooks = next((keyword for keyword in site.call.keywords if keyword.arg == "hooks"), None)
        if hooks is not None:
            state.source.replace(_with_comma(hooks, site.call, state), "")
    for folder in program.folders:
        state.source.replace(state.source.span(folder), state.spelled.model_dir)
    return _assembled(state, sites)


def _of_both(call: ast.Call, state: State) -> list[str]:
    """Returns the calls that train and evaluate."""
    made = []
    for site in (site for site in state.program.sites if site.call is call):
        texts = (f"{name}={' '.join(ast.unparse(value).split())}" for name, value in site.options.items())
        made.append(f"{state.functions[site.mode]}({', '.join(texts)})")
    statement = state.names.parents[call]
    assert isinstance(statement, ast.stmt)
    return [made[0], *(state.source.indent_of(statement) + text for text in made[1:])]


def _with_comma(keyword: ast.keyword, call: ast.Call, state: State) -> tuple[int, int]:
    """Returns the span of an argument with the comma before it."""
    parts = sorted([*call.args, *call.keywords], key=lambda part: state.source.span(part)[0])
    place = parts.index(keyword)
    start, end = state.source.span(keyword)
    if place:
        return state.source.span(parts[place - 1])[1], end
    return start, state.source.span(parts[1])[0] if len(parts) > 1 else end


def _require_known(state: State) -> None:
    """Refuses what the Estimator would do otherwise."""
    for option, value in state.program.options.items():
        is_none = isinstance(value, ast.Constant) and value.value is None
        if option not in ("model_fn", "model_dir", "params", "config") and not is_none:
            raise NotNativeError(value, "NAT001", f"{option} of an Estimator has no counterpart")
    if not state.program.sites:
        raise NotNativeError(state.program.made, "NAT008", "nothing uses this Estimator in this file")
    bound = state.taken & {"Mean", *metrics.CLASSES}
    if bound:
        raise NotNativeError(state.program.made, "NAT008", f"the program has a name {min(bound)} of its own")
    require_known_parameters(state)


def _add_statements(state: State) -> None:
    """Adds the statements of the model_fn."""
    for statement in state.model.statements:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id in state.dicts:
            assert isinstance(statement, ast.Assign)
            assert isinstance(statement.value, ast.Dict)
            add_tensors(statement.value, state.dicts[target.id], state)
            continue
        values = _turns(statement, state)
        if not values:
            _add_lines(statement, state)
        for value in values:
            assert isinstance(statement, ast.For)
            for name in (node for part in statement.body for node in walk(part) if isinstance(node, ast.Name)):
                if name.id == ast.unparse(statement.target):
                    state.source.replace(state.source.span(name), repr(value))
            for part in statement.body:
                _add_lines(part, state)


def _add_lines(statement: ast.stmt, state: State) -> None:
    if not state.source.is_alone(statement):
        raise NotNativeError(statement, "NAT008", "put this statement on lines of its own")
    span = state.source.lines_of(statement)
    lines = reindented(state.source.rendered(span), state.source.indent_of(statement), "").splitlines()
    first, last = state.source.positions.line(span[0]), statement.end_lineno or statement.lineno
    state.lines += [(line, min(first + number, last)) for number, line in enumerate(lines)]


def _turns(statement: ast.stmt, state: State) -> list[object]:
    """Returns the numbers or texts that a loop over one of the params goes through: `for n in params['units']`.

    Each turn stands for itself then, as it makes a layer of its own.
    """
    if not isinstance(statement, ast.For) or statement.orelse or not isinstance(statement.iter, ast.Subscript):
        return []
    of, key, params = statement.iter.value, statement.iter.slice, state.program.options.get("params")
    if not isinstance(of, ast.Name) or of.id != "params" or "params" in state.own or not isinstance(params, ast.Dict):
        return []
    pairs = zip(params.keys, params.values, strict=True)
    listed = next((value for part, value in pairs if part and ast.unparse(part) == ast.unparse(key)), None)
    is_plain = all(isinstance(part, (ast.Assign, ast.Expr)) for part in statement.body)
    target = ast.unparse(statement.target)
    later = (part for part in state.model.statements if part.lineno > statement.lineno)
    if not is_plain or any(isinstance(node, ast.Name) and node.id == target for part in later for node in walk(part)):
        return []
    elements = listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else []
    return (
        [part.value for part in elements if isinstance(part, ast.Constant)]
        if all(isinstance(part, ast.Constant) for part in elements)
        else []
    )


def _function(mode: str, state: State, sites: dict[int, tuple[int, ...]]) -> list[Line]:
    """Returns the lines of the function for a mode. What it fetches is added to the statements."""
    own = [site for site in state.program.sites if site.mode == mode]
    given, feeds = _given(mode, state)
    name = state.functions[mode] = state.free(_METHOD[mode])
    if mode == TRAIN:
        fetches = f"{tensor('train_op', mode, state)}, {tensor('loss', mode, state)}"
        has_end = any("max_steps" in site.options for site in own)
        lines = driving.train(
            name, state.spelled, given, feeds, fetches, has_end, state.names.alias_of("numpy") or "numpy"
        )
    elif mode == EVAL:
        lines = driving.evaluate(name, state.spelled, given, feeds, *counted(state))
    else:
        lines = driving.predict(name, state.spelled, given, feeds, predictions(mode, state))
    numbers = tuple(dict.fromkeys(line for site in own for line in site.lines))
    first = next((number for number in numbers if number not in sites), numbers[0])
    if sites.setdefault(first, numbers) != numbers:
        raise NotNativeError(own[0].call, "NAT008", "this call runs two modes, of which one runs elsewhere too")
    return [*_blank(state.at), *((line, first if "feed_dict=" in line else state.at) for line in lines)]


def _given(mode: str, state: State) -> tuple[str, str]:
    """Returns what an input_fn gives in a mode, and what is fed of it."""
    inputs = [given for site in state.program.sites if site.mode == mode for given in site.given]
    has_labels = inputs[0].labels is not None
    other = next((given for given in inputs if (given.labels is not None) != has_labels), None)
    if other is not None:
        raise NotNativeError(other.call, "NAT008", "some inputs of this mode have labels, and others have none")
    of = state.spelled
    fed = [f"{name}: {of.batch}[{key!r}]" if key else f"{name}: {of.batch}" for key, name in state.features.items()]
    if has_labels and mode != PREDICT:
        fed.append(f"{state.labels}: {of.targets}")
    if state.training:
        fed.append(f"{state.training}: {mode == TRAIN}")
    second = "_" if mode == PREDICT else of.targets
    return f"{of.batch}, {second}" if has_labels else of.batch, ", ".join(fed)


def _add_session(state: State) -> None:
    """Adds the session, and the checkpoint that it begins with."""
    folders = [known.get("model_dir") for known in (state.program.options, state.program.settings)]
    stated = [
        part for part in folders if part is not None and not (isinstance(part, ast.Constant) and part.value is None)
    ]
    of, place = state.spelled, state.source.text_of(stated[0]) if stated else "tempfile.mkdtemp()"
    text = driving.SESSION.format(of=of, v1=state.v1, tf=state.tf, folder=place)
    state.add(text, state.at)


def _assembled(state: State, sites: Mapping[int, tuple[int, ...]]) -> Plain:
    """Returns the text with the lines in place of the Estimator, without its model_fn."""
    tree, source = state.names.tree, state.source
    indent = source.indent_of(state.home)
    lines = [(indent + line if line.strip() else line, origin) for line, origin in state.lines]
    numbered: dict[int, list[Line]] = {source.positions.line(source.lines_of(state.home)[0]): lines}
    _put_inputs(state, numbered)
    head = _first_code(tree)
    needed = [module for module in _IMPORTS if not state.names.alias_of(module)]
    numbered[head] = [*((f"import {module}", head) for module in needed), *numbered.get(head, [])]
    span = source.lines_of(state.program.model_fn)
    gone = {*range(state.program.made.lineno, (state.program.made.end_lineno or 0) + 1)}
    for statement in state.program.gone:
        gone |= {*range(statement.lineno, (statement.end_lineno or 0) + 1)}
    gone |= {*range(source.positions.line(span[0]), (state.program.model_fn.end_lineno or 0) + 1)}
    new, origins = source.with_origins()
    kept: list[Line] = []
    before = 0
    for line, origin in zip(new.splitlines(), origins, strict=False):
        for number in range(before + 1, origin + 1):
            kept += numbered.get(number, [])
        before = max(before, origin)
        if origin not in gone:
            kept.append((line, origin))
    hooks = tuple(dict.fromkeys(hook.lineno for hook in state.program.hooks))
    shuffled = (site.call.lineno for site in state.program.sites if any(given.is_shuffled for given in site.given))
    text = "".join(f"{line}\n" for line, _ in kept)
    return Plain(text, (*(origin for _, origin in kept), before), sites, tuple(shuffled), hooks)


def _put_inputs(state: State, numbered: dict[int, list[Line]]) -> None:
    """Puts a function of the program in place of numpy_input_fn, before the first statement that calls it."""
    tree, source = state.names.tree, state.source
    nodes = (node for node in walk(tree) if isinstance(node, ast.Call))
    calls = {id(node): node for node in nodes if v1_name(state.names, node.func) == INPUTS}
    for returned, dataset in state.program.returned.values():
        source.replace(source.span(returned), source.plain(dataset))
    if not calls:
        return
    name = state.free("numpy_input_fn")
    for call in calls.values():
        source.replace(source.span(call.func), name)
    using = next(statement for statement in tree.body if any(id(below) in calls for below in walk(statement)))
    at = source.positions.line(source.lines_of(using)[0])
    inputs = driving.INPUTS.replace("numpy_input_fn", name).replace("np.", f"{state.numpy}.")
    numbered[at] = [*((line, at) for line in inputs.splitlines()), *_blank(at), *numbered.get(at, [])]


def _blank(origin: int) -> list[Line]:
    return [("", origin), ("", origin)]


def _first_code(tree: ast.Module) -> int:
    """Returns the line of the first statement behind the docstring and imports of __future__."""
    for statement in tree.body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            return statement.lineno
    return 1
