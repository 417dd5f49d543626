"""Whether every target of the symbol data resolves on the TensorFlow of this interpreter."""

from __future__ import annotations

from codemods.symbols import Answer, Symbol, declared, lookup, names
from codemods.symbols.targets import bridged
from codemods.symbols.today import find, in_bridge


def problems() -> list[str]:
    """One line per wrong entry; empty if all are right."""
    found = [line for name in names() if (symbol := lookup(name)) and (line := _problem(symbol))]
    found += [f"{old}: declared renamed, but not in the data" for old in declared.RENAMED if lookup(old) is None]
    return found


def _problem(symbol: Symbol) -> str | None:
    if symbol.older and not in_bridge(symbol.older, "tf2bridge.v0"):
        return f"{symbol.name}: tf2bridge.v0.{symbol.older} does not resolve"
    if symbol.answer is Answer.DEAD:
        stale = bridged(symbol.name) and in_bridge(symbol.name)
        return f"{symbol.name}: DEAD, but tf2bridge.v1 has it: rebuild" if stale else None
    if symbol.answer is Answer.BRIDGE:
        return None if in_bridge(symbol.target) else f"{symbol.name}: tf2bridge.v1.{symbol.target} does not resolve"
    if (other := lookup(symbol.target)) is not None and other.qualified != symbol.qualified:
        return f"{symbol.name}: {symbol.qualified}, but {symbol.target} itself is {other.qualified}"
    now = find(symbol.target)
    if now.state != "ok":
        return f"{symbol.name}: tf.compat.v1.{symbol.target} is {now.state}"
    if symbol.answer is Answer.SAME and not now.same and not symbol.target.startswith("python."):
        return f"{symbol.name}: tf.{symbol.target} is not tf.compat.v1.{symbol.target}"
    return None
