"""What one genuine TensorFlow 1.x release exports; runs inside that release, on Python 3.6 or 3.7, as a plain script.

    python surface.py MODULE ... > surface.json

Prints one JSON object, `symbols`: name -> [kind, identity, argument names or null], for every public name reached
from `tensorflow` by attributes, and for those of the further MODULEs named (private paths that old programs import).
Names that share an identity are the same object. No annotation here is evaluated: Python 3.6 knows none of the newer.
"""

import enum
import importlib
import inspect
import json
import re
import sys
import types
import warnings

# Leaks of TensorFlow's own helpers into its public modules, and parts that no program calls.
SKIPPED = frozenset(
    (
        "absolute_import",
        "core",
        "division",
        "mock",
        "print_function",
        "python",
        "pywrap_tensorflow",
        "tf_decorator",
        "tf_stack",
    )
)
# Parts of contrib that re-export half of TensorFlow under names no program uses.
NOISE = frozenset(("contrib.quantization", "contrib.specs", "contrib.labeled_tensor", "contrib.ndlstm"))
# Up to 1.4 public modules were plain files, whose imports could be reached too; these are the modules meant as API.
PUBLIC = re.compile(r"\w+|nn\.(rnn_cell|seq2seq)|app\.flags|(keras|estimator|saved_model|summary|contrib|errors)\..*")
PLAIN = (bool, int, float, str, bytes, tuple, list, dict, set, frozenset, type(None))


def kind_of(value: object) -> str:
    """module, class, function or constant."""
    if isinstance(value, types.ModuleType):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "constant"


def arguments_of(value: object) -> "list[str] | None":
    """Argument names in order, `*` and `**` kept; None where Python cannot tell, or tells of itself (enums)."""
    if isinstance(value, (types.ModuleType, enum.EnumMeta)) or not callable(value):
        return None
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [str(each).split("=")[0].split(":")[0].rstrip() for each in parameters]


def is_ours(module: types.ModuleType) -> bool:
    """Whether the module belongs to TensorFlow (1.15 names its own `tensorflow_core`)."""
    return module.__name__.partition(".")[0] in ("tensorflow", "tensorflow_core", "tensorflow_estimator")


def members(module: types.ModuleType) -> "dict[str, object]":
    """Public attributes by name; those that cannot be imported on this machine are left out."""
    found = {}
    for name in dir(module):
        if name.startswith("_") or name in SKIPPED:
            continue
        try:
            value = getattr(module, name)
        except Exception:  # noqa: S112 - a lazily loaded part of contrib that needs a package this machine lacks
            continue
        lazy = isinstance(value, types.ModuleType) and type(value) is not types.ModuleType
        found[name] = sys.modules.get(value.__name__, value) if lazy else value
    return found


def belongs(module: types.ModuleType, dotted: str) -> bool:
    """Whether the module is a part of the API, not one that another module happened to import."""
    if not is_ours(module) or dotted in NOISE or dotted.startswith("compat."):
        return False
    if dotted.startswith("contrib."):
        return ".contrib." in module.__name__ or dotted.endswith(".nest")
    return "_api." in module.__name__ or PUBLIC.fullmatch(dotted) is not None


def walk(root: types.ModuleType) -> "dict[str, list[object]]":
    """A row for every public name, shortest names first; below contrib a module is entered once, by its first name."""
    rows = {}  # type: dict[str, list[object]]
    entered = {id(root)}
    waiting = [("", root)]
    while waiting:
        prefix, module = waiting.pop(0)
        for name, value in sorted(members(module).items()):
            dotted = prefix + name
            if not isinstance(value, types.ModuleType):
                rows[dotted] = [kind_of(value), 0 if isinstance(value, PLAIN) else id(value), arguments_of(value)]
            elif belongs(value, dotted):
                rows[dotted] = ["module", id(value), None]
                if id(value) not in entered or (prefix.count(".") < 2 and not prefix.startswith("contrib.")):
                    entered.add(id(value))
                    waiting.append((dotted + ".", value))
    return rows


def main(private: "list[str]") -> None:
    """Prints the surface of the TensorFlow that this interpreter has."""
    warnings.simplefilter("ignore")
    tensorflow = importlib.import_module("tensorflow")
    importlib.import_module("tensorflow.contrib")
    rows = walk(tensorflow)
    for name in private:
        try:
            module = importlib.import_module("tensorflow." + name)
        except Exception:  # noqa: S112 - this release has no such module
            continue
        rows[name] = ["module", id(module), None]
        for member, value in sorted(members(module).items()):
            if not isinstance(value, types.ModuleType):
                rows[name + "." + member] = [kind_of(value), id(value), arguments_of(value)]
    json.dump({"symbols": rows}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
