"""What code that builds a graph for `wrap` can do wrong: one class each."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class BuildResultError(BridgeError):
    """build_fn returned something that is no tensor of its graph, and holds none."""

    def __init__(self, found: object) -> None:
        super().__init__(
            f"build_fn returned {found!r}, which is no tensor of the graph it was called in, and holds none in its "
            "attributes; return a tensor, a tuple, list or dict of tensors, or the object that holds them (wrap_class: "
            "name the methods that build in build=)"
        )


class LegacyNameError(BridgeError):
    """Code to be wrapped uses a name that TensorFlow 2 does not have."""

    def __init__(self, module: str, name: str, error: BaseException) -> None:
        last = error.__traceback__
        while (
            last is not None and last.tb_next is not None and last.tb_next.tb_frame.f_globals.get("__name__") != module
        ):
            last = last.tb_next
        where = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}: " if last is not None else ""
        super().__init__(
            f"{where}TensorFlow 2 has no {module}.{name}: write `from tf2bridge import v1 as tf` where this module "
            "imports tensorflow, or rewrite it with `codemods check --fix`"
        )


class SeveralGraphsError(BridgeError):
    """What build_fn returned holds tensors of several graphs."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"what build_fn returned holds tensors of {count} graphs that it made itself, and a module is one graph; "
            "wrap what builds each of them on its own"
        )


def _reason(message: str) -> str:
    """The line of an error of TensorFlow that says what was wrong, without the graph around it."""
    around = (" ", "Graph execution error", "Detected at node", "Node: ")
    return next((line for line in message.splitlines() if line.strip() and not line.startswith(around)), message)


class InitialValueError(BridgeError):
    """The variables of wrapped code cannot be given their initial values."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the variables cannot be given their initial values: {_reason(why)}. Let no initializer need a "
            "placeholder, or run it in a session that the object keeps (`self.sess`), whose values are taken"
        )
