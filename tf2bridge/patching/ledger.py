"""Sets of changes in other libraries, each of which is made and undone as a whole."""

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
    """A value under a name of an object. `by` is our module that replaced it."""

    owner: Any
    name: Any
    before: Any
    after: Any
    by: str

    @property
    def place(self) -> tuple[int, Any]:
        """Returns the key of this name of this object."""
        return id(self.owner), self.name


class Attribute(_Named):
    """One attribute of a class, a module or another object."""

    def held(self) -> Any:
        """Returns the current value."""
        return held(self.owner, self.name)

    def write(self, value: Any) -> None:
        """Sets the value, or deletes the name."""
        write(self.owner, self.name, value)


class Item(_Named):
    """One entry of a dictionary."""

    def held(self) -> Any:
        """Returns the current value."""
        return self.owner.get(self.name, ABSENT)

    def write(self, value: Any) -> None:
        """Sets the value, or deletes the entry."""
        if value is ABSENT:
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = value


@dataclass
class Function:
    """A function that was replaced in all loaded modules that refer to it.

    Attributes:
        own: The places where the new functions are defined. They are not restored.
    """

    before: Any
    after: Any
    by: str
    own: set[Place]


@dataclass
class Action:
    """A function that undoes a change which is neither an attribute nor an entry."""

    undo: Callable[[], object]
    by: str


Change = Attribute | Item | Function | Action


class PatchSet:
    """Changes that belong together.

    Attributes:
        name: Their purpose.
        changes: All changes, in their order.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.changes: list[Change] = []

    @contextlib.contextmanager
    def collecting(self) -> Iterator[None]:
        """Adds the changes within the block to this set. If the block fails, the whole set is undone."""
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
        """Undoes the changes within the block after it."""
        try:
            with self.collecting():
                yield
        finally:
            self.undo()

    def undo(self) -> None:
        """Undoes all changes, the last one first.

        If another set has replaced a value since then, its value stays. That set will restore the value from before
        this set. Values that the program itself has set stay too.
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
    """Registers a function that undoes a change which is neither an attribute nor an entry."""
    _note(Action(action, _caller()))


def note_functions(pairs: list[tuple[Any, Any]], own: set[Place]) -> None:
    """Notes that functions were replaced in all modules. `own` are the places where the new functions are defined."""
    by = _caller()
    for before, after in pairs:
        if before is not after:
            _note(Function(before, after, by, own))


def open_set() -> PatchSet:
    """Returns the set to which the next change of this thread belongs."""
    return _collecting()[-1] if _collecting() else _OTHERS


def all_changes() -> list[Change]:
    """Returns every active change."""
    return [change for patches in _sets for change in patches.changes]


_sets: list[PatchSet] = []
"""The sets with changes, in the order of their first changes."""

_open = threading.local()

_OTHERS = PatchSet("outside any set")


def _collecting() -> list[PatchSet]:
    """Returns the sets whose blocks this thread has entered; the last one gets the next change."""
    entered: list[PatchSet] = vars(_open).setdefault("sets", [])
    return entered


def _note(change: Change) -> None:
    with _LOCK:
        patches = open_set()
        if not patches.changes:
            _sets.append(patches)
        patches.changes.append(change)


def _put_back(functions: dict[int, Function]) -> None:
    """Restores functions in all modules, and in the changes of other sets."""
    if not functions:
        return
    for active in all_changes():
        if not isinstance(active, Action):
            active.before = _original(active.before, functions)
    spared = set().union(*(change.own for change in functions.values()))
    swap({key: (change.after, _original(change.after, functions)) for key, change in functions.items()}, spared)


def _original(value: Any, functions: dict[int, Function]) -> Any:
    """Returns the original of a value that was replaced, perhaps several times."""
    *_, original = _origins(value, functions)
    return original


def _origins(value: Any, functions: dict[int, Function]) -> Iterator[Any]:
    """Yields a value, the one that it has replaced, and so on to the original."""
    yield value
    while (change := functions.get(id(value))) is not None and change.after is value:
        value = change.before
        yield value


def _places() -> dict[tuple[int, Any], list[Attribute | Item]]:
    """Returns place -> active changes there."""
    places: dict[tuple[int, Any], list[Attribute | Item]] = {}
    for change in all_changes():
        if isinstance(change, Attribute | Item):
            places.setdefault(change.place, []).append(change)
    return places


def _undo_place(
    change: Attribute | Item, functions: dict[int, Function], later_changes: Iterable[Attribute | Item]
) -> None:
    """Restores the former value, or hands it to the set that has replaced it since."""
    before, after = _original(change.before, functions), _original(change.after, functions)
    for later in later_changes:
        if later.before is after:
            later.before = before
            return
    origins = _origins(change.held(), functions)  # the value may have been replaced as a function since
    if any(value is after or value is change.after for value in origins):
        change.write(before)


def _holders(owner: Any) -> list[Any]:
    """Returns the objects that have an owner's names: a module of the public API may wrap the real module."""
    wrapped = wrapped_by(owner)
    return [owner] if wrapped is None else [wrapped, owner]


def _caller() -> str:
    """Returns the module that asked for the change: the first caller outside this package."""
    return frames.module_of(frames.first_outside(_PACKAGE))
