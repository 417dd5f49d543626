"""Writes what stands in place of each call of a session: a call of a function, or the value of a variable."""

from __future__ import annotations

import ast

from codemods.native.functions import Function
from codemods.native.kinds import Kind
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Fetch, Run
from codemods.native.sites import Plan, is_attribute, owner_at
from codemods.native.source_text import SourceText
from codemods.native.starts import Started


def write(made: Plan, source: SourceText) -> None:
    """Writes what stands in place of the calls, the innermost first."""
    for run in made.dropped:
        statement = made.parents[run.node]
        if not isinstance(statement, ast.Expr):
            raise NotNativeError(run.node, "NAT008", "the result of an initializer is used; there is none")
        _drop(statement, made, source)
    everything = [(run, None) for run in made.reads] + [(run, function) for run, function in made.functions]
    feeds: set[ast.Dict] = set()
    for run, function in sorted(everything, key=lambda pair: -source.span(pair[0].node)[0]):
        if function is None:
            _read(run, made, source)
        else:
            _call(run, function, made, source)
            if run.feed_name is not None and run.feed_dict is not None:
                feeds.add(run.feed_dict)
    for known in made.starts:
        if known.makers and known.run.feed_name is not None and known.run.feed_dict is not None:
            feeds.add(known.run.feed_dict)
        _start(known, made, source)
    for literal in feeds:
        for key in literal.keys:
            assert key is not None
            source.replace(source.span(key), repr(_parameter(place_of(key) or "")))


def _parameter(place: str) -> str:
    return place.removeprefix("self.")


def _drop(statement: ast.stmt, made: Plan, source: SourceText) -> None:
    parent = made.parents[statement]
    block = next(b for f in ("body", "orelse", "finalbody") if statement in (b := getattr(parent, f, [])))
    if len(block) == 1 and not isinstance(parent, (ast.Module, ast.With)):
        source.replace(source.span(statement), "pass")
    elif source.is_alone(statement):
        source.delete(source.lines_of(statement))
    else:
        raise NotNativeError(statement, "NAT008", "several statements are on this line; give each its own line")


def _read(run: Run, made: Plan, source: SourceText) -> None:
    fetch = run.fetches[0]
    if fetch.kind is Kind.ASSIGN:
        if not isinstance(made.parents[run.node], ast.Expr):
            source.replace(source.span(run.node), f"{source.text_of(fetch.node)}.numpy()")
        else:
            source.replace(source.span(run.node), source.text_of(fetch.node))
        return
    if run.nested and fetch.kind is Kind.CONSTANT:
        parts = [source.text_of(fetch.node) for fetch in run.fetches]
        called = parts[0] if run.shape == "one" else f"[{', '.join(parts)}]"
        source.replace(source.span(run.node), _arrays(called, run))
        return
    parts = [_value(fetch, source) for fetch in run.fetches]
    source.replace(source.span(run.node), parts[0] if run.shape == "one" else f"[{', '.join(parts)}]")


