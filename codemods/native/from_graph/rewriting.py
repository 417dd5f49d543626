"""Rewrites a recorded program: its model is that of the recorded graph, and its own source drives it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codemods import scopes
from codemods.native import checks, savers
from codemods.native.facts import Facts, LocatedFacts
from codemods.native.fetch_lists import with_fetches
from codemods.native.finishing import headed, tidied
from codemods.native.from_graph.building import Building
from codemods.native.from_graph.definitions import Definitions, Function
from codemods.native.from_graph.edits import Edits
from codemods.native.from_graph.model_calls import ModelCalls
from codemods.native.from_graph.recorded_savers import RecordedSavers
from codemods.native.from_graph.recorded_sites import Site, SiteReader, calls_of_sessions
from codemods.native.from_graph.recorded_writers import ADD_SUMMARY, RecordedWriters
from codemods.native.from_graph.remains import Remains
from codemods.native.from_graph.values_of_runs import ValuesOfRuns
from codemods.native.native_map import Call, Dropped
from codemods.native.recorded_models import ModelFunction, ModelWanted
from codemods.native.refusals import NotNativeError
from codemods.native.single_statements import with_single_statements
from codemods.native.source_text import SourceText
from codemods.native.special_calls import translate
from codemods.native.texts_of_runs import with_formats
from codemods.native.translations import Translation
from codemods.tree import walk

_STARTS = "the model has the first values that were recorded"
_AT_ONCE = "it is computed at once, of values of Python"
_IDLE = "nothing calls this function, and the trace did not reach it; it went with the graph"
_UNREACHED = "the trace did not reach this call, which is not proven, of"
_SHOWN = "this printed while the graph was built, and went with it"


@dataclass(frozen=True)
class FromGraph:
    """A program without a graph.

    Attributes:
        text: The new text.
        model: The model that it loads.
        calls, dropped: The rows of its map.
        files: The names of further files that it needs beside it.
        shown: (line of a print that went, why).
        unproven: (line of a call, why the trace does not prove it).
    """

    text: str
    model: ModelWanted
    calls: tuple[Call, ...]
    dropped: tuple[Dropped, ...]
    files: tuple[str, ...]
    shown: tuple[tuple[int, str], ...]
    unproven: tuple[tuple[int, str], ...] = ()


def rewrite(
    text: str, module: str, package: str, line: Callable[[int], int], file: Callable[[int], str], facts: Facts
) -> FromGraph:
    """Returns a program that loads its model.

    Args:
        text: The text as the compat target makes it.
        module: The name of the file as a module.
        package: The name of the package that holds the model.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives that file, where the text is joined from several.
        facts: What was recorded of the program.

    Raises:
        NotNativeError: The program needs more of its graph than calls of it; the error says where.
    """
    text = with_fetches(with_formats(text))
    apart = with_single_statements(text)
    if apart is None:
        return _Program(text, LocatedFacts(facts, line, file)).rewritten(module, package)
    text, origins = apart

    def old(number: int) -> int:
        return origins[min(max(number, 1), len(origins)) - 1]

    located = LocatedFacts(facts, lambda n: line(old(n)), lambda n: file(old(n)))
    return _Program(text, located).rewritten(module, package)


class _Program:
    def __init__(self, text: str, located: LocatedFacts) -> None:
        tree = ast.parse(text)
        self._text, self._line = text, located.line
        self._names = scopes.resolve(tree)
        self._source = SourceText(text, tree)
        self._definitions = Definitions(self._names)
        calls = calls_of_sessions(self._names, located)
        self._savers = RecordedSavers(self._definitions, located)
        self._writers = RecordedWriters(self._definitions)
        kept = {*self._savers.made, *self._savers.methods, *self._writers.made, *self._writers.methods}
        building = Building(self._definitions, calls, kept)
        self._types = [{op.name: op.type for op in graph} for graph in located.facts.graphs]
        self._reader = SiteReader(self._definitions, located, building.holds)
        self._sites = self._reader.read(calls)
        idle = set(self._reader.idle)  # they go with their functions
        self._building = Building(self._definitions, calls - idle, kept) if idle else building

    def rewritten(self, module: str, package: str) -> FromGraph:
        """Returns the new program."""
        run = [site for site in self._sites if not site.starts and not site.at_once]
        at_once = [site for site in self._sites if site.at_once]
        starting = [site for site in self._sites if site.starts]
        graphs = {site.recorded.graph for site in run}
        if len(graphs) != 1:
            why = (
                "it runs several graphs; a program with one can be native" if graphs else "the trace has no calls of it"
            )
            raise NotNativeError(self._names.tree, "NAT008", why)
        stay = {site.node for site in (*run, *at_once)}
        makers = {site.objects.owner for site in run if site.objects is not None}
        remains = Remains(self._building, stay, {site.node for site in starting}, makers)
        ValuesOfRuns(self._building, stay).require_unbuilt(remains.gone)
        model = self._free_name("model")
        calls = ModelCalls(model, self._reader.fed, self._source, self._names.parents)
        edits = Edits(self._source, self._building, remains)
        keys = list(edits.keys(run))
        calls.decide(keys, run)
        calls.name(keys)
        functions = {site.node: calls.add(site) for site in run}
        edits.write(run, calls, [*(s.node for s in at_once), *self._savers.vanishing(), *self._writers.vanishing()])
        for site in at_once:
            self._source.replace(self._source.span(site.node), f"{self._source.text_of(site.parts[0])}.numpy()")
        saved = self._savers.write(self._source, model)
        self._writers.write(self._source)
        iterators = {maker: self._free_name(f"{self._class_of(maker)}_functions") for maker in calls.objects}
        edits.write_objects(calls, iterators)
        loading = [
            f"{model} = {package}.load()",
            *(_iterator(iterators[m], calls.objects[m], model) for m in iterators),
        ]
        text = self._translated("\n".join(loading), package)
        wanted = ModelWanted(package, f"{module}.py", graphs.pop(), tuple(calls.functions.values()), saved)
        rows = [row for site in run for row in self._rows(site, f"{package}.model:Model", functions[site.node])]
        dropped = [Dropped(site.legacy, "initializer", _STARTS, site.recorded.leaves) for site in starting]
        dropped += [
            Dropped(site.legacy, "other", _AT_ONCE, known.leaves)
            for site in at_once
            for known in (site.recorded, *site.again)
        ]
        idle = [(self._line(call.lineno), _IDLE) for call in self._reader.idle]
        unproven = tuple(
            (self._line(s.node.lineno), f"{_UNREACHED} {functions[s.node][0].name}") for s in run if not s.reached
        )
        shown = tuple((self._line(call.lineno), _SHOWN) for call in remains.prints())
        return FromGraph(text[0], wanted, tuple(rows), tuple(dropped), text[1], shown, (*unproven, *idle))

    def _rows(self, site: Site, model: str, functions: Sequence[ModelFunction]) -> Iterator[Call]:
        """Yields the row of a call for each object, and one for each time that it made the same operations anew."""
        types = self._types[site.recorded.graph]
        alone = [(site.recorded, *site.again), *((run,) for run in site.fewer)]
        objects = site.objects.runs if site.objects is not None else alone
        for known, runs in zip(functions, objects, strict=True):
            for run in runs:
                names = dict(zip(runs[0].leaves, run.leaves, strict=True))
                fetches = (
                    "" if types.get(name.partition(":")[0], "").endswith("Summary") else names[name]
                    for name in known.fetches  # the values of summaries are compared by tag
                )
                operations = tuple(names[name] for name in known.operations)
                feeds = tuple(known.feeds.values())
                yield Call(site.legacy, f"{model}.{known.name}", feeds, tuple(fetches), operations)

    def _class_of(self, method: Function) -> str:
        made = self._names.parents[method]
        return made.name.lower() if isinstance(made, ast.ClassDef) else ""

    def _free_name(self, wished: str) -> str:
        has = checks.own_names(self._names.tree) | {
            name.id for name in walk(self._names.tree) if isinstance(name, ast.Name)
        }
        return next(name for name in (wished, f"recorded_{wished}", f"{wished}_of_graph") if name not in has)

    def _translated(self, loading: str, package: str) -> tuple[str, tuple[str, ...]]:
        """Returns the text with names of TensorFlow 2, and the files that it needs.

        Raises:
            NotNativeError: It still has parts of TensorFlow 1.
        """
        text = _without_unused(self._source.result())
        tree = ast.parse(text)
        source, names = SourceText(text, tree), scopes.resolve(tree)
        translation = Translation(source, names, {})
        translate(translation)
        modules = {*translation.imports, package} | ({"os"} if self._savers.made else set())
        more = [savers.SAVER] if self._savers.made else []
        more += [ADD_SUMMARY] if self._writers.made else []
        needs_tf = more or any(site.shape == "nested" for site in self._sites)
        checks.require_other_names(more, self._names.tree)
        text = headed(source.result(), modules, (), [*more, loading])
        if needs_tf and "import tensorflow as tf\n" not in text:
            text = text.replace(f"import {package}\n", f"import tensorflow as tf\nimport {package}\n", 1)
        text = tidied(text)
        text = _without_unused(text)
        checks.require_native(text, self._names.tree, self._names)
        return text, tuple(sorted(translation.files))


def _iterator(name: str, attributes: Mapping[str, Sequence[ModelFunction]], model: str) -> str:
    """Returns the line that gives the functions of each object, in the order in which the program makes them."""
    objects = [
        [f"{model}.{function.name}" for function in functions] for functions in zip(*attributes.values(), strict=True)
    ]
    texts = [parts[0] if len(parts) == 1 else f"({', '.join(parts)})" for parts in objects]
    return f"{name} = iter([\n" + "".join(f"    {text},\n" for text in texts) + "])"


def _without_unused(text: str) -> str:
    """Returns a text without imports of TensorFlow that nothing uses."""
    tree = ast.parse(text)
    source = SourceText(text, tree)
    used = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names = [f"{module}{alias.name}".split(".")[0] for alias in node.names]
            bound = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            if set(names) <= {"tensorflow", "tf2bridge"} and not bound & used and source.is_alone(node):
                source.delete(source.lines_of(node))
    return source.result()
