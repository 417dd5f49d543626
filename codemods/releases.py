"""Reads the release of TensorFlow that a requirement names: `tensorflow>=1.8,<1.9` is 1.8."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIRST_0, _LAST_0, _LAST_1 = 5, 12, 15
_PATCHES = 10
_ALL = [f"0.{minor}" for minor in range(_FIRST_0, _LAST_0 + 1)] + [f"1.{minor}" for minor in range(_LAST_1 + 1)]
_NAMED = re.compile(
    r"(?<![\w./-])(?P<text>tensorflow(?:[-_](?:gpu|cpu))?(?:\[[^\]]*\])?[\"']?"
    r"(?P<asked>\s*(?:===?|~=|=|[<>]=?|!=|\^|-|\s)[\"'\s=<>~^]*\d[^;#\"'\s]*(?:\s*,\s*[<>=!~]+\s*[\d.*]+)*))",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"(?P<text>\btensorflow/tensorflow:v?(?P<version>[01]\.\d+)[\w.-]*)")
_CANDIDATE = re.compile(r">=?\s*(?P<version>[01]\.\d+)(?:\.\d+)?[-._]?(?:rc|a|b|dev)\d+\s*")
"""A lower bound alone that names a release which was not yet out: the program was written for that release."""
_WHEEL = re.compile(r"(?P<text>\btensorflow(?:[-_](?:gpu|cpu))?-(?P<version>[01]\.\d+)[\w.]*-[\w.-]*\.whl)")


@dataclass(frozen=True)
class Asked:
    """The releases that a requirement allows. `newest`: the newest one of 0.x or 1.x."""

    text: str
    newest: str

    @property
    def is_0x(self) -> bool:
        """Whether the requirement allows no release of 1.x."""
        return self.newest.startswith("0.")


def asked_for(line: str) -> Asked | None:
    """Returns the release that a line of a requirements file, a recipe or a Dockerfile requires.

    None if it does not name TensorFlow, or allows both releases of 0.x and later ones, which is no evidence.
    """
    image = _IMAGE.search(line) or _WHEEL.search(line)
    if image is not None:
        return Asked(image["text"], image["version"])
    named = None if line.lstrip().startswith("#") else _NAMED.search(line)
    if named is None:
        return None
    allowed = _allowed(named["asked"])
    if not allowed or allowed[0].startswith("0.") != allowed[-1].startswith("0."):
        return None
    return Asked(named["text"].strip(), allowed[-1])


def _allowed(asked: str) -> list[str]:
    """Returns the releases of 0.x and 1.x that a specifier of pip, conda or poetry allows; none if it is invalid."""
    from packaging.specifiers import (
        InvalidSpecifier,
        SpecifierSet,
    )  # not imported at the start of the program, which is then quicker

    text = re.sub(r"[\"'\s]", "", asked).removeprefix("=") if re.match(r"\s*=\s*[\"']", asked) else asked.strip()
    text = re.sub(r"[\"']", "", text)
    exact = re.fullmatch(r"(?:=|-|==|~=)?\s*(\d+\.\d+)(?:\.[\w*]+)*(?:=\S*)?", text.strip())
    if exact is not None and not text.startswith("~="):
        text = f"=={exact[1]}.*"
    caret = re.fullmatch(r"\^\s*(\d+)\.(\d+)\S*", text)
    if caret is not None:
        text = f">={caret[1]}.{caret[2]},<{int(caret[1]) + 1}"
    candidate = _CANDIDATE.fullmatch(text)
    if candidate is not None:
        text = f"=={candidate['version']}.*"
    try:
        specifier = SpecifierSet(text)
    except InvalidSpecifier:
        return []
    return [release for release in _ALL if any(specifier.contains(f"{release}.{patch}") for patch in range(_PATCHES))]
