"""Opens legacy checkpoints of any format, maps them to a target by a plan, and writes them in another format."""

from typing import TYPE_CHECKING

from tf2bridge.first_use import public_names

if TYPE_CHECKING:  # for editors and mypy, which do not read the table
    from tf2bridge.checkpoint.mapping import Plan as Plan
    from tf2bridge.checkpoint.moves import Rule as Rule
    from tf2bridge.checkpoint.planning.matching import plan as plan
    from tf2bridge.checkpoint.planning.plan_reading import load_plan as load_plan
    from tf2bridge.checkpoint.writing.converting import convert as convert
    from tf2bridge.formats.checkpoints.opening import open as open  # noqa: A004  # the public name

_PUBLIC = {
    "Plan": "tf2bridge.checkpoint.mapping",
    "Rule": "tf2bridge.checkpoint.moves",
    "convert": "tf2bridge.checkpoint.writing.converting",
    "load_plan": "tf2bridge.checkpoint.planning.plan_reading",
    "open": "tf2bridge.formats.checkpoints.opening",
    "plan": "tf2bridge.checkpoint.planning.matching",
}

# At first use: NumPy and protobuf take longer to import than a command line may.
__getattr__, __dir__ = public_names(__name__, _PUBLIC)
