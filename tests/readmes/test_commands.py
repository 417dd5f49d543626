"""The commands that READMEs name exist as they are written: verbs, options, choices, scripts and modules."""

from __future__ import annotations

import importlib.util
import re

import click
import pytest

from codemods.cli import app as codemods
from tests.readmes import pages
from tf2bridge.cli import cli as tf2bridge

GROUPS = {"codemods": codemods, "tf2bridge": tf2bridge}
NESTED = {name: command for name, command in tf2bridge.commands.items() if isinstance(command, click.Group)}
OF_OTHERS = {
    *("--no-deps", "--dist"),  # pip, pytest
    *("--job_name", "--task_index", "--ps_hosts", "--worker_hosts"),  # programs of clusters
}
"""Options that pages name by themselves and that are of no command of ours."""
WITH_SCRIPTS = ("fixtures", "tf2bridge/native", "tf2bridge/proof/recording", "tf2bridge/proof/testing")
"""Where the options of scripts, of the evidence of a trace, of the recorder and of pytest are defined."""


def command_of(words: list[str]) -> click.Command:
    command: click.Command | None = GROUPS[words[0]].commands.get(words[1])
    assert command is not None, f"{words[0]} has no command {words[1]}"
    if isinstance(command, click.Group) and len(words) > 2:
        command = command.commands.get(words[2])
        assert command is not None, f"{words[0]} {words[1]} has no command {words[2]}"
    return command


def check_parses(words: list[str]) -> None:
    """Raises click.UsageError where the command does not take these words; files need not exist."""
    command = command_of(words)
    context = click.Context(command, info_name=words[1], **command.context_settings)
    before = 3 if words[1] in NESTED else 2
    given, _, _ = command.make_parser(context).parse_args(list(words[before:]))
    for param in command.params:
        value = given.get(str(param.name))
        missing = value is None or param.value_is_missing(value)
        if param.required and missing:
            raise click.MissingParameter(ctx=context, param=param)
        if isinstance(param.type, click.Choice) and not missing:
            for item in value if isinstance(value, list) else [value]:
                param.type.convert(item, param, context)


@pytest.mark.parametrize("name", pages.NAMES)
def test_commands_of_ours_parse(name: str) -> None:
    text = pages.text_of(name)
    for command in pages.commands(text) + pages.commands_in_prose(text):
        words = command.words
        if words[0] in pages.TOOLS:
            check_parses(words)


@pytest.mark.parametrize("name", pages.NAMES)
def test_verbs_that_stand_alone_exist(name: str) -> None:
    for span in pages.spans(pages.text_of(name)):
        words = span.split()
        if words[0] in pages.TOOLS and len(words) == 2 and words[1].isalpha():
            command_of(words)


@pytest.mark.parametrize("name", pages.NAMES)
def test_options_that_stand_alone_exist(name: str) -> None:
    known = {
        option
        for group in GROUPS.values()
        for command in (*group.commands.values(), *NESTED["fleet"].commands.values())
        for param in command.params
        for option in (*param.opts, *param.secondary_opts)
    }
    scripts = [path for folder in WITH_SCRIPTS for path in (pages.ROOT / folder).rglob("*.py")]
    texts = [path.read_text("utf-8") for path in scripts]
    of_scripts = set(re.findall(r"--[a-z][a-z0-9-]*", "\n".join(texts)))
    named = {
        option for span in pages.spans(pages.text_of(name)) for option in re.findall(r"(?<!\S)--[a-z][\w-]*", span)
    }
    assert named <= known | of_scripts | OF_OTHERS | {"--help"}


@pytest.mark.parametrize("name", pages.NAMES)
def test_scripts_modules_and_tests_that_are_named_exist(name: str) -> None:
    text = pages.text_of(name)
    lines = [*pages.spans(text), *(line for block in pages.blocks(text) for line in block.text.splitlines())]
    lines += [line.strip() for line in pages.prose(text).splitlines()]
    for line in lines:
        for script in re.findall(r"(?:python|bash) ((?:fixtures|tests)/\S+\.(?:py|sh))", line):
            assert (pages.ROOT / script).is_file(), script
        for module in re.findall(r"python -m ((?:codemods|tf2bridge|tests)\.[\w.]+)", line):
            assert importlib.util.find_spec(module) is not None, module
        for path in re.findall(r"(?<![\w/])tests/(?:codemods|tf2bridge|fixtures|readmes)/[\w/]+\.py", line):
            assert (pages.ROOT / path).is_file(), path


@pytest.mark.parametrize("name", pages.NAMES)
def test_files_that_a_page_names_beside_it_exist(name: str) -> None:
    folder = (pages.ROOT / name).parent
    for span in pages.spans(pages.text_of(name)):
        if re.fullmatch(r"[a-z_0-9]+(/[a-z_0-9]+)*(/|/[a-z_0-9]+\.(py|json|toml|tsv|txt)|\.py)", span):
            places = (folder, folder.parent, pages.ROOT)
            assert span in ELSEWHERE or any((place / span).exists() for place in places), span


ELSEWHERE = {
    *("catalog.py", "genuine/", "record.py", "recorder.py", "refusals.py", "tables/", "train.py"),
    *("model.py", "names.toml", "recorded.npz", "tables.json", "test_model.py", "weights.py", "weights.safetensors"),
    *("old_images.py", "vocabularies.py"),
    *("compiled.py", "input_data.py", "mnist_data.py", "normalization.py", "recurrent.py", "test_train.py"),
}
"""What pages name that is written by a command, is a user's own, or lies in several folders."""


def test_a_wrong_command_is_told() -> None:
    with pytest.raises(click.UsageError):
        check_parses(["codemods", "check", ".", "--fixx"])
    with pytest.raises(click.UsageError):
        check_parses(["tf2bridge", "convert", "a", "b", "--to", "nothing"])
    with pytest.raises(click.UsageError):
        check_parses(["tf2bridge", "convert", "a"])
