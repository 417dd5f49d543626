"""A process that crashes, hangs or takes too much costs the group that it works on, and no other."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.scanning.groups import Form, Group
from tf2bridge.fleet.scanning.telling import Beat, Told
from tf2bridge.fleet.scanning.workers import Limits, told


def _teller(group: Group, beat: Beat) -> Iterator[Told]:
    if group.name == "crashes":
        os.kill(os.getpid(), signal.SIGKILL)
    elif group.name == "ends":
        os._exit(0)
    elif group.name == "hangs":
        time.sleep(600)
    elif group.name == "slow":
        for _ in range(8):
            time.sleep(0.25)
            beat()
    elif group.name == "many":
        yield from (Told(Item(f"many/{number}", Kind.FILE)) for number in range(1000))
        return
    yield Told(Item(group.name, Kind.FROZEN))


def _outcomes(names: list[str], jobs: int, seconds: float) -> dict[str, str | None]:
    groups = [Group(Form.FILE, "", name, (name,)) for name in names]
    results = list(told(groups, _teller, jobs, Limits(seconds=seconds)))
    assert results.count(1) == len(names)
    return {result.item.path: result.item.error for result in results if isinstance(result, Told)}


def test_each_failure_costs_one_group() -> None:
    names = [f"good{number}" for number in range(100)]
    names[10], names[50], names[51], names[99] = "crashes", "ends", "hangs", "slow"
    outcomes = _outcomes(names, 2, 1)
    assert outcomes.pop("crashes") == "the process that read it ended (SIGKILL)"
    assert outcomes.pop("ends") == "the process that read it ended (status 0)"
    assert outcomes.pop("hangs") == "it took longer than 1 seconds, the limit for a file"
    assert len(outcomes) == 97
    assert set(outcomes.values()) == {None}


def test_a_group_of_many_items_is_whole() -> None:
    assert len(_outcomes(["many", "good"], 1, 60)) == 1001


def test_without_groups_there_is_nothing() -> None:
    assert list(told([], _teller, 2, Limits())) == []
