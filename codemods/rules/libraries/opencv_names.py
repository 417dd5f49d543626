"""LIB017: names of OpenCV 1 and 2."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

# Source: OpenCV's transition guide to 3.0. It removed the old prefix and module; the constants are the same numbers.
RENAMED = {
    "cv2.CV_AA": "LINE_AA",
    "cv2.CV_LOAD_IMAGE_COLOR": "IMREAD_COLOR",
    "cv2.CV_LOAD_IMAGE_GRAYSCALE": "IMREAD_GRAYSCALE",
    "cv2.CV_LOAD_IMAGE_UNCHANGED": "IMREAD_UNCHANGED",
    "cv2.cv.CV_BGR2GRAY": "COLOR_BGR2GRAY",
    "cv2.cv.CV_BGR2RGB": "COLOR_BGR2RGB",
    "cv2.cv.CV_CAP_PROP_FPS": "CAP_PROP_FPS",
    "cv2.cv.CV_CAP_PROP_FRAME_COUNT": "CAP_PROP_FRAME_COUNT",
    "cv2.cv.CV_CAP_PROP_FRAME_HEIGHT": "CAP_PROP_FRAME_HEIGHT",
    "cv2.cv.CV_CAP_PROP_FRAME_WIDTH": "CAP_PROP_FRAME_WIDTH",
    "cv2.cv.CV_CAP_PROP_POS_FRAMES": "CAP_PROP_POS_FRAMES",
    "cv2.cv.CV_FOURCC": "VideoWriter_fourcc",
    "cv2.cv.CV_LOAD_IMAGE_COLOR": "IMREAD_COLOR",
    "cv2.cv.CV_LOAD_IMAGE_GRAYSCALE": "IMREAD_GRAYSCALE",
    "cv2.cv.CV_RGB2BGR": "COLOR_RGB2BGR",
}


def find(node: ast.expr, context: Context) -> Iterator[Hit]:
    """Yields a hit on a renamed constant, and a finding on other names of cv2.cv."""
    name = context.qualified(node) or ""
    if name in RENAMED and isinstance(node, ast.Attribute):
        text = context.spell(f"cv2.{RENAMED[name]}")
        yield Hit(node, f"{name} is cv2.{RENAMED[name]} since OpenCV 3", rewrite=text, imports=context.needs("cv2.x"))
    elif name == "cv2.cv" or name.startswith("cv2.cv."):
        yield Hit(node, "OpenCV 3 has no cv2.cv; look for a similar name in cv2", Safety.MANUAL, todo=True)


rule = Rule(
    code="LIB017",
    name="opencv-names",
    summary="cv2.cv.CV_FOURCC -> cv2.VideoWriter_fourcc, cv2.CV_AA -> cv2.LINE_AA",
    why="OpenCV 3 removed the module cv2.cv and the prefix CV_. The constants are the same numbers.",
    safety=Safety.SAFE,
    on=(Use,),
    packages=("cv2",),
    find=find,
    examples=(
        Example("import cv2\nf = cv2.cv.CV_FOURCC(*'XVID')\n", "import cv2\nf = cv2.VideoWriter_fourcc(*'XVID')\n"),
        Example(
            "import cv2\nx = cv2.cv.CreateMat(3, 3, 1)\n",
            "import cv2\n# TODO(codemods LIB017): OpenCV 3 has no cv2.cv; look for a similar name in cv2\n"
            "x = cv2.cv.CreateMat(3, 3, 1)\n",
        ),
        Example("import cv2\nx = cv2.imread(path, cv2.IMREAD_COLOR)\n"),
    ),
)