def _value(fetch: Fetch, source: SourceText) -> str:
    text = source.text_of(fetch.node)
    if fetch.kind is Kind.VARIABLES:
        raise NotNativeError(fetch.node, "NAT002", "it fetches a container of variables; name them one by one")
    simple = isinstance(fetch.node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    return f"{text}.numpy()" if simple else f"({text}).numpy()"


def _start(known: Started, made: Plan, source: SourceText) -> None:
    """Writes `iterator = iter(dataset)` in place of the run of an initializer."""
    pairs: list[tuple[str, str]] = []
    for start in known.starts:
        maker = known.makers.get(place_of(start.dataset) or "")
        dataset = _called(known.run, maker, made, source) if maker is not None else ast.unparse(start.dataset)
        pairs.append((_at(start.iterator.place, known.run.node, made), f"iter({dataset})"))
    text = f"{', '.join(place for place, _ in pairs)} = {', '.join(made for _, made in pairs)}"
    source.replace(source.span(made.parents[known.run.node]), text)


def _at(place: str, node: ast.AST, made: Plan) -> str:
    """Returns how a place is spelled at a call."""
    return owner_at(made.body, node) + _parameter(place) if place.startswith("self.") else place


def _called(run: Run, function: Function, made: Plan, source: SourceText) -> str:
    """Returns the call of a function with what a call of a session feeds."""
    of = owner_at(made.body, run.node) if is_attribute(function, made.body) else ""
    iterators = [place for place in function.feeds if place in made.iterators.by_place]
    given = [f"{_parameter(place)}={_at(place, run.node, made)}" for place in iterators]
    if run.feed_name is not None:
        held = run.feed_name.id if isinstance(run.feed_name, ast.Name) else source.text_of(run.feed_name)
        return f"{of}{function.name}({', '.join([*given, f'**{held}'])})"
    texts = {
        place: source.text_of(value) for place, value in run.feeds.items() if place in function.feeds or not iterators
    }
    wanted = [place for place in function.feeds if place not in iterators]
    in_order = [place for place in texts if place in function.feeds] == wanted
    # the values are computed in the order of the feeds: a generator of random numbers may stand among them
    fed = [text if in_order else f"{_parameter(place)}={text}" for place, text in texts.items()]
    if in_order:
        given = [_at(place, run.node, made) for place in iterators]
    return f"{of}{function.name}({', '.join([*fed, *given])})"


def _call(run: Run, function: Function, made: Plan, source: SourceText) -> None:
    called = _called(run, function, made, source)
    parent = made.parents[run.node]
    if isinstance(parent, ast.Expr):
        source.replace(source.span(run.node), called)
        return
    if run.shape == "one":
        plain = not run.fetches[0].gives or run.fetches[0].kind is Kind.SUMMARY
        text = called if plain else _arrays(called, run) if run.nested else f"{called}.numpy()"
        source.replace(source.span(run.node), text)
        return
    names = [key_of(fetch) for fetch in function.values]
    results = [names.index(key_of(fetch)) if fetch.gives else None for fetch in run.fetches]
    if isinstance(parent, ast.Subscript) and parent.value is run.node:
        _picked(run, parent, called, results, len(names), source)
    elif _unpacked(parent, run):
        assert isinstance(parent, ast.Assign)
        _assigned(parent, run, called, results, len(names), source)
    elif None in results and names and (listed := _with_none(called, run, results, len(names))) is not None:
        source.replace(source.span(run.node), listed)
    elif None in results or results != list(range(len(names))):
        raise NotNativeError(
            run.node, "NAT002", "the results of this call include those of ops; unpack them into names"
        )
    elif len(names) == 1:
        source.replace(source.span(run.node), f"[{_arrays(called, run) if run.nested else f'{called}.numpy()'}]")
    else:
        source.replace(source.span(run.node), _arrays(called, run, "[]"))


def _with_none(called: str, run: Run, results: list[int | None], count: int) -> str | None:
    """Returns the results as a list with the None of training ops, as TensorFlow 1 gave; None where that fails.

    It fails if ops stand between values. An assignment gave its new value.
    """
    if any(result is None and fetch.kind is not Kind.TRAIN for result, fetch in zip(results, run.fetches, strict=True)):
        return None
    first = results.index(0) if 0 in results else 0
    if results != [*[None] * first, *range(count), *[None] * (len(results) - first - count)]:
        return None
    values = f"{called}.numpy()" if count == 1 and not run.nested else f"*{_arrays(called, run)}"
    return f"[{', '.join([*['None'] * first, values, *['None'] * (len(results) - first - count)])}]"


def _arrays(called: str, run: Run, brackets: str = "()") -> str:
    """Returns the results of a function as arrays; summaries among them are dicts."""
    if run.nested or any(fetch.kind is Kind.SUMMARY for fetch in run.fetches):
        values = f"tf.nest.map_structure(lambda value: value.numpy(), {called})"
        return f"list({values})" if run.nested and run.shape != "one" and brackets == "[]" else values
    return f"{brackets[0]}value.numpy() for value in {called}{brackets[1]}"


def key_of(fetch: Fetch) -> str:
    return fetch.place or ast.unparse(fetch.node)


def _picked(
    run: Run, parent: ast.Subscript, called: str, results: list[int | None], count: int, source: SourceText
) -> None:
    if ast.unparse(parent.slice) == f":{count}" and results[:count] == list(range(count)):
        source.replace(source.span(parent), _arrays(called, run, "[]"))
        return
    index = parent.slice.value if isinstance(parent.slice, ast.Constant) else None
    if not isinstance(index, int) or not 0 <= index < len(results) or results[index] is None:
        raise NotNativeError(run.node, "NAT002", "the source does not say which result of this call is used")
    chosen = f"{called}.numpy()" if count == 1 else f"{called}[{results[index]}].numpy()"
    source.replace(source.span(parent), chosen)


def _unpacked(parent: ast.AST, run: Run) -> bool:
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1 or parent.value is not run.node:
        return False
    target = parent.targets[0]
    return isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == len(run.fetches)


def _assigned(
    parent: ast.Assign, run: Run, called: str, results: list[int | None], count: int, source: SourceText
) -> None:
    target = parent.targets[0]
    assert isinstance(target, (ast.Tuple, ast.List))
    kept = [(part, result) for part, result in zip(target.elts, results, strict=True) if result is not None]
    if not kept:
        source.replace(source.span(parent), called)
        return
    kept.sort(key=lambda pair: pair[1])
    texts = [source.text_of(part) for part, _ in kept]
    if count == 1 and len(kept) == 1:
        ending = "" if run.values[0].kind is Kind.SUMMARY else ".numpy()"
        value = _arrays(called, run) if run.nested else f"{called}{ending}"
        source.replace(source.span(parent), f"{texts[0]} = {value}")
        return
    if [result for _, result in kept] != list(range(count)):
        raise NotNativeError(run.node, "NAT002", "the same value is fetched twice; fetch it once")
    source.replace(source.span(parent), f"{', '.join(texts)} = {_arrays(called, run)}")
