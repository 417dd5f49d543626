"""LIB020: modules that Python 3.8 to 3.13 removed: distutils, imp, pipes, cgi and others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed import of_modules
from codemods.rule import Example, Hit, Rule, Safety, Use

MODULES = {name: row.release for name, row in of_modules.MODULES.items()}
NAMES = {name: row.new for name, row in of_modules.NAMES.items()}
WHOLE = {
    "distutils.command.build": "setuptools.command.build",
    "distutils.command.build_ext": "setuptools.command.build_ext",
    "distutils.command.build_py": "setuptools.command.build_py",
    "distutils.command.install": "setuptools.command.install",
    "distutils.command.sdist": "setuptools.command.sdist",
    "distutils.errors": "setuptools.errors",
    "distutils.version": "packaging.version",
}
# The name of LooseVersion after `from distutils import version` has become `from packaging import version`.
_FOLLOWING = {("packaging.version", "LooseVersion"), ("packaging.version", "StrictVersion")}
NEAREST = {
    "distutils.dir_util": "shutil.copytree(source, target, dirs_exist_ok=True) and shutil.rmtree",
    "distutils.sysconfig": "sysconfig",
    "distutils.util.strtobool": 'text.lower() in ("y", "yes", "t", "true", "on", "1")',
    "distutils": "setuptools, which brings a distutils of its own",
    "imp": "importlib",
    "pipes": "subprocess",
    "asynchat": "asyncio",
    "asyncore": "asyncio",
    "cgi.escape": "html.escape(text, quote=False)",
    "cgi": "urllib.parse, or a web framework",
    "crypt": "the package passlib",
    "dummy_threading": "threading",
    "imghdr": "PIL.Image.open(file).format",
    "smtpd": "the package aiosmtpd",
    "uu": "base64",
}


def find(node: ast.expr | ast.Import | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on each import from these modules, and on their names used through the module."""
    if _is_fallback(node, context):
        return
    if isinstance(node, ast.ImportFrom):
        yield from _import_from(node)
    elif isinstance(node, ast.Import):
        yield from _import(node, context)
    else:
        yield from _use(node, context)


def _is_fallback(node: ast.AST, context: Context) -> bool:
    """Returns whether this is the fallback for setuptools: `except ImportError: from distutils.core import setup`."""
    handler = context.parent(node)
    block = context.parent(handler) if isinstance(handler, ast.ExceptHandler) else None
    return isinstance(block, ast.Try) and any("setuptools" in ast.unparse(statement) for statement in block.body)


def _import_from(node: ast.ImportFrom) -> Iterator[Hit]:
    if node.level or not _of_removed(node.module or ""):
        return
    kept, lines = [], []
    for alias in node.names:
        whole = f"{node.module}.{alias.name}"
        new = NAMES.get(whole) or WHOLE.get(whole) or _inside(node.module or "", alias.name)
        if new is None:
            yield Hit(node, _hint(whole), Safety.MANUAL, todo=True)
            kept.append(alias)
            continue
        module, _, last = new.rpartition(".")
        bound = alias.asname or alias.name
        lines.append(f"from {module} import {last}" + (f" as {bound}" if bound != last else ""))
    if kept:  # first, because its TODO comment is above
        lines.insert(0, ast.unparse(ast.ImportFrom(node.module, kept, 0)))
    if len(lines) > bool(kept):
        yield Hit(node, _gone(node.module or ""), rewrite="\n".join(lines))


def _inside(module: str, name: str) -> str | None:
    """Returns a name in the module that replaces a whole old module: setuptools.errors.CompileError."""
    return f"{WHOLE[module]}.{name}" if module in WHOLE and module != "distutils.version" else None


def _import(node: ast.Import, context: Context) -> Iterator[Hit]:
    """Yields a hit that removes `import imp` if every use of it is rewritten, or else a finding."""
    if not any(_of_removed(alias.name) for alias in node.names):
        return
    used = {name for chain in context.names.chains if (name := context.qualified(chain)) and _of_removed(name)}
    lost = sorted(used - NAMES.keys())
    if lost:
        yield Hit(node, _hint(lost[0]), Safety.MANUAL, todo=True)
        return
    rest = [alias for alias in node.names if not _of_removed(alias.name)]
    new = ast.unparse(ast.Import(rest)) if rest else ""
    yield Hit(node, _gone(node.names[0].name), rewrite=new)


