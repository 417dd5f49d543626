"""The examples of the READMEs run as they are written, on files of genuine releases."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import forked
from tests.readmes import pages, workspace

NOT_RUN = {
    "python3 -m venv": "it installs; .ci/run does so",
    ".venv/bin/python -m pip": "it installs; .ci/run does so",
    ".venv/bin/python -m pytest": "it runs all tests; .ci/run does so",
    "python recorder.py": "it needs an old TensorFlow; tests/tf2bridge/proof/recording runs it",
    "bash fixtures/oracles.sh": "it builds the genuine releases; .ci/run does so",
    "python fixtures/": "it needs the genuine releases",
    "pip install 'tf2bridge[beam]'": "it installs",
    "tf2bridge fleet run inventory.jsonl --do audit --output audited --runner beam": "fleet/test_beam.py does",
    "tf2bridge cluster --workers 1 --chief --evaluator": "tests/tf2bridge/train/clusters/test_programs.py runs it",
}
"""Beginnings of commands that are not run here, and why."""

FIRST = {
    "tf2bridge/proof/README.md": [
        "tf2bridge plan model.ckpt --into models:build --forget-bias 0 -o plan.toml",
        "tf2bridge convert model.ckpt new.keras --to keras --into models:build --plan plan.toml",
    ]
}
"""What a page takes from the examples of another."""


class Shell:
    """Runs commands in a workspace, each as its own process."""

    def __init__(self, folder: Path, bin_folder: Path) -> None:
        self.folder = folder
        workspace.make(folder)
        self._environment = workspace.environment(bin_folder)

    def run(self, line: str, status: int = 0, text: str | None = None) -> str:
        """What the command prints; fails where its exit status is another one."""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            input=text,
            timeout=500,
        )
        assert done.returncode == status, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    (tmp_path / "work").mkdir()
    return Shell(tmp_path / "work", tmp_path / "bin")


def is_run(command: pages.Command) -> bool:
    return not command.line.startswith(tuple(NOT_RUN))


@pytest.mark.parametrize("name", [name for name in pages.NAMES if pages.commands(pages.text_of(name))])
def test_shell_blocks(name: str, shell: Shell) -> None:
    for line in FIRST.get(name, []):
        shell.run(line)
    for command in filter(is_run, pages.commands(pages.text_of(name))):
        shell.run(command.line.removeprefix(".venv/bin/"), command.status)


def test_commands_of_the_first_table(shell: Shell) -> None:
    elsewhere = {" ".join(command.words) for name in pages.NAMES[1:] for command in pages.commands(pages.text_of(name))}
    table = [
        command for command in pages.commands_in_prose(pages.text_of("README.md")) if "VERSION" not in command.line
    ]
    assert len(table) > 10
    left = [command for command in table if " ".join(command.words) not in elsewhere]
    for command in left:
        shell.run(command.line, 1 if command.line.startswith("codemods check") else 0)


@pytest.mark.parametrize("name", pages.NAMES)
def test_what_a_block_prints_is_as_shown(name: str, shell: Shell) -> None:
    shown = pages.blocks(pages.text_of(name))
    for before, after in itertools.pairwise(shown):
        if (before.language, after.language) == ("sh", "text"):
            *_, command = pages.commands(f"```sh\n{before.text}```\n")
            line = command.line.partition("#")[0]
            assert shell.run(f"{line} 2>&1", command.status) == after.text


@pytest.mark.parametrize(("name", "options"), [("README.md", ""), ("codemods/README.md", "--extend-select TFG003")])
def test_a_diff_is_what_codemods_makes(name: str, options: str, shell: Shell) -> None:
    (block,) = pages.blocks(pages.text_of(name), "diff")
    lines = block.text.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] != "+")
    new = "".join(line[1:] for line in lines if line[0] != "-")
    assert shell.run(f"codemods check - --fix {options}", text=old) == new


RUN = {
    ("codemods/README.md", 0): "",
    ("tf2bridge/README.md", 0): "",
    ("tf2bridge/formats/README.md", 0): "",
    ("tf2bridge/v1/README.md", 0): "",
    ("tf2bridge/graph/README.md", 0): "",
    ("tf2bridge/graph/README.md", 1): """
        import json, zipfile, io, numpy
        values = numpy.load(io.BytesIO(zipfile.ZipFile(GRAPH).read("expected.npz")))
        x, labels = values["in x"], values["in labels"]
    """,
    ("tf2bridge/checkpoint/README.md", 0): "",
    ("tf2bridge/decompile/README.md", 0): "",
    ("tf2bridge/patching/README.md", 0): "",
}
"""Blocks of Python that are whole programs, by page and number, and what comes before them."""


@pytest.mark.parametrize(("name", "number"), RUN)
def test_python_blocks(name: str, number: int, shell: Shell) -> None:
    code = pages.blocks(pages.text_of(name), "python")[number].text
    graph = pages.ROOT / "fixtures/graphs/1.15.5/mlp_adam.zip"
    before = inspect.cleandoc(RUN[name, number])
    done = forked.run(f"import os\nos.chdir({str(shell.folder)!r})\nGRAPH = {str(graph)!r}\n{before}\n{code}")
    assert done.returncode == 0, done.stderr[-3000:]
    printed = re.findall(r"^ *print\(.*\)  # (.+)$", code, re.MULTILINE)
    assert [line for line in printed if line not in done.stdout.splitlines()] == []


@pytest.mark.parametrize("name", [name for name in pages.NAMES if pages.blocks(pages.text_of(name), "python")])
def test_names_and_keywords_in_python_blocks_exist(name: str) -> None:
    for block in pages.blocks(pages.text_of(name), "python"):
        for node in ast.walk(ast.parse(block.text)):
            if isinstance(node, ast.Attribute):
                resolved(ast.unparse(node))
            if isinstance(node, ast.Call):
                check_keywords(node)


def resolved(dotted: str) -> Any:
    """What a name of ours means, None for any other. Raises AttributeError where there is no such name."""
    first, *rest = dotted.split(".")
    if first not in STARTS or not all(part.isidentifier() for part in rest):
        return None
    result: Any = STARTS[first]()
    for part in rest:
        result = getattr(result, part)
    return result


def check_keywords(call: ast.Call) -> None:
    function = resolved(ast.unparse(call.func))
    if function is None:
        return
    known = inspect.signature(function).parameters
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values()):
        assert {keyword.arg for keyword in call.keywords} <= known.keys(), ast.unparse(call)


def _module() -> Any:
    return importlib.import_module("tf2bridge").GraphModule


STARTS = {
    "tf2bridge": lambda: importlib.import_module("tf2bridge"),
    "train": lambda: importlib.import_module("tf2bridge.train"),
    "proof": lambda: importlib.import_module("tf2bridge.proof"),
    "m": _module,
    "module": _module,
}
"""The first part of a dotted name -> what it means in the pages."""


def test_settings_are_read(shell: Shell) -> None:
    (settings,) = pages.blocks(pages.text_of("tf2bridge/proof/README.md"), "toml")
    (shell.folder / "legacy/tf2bridge.toml").write_text(settings.text)
    from tf2bridge.migration import config

    assert config.read(shell.folder / "legacy").entry == ("train.py", "--steps", "24")
    text, _ = pages.blocks(pages.text_of("codemods/README.md"), "toml")
    (shell.folder / "pyproject.toml").write_text(text.text)
    assert "TFG001" in shell.run("codemods check trainer.py", 1)
    (shell.folder / "tests/trainer.py").write_text((shell.folder / "trainer.py").read_text())
    assert "TFG001" not in shell.run("codemods check tests/trainer.py", 1)
