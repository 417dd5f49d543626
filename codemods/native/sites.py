"""What stands in place of each call of a session."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from codemods.native import metrics
from codemods.native.containers import is_container
from codemods.native.functions import Function, Planner
from codemods.native.items import Body
from codemods.native.iterators import Iterators
from codemods.native.kinds import OF_VARIABLES, Kind, v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.runs import Fetch, Reader, Run
from codemods.native.slices import places_in
from codemods.native.source_text import SourceText
from codemods.native.starting_again import require_apart
from codemods.native.starts import Started, is_whole_element, only, require_one_scope, started
from codemods.tree import walk

_LOOPS = (ast.For, ast.While)
_IN_GRAPH = frozenset({Kind.TENSOR, Kind.PLACEHOLDER, Kind.GRADIENTS, Kind.COLLECTED})


@dataclass
class Plan:
    """The calls of sessions: those that become calls of functions, those that read values, those that vanish."""

    parents: Mapping[ast.AST, ast.AST]
    body: Body
    iterators: Iterators
    calls: list[ast.Call] = field(default_factory=list)
    functions: list[tuple[Run, Function]] = field(default_factory=list)
    reads: list[Run] = field(default_factory=list)
    dropped: list[Run] = field(default_factory=list)
    starts: list[Started] = field(default_factory=list)
    at: dict[ast.Call, int] = field(default_factory=dict)


def plan(body: Body, meanings: Meanings, reader: Reader, planner: Planner) -> Plan:
    """Returns what becomes of each call of a session.

    Raises:
        NotNativeError: A call cannot become native.
    """
    made = Plan(reader.parents, body, planner.iterators)
    holders = {id(node): item for item in body.items for node in walk(item.node)}
    for call, places in sorted(meanings.sites.items(), key=lambda pair: (pair[0].lineno, pair[0].col_offset)):
        item = holders.get(id(call))
        late = item is None or isinstance(item.node, (ast.FunctionDef, ast.ClassDef))
        at = len(body.items) if late or item is None else item.index
        run = reader.read(call, places)
        made.calls.append(call)
        made.at[call] = at
        if all(fetch.kind in (Kind.INIT, Kind.START) for fetch in run.fetches):
            _initialize(run, at, made, planner)
        elif any(fetch.kind in (Kind.INIT, Kind.START) for fetch in run.fetches):
            raise NotNativeError(call, "NAT007", "it initializes and computes in one call; make two calls of it")
        elif _only_reads(run) or _is_eager(run, places):
            made.reads.append(run)
            if run.feed_dict is not None:
                made.calls.append(_keys(run.feed_dict))
        else:
            _require_built(run, body)
            several = (is_whole_element(f, body, at) or is_container(f, body, at, meanings) for f in run.fetches)
            if any(several):
                run = replace(run, nested=True)
            function = planner.add(run, at)
            _require_names(run, function, made)
            made.functions.append((run, function))
            if run.feed_dict is not None:
                made.calls.append(_keys(run.feed_dict))
    again = [run for run in made.dropped if _gives_first_values(run, body) and not _is_restored(run, made, meanings)]
    require_apart([made.at[run.node] for run in again], made.functions, made.reads, made.at, body, meanings)
    return made


def _initialize(run: Run, at: int, made: Plan, planner: Planner) -> None:
    """Notes a call that initializes variables, and starts iterators."""
    first = only(run, Kind.INIT)
    if first.fetches:
        _require_once(first, made)
    if len(first.fetches) == len(run.fetches):
        made.dropped.append(run)
        return
    made.starts.append(started(run, planner, at, made.parents[run.node]))
    require_one_scope(made.starts[-1], _function_round(run.node, made))
    if run.feed_dict is not None:
        made.calls.append(_keys(run.feed_dict))


def _function_round(node: ast.AST, made: Plan) -> ast.AST:
    """Returns the function round a node, or the module."""
    while node in made.parents and not isinstance(node, ast.FunctionDef):
        node = made.parents[node]
    return node


def is_attribute(function: Function, body: Body) -> bool:
    """Returns whether a function is an attribute of the object that builds the graph."""
    owner = body.main.owner
    return owner is not None and (body.main.instance is None or function.home in owner.body)


def owner_at(body: Body, node: ast.AST) -> str:
    """Returns what the attributes of the object that builds the graph begin with at a place: "self." or "model."."""
    instance, owner = body.main.instance, body.main.owner
    if owner is None:
        return ""
    return "self." if instance is None or any(below is node for below in walk(owner)) else f"{instance.name_at(node)}."


def _only_reads(run: Run) -> bool:
    """Returns whether a call only reads variables and constants. What is fed to constants is not used."""
    if run.feeds:
        plain = all(isinstance(value, (ast.Name, ast.Attribute, ast.Constant)) for value in run.feeds.values())
        return plain and run.feed_name is None and all(f.kind is Kind.CONSTANT for f in run.fetches)
    return all(f.kind in OF_VARIABLES or f.kind is Kind.CONSTANT for f in run.fetches)


def _require_names(run: Run, function: Function, made: Plan) -> None:
    """Refuses a fetch that reads a name of the function it stands in, where that is not the function it moves to.

    Raises:
        NotNativeError: There is such a name.
    """
    node = _function_round(run.node, made)
    if not isinstance(node, ast.FunctionDef) or node is function.home:
        return
    own = {below.arg for below in walk(node) if isinstance(below, ast.arg)}
    own |= {below.id for below in walk(node) if isinstance(below, ast.Name) and isinstance(below.ctx, ast.Store)}
    for place in sorted(places_in(fetch.node for fetch in run.fetches) & own):
        if made.body.definition(place, len(made.body.items), node) is None or made.body.main.instance is not None:
            message = f"it fetches what is computed from {place}, a name of {node.name}; compute it after the call"
            raise NotNativeError(run.node, "NAT008", message)


def _keys(feeds: ast.Dict) -> ast.Call:
    """Returns the keys of a dict of feeds as one node."""
    return ast.Call(func=ast.Name(id="dict", ctx=ast.Load()), args=[key for key in feeds.keys if key], keywords=[])


def _is_eager(run: Run, places: Mapping[str, Kind]) -> bool:
    """Returns whether a call makes one assignment that depends on nothing in the graph: `sess.run(v.assign(1))`."""
    if len(run.fetches) != 1 or run.feeds or run.fetches[0].place is not None:
        return False
    fetch = run.fetches[0]
    return fetch.kind is Kind.ASSIGN and not any(places.get(place) in _IN_GRAPH for place in places_in([fetch.node]))


def _require_built(run: Run, body: Body) -> None:
    for fetch in run.fetches:
        if fetch.kind is Kind.TRAIN and fetch.place is None:
            raise NotNativeError(
                fetch.node, "NAT004", "it makes a training op at each run; make the op before the loop"
            )
        for place in places_in([fetch.node]):
            for item in body.definitions(place):
                if item.effects.runs and item.moves:
                    raise NotNativeError(fetch.node, "NAT004", f"{place} is built while the program runs")


def _require_once(run: Run, made: Plan) -> None:
    node: ast.AST = run.node
    while node in made.parents:
        node = made.parents[node]
        if isinstance(node, _LOOPS):
            raise NotNativeError(run.node, "NAT008", "variables are initialized again in a loop; make them in the loop")
        if isinstance(node, ast.FunctionDef):
            break
    metrics.require_one_start(run, made.dropped, made.body, _function_round(run.node, made))


def _is_restored(run: Run, made: Plan, meanings: Meanings) -> bool:
    """Returns whether the next statement gives all variables the values of a checkpoint."""
    statement = made.parents[run.node]
    block = getattr(made.parents[statement], "body", [])
    after = block[block.index(statement) + 1 :] if statement in block else []
    call = after[0].value if after and isinstance(after[0], ast.Expr) else None
    is_restore = isinstance(call, ast.Call) and call in meanings.savers and ast.unparse(call.func).endswith(".restore")
    made_with = [c for c in walk(_root(made, run.node)) if isinstance(c, ast.Call)]
    savers = [c for c in made_with if v1_name(meanings.names, c.func) == "train.Saver"]
    return is_restore and all(
        not saver.args and all(keyword.arg == "max_to_keep" for keyword in saver.keywords) for saver in savers
    )


def _root(made: Plan, node: ast.AST) -> ast.AST:
    while node in made.parents:
        node = made.parents[node]
    return node


def _gives_first_values(run: Run, body: Body) -> bool:
    """Returns whether a call initializes the variables of the graph, and not only local ones or tables."""
    for fetch in run.fetches:
        made = body.definition(fetch.place, len(body.items)) if fetch.place else None
        text = ast.unparse(made.node if made is not None else fetch.node)
        if "local_variables" not in text and "tables" not in text:
            return True
    return False


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
