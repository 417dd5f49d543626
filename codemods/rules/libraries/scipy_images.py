"""LIB003: image functions that SciPy removed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

# Source: the release notes of SciPy 1.2 and 1.3; each was a wrapper of Pillow with rules of its own for scaling.
NEAREST = {
    "bytescale": "skimage.util.img_as_ubyte",
    "face": "scipy.datasets.face",
    "imfilter": "PIL.Image.Image.filter",
    "imread": "imageio.imread, or np.asarray(PIL.Image.open(path))",
    "imresize": "np.asarray(PIL.Image.fromarray(image).resize((width, height), PIL.Image.BILINEAR))",
    "imrotate": "scipy.ndimage.rotate",
    "imsave": "imageio.imwrite; unlike imsave it does not scale the values to 0..255",
    "imshow": "matplotlib.pyplot.imshow",
    "lena": "scipy.datasets.face",
    "toimage": "PIL.Image.fromarray; unlike toimage it does not scale the values to 0..255",
}


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """A finding on each use."""
    name = context.qualified(node) or ""
    head, _, last = name.rpartition(".")
    if head in ("scipy.misc", "scipy.misc.pilutil") and last in NEAREST:
        message = f"{name} was removed in SciPy 1.3; the nearest is {NEAREST[last]}"
        yield Hit(node, message, todo=True)


rule = Rule(
    code="LIB003",
    name="scipy-images",
    summary="scipy.misc.imread, imresize, imsave and their like are gone",
    why="They were wrappers of Pillow that scaled values by rules of their own (imsave and toimage "
    "stretch the range of "
    "the image to 0..255), so nothing replaces them without a look at what the program expects.",
    safety=Safety.MANUAL,
    on=(Use,),
    packages=("scipy",),
    find=find,
    examples=(
        Example(
            "import scipy.misc\nx = scipy.misc.imrotate(x, 90)\n",
            "import scipy.misc\n# TODO(codemods LIB003): scipy.misc.imrotate was removed in SciPy 1.3; the nearest is "
            "scipy.ndimage.rotate\nx = scipy.misc.imrotate(x, 90)\n",
        ),
        Example("import imageio\nx = imageio.imread(path)\n"),
    ),
)
