"""The program around a file: its entries, its local modules that use TensorFlow, and the facts about all of them."""

from __future__ import annotations

import ast
from collections.abc import Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath

from codemods.facts import Facts, Imported, imported_by
from codemods.votes import vote

_SOURCES = frozenset(("src", "lib", "python"))
_V1 = "tensorflow.compat.v1"
# The most modules of a file that are followed; no real file binds as many.
_MOST_MODULES = 200
_REMEMBERED = 64
_ENABLED = "tensorflow.enable"  # the spelling of tf2bridge.v1.enable in the facts


@dataclass(eq=False)
class Project:
    """The facts of every file of a tree, by path (posix, as reported), and the imports among them.

    It does not change after it is made. Files that depend on results of other files get them by `Context.bridged`.
    """

    files: dict[str, Facts] = field(default_factory=dict)
    _resolved: dict[tuple[str, str, int], frozenset[str]] = field(default_factory=dict)
    _reached: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    _exported: dict[str, tuple[dict[str, str], list[str]]] = field(default_factory=dict)
    _released: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sorts the files, so that results do not depend on read order or on the number of processes."""
        self.files = dict(sorted(self.files.items()))

    @cached_property
    def edges(self) -> dict[str, frozenset[str]]:
        """File -> the files of the project that it imports."""
        return {path: self._imports_of(facts) for path, facts in self.files.items()}

    def _imports_of(self, facts: Facts) -> frozenset[str]:
        files: set[str] = set()
        for imported in facts.imports:
            files |= self.loaded(facts.path, imported)
        return frozenset(files - {facts.path})

    @cached_property
    def votes(self) -> dict[str, int]:
        """File -> the TensorFlow of its own names, see `votes.vote`."""
        return {path: vote(facts) for path, facts in self.files.items()}

    @cached_property
    def imported(self) -> frozenset[str]:
        """The files that another file of the project imports."""
        return frozenset().union(*self.edges.values()) if self.edges else frozenset()

    @cached_property
    def older(self) -> list[str]:
        """One piece of evidence for 0.x from each file that has only evidence for 0.x."""
        return [f"{facts.path}: {facts.older[0]}" for facts in self.files.values() if facts.older and not facts.newer]

    @cached_property
    def required(self) -> list[Facts]:
        """The lists of packages, those of setup.py too, that name a release of 0.x or of 1.x."""
        return [facts for facts in self.files.values() if facts.asked]

    @cached_property
    def by_names(self) -> list[Facts]:
        """The files with evidence for 0.x or for 1.x, and not for both."""
        files = (facts for facts in self.files.values() if not facts.asked)
        return [facts for facts in files if bool(facts.older) != bool(facts.newer)]

    @cached_property
    def names_used(self) -> frozenset[str]:
        """The qualified names that any file uses."""
        return frozenset().union(*(facts.names_used for facts in self.files.values()))

    @cached_property
    def newer(self) -> list[str]:
        """The same for 1.x."""
        return [f"{facts.path}: {facts.newer[0]}" for facts in self.files.values() if facts.newer and not facts.older]

    def loaded(self, path: str, imported: Imported) -> frozenset[str]:
        """Returns the project's files that an import statement in `path` loads."""
        files: set[str] = set()
        for module in imported.modules or ("",):
            files |= self._locate(path, module, imported.level)
        return frozenset(files)

    def located(self, path: str, module: str) -> frozenset[str]:
        """Returns the project's files that `module`, with the dots before it, means in the file at `path`."""
        return self._locate(path, module.lstrip("."), _dots(module))

    def _locate(self, path: str, module: str, level: int) -> frozenset[str]:
        key = (path.rpartition("/")[0], module, level)
        if key not in self._resolved:
            self._resolved[key] = frozenset(self._search(path, module, level))
        return self._resolved[key]

    def _search(self, path: str, module: str, level: int) -> set[str]:
        """Searches beside the file, in each directory above it (sys.path may have any), and in source folders."""
        above = folders(path)
        parts = module.split(".") if module else []
        for base in above[level - 1 : level] if level else [*above, *self.sources.get(parts[0] if parts else "", ())]:
            places = [base + "/".join(parts[:end]) for end in range(1, len(parts) + 1)]
            names = [name for place in places for name in (f"{place}.py", f"{place}/__init__.py")]
            files = {name for name in names or [f"{base}__init__.py"] if name in self.files}
            if files:
                return files
        return set()

    @cached_property
    def sources(self) -> dict[str, frozenset[str]]:
        """Package -> its source folder in the project, such as src or a folder with a setup.py."""
        tops = {path.removesuffix("__init__.py") for path in self.files if path.endswith("/__init__.py")}
        bases_by_name: dict[str, set[str]] = {}
        for top in tops:
            base, _, name = top[:-1].rpartition("/")
            base = f"{base}/" if base else ""
            if base not in tops and (PurePosixPath(base).name in _SOURCES or f"{base}setup.py" in self.files):
                bases_by_name.setdefault(name, set()).add(base)
        return {name: frozenset(bases) for name, bases in bases_by_name.items() if len(bases) == 1}

    @cached_property
    def importers(self) -> dict[str, frozenset[str]]:
        """File -> the files of the project that import it."""
        importers: dict[str, set[str]] = {path: set() for path in self.files}
        for path, others in self.edges.items():
            for other in others:
                importers[other].add(path)
        return {path: frozenset(others) for path, others in importers.items()}

    def reaches(self, path: str) -> frozenset[str]:
        """Returns the file itself and every project file it imports, directly or not."""
        return self._along("edges", path)

    def reached_by(self, path: str) -> frozenset[str]:
        """Returns the file itself and every project file that imports it, directly or not."""
        return self._along("importers", path)

    def _along(self, direction: str, path: str) -> frozenset[str]:
        """Returns the files along one direction of imports.

        A cache of all answers would grow as the square of the files.
        """
        key = (direction, path)
        if key not in self._reached:
            if len(self._reached) >= _REMEMBERED:
                self._reached.clear()
            self._reached[key] = _reachable(getattr(self, direction), {path} & self.files.keys())
        return self._reached[key]

    @cached_property
    def taken(self) -> dict[str, frozenset[str]]:
        """File -> the names that other files import from it; "*" if one imports all."""
        names_by_file: dict[str, set[str]] = {path: set() for path in self.files}
        for path, facts in self.files.items():
            names = [(module.lstrip("."), _dots(module), "*") for module in facts.wildcards]
            for imported in facts.imports:
                parts = (module.rpartition(".") for module in imported.modules)
                names += [(head, imported.level, name) for head, _, name in parts if head or imported.level]
            for head, level, name in names:
                for other in self._locate(path, head, level) - {path}:
                    names_by_file[other].add(name)
        return {path: frozenset(names) for path, names in names_by_file.items()}

    def uses_tf(self, path: str) -> bool:
        """Returns whether running the file loads TensorFlow, itself or through a local module."""
        return path in self.loading

    @cached_property
    def loading(self) -> frozenset[str]:
        """The files that use TensorFlow, and all that import one of these, directly or not."""
        return _reachable(self.importers, {path for path, facts in self.files.items() if facts.uses_tf})

    def loads_local_tf(self, path: str, statement: ast.stmt) -> bool:
        """Returns whether a statement imports a module of the project that (transitively) uses TensorFlow."""
        for node in ast.walk(statement):
            imported = imported_by(node) if isinstance(node, ast.stmt) else None
            if imported and any(self.uses_tf(other) for other in self.loaded(path, imported) if other != path):
                return True
        return False

    def is_entry(self, path: str) -> bool:
        """Returns whether the file is a program of its own that uses TensorFlow."""
        facts = self.files.get(path)
        if facts is None or not self.uses_tf(path):
            return False
        if facts.runs == "guard":
            return True
        if path in self.imported:
            return False
        return facts.runs is not None or _is_test(path) or self._calls_local(facts)

    def _calls_local(self, facts: Facts) -> bool:
        """Returns whether the file, when it runs, calls a local module that uses TensorFlow."""
        for name in facts.calls_other:
            files = self.located(facts.path, name)
            if any(self.uses_tf(other) for other in files if other != facts.path):
                return True
        return False

    def stars(self, path: str) -> list[str]:
        """Returns the files whose names a file gets by wildcard imports, directly or not."""
        order: dict[str, None] = {}
        waiting = [path]
        while waiting:
            current = waiting.pop()
            if current not in order:
                order[current] = None
                modules = self.files[current].wildcards if current in self.files else ()
                waiting += [other for module in modules for other in sorted(self.located(current, module))]
        return [other for other in order if other != path]

    def inherited(self, path: str, used: frozenset[str]) -> dict[str, str]:
        """Returns the names that a file gets by wildcard imports of local modules, with their meanings.

        Only names that the file uses, and names of modules, which may require a rewrite.
        """
        meanings: dict[str, str] = {}
        for other in self.stars(path):
            exports, modules = self._exports(other)
            for name in (*modules, *(used & exports.keys())):
                meanings.setdefault(name, exports[name])
        return meanings

    def _exports(self, path: str) -> tuple[dict[str, str], list[str]]:
        """Returns the meanings of a file's names, and the names of modules among them."""
        if path not in self._exported:
            exports = dict(self.files[path].exports)
            modules = (name for name, meaning in exports.items() if "." not in meaning or meaning == _V1)
            self._exported[path] = exports, list(islice(modules, _MOST_MODULES))
        return self._exported[path]

    def is_switched(self, path: str) -> bool:
        """Returns whether the file switches graph mode on itself."""
        return path in self.files and self.files[path].switched

    def is_seeded(self, path: str) -> bool:
        """Returns whether any file of the program that starts here sets a graph seed."""
        return any(self.files[other].seeded for other in self.reaches(path))

    def prints_containers(self, path: str) -> bool:
        """Returns whether any file of the program that starts here prints lists or the like."""
        return any(self.files[other].prints_containers for other in self.reaches(path))

    def changed(self, path: str) -> frozenset[str]:
        """Returns what the program that starts here computes differently on TensorFlow 2, see `behaviour`."""
        return frozenset().union(*(self.files[other].changed for other in self.reaches(path)))

    def follows_release(self, path: str) -> bool:
        """Returns whether a program with this file switches to its release by `tf2bridge.v1.enable`.

        If no file imports it (paths may be computed), any program of the project may use it.
        """
        if path not in self._released:
            around = _reachable(self.edges, self.reached_by(path))
            if path not in self.imported and not self.is_entry(path):
                around = frozenset(self.files)
            files = [self.files[other] for other in around]
            follows = any(facts.seeded or facts.changed or _ENABLED in facts.names_used for facts in files)
            self._released[path] = follows
        return self._released[path]


def _reachable(edges: dict[str, frozenset[str]], start: Set[str]) -> frozenset[str]:
    seen = set(start)
    todo = [*seen]
    while todo:
        new = edges[todo.pop()] - seen
        seen |= new
        todo += new
    return frozenset(seen)


def folders(path: str) -> list[str]:
    """Returns the folders above a path, the nearest first, each as a prefix for a name."""
    ends = [at for at, letter in enumerate(path) if letter == "/"]
    return [path[: end + 1] for end in reversed(ends)] + ([] if path.startswith("/") else [""])


def _dots(module: str) -> int:
    return len(module) - len(module.lstrip("."))


def _is_test(path: str) -> bool:
    stem = PurePosixPath(path).stem
    return stem.startswith("test_") or stem.endswith("_test")
