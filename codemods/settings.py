"""What a user asks for: target, release, which rules, which limits."""

from __future__ import annotations

from dataclasses import dataclass

TARGETS = ("compat", "bridge")
MAX_MEGABYTES = 5.0


def codes(listed: str) -> tuple[str, ...]:
    """The codes of "TFN, PY2001"."""
    return tuple(code.strip().upper() for code in listed.split(",") if code.strip())


@dataclass(frozen=True)
class Settings:
    """One run's choices. `select` and `ignore` hold codes or their prefixes; an empty `select` is every rule."""

    target: str = "compat"
    from_version: str = "auto"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe_fixes: bool = False
    max_bytes: int = int(MAX_MEGABYTES * 1_000_000)

    def wants(self, code: str) -> bool:
        """Whether a rule takes part."""
        chosen = not self.select or code.startswith(self.select)
        return chosen and not (self.ignore and code.startswith(self.ignore))
