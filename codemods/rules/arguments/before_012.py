"""TFA007: calls with the arguments of releases before 0.12."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.answers import called
from codemods.calls import Plan, is_plain, plan, written
from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety
from codemods.symbols import table

_HEIGHT, _WIDTH = "new_height", "new_width"
# Source: the API documentation of TensorFlow 0.11, image_ops.resize_images and linalg_ops.batch_svd.
_RESIZE = ("images", _HEIGHT, _WIDTH, "method", "align_corners")
_SVD = ("tensor", "compute_uv", "full_matrices", "name")
# tf.image_summary of 0.x has max_images; the official conversion script of 1.0 renamed only the function.
_KEYWORDS = {"summary.image": {"max_images": "max_outputs"}}


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on a call whose arguments show that it is so old, or a finding if they do not decide it."""
    symbol = called(call, context)
    if symbol is None or not is_plain(call):
        return
    if symbol.name == "image.resize_images":
        yield from _resize(call, context)
    elif symbol.name == "batch_svd":
        today = tuple(word.rstrip("=") for word in table("today")["svd"]["takes"].split())
        made = plan(call, _SVD, today, {})
        if made is not None and made.changes:
            yield Hit(call, "tf.batch_svd took compute_uv before full_matrices", rewrite=written(made))
    elif renames := _KEYWORDS.get(symbol.name):
        keys = tuple((k.arg, renames[k.arg]) for k in call.keywords if k.arg in renames)
        if keys:
            yield Hit(call, f"tf.{symbol.name} calls this argument {keys[0][1]}", rewrite=written(Plan(keys)))


def _resize(call: ast.Call, context: Context) -> Iterator[Hit]:
    old = _is_old_resize(call, context)
    if old:
        message = "tf.image.resize_images takes the height and the width as one size since 0.12"
        yield Hit(call, message, rewrite=_sized)
    elif old is None:
        message = "tf.image.resize_images took (images, height, width, method) before 0.12, and takes (images, size, "
        yield Hit(
            call,
            f"{message}method, align_corners) since then: write size=[height, width] and keywords",
            Safety.MANUAL,
            todo=True,
        )


def _is_old_resize(call: ast.Call, context: Context) -> bool | None:
    """Returns whether the call gives height and width as two arguments; None if it is unknown."""
    words = {keyword.arg for keyword in call.keywords}
    if words & {_HEIGHT, _WIDTH}:
        return True
    if "size" in words or len(call.args) < 3:
        return False
    second, third = call.args[1:3]
    if isinstance(second, ast.List | ast.Tuple) or "ResizeMethod" in (context.qualified(third) or ""):
        return False
    if "method" in words or _number(second) is not None or (_number(third) or 0) > 3:
        return True
    if len(call.args) == 3:  # (images, size, method), unless the file is of 0.x
        return None if context.era.is_0x else False
    if context.era.certain and not context.era.is_0x:
        return False
    return None if _truth(call.args[3]) is None else False


def _number(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _truth(node: ast.expr) -> bool | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def _sized(node: Any) -> Any:
    """Returns the call with height and width in one list, and the arguments after them by keyword."""
    import libcst as cst

    if not isinstance(node, cst.Call):
        return node
    given = {
        argument.keyword.value if argument.keyword else _RESIZE[i]: argument for i, argument in enumerate(node.args)
    }
    if not {_HEIGHT, _WIDTH} <= given.keys():
        return node
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    size = cst.List([cst.Element(given.pop(_HEIGHT).value), cst.Element(given.pop(_WIDTH).value)])
    rest = [a.with_changes(keyword=cst.Name(k), equal=tight) for k, a in given.items() if k != "images"]
    first = given["images"]
    middle = cst.Arg(
        size, keyword=cst.Name("size"), equal=tight, comma=first.comma if rest else cst.MaybeSentinel.DEFAULT
    )
    return node.with_changes(args=[first, middle, *rest])


_T = "import tensorflow as tf\n"

rule = Rule(
    code="TFA007",
    name="before-012",
    summary="tf.image.resize_images(x, 299, 299) -> tf.image.resize_images(x, size=[299, 299])",
    why="Before 0.12 tf.image.resize_images took height and width as two arguments, and tf.batch_svd had another "
    "order. Today the width would be taken for the method. Numbers and keywords show which kind a call is. Otherwise "
    "a person has to decide.",
    safety=Safety.SAFE,
    on=(ast.Call,),
    packages=("tensorflow",),
    find=find,
    examples=(
        Example(f"{_T}y = tf.image.resize_images(x, 84, 84)\n", f"{_T}y = tf.image.resize_images(x, size=[84, 84])\n"),
        Example(
            f"{_T}y = tf.image.resize_images(x, h, w, method=0)\n",
            f"{_T}y = tf.image.resize_images(x, size=[h, w], method=0)\n",
        ),
        Example(
            f"{_T}y = tf.image.resize_images(x, new_height=h, new_width=w)\n",
            f"{_T}y = tf.image.resize_images(x, size=[h, w])\n",
        ),
        Example(f"{_T}s, u, v = tf.batch_svd(x, True)\n", f"{_T}s, u, v = tf.batch_svd(x, compute_uv=True)\n"),
        Example(
            f"{_T}s = tf.summary.image('x', x, max_images=3)\n", f"{_T}s = tf.summary.image('x', x, max_outputs=3)\n"
        ),
        Example(
            f"{_T}y = tf.image.resize_images(x, h, w, m)\n",
            f"{_T}# TODO(codemods TFA007): tf.image.resize_images took (images, height, width, method) before 0.12, "
            "and takes (images, size, method, align_corners) since then: write size=[height, width] and keywords\n"
            "y = tf.image.resize_images(x, h, w, m)\n",
        ),
        Example(f"{_T}y = tf.image.resize_images(x, size, method, align)\n", from_version="1.4"),
        Example(f"{_T}y = tf.image.resize_images(x, [84, 84])\n"),
        Example(f"{_T}y = tf.image.resize_images(x, size, tf.image.ResizeMethod.AREA)\n"),
        Example(f"{_T}y = tf.image.resize_images(x, size, 1, True)\n"),
        Example("from mine import resize_images\ny = resize_images(x, 84, 84)\n"),
    ),
)
