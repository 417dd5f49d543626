"""The same run in every format: what machines read is checked for its form, what people read for its parts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codemods.report import github, html, sarif
from codemods.report.summary import Summary, summarize
from codemods.results import Changed, Failed, Skipped, Unchanged
from codemods.rule import Finding, Safety

TEXT = b'# caf\xc3\xa9 <b>\nx = tf.mul(a, "</script>")\n'

# The parts of SARIF 2.1.0 that are used here, as its schema has them (sections 3.13, 3.14, 3.20, 3.27, 3.28, 3.30):
# required properties, enumerations, lower bounds, and that a region has no property of another name.
TEXTUAL = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
REGION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        key: {"type": "integer", "minimum": 1} for key in ("startLine", "startColumn", "endLine", "endColumn")
    },
}
LOCATION = {
    "type": "object",
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {"properties": {"uri": {"type": "string", "pattern": r"^[^ \\]+$"}}},
                "region": REGION,
            },
        },
        "logicalLocations": {"type": "array", "uniqueItems": True, "items": {"type": "object"}},
    },
    "additionalProperties": False,
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RESULT = {
    "type": "object",
    "required": ["message"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": LEVEL,
        "message": TEXTUAL,
        "locations": {"type": "array", "items": LOCATION},
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
RULE = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "shortDescription": TEXTUAL,
        "fullDescription": TEXTUAL,
        "help": TEXTUAL,
        "defaultConfiguration": {"properties": {"level": LEVEL}},
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
INVOCATION = {
    "type": "object",
    "required": ["executionSuccessful"],
    "properties": {
        "executionSuccessful": {"type": "boolean"},
        "exitCode": {"type": "integer"},
        "toolExecutionNotifications": {
            "type": "array",
            "items": {
                "required": ["message"],
                "properties": {"message": TEXTUAL, "level": LEVEL, "locations": {"items": LOCATION}},
            },
        },
    },
    "additionalProperties": False,
}
RUN = {
    "type": "object",
    "required": ["tool"],
    "properties": {
        "tool": {
            "required": ["driver"],
            "properties": {"driver": {"required": ["name"], "properties": {"rules": {"items": RULE}}}},
        },
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": RESULT},
        "invocations": {"type": "array", "items": INVOCATION},
    },
    "additionalProperties": False,
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {"$schema": {"type": "string"}, "version": {"const": "2.1.0"}, "runs": {"items": RUN}},
    "additionalProperties": False,
}


def finding(code: str, safety: Safety, **more: Any) -> Finding:
    place = {"path": "my model.py", "line": 2, "column": 5, "end_line": 2, "end_column": 11} | more
    return Finding(code, "a-rule", "50% of this: a, b\nare <gone>", safety=safety, **place)


@pytest.fixture
def summary() -> Summary:
    findings = (
        finding("TFN002", Safety.SAFE, fixable=True),
        finding("PY2002", Safety.UNSAFE, fixable=True),
        finding("TFC003", Safety.MANUAL),
    )
    return summarize(
        [
            Changed("my model.py", findings, TEXT, TEXT),
            Unchanged("note.ipynb", (finding("TFC003", Safety.MANUAL, path="note.ipynb", cell=3),)),
            Failed("bad.py", "bad.py:1: neither"),
            Skipped("big.py", "9 MB"),
        ],
        written=False,
    )


def test_sarif_has_its_form(summary: Summary) -> None:
    """The whole schema of OASIS was held against a report of two repositories when this was written: no error."""
    report = json.loads(sarif.dumps(summary))
    jsonschema.validate(report, SARIF)
    (run,) = report["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["TFN002", "PY2002", "TFC003", "TFC003"]
    assert [result["level"] for result in run["results"]] == ["warning", "warning", "error", "error"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20model.py"
    assert place["region"] == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 11}
    assert run["results"][3]["message"]["text"].startswith("cell 3, line 2: ")
    assert run["invocations"][0]["exitCode"] == 2
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 2


def test_github_annotations_are_escaped(summary: Summary) -> None:
    lines = github.dumps(summary).split("\n")
    assert lines[0] == (
        "::warning file=my model.py,title=codemods TFN002 a-rule,line=2,col=5,endLine=2,endColumn=11"
        "::50%25 of this: a, b%0Aare <gone> [--fix]"
    )
    assert lines[2].startswith("::error file=my model.py,")
    assert "::cell 3, line 2: " in lines[3]
    assert lines[4] == "::error file=bad.py,title=codemods::bad.py:1: neither"


class _Page(HTMLParser):
    """Counts the tags, and fails at one that is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href", "onclick"} & {name for name, _ in attrs}, "the page needs something from elsewhere"
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_whole_page(summary: Summary) -> None:
    page = html.dumps(summary)
    tags = _Page(page).tags
    assert (tags.count("details"), tags.count("svg"), tags.count("script")) == (3, 2, 1)
    for part in ("automatic: --fix", "needs a person", "café &lt;b&gt;", "bad.py:1: neither", "9 MB", "cell 3, line 2"):
        assert part in page
    assert not re.search(r"https?://(?!www\.w3\.org)", page)


def test_html_of_nothing_is_a_page() -> None:
    assert "nothing to do" in html.dumps(summarize([Unchanged("a.py")], written=False))


def test_html_is_drawn_by_a_browser(summary: Summary, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    page = tmp_path / "page.html"
    page.write_text(html.dumps(summary), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    done = subprocess.run(
        [browser, *options, "--virtual-time-budget=2000", "--dump-dom", page.as_uri()],
        capture_output=True,
        check=False,
        timeout=120,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("<rect") == 7  # three rules of one kind each, one file of three kinds, one of one
    assert "needs a person" in done.stdout
