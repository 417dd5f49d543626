"""Removed names of Python and other libraries that programs of 2016 to 2019 import.

Removed: `time.clock` (Python 3.8), the abstract classes of `collections` (3.10),
`inspect.getargspec` (3.11), `distutils`, `imp` and old assertions of `unittest` (3.12); `pkg_resources` (setuptools
82), `PIL.Image.ANTIALIAS` (Pillow 10), the separate classes of literals of `gast` (0.3), image comparisons of
`skimage.measure` (scikit-image 0.18), names of networkx (3.0) and of SciPy (old_scipy.py). Their notes say what to use
now. `yaml.load` needs no Loader again (PyYAML 6): it takes `FullLoader`, as PyYAML 5 did.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import inspect
import shlex
import shutil
import sys
import sysconfig
import unittest
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from packaging.version import Version

from codemods.removed import by_module
from codemods.removed.of_methods import ASSERTIONS
from tf2bridge.patching import put, put_item
from tf2bridge.program import nose_tools, old_graphs, old_python, old_scipy, old_tables, package_resources
from tf2bridge.program.comparisons import equal
from tf2bridge.program.old_arithmetic import as_compared
from tf2bridge.program.values_today import value_of


class ArgSpec(NamedTuple):
    """The result of `inspect.getargspec`."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def getargspec(func: Callable[..., Any]) -> ArgSpec:
    """Returns the parameters of a function. Raises ValueError if it has keyword-only parameters."""
    spec = inspect.getfullargspec(func)
    if spec.kwonlyargs:
        raise ValueError("Function has keyword-only parameters, use inspect.signature()")
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


class _Literal(type):
    """The metaclass of old names for constants of some types, such as `gast.Num` for numbers."""

    types: tuple[type, ...]
    constant: Callable[..., Any]

    def __instancecheck__(cls, node: Any) -> bool:
        return type(node).__name__ == "Constant" and type(node.value) in cls.types

    def __call__(cls, value: Any = ..., **fields: Any) -> Any:
        """Returns a node of today. The field of the old class is called `n`, `s` or `value`."""
        return cls.constant(next(iter(fields.values()), value), None)


def _literals(gast: ModuleType) -> dict[str, Any]:
    kinds: dict[str, tuple[type, ...]] = {
        "Num": (int, float, complex),
        "Str": (str,),
        "Bytes": (bytes,),
        "Ellipsis": (type(...),),
        "NameConstant": (bool, type(None)),
    }
    return {name: _Literal(name, (), {"types": types, "constant": gast.Constant}) for name, types in kinds.items()}


def _of_skimage_measure(_: ModuleType) -> dict[str, Any]:
    """Returns the names that are in skimage.metrics now. `multichannel=True` became `channel_axis=-1` in 0.19."""
    metrics = importlib.import_module("skimage.metrics")

    def compare_ssim(*images: Any, multichannel: bool = False, **options: Any) -> Any:
        """Returns the structural similarity of two images."""
        return metrics.structural_similarity(*images, channel_axis=-1 if multichannel else None, **options)

    return {
        "compare_mse": metrics.mean_squared_error,
        "compare_nrmse": metrics.normalized_root_mse,
        "compare_psnr": metrics.peak_signal_noise_ratio,
        "compare_ssim": compare_ssim,
    }


def add_default_loader(yaml: ModuleType) -> None:
    """Gives `yaml.load` and `yaml.load_all` a default Loader. May be called twice."""
    for name in ("load", "load_all"):
        function = vars(yaml)[name]
        parameter = inspect.signature(function).parameters["Loader"]
        if parameter.default is parameter.empty:
            put(yaml, name, functools.partial(_loaded, function))


def _loaded(function: Callable[..., Any], stream: Any, Loader: Any = None) -> Any:  # noqa: N803  # as PyYAML calls it
    return function(stream, Loader or importlib.import_module("yaml").FullLoader)


ADDED: dict[str, Callable[[ModuleType], dict[str, Any]]] = {
    **old_python.ADDED,
    **old_scipy.ADDED,
    "inspect": lambda _: {"getargspec": getargspec, "ArgSpec": ArgSpec},
    "gast": _literals,
    "skimage.measure": _of_skimage_measure,
    "matplotlib.pyplot": lambda pyplot: {"hold": lambda *_: None, "spectral": pyplot.nipy_spectral},
    "networkx": old_graphs.names,
    "pandas": old_tables.names,
}
"""Module -> what gives the names that it had and that no name of today stands for (codemods.removed)."""

_MODULES: dict[str, list[str]] = {}
for _module_name in {**by_module(), **ADDED}:
    _MODULES.setdefault(_module_name.partition(".")[0], []).append(_module_name)
del _MODULES["numpy"]  # the program has a NumPy of its own


def add_what_is_gone(name: str) -> None:
    """Gives the loaded module `name`, and the loaded modules below it, their old names."""
    if name == "yaml":
        add_default_loader(sys.modules[name])
    for module in _MODULES.get(name, ()):
        if module in sys.modules:
            _add(sys.modules[module], module)


def _add(loaded: ModuleType, module: str) -> None:
    own = ADDED[module](loaded) if module in ADDED else {}
    for old, value in own.items():
        if not hasattr(loaded, old):
            put(loaded, old, value)
    for old, row in by_module().get(module, {}).items():
        if row.new and not row.not_run and not hasattr(loaded, old):
            with contextlib.suppress(ImportError, AttributeError):  # the installed release has no such name yet
                put(loaded, old, value_of(row.new))


