"""Legacy checkpoints: opened whatever their format, mapped to a target by a plan, and written in another format."""

from typing import Any

_PUBLIC = {
    "Plan": "tf2bridge.checkpoint.mapping",
    "Rule": "tf2bridge.checkpoint.moves",
    "convert": "tf2bridge.checkpoint.writing.converting",
    "load_plan": "tf2bridge.checkpoint.planning.plan_file",
    "open": "tf2bridge.checkpoint.opening",
    "plan": "tf2bridge.checkpoint.planning.matching",
}


def __getattr__(name: str) -> Any:
    """Loads what is public at its first use: NumPy and protobuf take longer to import than a command line may."""
    from importlib import import_module

    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'tf2bridge.checkpoint' has no attribute {name!r}")
