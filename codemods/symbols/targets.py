"""What stands for an old name on this TensorFlow: the answers of names.json."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable

from codemods.symbols import declared
from codemods.symbols.exports import State, status
from codemods.symbols.legacy import Legacy
from codemods.symbols.today import Found, find, in_bridge


def answer(legacy: Legacy, known: dict[str, Legacy], seen: frozenset[str] = frozenset()) -> dict[str, str]:
    """The fields `is`, `to` and `why` of a name's line."""
    name = legacy.name
    target = moved(name)
    if target is not None and target != name:
        return answer(known.get(target, unwalked(target)), known, seen | {name}) | _to(target, known, seen | {name})
    if bridged(name) and in_bridge(name):
        return _core(name) or {"is": "BRIDGE", "to": name}
    now = find(name)
    if now.state == "ok" and not bridged(name):
        if name.startswith("python."):
            return _private(legacy, now)
        return {"is": "SAME" if now.same else "COMPAT", "to": name}
    better = [_to(alias, known, seen | {name}) for alias in _ranked(legacy.aliases - seen)] if not seen else []
    for found in better:
        if found["is"] != "DEAD":
            return found
    if now.state == "refused" and in_bridge(name) and status(f"tf2bridge.v1.{name}").state is State.OK:
        return {"is": "BRIDGE", "to": name}
    why = "contrib" if name.startswith("contrib.") else "refused" if now.state == "refused" else "gone"
    return {"is": "DEAD", "why": why}


def _core(name: str) -> dict[str, str] | None:
    """The answer for a name of contrib that tf2bridge.v1 lists as an alias of one that TensorFlow still has."""
    from tf2bridge.v1.catalog import TREE

    target = TREE.aliases.get(name, "")
    now = find(target) if name.startswith("contrib.") and target and not bridged(target) else Found("missing")
    return _plain(target, now) if now.state == "ok" and target not in TREE.names else None


def unwalked(name: str) -> Legacy:
    """A name that no release was seen to have, as something to be answered."""
    return Legacy(name, "function", {}, frozenset())


def _to(name: str, known: dict[str, Legacy], seen: frozenset[str]) -> dict[str, str]:
    """The answer for another name of the same thing."""
    return answer(known.get(name, unwalked(name)), known, seen)


def _ranked(names: Iterable[str]) -> list[str]:
    """Public names before private ones, core before contrib, short before long."""
    return sorted(names, key=lambda name: (name.startswith("python."), name.startswith("contrib."), len(name), name))


def _private(legacy: Legacy, now: Found) -> dict[str, str]:
    """A private path that still imports: SAME unless TensorFlow put another object under the old name."""
    for alias in _ranked(legacy.aliases):
        public = find(alias)
        if not alias.startswith(("python.", "contrib.")) and public.state == "ok" and public.identity:
            if public.identity == now.identity:
                return {"is": "SAME", "to": legacy.name}
            return {"is": "BRIDGE", "to": alias} if bridged(alias) and in_bridge(alias) else _plain(alias, public)
    return {"is": "SAME", "to": legacy.name}


def _plain(name: str, now: Found) -> dict[str, str]:
    return {"is": "SAME" if now.same else "COMPAT", "to": name}


def moved(name: str) -> str | None:
    """The name that replaced this one, by what is declared; None if nothing is."""
    if name in declared.RENAMED:
        return declared.RENAMED[name]
    if declared.MOVED.get(name):
        return declared.MOVED[name]
    head, _, last = name.rpartition(".")
    if head in declared.MOVED and last:
        return f"{declared.MOVED[head]}.{last}".lstrip(".")
    return None


def older(name: str, releases: str) -> dict[str, str]:
    """The field `0.x` of a name's line, for what 0.x had and tf2bridge.v0 provides."""
    head = next((head for head in declared.OLDER if name == head or name.startswith(f"{head}.")), None)
    if head is None or (releases and not releases.startswith("0.")):
        return {}
    target = declared.OLDER[head] + name.removeprefix(head)
    return {"0.x": target} if in_bridge(target, "tf2bridge.v0") else {}


def bridged(name: str) -> bool:
    """Whether tf2bridge.v1 is declared to provide names like this."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in declared.BRIDGED)
