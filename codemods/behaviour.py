"""Names that still exist in TensorFlow 2 but compute something else, unless `tf2bridge.v1.enable` runs.

The differences were measured (`tf2bridge/behaviour/old_ops`). In TensorFlow 2:
- One power of float32 in four is rounded differently.
- The mean of an empty sparse row is 0, not NaN.
- `--flag False` is true, because flags are those of absl.
- Steps of Adadelta, and of Ftrl with shrinkage, are not those of 1.4.
- Normal initial values that are scaled by the sizes of a layer are 14 % larger than in 1.4.
- 50.0 is not a size.
- 256.0 as uint8 is 255, not 0.
- Fused batch normalization uses an epsilon below 1e-5 unchanged.
- Losses, sample weights and optimizers of Keras differ from most releases (`tf2bridge/behaviour/old_keras`).

A session that uses a missing GPU ends unless it has soft placement, in 1.x too. `enable` lets it go on.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from codemods import sizes
from codemods.names import Names, in_v1

POWERS = "powers"
LOOKUPS = "sparse lookups"
FLAGS = "boolean flags"
SIZES = "sizes that are whole numbers of floating point"
GPUS = "soft placement of missing GPUs"
KERAS = "training of Keras"
CASTS = "casts to small whole numbers"
EPSILONS = "epsilons of batch normalization below 1e-5"
OTHERS = "functions that compute something else"
STEPS = "steps of optimizers"
SCALES = "scales of initial values"
EARLY = frozenset([FLAGS, STEPS, SCALES])
"""What TensorFlow 1.12 does as TensorFlow 2 does."""
EARLY_UNTIL = ("0.12", "1.4")
_BY_NAME = {
    "contrib.layers.embedding_lookup_unique": LOOKUPS,
    "contrib.layers.safe_embedding_lookup_sparse": LOOKUPS,
    "flags.DEFINE_bool": FLAGS,
    "flags.DEFINE_boolean": FLAGS,
    "angle": OTHERS,
    "cholesky": OTHERS,
    "glorot_normal_initializer": SCALES,
    "image.adjust_gamma": POWERS,
    "image.adjust_jpeg_quality": OTHERS,
    "image.random_jpeg_quality": OTHERS,
    "image.resize_image_with_pad": OTHERS,
    "image.ssim_multiscale": POWERS,
    "initializers.variance_scaling": SCALES,
    "linalg.cholesky": OTHERS,
    "linalg.expm": POWERS,
    "linalg.norm": POWERS,
    "linalg.tridiagonal_solve": OTHERS,
    "math.angle": OTHERS,
    "math.pow": POWERS,
    "nn.embedding_lookup_sparse": LOOKUPS,
    "nn.safe_embedding_lookup_sparse": LOOKUPS,
    "nn.weighted_moments": OTHERS,
    "norm": POWERS,
    "pow": POWERS,
    "saturate_cast": OTHERS,
    "train.AdadeltaOptimizer": STEPS,
    "train.exponential_decay": POWERS,
    "train.noisy_linear_cosine_decay": POWERS,
    "train.polynomial_decay": POWERS,
    "variance_scaling_initializer": SCALES,
}
_CASTS = frozenset(["cast", "dtypes.cast", "image.convert_image_dtype"])
_SMALL = frozenset(["int8", "uint8", "int16", "uint16", "uint32"])
_NORMALIZED = (
    "contrib.layers.batch_norm",
    "contrib.layers.fused_batch_norm",
    "contrib.slim.batch_norm",
    "layers.BatchNormalization",
    "layers.batch_normalization",
    "nn.fused_batch_norm",
)
_LEAST_EPSILON = 1.001e-5
_KERAS = ("keras.", "contrib.keras.")
_GPU = re.compile(r"/(?:device:)?gpu:", re.IGNORECASE)
_NUMBERS = frozenset(["float", "int", "len", "round"])
_LIBRARIES = ("numpy.", "math.", "random.", "time.")
_POWER = frozenset(["pow"])
_COMPREHENSIONS: tuple[Any, ...] = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_RANGES = frozenset(["range", "xrange", "enumerate"])


def changed(names: Names, used: frozenset[str]) -> frozenset[str]:
    """Returns which of the kinds above a file has; `used` are the qualified names in it.

    In a file that imports TensorFlow, a power of an unknown value counts as a power of tensors.
    """
    plain_names = {in_v1(name).removeprefix("app.") for name in used}
    kinds = {kind for name in plain_names if (kind := _BY_NAME.get(name))}
    if any(name.startswith("tensorflow.") and in_v1(name).startswith(_KERAS) for name in used):
        kinds.add(KERAS)
    if POWERS not in kinds and names.imports("tensorflow") and any(_powers(names)):
        kinds.add(POWERS)
    if not plain_names.isdisjoint(_CASTS) and any(_narrows(names)):
        kinds.add(CASTS)
    if not plain_names.isdisjoint(_NORMALIZED) and any(_small_epsilons(names)):
        kinds.add(EPSILONS)
    if "train.FtrlOptimizer" in plain_names and any(_shrinks(names)):
        kinds.add(STEPS)
    if names.imports("tensorflow") and _asks_for_gpus(names):
        kinds.add(GPUS)
    if names.imports("tensorflow") and sizes.have_quotients(names):
        kinds.add(SIZES)
    return frozenset(kinds)


def _asks_for_gpus(names: Names) -> bool:
    """Returns whether the file names devices such as "/gpu:%d", and does not set soft placement."""
    texts = (node.value for node in names.nodes.get(ast.Constant, []) if isinstance(node, ast.Constant))
    if not any(isinstance(text, str) and _GPU.match(text) for text in texts):
        return False
    words = [node.arg for node in names.nodes.get(ast.keyword, []) if isinstance(node, ast.keyword)]
    words += [node.attr for node in names.nodes.get(ast.Attribute, []) if isinstance(node, ast.Attribute)]
    return "allow_soft_placement" not in words


def _narrows(names: Names) -> Iterator[bool]:
    """Yields for each cast whether its arguments include a small type: `tf.uint8` or "uint8"."""
    for node in names.nodes.get(ast.Call, []):
        if isinstance(node, ast.Call) and in_v1(names.qualified(node.func) or "") in _CASTS:
            for given in (*node.args[1:], *(word.value for word in node.keywords)):
                named = given.attr if isinstance(given, ast.Attribute) else getattr(given, "value", None)
                yield named in _SMALL


def _shrinks(names: Names) -> Iterator[bool]:
    """Yields for each keyword whether it is the shrinkage of Ftrl."""
    for node in names.nodes.get(ast.keyword, []):
        yield isinstance(node, ast.keyword) and node.arg == "l2_shrinkage_regularization_strength"


def _small_epsilons(names: Names) -> Iterator[bool]:
    """Yields for each `epsilon` of a call or dictionary whether it may be below the least value of 1.x."""
    for node in names.nodes.get(ast.keyword, []):
        if isinstance(node, ast.keyword) and node.arg == "epsilon":
            yield _may_be_small(node.value)
    for node in names.nodes.get(ast.Dict, []):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                yield isinstance(key, ast.Constant) and key.value == "epsilon" and _may_be_small(value)


def _may_be_small(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value >= _LEAST_EPSILON)


def _powers(names: Names) -> Iterator[bool]:
    """Yields for each power whether it may be a power of tensors: base and exponent are not both numbers or arrays."""
    counters = cache(lambda: _counters(names))
    for node in names.nodes.get(ast.BinOp, []):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            yield not (_is_number(node.left, names, counters) and _is_number(node.right, names, counters))
    for node in names.nodes.get(ast.AugAssign, []):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Pow):
            yield True
    for node in names.nodes.get(ast.Call, []):
        if isinstance(node, ast.Call) and _is_builtin(node.func, _POWER, names) and len(node.args) == 2:
            yield not all(_is_number(argument, names, counters) for argument in node.args)


def _is_number(node: ast.expr, names: Names, counters: Callable[[], frozenset[str]]) -> bool:
    """Returns whether this is a number or an array: a literal, a counter, or the result of a numeric library."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand, names, counters)
    if isinstance(node, ast.BinOp):
        return _is_number(node.left, names, counters) and _is_number(node.right, names, counters)
    if isinstance(node, ast.Call) and _is_builtin(node.func, _NUMBERS, names):
        return True
    if (names.qualified(node) or "").startswith(_LIBRARIES):
        return True
    return isinstance(node, ast.Name) and node.id in counters()


