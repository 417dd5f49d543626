"""Sets of changes are undone exactly."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from tf2bridge.patching import PatchSet, on_undo, put, put_item, rebind
from tf2bridge.patching.ledger import all_changes


class Base:
    def method(self) -> str:
        return "base"

    @staticmethod
    def plain() -> str:
        return "plain"


class Derived(Base):
    pass


@pytest.fixture
def library() -> Iterator[Any]:
    """Two modules that count as TensorFlow's and hold the same function."""

    def function() -> str:
        return "first"

    modules = [ModuleType(f"tensorflow._of_a_test_{number}") for number in range(2)]
    for module in modules:
        module.__dict__["function"] = function
        sys.modules[module.__name__] = module
    yield modules
    for module in modules:
        del sys.modules[module.__name__]


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    before = len(all_changes())
    yield
    assert len(all_changes()) == before


def test_a_block_puts_everything_back() -> None:
    before = dict(vars(Base)), dict(vars(Derived))
    entries = {"kept": 1, "changed": 2}
    message: list[str] = []
    with PatchSet("a block").for_a_while():
        put(Base, "method", lambda _: "new")
        put(Base, "plain", staticmethod(lambda: "new"))
        put(Derived, "method", lambda _: "derived")
        put(Base, "added", 1)
        put(Base, "__name__", "Other")
        put_item(entries, "changed", 3)
        put_item(entries, "added", 4)
        on_undo(lambda: message.append("undone"))
        assert (Base().method(), Base.plain(), Derived().method(), Base.__name__) == ("new", "new", "derived", "Other")
        assert entries == {"kept": 1, "changed": 3, "added": 4}
    assert (dict(vars(Base)), dict(vars(Derived)), Base.__name__) == (*before, "Base")
    assert entries == {"kept": 1, "changed": 2}
    assert message == ["undone"]


@pytest.mark.parametrize("problem", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_whatever_ends_the_block(problem: type[BaseException]) -> None:
    before = Base.method
    with pytest.raises(problem), PatchSet("a block").for_a_while():
        put(Base, "method", lambda _: "new")
        raise problem
    assert Base.method is before


def test_a_set_whose_changes_fail_is_undone_as_a_whole() -> None:
    before, patches = Base.method, PatchSet("for the process")
    with pytest.raises(AttributeError), patches.collecting():
        put(Base, "method", lambda _: "new")
        put(object(), "method", 1)
    assert Base.method is before
    assert patches.changes == []


def test_sets_can_be_undone_in_any_order() -> None:
    before, first, second = Base.method, PatchSet("first"), PatchSet("second")
    with first.collecting():
        put(Base, "method", lambda _: "first")
    with second.collecting():
        put(Base, "method", lambda _: "second")
    first.undo()
    assert Base().method() == "second"
    second.undo()
    assert Base.method is before


def test_functions_are_put_back_in_modules_that_were_loaded_since(library: Any) -> None:
    first, second = library
    function, later = first.function, ModuleType("tensorflow._of_a_test_later")
    sys.modules[later.__name__] = later
    with PatchSet("a function").for_a_while():
        rebind({id(function): (function, lambda: "new")})
        later.__dict__["taken"] = first.function
        assert first.function() == second.function() == "new"
    assert first.function is second.function is later.__dict__["taken"] is function
    del sys.modules[later.__name__]


def test_a_function_that_is_replaced_twice(library: Any) -> None:
    first, _ = library
    function, one, two = first.function, PatchSet("one"), PatchSet("two")
    with one.collecting():
        rebind({id(function): (function, middle := lambda: "middle")})
    with two.collecting():
        rebind({id(middle): (middle, lambda: "last")})
    one.undo()
    assert first.function() == "last"
    two.undo()
    assert first.function is function


def test_a_function_that_was_put_is_replaced_everywhere_and_again(library: Any) -> None:
    first, second = library
    function = first.function
    with PatchSet("a function").for_a_while():
        put(first, "function", middle := lambda: "middle")
        rebind({id(function): (function, middle)})
        rebind({id(middle): (middle, lambda: "last")})
        assert first.function() == second.function() == "last"
    assert first.function is second.function is function


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_function_that_was_put_is_replaced_by_another_set(order: tuple[int, int], library: Any) -> None:
    first, second = library
    function, sets = first.function, (PatchSet("one"), PatchSet("two"))
    with sets[0].collecting():
        put(first, "function", middle := lambda: "middle")
        rebind({id(function): (function, middle)})
    with sets[1].collecting():
        rebind({id(middle): (middle, lambda: "last")})
    for number in order:
        sets[number].undo()
    assert first.function is second.function is function


def test_the_place_where_a_new_function_is_defined_stays(library: Any) -> None:
    first, second = library
    function = first.function
    second.__dict__["own"] = own = lambda: "own"
    for _ in range(2):
        with PatchSet("a function").for_a_while():
            rebind({id(function): (function, own)})
            assert first.function is own
        assert (first.function, second.own) == (function, own)


def test_what_the_program_put_there_stays() -> None:
    before, own = Base.method, lambda _: "own"
    with PatchSet("a block").for_a_while():
        put(Base, "method", lambda _: "new")
        Base.method = own  # type: ignore[method-assign, assignment]
    assert Base.method is own
    Base.method = before  # type: ignore[method-assign]


def test_a_block_of_another_thread_takes_no_changes_of_this_one() -> None:
    entered, end = threading.Event(), threading.Event()

    def other() -> None:
        with PatchSet("other").for_a_while():
            put(Base, "other", 1)
            entered.set()
            end.wait()

    thread = threading.Thread(target=other)
    with PatchSet("this").for_a_while():
        thread.start()
        entered.wait()
        put(Base, "this", 1)
        end.set()
        thread.join()
        assert (hasattr(Base, "this"), hasattr(Base, "other")) == (True, False)
    assert not hasattr(Base, "this")


def test_a_change_names_the_module_that_made_it() -> None:
    with PatchSet("a block").for_a_while() as _:
        put(Base, "method", lambda _: "new")
        assert all_changes()[-1].by == __name__
