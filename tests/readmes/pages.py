"""The READMEs of the repository: their blocks of code, headings, links and commands."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(page for top in ("codemods", "fixtures", "tests", "tf2bridge") for page in (ROOT / top).rglob("README.md")),
]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

TOOLS = ("codemods", "tf2bridge")
_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_INLINE_LINK = re.compile(r"\]\(([^)\s]+)\)")
_REFERENCE = re.compile(r"^\[[^\]]+\]: (\S+)$", re.MULTILINE)
_STATUS = re.compile(r"# status (\d)")


@dataclass(frozen=True)
class Block:
    """A fenced block of code."""

    language: str
    text: str


@dataclass(frozen=True)
class Command:
    """One command of a shell block, or of a table, and the exit status that its comment says."""

    line: str
    status: int

    @property
    def words(self) -> list[str]:
        """The command and its arguments, without a redirection."""
        words = shlex.split(self.line, comments=True)
        return words[: words.index(">")] if ">" in words else words


def text_of(name: str) -> str:
    """The text of a README, by its path below the root."""
    return (ROOT / name).read_text("utf-8")


def blocks(text: str, language: str = "") -> list[Block]:
    """The blocks of code in the order of the page, of one language or of all."""
    blocks = [Block(kind, textwrap.dedent(code)) for _, kind, code in _BLOCK.findall(text)]
    return [block for block in blocks if language in ("", block.language)]


def prose(text: str) -> str:
    """The page without its blocks of code."""
    return _BLOCK.sub("", text)


def spans(text: str) -> list[str]:
    """The inline code of a page, each with its line breaks as spaces."""
    return [" ".join(span.split()) for span in _SPAN.findall(prose(text))]


def links(text: str) -> list[str]:
    """The targets of the links and pictures of a page that are not on the web."""
    without_code = _SPAN.sub("", prose(text))
    targets = _INLINE_LINK.findall(without_code) + _REFERENCE.findall(without_code)
    return [target for target in targets if "://" not in target]


def anchors(text: str) -> set[str]:
    """What `#...` may name in a page: its headings, as GitHub writes them."""
    headings = [heading.lower() for heading in _HEADING.findall(prose(text))]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def commands(text: str) -> list[Command]:
    """The commands of the shell blocks, one each; those that are joined by && are several."""
    return [command for block in blocks(text, "sh") for command in _commands_of(block.text)]


def _commands_of(text: str) -> Iterator[Command]:
    for line in re.sub(r"(&&|\\)\n\s*", r"\1 ", text).splitlines():
        status = _STATUS.search(line)
        for part in line.split(" && "):
            if part.strip():
                yield Command(part.strip().replace("\\ ", ""), int(status[1]) if status else 0)


def commands_in_prose(text: str) -> list[Command]:
    """The commands of this project that stand in tables and sentences, whole with their arguments."""
    return [Command(span, 0) for span in spans(text) if span.split()[0] in TOOLS and len(span.split()) > 2]
