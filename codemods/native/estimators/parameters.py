"""What stands for the parameters of a model_fn: placeholders, the params of the Estimator, and whether it trains."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.native.estimators.modes import TRAIN
from codemods.native.estimators.state import State
from codemods.native.estimators.uses import Input
from codemods.native.kinds import v1_name
from codemods.native.places import stores
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

STEPS = ("train.get_global_step", "train.get_or_create_global_step")
"""Names that give the global step."""
_PARAMETERS = frozenset(("features", "labels", "mode", "params"))


def require_known_parameters(state: State) -> None:
    """Refuses a model_fn with other parameters.

    Raises:
        NotNativeError: It has one.
    """
    function = state.program.model_fn
    given = function.args
    unknown = {argument.arg for argument in (*given.args, *given.kwonlyargs)} - _PARAMETERS
    if unknown or given.vararg or given.kwarg:
        shown = min(unknown) if unknown else "* or **"
        raise NotNativeError(function, "NAT008", f"the parameter {shown} of a model_fn has no counterpart")


def add_placeholders(state: State) -> None:
    """Adds a placeholder for each array that the inputs give.

    Raises:
        NotNativeError: The inputs do not have the same arrays, or the source does not say their types.
    """
    sites = sorted(state.program.sites, key=lambda site: site.mode != TRAIN)
    inputs = [given for site in sites for given in site.given]
    first, fields = inputs[0], [_fields(given) for given in inputs]
    other = next((given for given in inputs if _fields(given).keys() != fields[0].keys()), None)
    if other is not None:
        raise NotNativeError(other.call, "NAT008", "this input has other features than the first one")
    for key, array in fields[0].items():
        name = key if key.isidentifier() and key not in state.taken else f"features_{key}" if key else "features"
        if not name.isidentifier():
            raise NotNativeError(array, "NAT008", f"the feature {key!r} has no name that Python allows")
        state.features[key] = state.free(name)
        _add(state, state.features[key], array, [given[key] for given in fields])
    if first.labels is not None:
        state.labels = state.free("labels")
        _add(state, state.labels, first.labels, [given.labels for given in inputs if given.labels is not None])


def _fields(given: Input) -> dict[str, ast.expr]:
    return given.features if isinstance(given.features, dict) else {"": given.features}


def _add(state: State, name: str, array: ast.expr, arrays: Sequence[ast.expr]) -> None:
    """Adds the placeholder of an array; `arrays` has what all inputs give for it."""
    types = [state.types.of(other) for other in arrays]
    unknown = next((other for other, of in zip(arrays, types, strict=True) if of is None), None)
    if unknown is not None:
        message = f"the source does not say the type of {ast.unparse(unknown)}"
        raise NotNativeError(unknown, "NAT008", f"{message}; write .astype(np.float32), or another type, to it")
    if len({*types}) > 1:
        raise NotNativeError(array, "NAT008", f"the inputs give arrays of several types for {name}")
    for node in (below for below in walk(array) if isinstance(below, ast.Name)):
        bodies = (state.program.body, state.names.tree.body)
        made = next(filter(None, ([s for s in body if node.id in stores(s)] for body in bodies)), [])
        if len(made) != 1 or (made[0] in state.program.body and made[0].lineno > state.at):
            message = f"{node.id} is not bound once before the Estimator is used, where its shape is asked for"
            raise NotNativeError(array, "NAT008", message)
    shape = f"[None, *{ast.unparse(array)}.shape[1:]]"
    state.add(f"{name} = {state.v1}.placeholder({state.tf}.{types[0]}, {shape}, name={name!r})", state.at)


def put_parameters(state: State) -> None:
    """Puts names of the program in place of the parameters of the model_fn, and of names that would clash.

    Raises:
        NotNativeError: The source does not say what a parameter is.
    """
    replaced: list[ast.AST] = []
    for node in state.nodes():
        text = _text_for(node, state)
        if text is not None:
            state.source.replace(state.source.span(node), text)
            replaced.append(node)
    done = {id(below) for node in replaced for below in walk(node)}
    own = dict(state.renamed)
    own |= {"labels": state.labels} if state.labels and "labels" not in own else {}
    if "features" not in own:
        fields = ", ".join(f"{key!r}: {name}" for key, name in state.features.items())
        own["features"] = state.features.get("", f"{{{fields}}}")
    for node in state.nodes():
        if not isinstance(node, ast.Name) or id(node) in done or node.id in state.dicts:
            continue
        if node.id == "mode":
            raise NotNativeError(node, "NAT003", "the mode is a value here; ask whether it is TRAIN")
        if own.get(node.id, node.id) != node.id:
            state.source.replace(state.source.span(node), own[node.id])


def _text_for(node: ast.AST, state: State) -> str | None:
    """Returns what stands for an expression with a parameter; None for all others."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "features":
        if "features" in state.own or "" in state.features:
            return None
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if key not in state.features:
            raise NotNativeError(node, "NAT008", f"no input has the feature {ast.unparse(node.slice)}")
        return state.features[key]
    if isinstance(node, ast.Call) and v1_name(state.names, node.func) in STEPS and not node.args:
        return state.spelled.global_step
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "mode":
        is_train = ast.unparse(node.comparators[0]).rpartition(".")[2] in ("TRAIN", "'train'")
        return _training(state) if is_train and isinstance(node.ops[0], ast.Eq) else None
    if isinstance(node, ast.Name) and node.id in state.model.training:
        return _training(state)
    if isinstance(node, ast.Name) and node.id == "params" and "params" not in state.own:
        return _params(node, state)
    return None


def _training(state: State) -> str:
    """Returns the placeholder that says whether it trains, and adds it."""
    if not state.training:
        state.training = state.free("is_training")
        state.add(f"{state.training} = {state.v1}.placeholder({state.tf}.bool, name='{state.training}')", state.at)
    return state.training


def _params(node: ast.AST, state: State) -> str:
    """Returns the name of the params of the Estimator, and adds it."""
    params = state.program.options.get("params")
    if isinstance(params, ast.Name):
        return params.id
    if not isinstance(params, ast.Dict):
        raise NotNativeError(node, "NAT008", "the source does not say the params of this Estimator")
    if not state.params:
        state.params = state.free("params")
        text = state.source.plain(params)
        state.add(f"{state.params} = {ast.unparse(params) if chr(10) in text else text}", params.lineno)
    return state.params
