"""Legacy checkpoints: opened whatever their format, mapped to a target by a plan, and written in another format."""

from tf2bridge.first_use import public_names

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
