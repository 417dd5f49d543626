"""A process that runs hostile graphs in every way that the bridge runs a graph; `test_graphs` starts it.

    python -m tests.hostile.graph_child FOLDER EFFECT...

For each graph it prints a line of JSON before, and one after: what the graph did by which way, what else went wrong.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tensorflow as tf
from click.testing import CliRunner

import tf2bridge
from tests.hostile.graph_effects import EFFECTS, watched
from tests.hostile.graph_places import PLACES, write
from tf2bridge.commands.graphs import audit
from tf2bridge.errors import BridgeError
from tf2bridge.graph.read_runnable import read_runnable
from tf2bridge.proof.comparing.opening import side_of
from tf2bridge.proof.replaying.playing import Playing, Recorded

v1 = tf.compat.v1
EXPECTED = (BridgeError, tf.errors.OpError, ValueError, KeyError, TypeError, LookupError)
"""What a graph that cannot run, or may not, raises; TensorFlow's own of what lies in a session for itself."""


def called(path: Path) -> None:
    """Its outputs, and their gradient."""
    module = tf2bridge.load(path, outputs=["y"], inputs=["x"], checkpoint=None)
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        outputs = module(x)
    tape.gradient(outputs, x)


def with_a_checkpoint(path: Path) -> None:
    """Its outputs, with the values that its Saver restores; then what the Saver stores."""
    module = tf2bridge.load(path, outputs=["y"], inputs=["x"])
    module(1.0)
    module.restore(path.with_suffix(""))
    module.save(path.parent / "again")


def kept(path: Path) -> None:
    """The harmless output, and what there is around it."""
    for checkpoint in ("beside", None):
        with suppress(BridgeError):
            module = tf2bridge.load(path, outputs=["safe"], inputs=["x"], checkpoint=checkpoint)
            module.restore(path.with_suffix(""))
    module = tf2bridge.load(path, outputs=["safe"], inputs=["x"], checkpoint=None)
    assert float(module(1.0)) == 3.0
    module.tables.contents()
    module.export(path.parent / "frozen.pb", "frozen")


def fetched(path: Path) -> None:
    """Every node, as a function."""
    module = tf2bridge.load(path, outputs=["safe"], inputs=["x"], checkpoint=None)
    for node in module.graph.graph_def.node:
        with suppress(*EXPECTED):
            module.function(["x"], [node.name])(1.0)


def in_a_session(path: Path) -> None:
    """Every node of the module's session."""
    module = tf2bridge.load(path, outputs=["safe"], inputs=["x"], checkpoint=None)
    with module.session() as session:
        assert session.run("safe:0", {"x:0": 1.0}) == 3.0
        _run_all(session)


def replayed(path: Path) -> None:
    """Every node of the session in which `replay --graph` and migrate's search run a graph of a trace."""
    content = read_runnable(path).graph_def.SerializeToString()
    trace: Any = SimpleNamespace(graph_def=lambda _: content, calls=[], graphs=[SimpleNamespace(variables=[])])
    with Playing(Recorded(trace, 0), 0) as playing:
        _run_all(playing._session)


def compared(path: Path) -> None:
    """What `compare` runs."""
    side = side_of(path)
    if side.runner is not None:
        side.runner()


def _run_all(session: Any) -> None:
    for operation in session.graph.get_operations():
        with suppress(*EXPECTED):
            session.run(operation, {"x:0": 1.0}, options=v1.RunOptions(timeout_in_ms=5000))


WAYS: tuple[Callable[[Path], None], ...] = (
    called, with_a_checkpoint, kept, fetched, in_a_session, replayed, compared,
)  # fmt: skip


def tried(path: Path) -> Iterator[tuple[str, str]]:
    """Runs a graph in every way; gives the name of each, and what else than expected was raised."""
    for way in WAYS:
        wrong = ""
        try:
            way(path)
        except EXPECTED:
            pass
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        time.sleep(0.02)  # whoever saw something says so
        yield way.__name__, wrong


def main() -> None:
    """Runs the graphs of these effects, in all places."""
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    for effect, place in itertools.product([effect for effect in EFFECTS if effect.name in names], PLACES):
        home = folder / effect.name / place.__name__
        (home / "target").mkdir(parents=True)
        path = write(place, effect, str(home / "target/file").encode(), home)
        print(json.dumps({"begun": [effect.name, place.__name__]}), flush=True)
        done, wrong = [], []
        with watched(effect, home / "target/file") as was_done:
            for way, error in tried(path):
                done += [way] if was_done() else []
                wrong += [f"{way}: {error}"] if error else []
        audited = CliRunner().invoke(audit, [str(path)], standalone_mode=False)
        result = {"effect": effect.name, "place": place.__name__, "done": done, "wrong": wrong}
        print(json.dumps(result | {"audit": audited.output}), flush=True)


if __name__ == "__main__":
    main()
