"""A data set made of queues has the elements, in the order, that genuine TensorFlow took from the queues."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

from tests.tf2bridge.train.queues.inputs import HOME, PROGRAMS, RELEASES, flat, genuine, plain, rows, write_files
from tf2bridge import v1 as tf1
from tf2bridge.behaviour import seeds
from tf2bridge.train import dataset_from_queues

CASES = [pytest.param(release, name, id=f"{release}: {name}") for release in RELEASES for name in genuine(release)]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("queues")
    write_files(tf1, str(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        yield path


@pytest.fixture(scope="module")
def release(request: pytest.FixtureRequest) -> Iterator[str]:
    """A release, whose op seeds hold for all of its cases: to put them in place for each takes most of its time."""
    seeds.install(request.param)
    yield request.param
    seeds.uninstall()


def _taken(elements: Iterable[Any], most: int) -> tuple[list[Any], str | None]:
    """The elements as they are recorded, and the class of error that ended them; None where more follow."""
    actual: list[Any] = []
    result = iter(elements)
    while len(actual) < most:
        try:
            actual.append([plain(leaf.numpy()) for leaf in flat(next(result))])
        except StopIteration:
            return actual, "OutOfRangeError"
        except tf.errors.OpError as error:
            return actual, type(error).__name__
    return actual, None


@pytest.mark.parametrize(("release", "name"), CASES, indirect=["release"])
def test_elements_are_those_of_the_release(release: str, name: str) -> None:
    program, theirs = PROGRAMS[name], genuine(release)[name]
    races = getattr(program, "any_order", False)
    order = "any" if races or getattr(program, "waits", False) else "same"
    data = dataset_from_queues(lambda: program(tf1), order=order, api=release)
    for _ in range(2):  # each iterator begins anew
        result, end = _taken(data, getattr(program, "steps", 1000))
        result = json.loads(json.dumps(rows(result) if races else result))
        assert result == theirs["elements"]
        assert end == (theirs["cause"] or theirs["end"])


@pytest.mark.parametrize("path", sorted((HOME / "graphs").glob("*.meta")), ids=lambda path: str(path.stem))
def test_elements_of_a_graph_that_the_release_wrote(path: Path) -> None:
    name, _, release = path.stem.partition(".")
    with tf.Graph().as_default():
        tf1.train.import_meta_graph(str(path))
        wanted = tf1.get_collection("wanted")
    order = "any" if getattr(PROGRAMS[name], "waits", False) else "same"
    result, end = _taken(dataset_from_queues(wanted, order=order), 1000)
    assert json.loads(json.dumps(result)) == genuine(release)[name]["elements"]
    assert end == "OutOfRangeError"
