"""Installed libraries that were written for TensorFlow 1.x: under `run` they are part of the program.

    pip install dm-sonnet==1.36             # its modules say tf.get_variable and tf.contrib
    tf2bridge run train.py                  # `import sonnet` gives it the TensorFlow of train.py

A library is for 1.x if one of its modules imports a module, or uses a name `tf.<name>`, that 1.x had and the installed
TensorFlow lacks. A library that also has the text `tf.compat.v1`, or reads TensorFlow's version, chooses its names
itself. For such a library only the names that its import needs count (import_time.py).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.release import MEASURED
from tf2bridge.program.import_time import names_needed
from tf2bridge.v1.genuine import is_module, names

PLACES = frozenset(("site-packages", "dist-packages"))
_OF_TODAY = frozenset(("keras", "tf_keras", "tensorboard", "tf2bridge", "codemods"))
"""Packages that serve TensorFlow 2 itself, and ours."""

_NEAREST = 60
"""So many files, the outermost first, say whether a package uses TensorFlow at all: pandas has 1,440."""

_LATE = frozenset(("estimator",))
"""What TensorFlow 2 had until 2.15."""

_MENTION = b"tensorflow"
_IMPORT = re.compile(r"^import[ \t]+tensorflow\.([\w.]+)", re.MULTILINE)
_FROM = re.compile(r"^from[ \t]+tensorflow\.([\w.]+)[ \t]+import[ \t]+(\w+)", re.MULTILINE)
_PLAIN = re.compile(r"^import[ \t]+tensorflow[ \t]+as[ \t]+tf\b", re.MULTILINE)
_FROM_ROOT = re.compile(r"^from[ \t]+tensorflow[ \t]+import[ \t]+(\w+)", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.])tf\.([A-Za-z]\w*)")
_CHOOSES = re.compile(r"compat\.v[12]\b|compat[ \t]+import[ \t]+v[12]\b|\.__version__|\bVERSION\b")


def is_of_tensorflow_1(file: Path) -> bool:
    """Returns whether `file` is in an installed package that was written for TensorFlow 1.x."""
    parts = file.parts
    place = max((index for index, part in enumerate(parts) if part in PLACES), default=len(parts))
    if len(parts) - place < 2 or parts[place + 1].partition(".")[0] in _OF_TODAY:
        return False
    return _is_old(Path(*parts[: place + 2]))


@functools.cache
def _is_old(package: Path) -> bool:
    """Returns whether a package (a folder, or a module of one file) needs names that only TensorFlow 1.x has."""
    if package.name == "tensorflow":
        return False
    files = _outermost_first(package) if package.is_dir() else iter([package])
    nearest = [_bytes(file) for file in islice(files, _NEAREST)]
    if not any(_MENTION in content for content in nearest):
        return False
    texts = [content.decode(errors="replace") for content in nearest if _MENTION in content]
    texts += [content.decode(errors="replace") for content in map(_bytes, files) if _MENTION in content]
    chooses = any(_CHOOSES.search(text) for text in texts)
    if not chooses and any(map(_uses_what_is_gone, texts)):
        return True
    return any(_imports_what_is_gone(text) or _needs_what_is_gone(text) for text in texts)


def _outermost_first(package: Path) -> Iterator[Path]:
    folders = [package]
    while folders:
        inner: list[Path] = []
        for folder in folders:
            entries = sorted(folder.iterdir())
            yield from (entry for entry in entries if entry.suffix == ".py")
            inner += [entry for entry in entries if entry.suffix == "" and entry.is_dir()]
        folders = inner


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _imports_what_is_gone(text: str) -> bool:
    """Returns whether a statement at the left margin, which is in no `try`, imports a module that only 1.x had."""
    modules = _IMPORT.findall(text)
    for package, name in _FROM.findall(text):
        modules += [package, f"{package}.{name}"]
    return any(_is_gone(module) for module in modules)


def _uses_what_is_gone(text: str) -> bool:
    return _PLAIN.search(text) is not None and not _gone_names().isdisjoint(_NAME.findall(text))


def _needs_what_is_gone(text: str) -> bool:
    """Returns whether the import of the module fails without a name of 1.x, such as `tf.estimator`."""
    gone = _gone_names() | {name for name in _LATE if not hasattr(tensorflow(), name)}
    mentioned = {*_NAME.findall(text), *_FROM_ROOT.findall(text)}
    return not gone.isdisjoint(mentioned) and not gone.isdisjoint(names_needed(text))


@functools.cache
def _is_gone(module: str) -> bool:
    """Returns whether 1.x has the module `tensorflow.<module>`, and the installed TensorFlow has no such file.

    Public modules such as `tensorflow.io` have no file of their own; TensorFlow 2 has them as attributes.
    """
    place = Path(str(tensorflow().__file__)).parent.joinpath(*module.split("."))
    head = module.partition(".")[0]
    if not is_module(module) or head in _LATE or place.is_dir() or place.with_suffix(".py").is_file():
        return False
    return head == "python" or not hasattr(tensorflow(), head)


@functools.cache
def _gone_names() -> frozenset[str]:
    there = set(dir(tensorflow()))
    return frozenset(name for name in names("", MEASURED[-1]) if name not in there and name not in _LATE)
