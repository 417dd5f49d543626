"""The page of a package: which lines came from which nodes, and that no name breaks the page."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.browser import in_browser
from tests.tf2bridge.hostile_names import CONTROLS
from tf2bridge import v1
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.model_text import OPS, Written
from tf2bridge.decompile.report_page import Report, dumps
from tf2bridge.decompile.source_map import OldNode, lines_of_nodes

IMAGES = {"images": tf.TensorSpec([None, 8, 8, 3])}


def build(images: Any) -> Any:
    x = images
    for number in range(4):
        with v1.variable_scope(f"unit_{number}"):
            first = v1.layers.conv2d(x, 3, 3, padding="same", name="first")
            second = v1.layers.conv2d(first, 3, 1, name="second")
            x = tf.tanh(second + v1.layers.conv2d(x, 3, 1, name="shortcut"))
        x = tf.sin(x)
    largest = v1.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", name="largest")[0]
    return tf.transpose(largest, [0, 3, 1, 2], name="y")


@pytest.fixture(scope="module")
def text() -> Written:
    return text_of(tf2bridge.wrap(build, inputs=IMAGES), "about")


def page(text: Written, **more: Any) -> str:
    fields: dict[str, Any] = {"differences": {"out 0": 1e-7}, "limits": {"out 0": 1e-5}, "unequal": {}}
    return dumps(Report("title", "model.pb", text, **{**fields, **more}))


def measured(differences: dict[str, float]) -> dict[str, dict[str, float]]:
    return {"differences": differences, "limits": dict.fromkeys(differences, 1e-5)}


def data_of(text: str) -> Any:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(data)


def test_a_line_knows_its_nodes(text: Written) -> None:
    units = {"unit_0", "unit_1", "unit_2", "unit_3"}
    (made,) = [line for line in text.lines if line.strip().startswith("self.unit_1 = ")]
    assert {name.partition("/")[0] for name in made.nodes} == {"unit_1"}
    (entry,) = [line for line in text.lines if line.startswith("class Unit(")]
    assert {name.partition("/")[0] for name in entry.nodes} == units
    assert text.classes.keys() == units


def test_every_node_has_the_lines_that_compute_it(text: Written) -> None:
    numbers = lines_of_nodes(text.lines, text.graph)
    shown = {name: [text.lines[number - 1].strip() for number in lines] for name, lines in numbers.items()}
    assert [name for name, lines in shown.items() if not lines] == []
    assert "self.first = keras.layers.Conv2D(3, 3, padding='same')" in shown["unit_2/first/kernel"]
    (convolution,) = [name for name, node in text.graph.items() if node.op == "Conv2D" and "unit_2/first" in name]
    assert "return tf.tanh(self.second(self.first(x)) + self.shortcut(x))" in shown[convolution]
    assert "self.unit_2 = Unit()" in shown[convolution]
    assert "self.unit_1 = Unit()" not in shown[convolution]
    assert shown["images"] == ["def call(self, images):"]


def test_why_operations_stay(text: Written) -> None:
    calls = [call for line in text.lines for call in line.raw_calls]
    assert len(calls) == text.source.count("tf.raw_ops.")
    assert [(call.op, call.why, call.node) for call in calls] == [("MaxPoolWithArgmax", "no public form", "largest")]


def test_why_a_form_does_not_hold() -> None:
    def build(images: Any) -> Any:
        corner = tf.strided_slice(images, [0, 0, 0, 0], tf.shape(images))
        return tf.math.top_k(corner, 2, sorted=False)[0]

    module = tf2bridge.wrap(build, inputs=IMAGES)
    reasons = {call.op: call.why for line in text_of(module, "about").lines for call in line.raw_calls}
    assert reasons == {"StridedSlice": "its bounds are not constants", "TopKV2": "sorted is False"}
    reasons = {call.op: call.why for line in text_of(module, "about", OPS).lines for call in line.raw_calls}
    assert set(reasons.values()) == {"level ops"}


def test_a_layer_that_cannot_hold_its_variables_is_named() -> None:
    def build(images: Any) -> Any:
        kernel = v1.get_variable("kernel", [1, 1, 3, 3])
        return tf.nn.conv2d(images * tf.reduce_sum(kernel), kernel, 1, "SAME", name="y")

    text = text_of(tf2bridge.wrap(build, inputs=IMAGES), "about")
    assert {place: why.partition(" before")[0] for place, why in text.unfit.items()} == {
        ("convolution", "y"): "an operation reads a variable"
    }
    shown = page(text, unequal={("dense", "<b>"): "out 0 differs"})
    assert "<td>convolution<td>y<td>an operation reads a variable" in shown
    assert "<td>dense<td>&lt;b&gt;<td>out 0 differs" in shown


def test_the_page_has_the_largest_difference_first(text: Written) -> None:
    shown = page(text, **measured({"out 0": 1e-7, "gradient a": 3e-6, "gradient b": 0.0}))
    assert re.findall(r"<tr><td>((?:out|gradient) \w+)<td>([^<]+)", shown) == [
        ("gradient a", "3e-06"),
        ("out 0", "1e-07"),
        ("gradient b", "0"),
    ]
    assert "http" not in re.sub(r"<li.*", "", shown), "the page loads nothing"


def test_no_name_breaks_the_page(text: Written) -> None:
    names = ["</script><script>alert(1)</script>", "<!--DATA-->", "<img src=x onerror=alert(1)>", *CONTROLS]
    graph = {f"scope/{name}": OldNode(f"Op{name}", []) for name in names}
    ends = dict.fromkeys(names, text.inputs["images"])
    shown = page(replace(text, graph=graph, inputs=ends), **measured(dict.fromkeys(names, 0.0)))
    assert "<script>alert" not in shown
    assert "<img" not in shown
    assert [char for char in shown if char not in "\n\t" and not char.isprintable()] == []
    labels = {part[0] for part in data_of(shown)["parts"]}
    assert "</script><script>alert(1)</script>".rpartition("/")[2] in labels


def test_a_click_marks_what_belongs_together(text: Written, tmp_path: Any) -> None:
    shown = page(text)
    clicks = """
      const scope = [...document.querySelectorAll(".row")].find((row) => row.textContent.includes("unit_1"));
      scope.querySelector("b").click();
      const texts = [document.querySelectorAll("li.line.marked").length, byId("said").textContent];
      lines.find((line) => line.textContent.includes("MaxPoolWithArgmax")).click();
      document.title = [...texts, byId("said").textContent].join("; ");
    """
    dom = in_browser(shown.replace("</body>", f"<script>{clicks}</script></body>"), tmp_path)
    title = html.unescape(re.findall("<title>(.*?)</title>", dom, re.S)[0])
    marked, scope, *_ = title.split("; ")
    numbers = lines_of_nodes(text.lines, text.graph)
    expected = {number for name in text.graph if name.startswith("unit_1/") for number in numbers[name]}
    assert (int(marked), scope) == (
        len(expected),
        f"unit_1: {sum(name.startswith('unit_1/') for name in text.graph)} nodes",
    )
    assert "largest" in title
    assert re.search(r'class="row[^"]*marked[^"]*"[^>]*><i></i><span>largest</span>', dom)
