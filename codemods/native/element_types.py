"""Whether the source says that nothing of the type float64 is fed to layers, or taken by them from a dataset.

Layers of TensorFlow 1 have the type of what they get, and its losses cast to float32. Those of Keras cast to float32,
so that it matters which type an element has: that of an array, which the source may not say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native.items import Body
from codemods.native.kinds import LOSSES, Kind, calls_of, v1_name
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.native.slices import Slice
from codemods.tree import walk

_OF_ARRAYS = frozenset(f"data.Dataset.{name}" for name in ("from_tensor_slices", "from_tensors", "from_generator"))
_KNOWN = frozenset(("float32", "float", "int32", "int64", "uint8", "bool", "string"))
_WIDE = ("float64", "double")


def require_known_types(needed: Slice, takes: bool, body: Body, meanings: Meanings) -> None:
    """Refuses layers and losses of a placeholder that is float64, or of elements that may be.

    Args:
        needed: The statements of a function.
        takes: Whether it takes elements of an iterator.
        body: All statements.
        meanings: The kinds of their places.

    Raises:
        NotNativeError: The source does not say that nothing is.
    """
    wide = next((place for place in sorted(needed.placeholders) if _is_wide(place, body, meanings)), None)
    for item in needed.ordered:
        calls = [*item.effects.layers, *calls_of(walk(item.node), meanings.names, LOSSES)]
        if calls and wide is not None:
            message = f"{wide} is float64, which layers of Keras and losses here cast to float32; make it float32"
            raise NotNativeError(calls[0], "NAT008", message)
        if calls and takes and not _are_known(body, meanings):
            message = "the source does not say whether the elements of a dataset are float64"
            advice = "give it arrays made with dtype=np.float32 or .astype(np.float32)"
            raise NotNativeError(calls[0], "NAT008", f"{message}, which layers and losses cast; {advice}")


def _is_wide(place: str, body: Body, meanings: Meanings) -> bool:
    """Returns whether a placeholder is float64, or has the type of an array."""
    made = body.definitions(place)
    value = made[0].node.value if len(made) == 1 and isinstance(made[0].node, ast.Assign) else None
    stated = [k.value for k in value.keywords if k.arg == "dtype"] if isinstance(value, ast.Call) else []
    stated += value.args[:1] if isinstance(value, ast.Call) else []
    return any(_type(node, meanings) in _WIDE or ast.unparse(node).endswith(".dtype") for node in stated)


def _are_known(body: Body, meanings: Meanings) -> bool:
    names = meanings.names
    spelled = {node.attr for node in names.nodes.get(ast.Attribute, []) if isinstance(node, ast.Attribute)}
    nodes = (node for statement in body.statements for node in walk(statement))
    spelled |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    if spelled & {*_WIDE}:
        return False
    made = calls_of(names.nodes.get(ast.Call, []), names, _OF_ARRAYS)
    return all(_is_known(part, body, meanings) for call in made for part in _parts(call))


def _parts(node: ast.Call | ast.expr) -> Iterator[ast.expr]:
    below = [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
    below += node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
    below += node.values if isinstance(node, ast.Dict) else []
    for part in below:
        if isinstance(part, (ast.Tuple, ast.List, ast.Dict)):
            yield from _parts(part)
        else:
            yield part


def _is_known(part: ast.expr, body: Body, meanings: Meanings) -> bool:
    """Returns whether an array, or a placeholder, has a stated type, and not float64."""
    made = body.definitions(place_of(part) or "")
    value = part
    if len(made) == 1 and isinstance(made[0].node, ast.Assign):
        value = made[0].node.value
    if not isinstance(value, ast.Call):
        return False
    stated = [keyword.value for keyword in value.keywords if keyword.arg == "dtype"]
    is_placeholder = len(made) == 1 and made[0].kind is Kind.PLACEHOLDER
    if is_placeholder or (isinstance(value.func, ast.Attribute) and value.func.attr == "astype"):
        stated += value.args[:1]
    return len(stated) == 1 and _type(stated[0], meanings) in _KNOWN


def _type(node: ast.expr, meanings: Meanings) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    name = meanings.names.qualified(node) or ""
    return (v1_name(meanings.names, node) or name.removeprefix("numpy.")).removeprefix("dtypes.")