def _use(node: ast.expr, context: Context) -> Iterator[Hit]:
    name = context.qualified(node) or ""
    module, _, last = name.rpartition(".")
    if not isinstance(node, ast.Attribute) or not (name in NAMES or (module, last) in _FOLLOWING):
        return
    if context.source(node).split(".")[0] in MODULES:  # the use has the full name, so it does not depend on the import
        new = NAMES[name]
        yield Hit(node, _gone(name), rewrite=new, imports=(f"import {new.rpartition('.')[0]}",), alone=True)
    elif module in WHOLE or module in WHOLE.values():
        message = f"{name} is packaging.version.Version"
        yield Hit(node, message, rewrite=f"{context.source(node.value)}.Version")


def _of_removed(module: str) -> bool:
    return module.split(".")[0] in MODULES


def _gone(name: str) -> str:
    head = name.split(".")[0]
    return f"{MODULES[head]} removed {head}"


def _hint(name: str) -> str:
    part = name
    while part and part not in NEAREST:
        part = part.rpartition(".")[0]
    nearest = f"the nearest is {NEAREST[part]}" if part else "PyPI may have a package of that name"
    return f"{_gone(name)}, and {name} with it; {nearest}"


rule = Rule(
    code="LIB020",
    name="removed-modules",
    summary="distutils.version.LooseVersion -> packaging.version.Version, imp.reload -> importlib.reload",
    why="Python 3.12 removed distutils and imp; 3.13 removed pipes and cgi. packaging, which TensorFlow installs, "
    "orders release numbers as LooseVersion did. But there a pre-release (1.4.0-rc1) comes before its release, and a "
    "text that is no version raises an error.",
    safety=Safety.SAFE,
    on=(Use, ast.Import, ast.ImportFrom),
    packages=(*MODULES, "packaging"),
    find=find,
    examples=(
        Example(
            'from distutils import version\nold = version.LooseVersion(v) < version.LooseVersion("1.4")\n',
            'from packaging import version\nold = version.Version(v) < version.Version("1.4")\n',
        ),
        Example(
            'from distutils.version import LooseVersion\nold = LooseVersion(v) < LooseVersion("1.4")\n',
            'from packaging.version import Version as LooseVersion\nold = LooseVersion(v) < LooseVersion("1.4")\n',
        ),
        Example(
            "import distutils.version\nv = distutils.version.StrictVersion(x)\n",
            "import packaging.version\nv = packaging.version.Version(x)\n",
        ),
        Example("import imp, sys\nimp.reload(sys)\n", "import importlib\nimport sys\nimportlib.reload(sys)\n"),
        Example(
            "from distutils.core import setup, Extension\nsetup()\n",
            "from setuptools import setup\nfrom setuptools import Extension\nsetup()\n",
        ),
        Example(
            "from distutils.core import setup, find_packages\n",
            "# TODO(codemods LIB020): Python 3.12 removed distutils, and distutils.core.find_packages with it; the "
            "nearest is setuptools, which brings a distutils of its own\n"
            "from distutils.core import find_packages\nfrom setuptools import setup\n",
        ),
        Example(
            "from distutils.util import strtobool\n",
            "# TODO(codemods LIB020): Python 3.12 removed distutils, and distutils.util.strtobool with it; the nearest "
            'is text.lower() in ("y", "yes", "t", "true", "on", "1")\nfrom distutils.util import strtobool\n',
        ),
        Example(
            "import imp\nm = imp.load_source('m', path)\n",
            "# TODO(codemods LIB020): Python 3.12 removed imp, and imp.load_source with it; the nearest is importlib\n"
            "import imp\nm = imp.load_source('m', path)\n",
        ),
        Example(
            "import distutils.core\ndistutils.core.setup(cmdclass={'sdist': distutils.core.Command})\n",
            "import setuptools\nsetuptools.setup(cmdclass={'sdist': setuptools.Command})\n",
        ),
        Example(
            "from distutils.command import build_ext\nfrom distutils.errors import CompileError\n",
            "from setuptools.command import build_ext\nfrom setuptools.errors import CompileError\n",
        ),
        Example("try:\n    from setuptools import setup\nexcept ImportError:\n    from distutils.core import setup\n"),
        Example(
            "import cgi\nx = cgi.escape(s)\n",
            "# TODO(codemods LIB020): Python 3.13 removed cgi, and cgi.escape with it; the nearest is "
            "html.escape(text, quote=False)\nimport cgi\nx = cgi.escape(s)\n",
        ),
        Example("import importlib\nimportlib.reload(m)\n"),
        Example("from mine.distutils import version\n"),
    ),
)
