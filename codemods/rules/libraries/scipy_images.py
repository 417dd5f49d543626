"""LIB003: the image functions of scipy.misc, which SciPy removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_scipy import IMAGES, OTHER_IMAGES
from codemods.rule import Example, Hit, Rule, Safety, Use
from codemods.rules.libraries.scipy_special import moved

MOVED = frozenset(name.removeprefix("scipy.misc.") for name in IMAGES)
NEAREST = {name.removeprefix("scipy.misc."): row.hint for name, row in OTHER_IMAGES.items()}
_SOURCES = ("scipy.misc", "scipy.misc.pilutil")


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on a function that tf2bridge.old_images has, and a finding on a function that it lacks."""
    for source in _SOURCES:
        yield from moved(node, context, MOVED, "tf2bridge.old_images", source)
    if isinstance(node, ast.ImportFrom):
        return
    name = context.qualified(node) or ""
    head, _, last = name.rpartition(".")
    if head in _SOURCES and last in NEAREST:
        message = f"{name} was removed in SciPy 1.3; the nearest is {NEAREST[last]}"
        yield Hit(node, message, Safety.MANUAL, todo=True)


rule = Rule(
    code="LIB003",
    name="scipy-images",
    summary="scipy.misc.imread, imresize, imsave -> tf2bridge.old_images",
    why="These functions were wrappers of Pillow that scaled values by their own rules: imsave and toimage stretch "
    "the range of the image to 0..255. No other library does this. tf2bridge.old_images computes the same as SciPy "
    "1.2.3.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    packages=("scipy",),
    find=find,
    examples=(
        Example(
            "import scipy.misc\nx = scipy.misc.imrotate(x, 90)\n",
            "import tf2bridge.old_images\nimport scipy.misc\nx = tf2bridge.old_images.imrotate(x, 90)\n",
        ),
        Example(
            "from scipy.misc import imread, imresize as resize\nx = resize(imread(path), 0.5)\n",
            "from tf2bridge.old_images import imread, imresize as resize\nx = resize(imread(path), 0.5)\n",
        ),
        Example(
            "from scipy import misc\nx = misc.lena()\n",
            "from scipy import misc\n# TODO(codemods LIB003): scipy.misc.lena was removed in SciPy 1.3; the nearest is "
            "scipy.datasets.face\nx = misc.lena()\n",
        ),
        Example("import imageio\nx = imageio.imread(path)\n"),
    ),
)