def add_old_assertions() -> None:
    """Gives `unittest.TestCase` the names of Python 2.7 or 3.11, and the differences of NumPy 1."""
    for name in ("assertAlmostEqual", "assertNotAlmostEqual"):
        original = getattr(unittest.TestCase, name)
        if not hasattr(original, "of_numpy_1"):
            put(unittest.TestCase, name, _of_numpy_1(original))
    for name in ("_baseAssertEqual", "assertNotEqual"):
        original = getattr(unittest.TestCase, name)
        if not hasattr(original, "of_numpy_1"):
            put(unittest.TestCase, name, _of_unlike_arrays(original))
    for name, row in ASSERTIONS.items():
        old = name.rpartition(".")[2]
        if not hasattr(unittest.TestCase, old):
            put(unittest.TestCase, old, getattr(unittest.TestCase, row.new))


def _of_numpy_1(original: Callable[..., None]) -> Callable[..., None]:
    """Returns an assertion that subtracts 0.9 from a float32 in float64: float32 does not have seven decimal places."""

    @functools.wraps(original)
    def compared(self: Any, first: Any, second: Any, *args: Any, **kwargs: Any) -> None:
        original(self, as_compared(first, second), as_compared(second, first), *args, **kwargs)

    compared.of_numpy_1 = True  # type: ignore[attr-defined]  # a mark for the next call
    return compared


def _of_unlike_arrays(original: Callable[..., None]) -> Callable[..., None]:
    """Returns an assertion for which arrays of different shapes are unequal."""

    @functools.wraps(original)
    def compared(self: Any, first: Any, second: Any, *args: Any, **kwargs: Any) -> None:
        try:
            original(self, first, second, *args, **kwargs)
        except ValueError:
            if equal(first, second) is not False:
                raise
            original(self, _Unlike(first), second, *args, **kwargs)

    compared.of_numpy_1 = True  # type: ignore[attr-defined]  # a mark for the next call
    return compared


class _Unlike:
    """A value that prints like `value` and equals nothing."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return repr(self._value)

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]  # as arrays have none


HEADS = frozenset((*_MODULES, "yaml"))
GONE = ("distutils", "imp", "nose", "pipes", "pkg_resources")


def stand_in(name: str) -> None:
    """Makes a module of `GONE` importable if this Python lacks it. The replacement has the parts that programs use."""
    broken = name == "nose" and sys.version_info >= (3, 12)  # nose imports imp
    if name in sys.modules or (importlib.util.find_spec(name) is not None and not broken):
        return
    for module in stand_ins(name):
        put_item(sys.modules, module.__name__, module)
        parent, _, last = module.__name__.rpartition(".")
        if parent:
            put(sys.modules[parent], last, module)


def stand_ins(name: str) -> list[ModuleType]:
    """Returns the modules that replace a module of `GONE`, the package first."""
    made = {"distutils": _distutils, "imp": _imp, "nose": nose_tools.modules, "pipes": _pipes}
    made["pkg_resources"] = _package_resources
    return made[name]() if name in made else []


def strtobool(val: str) -> int:
    """Returns 1 for y, yes, t, true, on and 1, and 0 for n, no, f, false, off and 0. Raises ValueError otherwise."""
    text = val.lower()
    if text in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if text in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {text!r}")


class OldVersion(Version):
    """A version that also compares with strings, as in distutils."""

    def __init__(self, vstring: str) -> None:
        super().__init__(vstring)
        self.vstring = vstring

    @property
    def version(self) -> list[int]:
        """The numbers of the release."""
        return list(self.release)

    def __lt__(self, other: Any) -> bool:
        return super().__lt__(_version(other))

    def __le__(self, other: Any) -> bool:
        return super().__le__(_version(other))

    def __gt__(self, other: Any) -> bool:
        return super().__gt__(_version(other))

    def __ge__(self, other: Any) -> bool:
        return super().__ge__(_version(other))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(_version(other))

    __hash__ = Version.__hash__


def _version(value: Any) -> Any:
    return OldVersion(value) if isinstance(value, str) else value


def _module(name: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(names, __path__=[])
    return module


def _distutils() -> list[ModuleType]:
    return [
        _module("distutils"),
        _module("distutils.version", LooseVersion=OldVersion, StrictVersion=OldVersion),
        _module("distutils.util", strtobool=strtobool, get_platform=sysconfig.get_platform),
        _module("distutils.spawn", find_executable=shutil.which),
        _module("distutils.dir_util", copy_tree=_copy_tree, remove_tree=shutil.rmtree, mkpath=_mkpath),
        _module("distutils.file_util", copy_file=shutil.copy),
    ]


def _copy_tree(src: str, dst: str) -> list[str]:
    return [str(shutil.copytree(src, dst, dirs_exist_ok=True))]


def _mkpath(name: str) -> list[str]:
    Path(name).mkdir(parents=True, exist_ok=True)
    return [name]


def _package_resources() -> list[ModuleType]:
    return [package_resources.module()]


def _pipes() -> list[ModuleType]:
    return [_module("pipes", quote=shlex.quote)]


def _imp() -> list[ModuleType]:
    return [_module("imp", load_source=_load_source, reload=importlib.reload, new_module=ModuleType)]


def _load_source(name: str, pathname: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, pathname)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
