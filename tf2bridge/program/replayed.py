"""The process of a replay, which `replaying` starts: it runs the program and records it."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.proof.replaying import child


def main() -> int:
    """Performs the task that the argument of this process describes; returns the program's exit status."""
    return child.perform(child.task_of_process(), run_untouched)


def run_untouched(script: Path | None, module: str | None, arguments: list[str], api: str) -> int:
    """Calls `tf2bridge.run.execute`, which is imported here because a migrated program does not need it."""
    from tf2bridge.run import execute

    return execute(script, module, arguments, api)
