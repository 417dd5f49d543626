"""REQ001: requirements that name a TensorFlow from before 2.20."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from codemods.context import Context
from codemods.requirements import Requirement
from codemods.rule import Example, Hit, Rule, Safety

# What tf2bridge's own extra `tf` asks for.
_TENSORFLOW = "tensorflow>=2.20,<2.23"
_BRIDGE = "tf2bridge[tf]"
_PYTHON = "python>=3.10,<3.14"
_NAMED = re.compile(
    r"(?P<name>tensorflow(?:[-_](?:gpu|cpu))?|tf[-_]nightly(?:[-_]gpu)?)(?:\[[^\]]*\])?\s*(?P<asked>[=<>!~].*)?"
)
_WHEEL = re.compile(r"https?://\S*/tensorflow(?:[-_]gpu)?-[01]\.\S*\.whl")
_OLD_PYTHON = re.compile(r"python\s*=+\s*(?:2|3\.[0-9](?!\d))\S*")


def find(node: ast.Constant | Requirement, context: Context) -> Iterator[Hit]:
    """Yields a hit for each requirement that the rewritten program cannot run with."""
    if isinstance(node, ast.Constant) and not (isinstance(node.value, str) and _is_setup(context)):
        return
    if isinstance(node, Requirement):
        if node.conda and _OLD_PYTHON.fullmatch(node.text):
            yield Hit(node, f"TensorFlow 2.21 needs Python 3.10 to 3.13, not {node.text}", rewrite=_PYTHON)
        elif _is_old(node.text, context):
            yield _hit(node, context, node.conda)
    elif (
        _is_setup(context) and isinstance(node.value, str) and _in_list(node, context) and _is_old(node.value, context)
    ):
        yield _hit(node, context, False)


def _hit(node: ast.Constant | Requirement, context: Context, conda: bool) -> Hit:
    bridged = context.bridged
    new = _BRIDGE if bridged and not conda else _TENSORFLOW
    old = node.text if isinstance(node, Requirement) else str(node.value)
    why = f"{old}: the rewritten program needs {new}"
    if bridged and conda:
        why += f", and {_BRIDGE} from pip"
    return Hit(node, why, rewrite=new if isinstance(node, Requirement) else f'"{new}"')


def _is_setup(context: Context) -> bool:
    return context.path.endswith("setup.py")


def _in_list(node: ast.Constant, context: Context) -> bool:
    return isinstance(context.parent(node), ast.List | ast.Tuple)


def _is_old(text: str, context: Context) -> bool:
    """Returns whether the requirement is TensorFlow and allows no release that the rewritten program runs on."""
    if _WHEEL.fullmatch(text):
        return True
    match = _NAMED.fullmatch(text.strip())
    if match is None:
        return False
    if context.bridged or match["name"] not in ("tensorflow", "tensorflow-cpu"):
        return True
    return not _allows_today(match["asked"] or "")


def _allows_today(asked: str) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    conda = re.fullmatch(r"=\s*([\d.]+\*?)(?:=\S*)?", asked)
    try:
        return SpecifierSet(f"=={conda[1].rstrip('.*')}.*" if conda else asked).contains("2.21.0")
    except InvalidSpecifier:
        return False


_USES_BRIDGE = ("model.py", "import tf2bridge.v1\n")

rule = Rule(
    code="REQ001",
    name="requirements",
    summary="tensorflow==1.4 -> tensorflow>=2.20,<2.23, or tf2bridge[tf] where the rewritten program needs it",
    why="The rewritten program runs on no release before 2.20, and tensorflow-gpu can no longer be installed. If the "
    "rewritten files import tf2bridge, its extra `tf` brings the TensorFlow that it works with. The rest of the list "
    "may need newer releases too, so a person should look.",
    safety=Safety.UNSAFE,
    on=(Requirement, ast.Constant),
    find=find,
    examples=(
        Example(
            "numpy>=1.13  # arrays\ntensorflow==1.4.1\n",
            "numpy>=1.13  # arrays\ntensorflow>=2.20,<2.23\n",
            unsafe_fixes=True,
            path="requirements.txt",
        ),
        Example(
            "tensorflow-gpu>=1.12 ; sys_platform == 'linux'\n",
            "tf2bridge[tf] ; sys_platform == 'linux'\n",
            unsafe_fixes=True,
            path="requirements-gpu.txt",
            files=(_USES_BRIDGE,),
        ),
        Example(
            "dependencies:\n  - python=3.6\n  - tensorflow=1.12.0=mkl_py36\n  - pip:\n    - tf-nightly\n",
            "dependencies:\n  - python>=3.10,<3.14\n  - tensorflow>=2.20,<2.23\n  - pip:\n"
            "    - tensorflow>=2.20,<2.23\n",
            unsafe_fixes=True,
            path="environment.yml",
        ),
        Example(
            "setup(install_requires=['six', 'tensorflow==1.4'])\n",
            "setup(install_requires=['six', \"tensorflow>=2.20,<2.23\"])\n",
            unsafe_fixes=True,
            path="setup.py",
        ),
        Example("tensorflow==1.4\n", reported=True, path="requirements.txt"),
        Example("tensorflow>=1.4\ntensorflow-datasets==1.0\n", path="requirements.txt"),
        Example("x = ['tensorflow==1.4']\n"),
    ),
)
