"""Hooks that a program defines: they stay objects, whose methods the loop calls with what was fetched.

`return tf.train.SessionRunArgs(loss)` goes from `before_run`, as the run fetches the loss, and `after_run` gets its
value in place of `run_values.results`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codemods.native.kinds import v1_name
from codemods.native.managed_sessions import Edited
from codemods.native.places import named_arguments, place_of
from codemods.native.refusals import NotNativeError
from codemods.native.session_hooks import Acts, Monitored, bound_once
from codemods.tree import walk

_BASES = ("train.SessionRunHook", "estimator.SessionRunHook")
_ARGUMENTS = ("train.SessionRunArgs", "estimator.SessionRunArgs")
_PARAMETERS = {
    "begin": 0,
    "after_create_session": 2,
    "before_run": 1,
    "after_run": 2,
    "end": 1,
}
"""Method of a hook -> how many parameters it has beside `self`."""


@dataclass(frozen=True)
class _Own:
    """A class of hooks, its methods, and what `before_run` asks for."""

    node: ast.ClassDef
    methods: Mapping[str, ast.FunctionDef]
    asked: ast.expr | None
    returned: ast.Return | None

    def only_asks(self, method: str) -> bool:
        """Returns whether a method is a `before_run` that only asks for tensors, so that it goes."""
        return method == "before_run" and self.methods[method].body == [self.returned] and len(self.node.body) > 1


def own_hook(at: Monitored, call: ast.Call) -> Acts | None:
    """Returns what a hook that the program defines does, and rewrites its class; None if it is another one.

    Raises:
        NotNativeError: It does what has no counterpart.
    """
    edited = at.edited
    name = call.func.id if isinstance(call.func, ast.Name) else None
    classes = [n for n in walk(edited.tree) if isinstance(n, ast.ClassDef) and n.name == name]
    if len(classes) != 1 or not edited.is_seen(classes[0], at.block):
        return None
    own = _read(classes[0], at)
    if own is None:
        return None
    uses = [n for n in walk(edited.tree) if isinstance(n, ast.Name) and n.id == name]
    if uses != [call.func]:
        raise NotNativeError(call, "NAT008", f"{name} is used in several places; a hook needs a class of its own")
    values, order, given = _values(own, call, at)
    object_name = edited.free(_snake(classes[0].name))
    _rewrite(own, edited)
    acts = Acts(beside=[f"{object_name} = {given}"], fetched=values)
    if _stops(own):
        acts.beside.append(f"{object_name}.should_stop = False")
        acts.stops = f"{object_name}.should_stop"
    runs = {"begin": acts.beside, "after_create_session": acts.start, "before_run": acts.before}
    for method, lines in (*runs.items(), ("end", acts.end)):
        if method in own.methods and not own.only_asks(method):
            lines.append(f"{object_name}.{method}()")
    if "after_run" in own.methods:
        acts.after.append(f"{object_name}.after_run({_structure(own.asked, iter(order), edited)})")
    return acts


def _read(node: ast.ClassDef, at: Monitored) -> _Own | None:
    edited = at.edited
    if len(node.bases) != 1 or v1_name(edited.names, node.bases[0]) not in _BASES:
        return None
    methods = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
    for name, method in methods.items():
        expected = _PARAMETERS.get(name)
        if expected is None:
            continue
        arguments = method.args
        plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or method.decorator_list)
        if not plain or len(arguments.args) != expected + 1:
            raise NotNativeError(method, "NAT008", f"the method {name} of a hook has other parameters here")
    asked, returned = _asked(methods.get("before_run"), edited)
    _require_plain(methods, edited)
    return _Own(node, methods, asked, returned)


def _asked(method: ast.FunctionDef | None, edited: Edited) -> tuple[ast.expr | None, ast.Return | None]:
    """Returns what `before_run` asks for, and the statement that does so."""
    returns = [n for n in walk(method) if isinstance(n, ast.Return)] if method is not None else []
    if method is None or not returns:
        return None, None
    value = returns[0].value
    if len(returns) > 1 or returns[0] is not method.body[-1]:
        raise NotNativeError(returns[0], "NAT008", "a hook must ask for the same tensors in each run")
    if edited.is_nothing(value):
        return None, returns[0]
    if isinstance(value, ast.Call) and v1_name(edited.names, value.func) in _ARGUMENTS:
        given = named_arguments(value, ("fetches", "feed_dict", "options"))
        if given.keys() == {"fetches"}:
            return given["fetches"], returns[0]
    raise NotNativeError(returns[0], "NAT008", "the source does not say which tensors this hook asks for")


def _require_plain(methods: Mapping[str, ast.FunctionDef], edited: Edited) -> None:
    """Refuses uses of sessions and contexts but `run_values.results` and `run_context.request_stop()`."""
    for name, method in methods.items():
        given = [argument.arg for argument in method.args.args[1:]] if name in _PARAMETERS else []
        for use in (n for n in walk(method) if isinstance(n, ast.Name) and n.id in given):
            above = edited.names.parents[use]
            attribute = above.attr if isinstance(above, ast.Attribute) else ""
            if name == "after_run" and use.id == given[1] and attribute == "results":
                continue
            if name in ("before_run", "after_run") and use.id == given[0] and attribute == "request_stop":
                continue
            raise NotNativeError(use, "NAT008", "this hook uses its session in another way")


def _stops(own: _Own) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "request_stop" for n in walk(own.node))


def _values(own: _Own, call: ast.Call, at: Monitored) -> tuple[dict[str, str], list[str], str]:
    """Returns the name of the value of each expression that a run fetches for a hook, and the call that makes it.

    Between both are the names in the order in which the hook asks for them.
    """
    edited = at.edited
    given = _tensors_given(own, call, edited)
    values: dict[str, str] = {}
    order: list[str] = []
    for leaf in _leaves(own.asked, edited) if own.asked is not None else ():
        place = place_of(leaf) or ""
        if place.startswith("self.") and place not in given:
            raise NotNativeError(leaf, "NAT008", f"the source does not say which tensor {place} is")
        text = edited.source.plain(given.get(place, leaf))
        base = text.rpartition(".")[2]
        values[text] = at.value(text, f"{base if base.isidentifier() else 'hook'}_value")
        order.append(values[text])
        if not place.startswith("self."):
            _require_same(leaf, own, at)
    kept = [a for a in call.args if a not in given.values()]
    kept_words = [k for k in call.keywords if k.value not in given.values()]
    text = ", ".join(edited.source.plain(node) for node in (*kept, *kept_words))
    return values, order, f"{own.node.name}({text})"


def _tensors_given(own: _Own, call: ast.Call, edited: Edited) -> dict[str, ast.expr]:
    """Returns the attributes that keep a tensor which the hook gets: "self.loss" -> the argument.

    What keeps it goes from `__init__`, with its parameter.
    """
    method = own.methods.get("__init__")
    asked = {place_of(leaf) for leaf in _leaves(own.asked, edited)} if own.asked is not None else set()
    wanted = {place for place in asked if place is not None and place.startswith("self.")}
    if method is None or not wanted:
        return {}
    names = [argument.arg for argument in method.args.args[1:]]
    given = named_arguments(call, names)
    kept: dict[str, ast.expr] = {}
    for statement in method.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        place = place_of(target) if target is not None else None
        value = statement.value if isinstance(statement, ast.Assign) else None
        if place not in wanted or not isinstance(value, ast.Name) or value.id not in given:
            continue
        reads = [n for n in walk(own.node) if isinstance(n, ast.Name) and n.id == value.id]
        attributes = (n for n in walk(own.node) if isinstance(n, ast.Attribute) and n is not target)
        others = [node for node in attributes if place_of(node) == place]
        inside = {id(n) for n in walk(own.asked)} if own.asked is not None else set()
        if reads != [value] or any(id(n) not in inside for n in others) or len(method.body) == 1:
            raise NotNativeError(statement, "NAT003", "this hook uses a tensor in Python code")
        kept[place] = given[value.id]
        start, end = edited.source.lines_of(statement)
        edited.source.delete((start, end))
        _remove_parameter(method, names.index(value.id) + 1, edited)
    return kept


def _remove_parameter(method: ast.FunctionDef, number: int, edited: Edited) -> None:
    arguments = method.args.args
    before, after = edited.source.span(arguments[number - 1])[1], edited.source.span(arguments[number])[1]
    if method.args.defaults and number > len(arguments) - len(method.args.defaults) - 1:
        raise NotNativeError(method, "NAT008", "a tensor is an option of this hook; give it as a parameter")
    edited.source.delete((before, after))


def _leaves(node: ast.expr, edited: Edited) -> Iterator[ast.expr]:
    """Yields what a structure of fetches fetches."""
    if isinstance(node, (ast.List, ast.Tuple)):
        for element in node.elts:
            yield from _leaves(element, edited)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _leaves(value, edited)
    elif isinstance(node, ast.Name) or place_of(node) is not None:
        bound = bound_once(edited, node) if isinstance(node, ast.Name) else None
        if isinstance(bound, (ast.List, ast.Tuple, ast.Dict)):
            raise NotNativeError(node, "NAT008", "write the list of tensors that this hook asks for where it asks")
        yield node
    else:
        raise NotNativeError(node, "NAT008", "the source does not say which tensors this hook asks for")


def _require_same(leaf: ast.expr, own: _Own, at: Monitored) -> None:
    """Refuses a name that is another one where the session runs."""
    assert isinstance(leaf, ast.Name)
    edited = at.edited
    named = (n for n in walk(edited.tree) if isinstance(n, ast.Name) and n.id == leaf.id)
    bound = [node for node in named if not isinstance(node.ctx, ast.Load)]
    given = any(isinstance(n, ast.arg) and n.arg == leaf.id for n in walk(edited.tree))
    if given or not bound or not all(edited.is_seen(n, at.block) and edited.is_seen(n, own.node) for n in bound):
        raise NotNativeError(leaf, "NAT008", f"{leaf.id} may be another value where the session runs")


def _structure(node: ast.expr | None, order: Iterator[str], edited: Edited) -> str:
    """Returns the values that a hook gets, in the form in which it asked for them."""
    if node is None:
        return "None"
    if isinstance(node, (ast.List, ast.Tuple)):
        inside = ", ".join(_structure(element, order, edited) for element in node.elts)
        return f"[{inside}]" if isinstance(node, ast.List) else f"({inside},)"
    if isinstance(node, ast.Dict):
        keys = (edited.source.plain(key) if key is not None else "" for key in node.keys)
        values = (_structure(value, order, edited) for value in node.values)
        return "{" + ", ".join(f"{key}: {value}" for key, value in zip(keys, values, strict=True)) + "}"
    return next(order)


def _rewrite(own: _Own, edited: Edited) -> None:
    """Takes sessions, contexts and the base class from a hook."""
    source = edited.source
    source.replace(source.span(own.node.bases[0]), "object")
    for name, method in own.methods.items():
        if name not in _PARAMETERS:
            continue
        if own.only_asks(name):
            source.delete(source.lines_of(method))
            continue
        arguments = method.args.args
        if name == "after_run":
            for use in _attributes(method, arguments[2].arg, "results"):
                source.replace(source.span(use), "results")
        for use in _attributes(method, arguments[1].arg, "request_stop") if len(arguments) > 1 else ():
            stop = edited.names.parents[use]
            if not isinstance(edited.names.parents[stop], ast.Expr):
                raise NotNativeError(use, "NAT008", "this hook stops its session in another way")
            source.replace(source.span(stop), f"{arguments[0].arg}.should_stop = True")
        if len(arguments) > 1:
            span = source.span(arguments[0])[1], source.span(arguments[-1])[1]
            source.replace(span, ", results" if name == "after_run" else "")
    if own.returned is not None and not own.only_asks("before_run"):
        _take_return(own, edited)


def _take_return(own: _Own, edited: Edited) -> None:
    """Takes the `return` of `before_run` out; a comment beside it stays."""
    assert own.returned is not None
    start, end = edited.source.span(own.returned)
    line_end = edited.source.positions.line_end(end)
    rest = edited.source.data[end:line_end].decode().strip()
    if len(own.methods["before_run"].body) == 1:
        edited.source.replace((start, end), "pass")
    elif rest.startswith("#"):
        edited.source.replace((start, line_end), rest)
    else:
        positions = edited.source.positions
        edited.source.delete((positions.line_start(start), positions.after_newline(line_end)))


def _attributes(method: ast.FunctionDef, name: str, attribute: str) -> Iterator[ast.Attribute]:
    for node in walk(method):
        known = isinstance(node, ast.Attribute) and node.attr == attribute
        if isinstance(node, ast.Attribute) and known and isinstance(node.value, ast.Name) and node.value.id == name:
            yield node


def _snake(name: str) -> str:
    """Returns the name of an object of a class: "LoggerHook" -> "logger_hook"."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return words.strip("_") or "hook"
