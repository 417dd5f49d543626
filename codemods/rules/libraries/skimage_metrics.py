"""LIB015: image comparisons moved from skimage.measure to skimage.metrics."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_libraries import SKIMAGE
from codemods.rule import Example, Hit, Rule, Safety, Use

RENAMED = {
    name.removeprefix("skimage.measure."): row.new.removeprefix("skimage.metrics.") for name, row in SKIMAGE.items()
}
_OLD = ("skimage.measure", "skimage.measure.simple_metrics")


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on the old names, in imports and as attributes."""
    if isinstance(node, ast.ImportFrom):
        yield from _imported(node)
        return
    head, _, last = (context.qualified(node) or "").rpartition(".")
    if head == "skimage.measure" and last in RENAMED and isinstance(node, ast.Attribute):
        text = f"skimage.metrics.{RENAMED[last]}"
        yield Hit(node, f"scikit-image 0.18 has only {text}", rewrite=text, imports=("import skimage.metrics",))


def _imported(node: ast.ImportFrom) -> Iterator[Hit]:
    moved = [alias for alias in node.names if alias.name in RENAMED]
    if node.level or node.module not in _OLD or not moved:
        return
    stay = [alias for alias in node.names if alias not in moved]
    new = [ast.alias(RENAMED[alias.name], alias.asname or alias.name) for alias in moved]
    lines = [ast.unparse(ast.ImportFrom(node.module, stay, 0))] if stay else []
    lines.append(ast.unparse(ast.ImportFrom("skimage.metrics", new, 0)))
    names = ", ".join(alias.name for alias in moved)
    yield Hit(
        node,
        f"scikit-image 0.18 removed {names} from skimage.measure; skimage.metrics has them under new names",
        rewrite="\n".join(lines),
    )


rule = Rule(
    code="LIB015",
    name="skimage-metrics",
    summary="skimage.measure.compare_psnr -> skimage.metrics.peak_signal_noise_ratio",
    why="scikit-image 0.16 renamed these functions, and 0.18 removed the old names. They compute the same. The "
    "arguments after the two images are keywords there, and 0.19 renamed multichannel= to channel_axis=, so a person "
    "has to look at such calls.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    packages=("skimage",),
    find=find,
    examples=(
        Example(
            "from skimage.measure import compare_psnr, label\nx = compare_psnr(a, b)\n",
            "from skimage.measure import label\n"
            "from skimage.metrics import peak_signal_noise_ratio as compare_psnr\nx = compare_psnr(a, b)\n",
        ),
        Example(
            "import skimage.measure\nx = skimage.measure.compare_ssim(a, b)\n",
            "import skimage.metrics\nimport skimage.measure\nx = skimage.metrics.structural_similarity(a, b)\n",
        ),
        Example("from skimage.measure import label\n"),
    ),
)
