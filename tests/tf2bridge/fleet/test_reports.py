"""The report on a run: its numbers, its groups, and a page that no name can break."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.tf2bridge.browser import in_browser
from tests.tf2bridge.fleet.ended_run import ended_run, result
from tests.tf2bridge.hostile_names import CONTROLS, check_only_text
from tf2bridge.cli import cli
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.outcome import Cause, Verdict
from tf2bridge.fleet.refusals import OutputError
from tf2bridge.fleet.reporting import page
from tf2bridge.fleet.reporting.report import report_of
from tf2bridge.fleet.reporting.rows import rows

_DAMAGED = "{}.index: the block at byte {} is damaged; copy it again"
_RESULTS = [
    result("a/model.ckpt-1", files={"model.safetensors": 100}),
    result("a/model.ckpt-2", same_as="a/model.ckpt-1", files={"model.safetensors": 100}),
    result("a/model.ckpt-3", Verdict.FAILED, cause=Cause.INPUT, error=_DAMAGED.format("a/model.ckpt-3", 7)),
    result("b/model.ckpt-3", Verdict.FAILED, cause=Cause.INPUT, error=_DAMAGED.format("model.ckpt-3", 1234)),
    result("b/frozen.pb", Verdict.DIFFERENT, kind="frozen graph", files={"report.html": 9, "a.py": 1}),
    result("b/slow.pb", Verdict.FAILED, kind="frozen graph", cause=Cause.TIME, error="it took longer than 600 seconds"),
    result("c", Verdict.NOT_FOR_THIS_KIND, kind="repository"),
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return ended_run(tmp_path / "out", _RESULTS)


def _run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["fleet", "report", *arguments], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, done.stdout


def test_the_numbers_are_those_of_the_results(run: Path) -> None:
    status, printed = _run(str(run), "--output-format", "json")
    report = json.loads(printed)
    assert status == 1
    assert report["verdicts"] == {"right": 2, "different": 1, "failed": 3, "not for this kind": 1}
    assert report["kinds"]["checkpoint"] == {"right": 2, "failed": 2}
    assert (report["items"], report["duplicates"], report["written"]) == (7, 1, 110)
    assert report["seconds"] == sum(0.25 + number for number in range(7) if number != 1)  # not twice for a duplicate
    assert [row["path"] for row in report["slowest"][:2]] == ["c", "b/slow.pb"]


def test_failures_are_grouped_by_cause_whatever_their_names_and_numbers(run: Path) -> None:
    groups = report_of(rows(run, None)).sorted_groups()
    assert [(group.name, group.count, group.needs_a_person) for group in groups] == [
        ("input", 2, True),
        ("different", 1, True),
        ("time", 1, False),
    ]
    assert groups[0].text == "….index: the block at byte … is damaged; copy it again"
    assert groups[0].paths == ["a/model.ckpt-3", "b/model.ckpt-3"]


def test_the_sizes_are_those_of_the_inventory(run: Path, tmp_path: Path) -> None:
    items = [Item(row["path"], Kind(row["kind"]), bytes=10**place) for place, row in enumerate(_RESULTS)]
    inventory = tmp_path / "inventory.jsonl"
    inventory.write_text("".join(item.line() for item in items))
    _, printed = _run(str(run), "--inventory", str(inventory), "--output-format", "json")
    assert json.loads(printed)["bytes"] == 1111111
    assert json.loads(printed)["largest"][0] == {"path": "c", "bytes": 1000000, "written": 0}
    inventory.write_text("".join(item.line() for item in reversed(items)))
    with pytest.raises(OutputError, match="another inventory"):
        _run(str(run), "--inventory", str(inventory))


def test_a_run_that_has_not_ended_is_an_error(run: Path) -> None:
    (run / "results.jsonl").unlink()
    with pytest.raises(OutputError, match="start the same `fleet run` again"):
        _run(str(run))


@pytest.mark.parametrize("line", ["{", "[]", "{}", "[" * 10000, '{"path": "a", "files": []}'])
def test_a_damaged_line_is_an_error(run: Path, line: str) -> None:
    with (run / "results.jsonl").open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(OutputError, match="line 8 is no result"):
        _run(str(run))


def test_a_run_where_all_is_right_has_status_0(tmp_path: Path) -> None:
    status, printed = _run(str(ended_run(tmp_path / "out", [_RESULTS[0], _RESULTS[-1]])))
    assert status == 0
    assert printed.startswith("2 items: 1 right, 1 not for this kind\n")


def test_items_link_to_their_own_reports(run: Path, tmp_path: Path) -> None:
    (tmp_path / "pages & more").mkdir()
    html = tmp_path / "pages & more" / "report.html"
    _run(str(run), "--html", str(html))
    dom = in_browser(html.read_text("utf-8"), tmp_path)
    links = dict(re.findall(r'<a href="([^"]*)">([^<]*)</a>', dom))
    by_name = {name: address for address, name in links.items()}
    assert by_name["b/frozen.pb"] == f"../out/{_RESULTS[4]['output']}/report.html"
    assert by_name["a/model.ckpt-1"] == f"../out/{_RESULTS[0]['output']}/outcome.json"
    assert 'data-drawn="yes"' in dom


def test_no_name_breaks_the_page_or_the_text(tmp_path: Path) -> None:
    names = [
        *CONTROLS,
        "</script><script>document.title='owned'</script>",
        "<img src=x onerror=alert(1)>",
        "\udcff",
        "a\"'&",
    ]
    results = [result(name, Verdict.FAILED, cause=Cause.INPUT, error=f"{name}: <b>bad</b> {name}") for name in names]
    out = ended_run(tmp_path / "out", results)
    html = tmp_path / "report.html"
    _, printed = _run(str(out), "--html", str(html))
    check_only_text(printed.encode())
    text = html.read_text("utf-8")
    assert text.count("</script>") == 3  # the items', the facts', and the page's own
    check_only_text(text.replace("\t", "").encode())
    dom = in_browser(text, tmp_path)
    assert "<title>tf2bridge fleet</title>" in dom
    assert "<img" not in dom
    assert dom.count('class="failed"') == len(names)


def test_a_hundred_items_are_drawn_at_a_time(tmp_path: Path) -> None:
    out = ended_run(tmp_path / "out", (result(f"model.ckpt-{number}") for number in range(5000)))
    kept = list(rows(out, None))
    text = page.dumps(report_of(kept), kept, "out")
    assert len(text) < 5000 * 150
    dom = in_browser(text, tmp_path)
    assert "1 to 100 of 5,000" in dom
    assert dom.count('class="right"') == 100


def test_an_item_far_down_is_read_when_it_is_searched(tmp_path: Path) -> None:
    names = [f"\U0001f600/é{number // 7}/model.ckpt-{number}" for number in range(2345)]
    kept = list(rows(ended_run(tmp_path / "out", map(result, names)), None))
    search = 'byId("search").value = "ckpt-234"; byId("search").dispatchEvent(new Event("input"));'
    text = page.dumps(report_of(kept), kept, "out").replace("</body>", f"<script>{search}</script></body>")
    shown = re.findall(r'<a href="([^"]*)">([^<]*)</a>', in_browser(text, tmp_path))
    fitting = [row for row in kept if "ckpt-234" in row.path]
    assert shown == [(f"out/{row.report}", row.path) for row in fitting]
    assert len(fitting) == 6
