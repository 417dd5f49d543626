"""The page of a comparison: what is on it, what it survives, and that a browser shows it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from tests.tf2bridge.browser import in_browser
from tests.tf2bridge.proof.reporting.rows import missing, of_training, row
from tf2bridge.proof.reporting.drawing import drawn, marks
from tf2bridge.proof.reporting.page import Page, dumps
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.trajectories.growth import growth
from tf2bridge.proof.trajectories.series import of_rows

GENUINE = Path(__file__).parents[4] / "fixtures/legacy/mnist_towers/genuine/mnist_towers.trace"


def page(rows: list, **more: object) -> Page:
    fields: dict = {"title": "new beside old", "expected": "old.trace", "actual": "train.py", "conclusion": ""}
    return Page(rows=rows, equal=False, **{**fields, **more})


def data_of(text: str, name: str) -> object:
    (result,) = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.S)
    return json.loads(result)


def test_every_row_is_on_it_with_its_figures() -> None:
    rows = of_training(12, 5)
    table = data_of(dumps(page(rows)), "data")
    assert isinstance(table, dict)
    texts = table["texts"]
    assert [texts[line[1]] for line in table["rows"]] == [row.tensor for row in rows]
    loss = next(line for line in table["rows"] if texts[line[1]] == "loss:0" and texts[line[0]] == "call 5")
    assert loss[5:9] == [6.0, 0.5, pytest.approx(0.5, rel=1e-5), 1]  # 18 against 12
    assert texts[loss[9]] == "[]: 18 and 12"
    assert texts[loss[13]] == "different"
    assert texts[table["rows"][-1][14]] == "no such variable"


def test_plots_are_drawn_of_what_there_is() -> None:
    text = dumps(page(of_training(12, 5)))
    for title in ("loss:0", "Difference per step", "Difference by layer", "Sizes of the differences"):
        assert f"<figcaption>{title}</figcaption>" in text
    assert "layer_3, 7: 4.0e-10" in text  # a cell of the heat map
    assert re.search(r'<polyline class="line old" points="[^"]+">', text)
    values = dumps(page([row("a/w", None, 0.0, kind="value"), row("b/w", None, 1e-3, kind="value")]))
    assert "Difference per step" not in values
    assert "Difference by layer" in values
    assert "<figure>" not in dumps(page([missing("a")]))


def test_names_end_neither_the_script_nor_the_page() -> None:
    names = ["</script><b>x", "<!--TILES-->", "a&amp;b", "<!--", "]]>", "\u2028"]
    text = dumps(page([row(name, 0, 0.0) for name in names], title="</title><!--ROWS-->", conclusion="<!--PLOTS-->"))
    table = data_of(text, "data")
    assert isinstance(table, dict)
    assert [table["texts"][line[1]] for line in table["rows"]] == names
    assert "<b>x" not in text
    assert text.count("<title>") - text.count("<title>", text.index("</head>")) == 1


def test_ten_thousand_tensors_are_less_than_5_mb() -> None:
    rows = of_training(100, 99)
    assert len(rows) == 10_100
    assert len(dumps(page(rows, growths=[growth(row) for row in of_rows(rows)]))) < 5_000_000


def test_a_browser_shows_it(tmp_path: Path) -> None:
    rows = of_training(60, 5)
    text = dumps(page(rows, divergence="dense/BiasAdd differs", growths=[growth(row) for row in of_rows(rows)]))
    dom = in_browser(text, tmp_path)
    failed = sum(not row.passed for row in rows)
    assert f"{failed} of {failed} shown, {len(rows)} compared" in dom  # of many rows those that failed come first
    assert dom.count('<tr class="different">') == failed - 1
    assert "dense/BiasAdd differs" in dom
    assert " in one step, at 5: rounding does not do that" in dom


def test_a_browser_sorts_searches_and_draws_the_graph(tmp_path: Path) -> None:
    trace = Trace(GENUINE)
    rows = [row("mean_loss:0", 0, 1e-3), row("tower_0/conv1/Relu:0", 0, 0.0), row("images:0", 0, 0.0, kind="feed")]
    text = dumps(page(rows, graph=drawn("mnist", trace.graph_def(0), rows)))
    acts = """
    byId("search").value = "RELU"; byId("search").dispatchEvent(new Event("input"));
    const found = byId("count").textContent;
    byId("search").value = ""; byId("search").dispatchEvent(new Event("input"));
    document.querySelector('th[data-at="2"]').click();
    const first = byId("rows").tBodies[0].rows[0].cells[2].textContent;
    byId("draw").click();
    const frame = document.querySelector("iframe");
    frame.onload = () => { document.body.append(`${found}; first ${first}; ` +
      [...frame.contentDocument.querySelectorAll("g.different > title")].map((each) => each.textContent).join(" ")); };
    """
    dom = html.unescape(in_browser(text.replace("\ndraw();\n</script>", f"\ndraw();{acts}</script>"), tmp_path))
    assert "1 of 1 shown, 3 compared; first images:0" in dom
    assert re.search(r"first images:0 train.py:7; .*\bmean_loss\b", dom)


def test_a_node_has_the_colour_of_its_worst_row() -> None:
    rows = [row("a/x:0", 0, 0.0), row("a/x:0", 1, 0.1), row("a/x:1", 2, 0.0), row("b", None, 1e-9), missing("c")]
    assert marks(rows) == {"a/x": "different", "b": "close", "c": "different"}


def test_a_graph_too_large_for_a_report_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tf2bridge.proof.reporting.drawing._LARGEST", 1000)
    assert drawn("mnist", Trace(GENUINE).graph_def(0), []) == ""


def test_the_table_fits_1200_pixels_with_its_verdicts(tmp_path: Path) -> None:
    names = [f"tower_{n}/a_rather_long_scope/another/BatchNorm/moments/SquaredDifference_{n}:0" for n in range(4)]
    rows = [row(name, 3, 1e-3, size=20_000) for name in names]
    wide = (
        '${document.documentElement.scrollWidth} of ${innerWidth}; ${byId("rows").tHead.rows[0].cells[1].textContent}'
    )
    acts = f"document.body.append(`{wide}`);"
    text = dumps(page(rows)).replace("\ndraw();\n</script>", f"\ndraw();{acts}</script>")
    dom = in_browser(text, tmp_path, "--window-size=1200,1600", "--hide-scrollbars")
    (result,) = re.findall(r"(\d+) of 1200; verdict", dom)
    assert int(result) <= 1200


def test_a_loss_by_two_names_is_one_curve() -> None:
    rows = [row(name, call, 0.0, size=1) for call in range(6) for name in ("loss:0", "shown/loss:0")]
    text = dumps(page(rows))
    assert text.count("<figcaption>loss:0</figcaption>") == 1
    assert "<figcaption>shown/loss:0</figcaption>" not in text
