"""Sets of changes in other libraries, each made and undone as a whole."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

from tf2bridge import frames
from tf2bridge.patching.modules import ABSENT, Place, held, swap, wrapped_by, write

_PACKAGE = "tf2bridge.patching."
_LOCK = threading.RLock()


@dataclass
class _Named:
    """What is held by a name; `by` is the module of ours that replaced it."""

    owner: Any
    name: Any
    before: Any
    after: Any
    by: str

    @property
    def place(self) -> tuple[int, Any]:
        """What tells this name of this object from all others."""
        return id(self.owner), self.name


class Attribute(_Named):
    """One attribute of a class, a module or another object."""

    def held(self) -> Any:
        """Returns what is there now."""
        return held(self.owner, self.name)

    def write(self, value: Any) -> None:
        """Puts a value there, or takes the name away."""
        write(self.owner, self.name, value)


class Item(_Named):
    """One entry of a dictionary."""

    def held(self) -> Any:
        """Returns what is there now."""
        return self.owner.get(self.name, ABSENT)

    def write(self, value: Any) -> None:
        """Puts a value there, or takes the entry away."""
        if value is ABSENT:
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = value


@dataclass
class Function:
    """A function, replaced wherever loaded modules hold it.

    Attributes:
        own: the names that held the new functions of the same call before: where those were defined.
    """

    before: Any
    after: Any
    by: str
    own: set[Place]


@dataclass
class Action:
    """What undoes a change that is neither an attribute nor an entry."""

    undo: Callable[[], object]
    by: str


Change = Attribute | Item | Function | Action


class PatchSet:
    """Changes that belong together.

    Attributes:
        name: what they are for.
        changes: all of them, in the order in which they were made.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.changes: list[Change] = []

    @contextlib.contextmanager
    def collecting(self) -> Iterator[None]:
        """Changes made within the block belong to this set. If the block fails, the whole set is undone."""
        _collecting().append(self)
        try:
            yield
        except BaseException:
            self.undo()
            raise
        finally:
            _collecting().remove(self)

    @contextlib.contextmanager
    def for_a_while(self) -> Iterator[None]:
        """Changes made within the block are undone after it."""
        try:
            with self.collecting():
                yield
        finally:
            self.undo()

    def undo(self) -> None:
        """Puts everything back, the last change first.

        What another set has replaced since then stays, and that set will put back what was there before this one. What
        the program itself has put there stays, too.
        """
        with _LOCK:
            changes, self.changes = self.changes, []
            if changes:
                _sets.remove(self)
            functions = {id(change.after): change for change in changes if isinstance(change, Function)}
            _put_back(functions)
            places = _places()
            for change in reversed(changes):
                if isinstance(change, Action):
                    change.undo()
                    places = _places()  # it may have undone another set
                elif isinstance(change, Attribute | Item):
                    _undo_place(change, functions, places.get(change.place, []))


def put(owner: Any, name: str, value: Any) -> None:
    """Replaces or adds one attribute of a module, a class or another object."""
    by = _caller()
    for holder in _holders(owner):
        _note(Attribute(holder, name, held(holder, name), value, by))
        write(holder, name, value)


def put_item(mapping: MutableMapping[Any, Any], key: Any, value: Any) -> None:
    """Replaces or adds one entry of a dictionary."""
    _note(Item(mapping, key, mapping.get(key, ABSENT), value, _caller()))
    mapping[key] = value


def on_undo(action: Callable[[], object]) -> None:
    """Names what undoes a change that is neither an attribute nor an entry."""
    _note(Action(action, _caller()))


def note_functions(pairs: list[tuple[Any, Any]], own: set[Place]) -> None:
    """Writes down that functions were replaced wherever modules hold them; `own` names held the new ones before."""
    by = _caller()
    for before, after in pairs:
        if before is not after:
            _note(Function(before, after, by, own))


def open_set() -> PatchSet:
    """Returns the set that the next change of this thread belongs to."""
    return _collecting()[-1] if _collecting() else _OTHERS


def all_changes() -> list[Change]:
    """Returns every change that is in force."""
    return [change for patches in _sets for change in patches.changes]


_sets: list[PatchSet] = []
"""Those that hold changes, in the order of their first ones."""

_open = threading.local()

_OTHERS = PatchSet("outside any set")


def _collecting() -> list[PatchSet]:
    """The sets whose blocks this thread has entered; the last one takes the next change."""
    entered: list[PatchSet] = vars(_open).setdefault("sets", [])
    return entered


def _note(change: Change) -> None:
    with _LOCK:
        patches = open_set()
        if not patches.changes:
            _sets.append(patches)
        patches.changes.append(change)


def _put_back(functions: dict[int, Function]) -> None:
    """Takes replaced functions out of all modules, and out of what other sets remember."""
    if not functions:
        return
    for other in all_changes():
        if not isinstance(other, Action):
            other.before = _original(other.before, functions)
    spared = set().union(*(change.own for change in functions.values()))
    swap({key: (change.after, _original(change.after, functions)) for key, change in functions.items()}, spared)


def _original(value: Any, functions: dict[int, Function]) -> Any:
    """Returns what a value was before the functions were replaced, one after another."""
    while (change := functions.get(id(value))) is not None and change.after is value:
        value = change.before
    return value


def _places() -> dict[tuple[int, Any], list[Attribute | Item]]:
    """Returns the changes in force, by what they changed."""
    places: dict[tuple[int, Any], list[Attribute | Item]] = {}
    for change in all_changes():
        if isinstance(change, Attribute | Item):
            places.setdefault(change.place, []).append(change)
    return places


def _undo_place(change: Attribute | Item, functions: dict[int, Function], others: Iterable[Attribute | Item]) -> None:
    """Puts back what was there, or tells the set that has replaced it since what that was."""
    before, after = _original(change.before, functions), _original(change.after, functions)
    for other in others:
        if other.before is after:
            other.before = before
            return
    now = change.held()
    if now is after or now is change.after:
        change.write(before)


def _holders(owner: Any) -> list[Any]:
    """A module of the public API may wrap the one that holds its names."""
    wrapped = wrapped_by(owner)
    return [owner] if wrapped is None else [wrapped, owner]


def _caller() -> str:
    """The module that asked for the change: the first one outside this package."""
    return frames.module_of(frames.first_outside(_PACKAGE))
