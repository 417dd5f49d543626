"""Every symbol that the namespaces supply themselves is compared with genuine TensorFlow in some case or program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codemods.symbols import lookup
from tf2bridge.keras import catalog as keras_catalog
from tf2bridge.v0.catalog import TREE as V0
from tf2bridge.v1.catalog import TREE as V1
from tf2bridge.v1.catalog import keras_bases, keras_package
from tf2bridge.v1.namespace import Tree, resolve

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

OTHERWISE = {
    "enable": "it is no name of TensorFlow; tests/tf2bridge/behaviour/test_enable.py",
    "__version__": "tests/tf2bridge/behaviour/test_enable.py",
    "unavailable": "it is no name of TensorFlow; tests/tf2bridge/v1/test_unavailable.py",
    "VERSION": "tests/tf2bridge/behaviour/test_enable.py",
    "flags.FLAGS": "it reads a command line; tests/tf2bridge/test_run.py",
    "app.run": "it ends the process; tests/tf2bridge/test_run.py",
    "train.SyncReplicasOptimizer": "it needs a cluster",
    "train.SyncReplicasOptimizerV2": "it needs a cluster",
    "contrib.factorization.KMeansClustering": "v0 refuses it; tests/tf2bridge/test_exclusions.py",
    "contrib.factorization.python.ops.kmeans.KMeansClustering": "v0 refuses it; tests/tf2bridge/test_exclusions.py",
    "models.rnn.ptb.reader.ptb_iterator": "it ended before 0.12.1, the oldest release that could be run",
    "keras.initializers.Initializer": "it is abstract; tests/tf2bridge/v1/test_classes.py",
    "train.MonitoredTrainingSession": "it is a session, not a value; tests/tf2bridge/test_run.py",
}
"""Symbols that no case can show, and where they are tried instead."""
OTHERWISE |= {
    name: "it is private; tests/tf2bridge/behaviour/test_old_state.py"
    for names in (
        "flags._FlagValues logging._get_logger logging._level_names logging._logger",
        "python.eager.context.in_eager_mode python.eager.context.in_graph_mode python.framework.ops._TensorLike",
        "python.framework.ops._default_session_stack python.framework.ops.set_shapes_for_outputs",
        "python.framework.tensor_like._TensorLike python.keras.engine.network.Network",
        "python.ops.rnn_cell_impl.assert_like_rnncell python.ops.variable_scope._VARSCOPE_KEY",
    )
    for name in names.split()
}
OTHERWISE |= {
    name: "it is private; tests/tf2bridge/estimator/test_private_names.py"
    for name in V1.own
    if name.startswith("python.estimator.")
}
OTHERWISE |= {
    f"contrib.learn.python.learn.learn_io.{name}": "it is of this machine; tests/tf2bridge/contrib/learn/test_frames.py"
    for name in ("HAS_DASK", "HAS_PANDAS")
}
OTHERWISE |= dict.fromkeys(
    keras_package.OWN, "only the package keras had it; tests/tf2bridge/behaviour/old_keras/test_keras_package.py"
)
OTHERWISE |= dict.fromkeys(
    keras_bases.OWN,
    "it is tf_keras's, at a private path; tests/tf2bridge/v1/test_keras_bases.py tries one of each kind",
)
OTHERWISE |= dict.fromkeys(keras_catalog.OWN, "they are compared in tests/tf2bridge/keras")
OTHERWISE |= {
    f"python.ops.{module}.compare_and_bitpack": "it is private; tests/tf2bridge/behaviour/test_bits.py"
    for module in ("math_ops", "gen_math_ops")
}
OTHERWISE |= {
    name: "releases differ in it; tests/tf2bridge/behaviour/test_diagonals.py"
    for name, place in V1.own.items()
    if place.startswith(("tf2bridge.behaviour.old_ops.diagonals:", "tf2bridge.behaviour.old_ops.forward:"))
}
OTHERWISE |= {
    name: "it is private; tests/tf2bridge/behaviour/old_keras/test_first_optimizers.py"
    for name in V1.own
    if name.startswith("python.keras.optimizers.")
}
OTHERWISE["python.keras.callbacks.TensorBoard"] = "it is private; tests/tf2bridge/behaviour/old_keras/test_callbacks.py"
OTHERWISE["python.ops.functional_ops.partitioned_call"] = "it is private; tests/tf2bridge/v1/test_partitioned.py"
OTHERWISE["python.ops.parallel_for.test_util.PForTestCase"] = (
    "it is the base of tests; tests/tf2bridge/v1/test_old_test_aids.py"
)
OTHERWISE["contrib.estimator.python.estimator.exporter.StepsExporter"] = (
    "its module is private; tests/tf2bridge/contrib/test_steps_exporter.py"
)
OTHERWISE |= {
    name: "it is private; tests/tf2bridge/v1/test_event_readers.py"
    for name in V1.own
    if name.startswith(("python.summary.event_", "python.summary.impl.", "python.util.all_util."))
}
OTHERWISE |= {
    name: "it is private; the case of replicate_model_fn on two devices"
    for name in V1.own
    if name.startswith("contrib.estimator.python.estimator.replicate_model_fn.")
}
OTHERWISE["contrib.learn.python.learn.estimators.run_config.ClusterConfig"] = (
    "it is the base of RunConfig; tests/tf2bridge/contrib/learn/test_run_config.py"
)
OTHERWISE |= {
    f"contrib.learn.{name}": "it is abstract; tests/tf2bridge/contrib/learn/test_interfaces.py"
    for name in ("Evaluable", "Trainable")
}
OTHERWISE |= {
    f"contrib.learn.{name}": "the genuine releases here have no pandas; tests/tf2bridge/contrib/learn/test_frames.py"
    for name in ("extract_pandas_data", "extract_pandas_labels", "extract_pandas_matrix")
}
OTHERWISE |= {
    name: "it is private, or a message; tests/tf2bridge/v1/test_op_libraries.py"
    for name in V1.own
    if name.endswith("._op_def_lib") or name.startswith(("core.protobuf.", "python.framework.op_def_"))
}
OTHERWISE |= {
    name: "it is private; tests/tf2bridge/v1/test_private.py"
    for name in V1.own
    if name.startswith(("python.framework.op_callbacks.", "python.training.tensorboard_logging."))
}
PUBLISHED = ("inception_v4", "inception_resnet_v2", "mobilenet_v1")
OTHERWISE |= {
    name: "no release had it; tests/tf2bridge/contrib/slim/test_published_nets.py"
    for name in V1.own
    if name.startswith("contrib.slim.nets.") and any(net in name for net in PUBLISHED)
}


def bodies(releases: str) -> Iterator[str]:
    """The code of every case of these releases."""
    for path in FIXTURES.glob(f"conformance/{releases}/*.txt"):
        for paragraph in ("\n" + path.read_text(encoding="utf-8")).split("\n## ")[1:]:
            yield paragraph.partition("\n")[2]


def used(body: str) -> Iterator[str]:
    """The dotted names below `tf` in a text, through names like `slim = tf.contrib.slim` as well."""
    known = {"tf": ""}
    for target, value in assignments(body):
        dotted = name_of(value, known)
        if dotted is not None:
            known[target] = dotted
    for node in ast.walk(ast.parse(body)):
        dotted = name_of(node, known)
        if dotted:
            yield dotted


def assignments(body: str) -> Iterator[tuple[str, ast.AST]]:
    """Each name that is assigned to, with its value; `a, b = x, y` are two."""
    for node in ast.walk(ast.parse(body)):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            is_pair = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=True) if is_pair else [(target, value)]  # type: ignore[attr-defined]
            for name, meant in pairs:
                if isinstance(name, ast.Name):
                    yield name.id, meant


def name_of(node: ast.AST, known: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "module":
        return str(ast.literal_eval(node.args[0]))
    if isinstance(node, ast.Attribute):
        owner = name_of(node.value, known)
        return None if owner is None else f"{owner}.{node.attr}".lstrip(".")
    return None


def objects(tree: Tree, releases: str) -> list[Any]:
    """What the cases of these releases use of `tree`."""
    names = {name for body in bodies(releases) for name in used(body)}
    return [resolve(tree, name) for name in names if name in tree.names]


def gone(name: str) -> bool:
    """Whether a name of v1 ended with 0.12: its case is one of 0.12, where v0 has it from v1 unchanged."""
    known = lookup(name)
    return known is not None and known.releases[-1].startswith("0.")


@pytest.mark.parametrize(("tree", "releases"), [(V0, "0.*"), (V1, "1.*")], ids=["v0", "v1"])
def test_every_symbol_of_ours_has_a_case(tree: Tree, releases: str) -> None:
    result, older = objects(tree, releases), objects(V0, "0.*")

    def has_case(name: str) -> bool:
        own = resolve(tree, name)
        return any(own is item for item in (older if gone(name) else result))

    listed = [name for name in tree.own if name not in OTHERWISE and not tree.has_ended(name)]
    missing = [name for name in listed if not has_case(name)]
    assert not missing, f"write a case in fixtures/conformance for {', '.join(sorted(missing))}"
