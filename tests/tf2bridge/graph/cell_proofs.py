"""The proofs of one recorded model: see cells.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.graph.cells import AS_WRITTEN, NOT_APPLICABLE, PASSES
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.formats.graphs.audit import with_functions
from tf2bridge.graph.refusals import NotExportableError


class DoesNotApplyError(Exception):
    """There is nothing to prove, and why."""


class AsWrittenError(Exception):
    """It holds where TensorFlow runs both graphs as they are written, and what it does else."""


def proofs_of(case: str, names: Iterable[str], folder: Path) -> dict[str, str]:
    """Name of a proof, of those asked for -> what it said."""
    model = unpacked(case, folder)
    steps: dict[str, Callable[[Recorded, Path], None]] = {
        "output": _output,
        "gradient": _gradient,
        "step": _step,
        "TFLite": _tflite,
        "SavedModel": _saved_model,
    }
    return {name: _said(proof, model, folder / case / "new") for name, proof in steps.items() if name in names}


def _said(proof: Callable[[Recorded, Path], None], model: Recorded, folder: Path) -> str:
    try:
        proof(model, folder)
    except DoesNotApplyError as reason:
        return f"{NOT_APPLICABLE} {reason}"
    except AsWrittenError as reason:
        return f"{AS_WRITTEN}: {reason}"
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return f"{type(error).__name__}: {' '.join(lines)[:200]}"
    return PASSES


def _loaded(model: Recorded, exact: bool = False) -> Any:
    return tf2bridge.load(
        model.folder / "model.ckpt.meta",
        inputs=list(model.tensors("in").values()),
        outputs=list(model.tensors("out").values()),
        py_funcs=model.py_funcs,
        exact=exact,
    )


def _check(actual: Any, model: Recorded) -> None:
    for value, expected in zip(actual, model.part("out").values(), strict=True):
        if expected.dtype.kind == "S":
            np.testing.assert_array_equal(np.asarray(value).astype("S"), expected)
        else:
            np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def _output(model: Recorded, _folder: Path) -> None:
    _check(_loaded(model).call(*model.part("in").values()), model)


def _gradient(model: Recorded, _folder: Path) -> None:
    module = _loaded(model)
    feeds = list(model.part("in").values())
    first = sorted(model.part("out")).index(min(model.part("out")))
    variables = [variable for variable in module.trainable_variables if variable.dtype.is_floating]
    place = list(model.part("out")).index(sorted(model.part("out"))[first])
    if not variables:
        raise DoesNotApplyError("no variable is trainable")

    def total() -> Any:
        return tf.reduce_sum(module.call(*feeds)[place])

    if not module.call.concrete.outputs[place].dtype.is_floating:
        raise DoesNotApplyError("the output is no float")
    with tf.GradientTape() as tape:
        value = total()
    gradients = [tf.convert_to_tensor(item) if item is not None else None for item in tape.gradient(value, variables)]
    recorded = model.part("grad")
    if not recorded and not model.train:
        raise DoesNotApplyError("the release has no gradient of it")
    by_name = {
        variable.name.removesuffix(":0"): gradient for variable, gradient in zip(variables, gradients, strict=True)
    }
    for name, expected in recorded.items():
        np.testing.assert_allclose(by_name[name], expected, rtol=1e-5, atol=1e-6, err_msg=name)
    if not recorded and module.graph.graph_def.library.gradient:
        raise DoesNotApplyError("its functions say gradients of their own, and the release recorded none")
    if not recorded:
        _check_quotient(total, variables, gradients)


def _check_quotient(total: Callable[[], Any], variables: list[Any], gradients: list[Any]) -> None:
    """Along a direction, the gradient is the difference quotient, as far as float32 and kinks let it be."""
    if float(total()) != float(total()):
        raise DoesNotApplyError("each call draws anew")
    draw = np.random.default_rng(3)
    ways = [draw.standard_normal(variable.shape).astype(np.float32) for variable in variables]
    result = sum(
        float(tf.reduce_sum(gradient * way))
        for gradient, way in zip(gradients, ways, strict=True)
        if gradient is not None
    )
    quotients = []
    for step in (1e-2, 1e-3, 3e-4):
        values = []
        for sign in (1, -2):
            for variable, way in zip(variables, ways, strict=True):
                variable.assign_add(sign * step * way)
            values.append(np.float64(total()))
        for variable, way in zip(variables, ways, strict=True):
            variable.assign_add(step * way)
        quotients.append((values[0] - values[1]) / (2 * step))
    nearest = min(quotients, key=lambda item: abs(item - result))
    np.testing.assert_allclose(nearest, result, rtol=1e-2, atol=1e-3 * (1 + abs(float(total()))))


def _step(model: Recorded, _folder: Path) -> None:
    if not model.train:
        raise DoesNotApplyError("it has no train op")
    apart = _apart_after_a_step(model, exact=False)
    if apart and _apart_after_a_step(model, exact=True):
        raise AssertionError(f"apart by up to {max(apart.values()):.1e}: {', '.join(sorted(apart))}")
    if apart:
        raise AsWrittenError(f"rewritten by Grappler, they are apart by up to {max(apart.values()):.1e}")


def _apart_after_a_step(model: Recorded, exact: bool) -> dict[str, float]:
    """Name of a variable -> how far it is from a session's, for those whose bits differ; both are near the release's.

    exact: whether TensorFlow leaves the graph as it is written, in the session and in the function.
    """
    module = _loaded(model, exact)
    before = [variable.numpy() for variable in module.variables]
    feeds = dict(zip(model.tensors("in").values(), model.part("in").values(), strict=True))
    with module.session() as session:
        session.run(model.train, feeds)
    in_session = [variable.numpy() for variable in module.variables]
    for variable, value in zip(module.variables, before, strict=True):
        variable.assign(value)
    module.function(list(feeds), [model.train])(*feeds.values())
    result = {}
    for variable, expected in zip(module.variables, in_session, strict=True):
        genuine = model.part("after")[variable.name.removesuffix(":0")]
        np.testing.assert_allclose(variable, genuine, rtol=1e-5, atol=1e-6)
        if not np.array_equal(variable.numpy(), expected, equal_nan=variable.dtype.is_floating):
            result[variable.name] = float(np.abs(variable.numpy() - expected).max())
    return result


def _exported(model: Recorded, folder: Path, form: str, shapes: dict[str, Any] | None = None) -> tuple[Any, Path]:
    module = _loaded(model)
    graph_def = module.call.concrete.graph.as_graph_def()
    calls = [node.op for node in with_functions(graph_def.node, graph_def.library) if "PyFunc" in node.op]
    if calls:
        raise DoesNotApplyError("it calls Python, which no file holds")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        module.export(folder / form, format=form, shapes=shapes)
    except NotExportableError as error:
        raise DoesNotApplyError(str(error)) from error
    return module, folder / form


def _saved_model(model: Recorded, folder: Path) -> None:
    module, path = _exported(model, folder, "saved_model")
    served = tf.saved_model.load(path).signatures["serving_default"]
    given = zip(_arguments(module), module.inputs.values(), model.part("in").values(), strict=True)
    outputs = served(**{name: tf.constant(value, spec.dtype) for name, spec, value in given})
    _check([outputs[name] for name in module.outputs], model)


def _arguments(module: Any) -> list[str]:
    """The arguments of the signature, in the order of the inputs: TensorFlow numbers those that would be equal."""
    result: list[str] = []
    for name in module.inputs:
        base = re.sub(r"\W", "_", name.partition(":")[0])
        result.append(f"{base}_{result.count(base)}" if base in result else base)
    return result


def _tflite(model: Recorded, folder: Path) -> None:
    """In the shapes of the graph, or, where only those of a known size have built-in operations, of the feeds."""
    module, path = _exported(model, folder, "tflite")
    feeds = dict(zip(module.inputs, model.part("in").values(), strict=True))
    if "TensorListReserve" in _lacking(path, feeds):
        shapes = {name: np.shape(value) for name, value in feeds.items()}
        module, path = _exported(model, folder, "tflite", shapes)
    if lacking := _lacking(path, feeds):
        raise DoesNotApplyError(f"it needs {', '.join(lacking)}, which this interpreter lacks")
    result = _interpreted(path, feeds)
    _check([result[name] for name in module.outputs], model)


def _interpreted(path: Path, feeds: dict[str, Any]) -> Any:
    run = tf.lite.Interpreter(str(path)).get_signature_runner("serving_default")
    given = {re.sub(r"\W", "_", name): value for name, value in feeds.items()}
    return run(**{name: np.asarray(given[name]) for name in run.get_input_details()})


def _lacking(path: Path, feeds: dict[str, Any]) -> list[str]:
    """The operations that the interpreter of Python does not have."""
    try:
        _interpreted(path, feeds)
    except RuntimeError as error:
        if lacking := sorted(set(re.findall(r"\(Flex(\w+)\)", str(error)))):
            return lacking
        raise
    return []