def _is_builtin(node: ast.expr, which: frozenset[str], names: Names) -> bool:
    return isinstance(node, ast.Name) and node.id in which and names.is_unbound(node)


def _counters(names: Names) -> frozenset[str]:
    """Returns the names that only loops over a range bind, in the whole file."""
    loops = Counter(_looped(names))
    stores = Counter(node.id for node in names.scopes if isinstance(node.ctx, ast.Store))
    parameters = frozenset().union(*_parameters(names))
    return frozenset(name for name, count in loops.items() if count == stores[name] and name not in parameters)


def _looped(names: Names) -> Iterator[str]:
    loops: list[Any] = list(names.nodes.get(ast.For, []))
    inside: list[Any] = [node for kind in _COMPREHENSIONS for node in names.nodes.get(kind, [])]
    for loop in (*loops, *(part for node in inside for part in node.generators)):
        target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
        made = isinstance(loop.iter, ast.Call) and _is_builtin(loop.iter.func, _RANGES, names)
        if made and isinstance(target, ast.Name):
            yield target.id


def _parameters(names: Names) -> Iterator[frozenset[str]]:
    functions: list[Any] = [node for kind in _FUNCTIONS for node in names.nodes.get(kind, [])]
    for node in functions:
        yield frozenset(inner.arg for inner in ast.walk(node.args) if isinstance(inner, ast.arg))
