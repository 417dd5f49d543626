"""Writes a SavedModel: one meta graph for each mode, the variables of a checkpoint, and extra assets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.estimator.graphs import new_graph
from tf2bridge.estimator.mode_keys import ModeKeys
from tf2bridge.estimator.run_config import RunConfig
from tf2bridge.internals.saving import export_utils, mode_keys
from tf2bridge.internals.training import Scaffold

v1 = tf.compat.v1

Build = Callable[[Any, Any, str], tuple[Any, Any]]
"""Builds the graph of a mode: (graph, receiver function, mode) -> (input receiver, EstimatorSpec)."""

TAGS = mode_keys.ModeKeyMap(
    **{
        ModeKeys.PREDICT: [tf.saved_model.SERVING],
        ModeKeys.TRAIN: ["train"],
        ModeKeys.EVAL: ["eval"],
    }
)
"""Mode -> the tags of its meta graph."""


def export(
    build: Build,
    config: RunConfig,
    directory: Any,
    receivers: Mapping[str, Any],
    checkpoint_path: str,
    assets_extra: Mapping[str, str] | None,
    as_text: bool,
    strip_default_attrs: bool,
) -> bytes:
    """Writes a SavedModel below `directory`, in a folder named by the time, and returns its path.

    Raises ValueError for receivers of no known mode, and where the checkpoint lacks variables of the model.
    """
    final = export_utils.get_timestamped_export_dir(directory)
    temporary = export_utils.get_temp_export_dir(final)
    builder = v1.saved_model.Builder(temporary)
    modes = [mode for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if receivers.get(mode)]
    for mode in modes:
        with new_graph() as graph:
            receiver, spec = build(graph, receivers[mode], mode)
            options = {"strip_default_attrs": strip_default_attrs, "signature_def_map": _signatures(receiver, spec)}
            add_meta_graph(builder, spec, mode, config, checkpoint_path, mode == modes[0], options)
    if not modes:
        raise ValueError(f"No valid modes for exporting found. Got {receivers.keys()}.")
    builder.save(as_text)
    for name, source in (assets_extra or {}).items():
        target = f"{os.fsdecode(temporary)}/assets.extra/{name}"
        v1.gfile.MakeDirs(os.path.dirname(target))  # noqa: PTH120  # it may be in a bucket
        v1.gfile.Copy(source, target)
    v1.gfile.Rename(temporary, final)
    exported: bytes = final
    return exported


def _signatures(receiver: Any, spec: Any) -> Any:
    outputs = export_utils.export_outputs_for_mode(
        mode=spec.mode,
        serving_export_outputs=spec.export_outputs,
        predictions=spec.predictions,
        loss=spec.loss,
        metrics=spec.eval_metric_ops,
    )
    return export_utils.build_all_signature_defs(
        receiver.receiver_tensors,
        outputs,
        getattr(receiver, "receiver_tensors_alternatives", None),
        serving_only=spec.mode == ModeKeys.PREDICT,
    )


def add_meta_graph(
    builder: Any,
    spec: Any,
    mode: str,
    config: RunConfig,
    checkpoint_path: str,
    with_variables: bool,
    options: Mapping[str, Any],
    tags: list[str] | None = None,
) -> None:
    """Adds the default graph to the builder, and the checkpoint's variables with the first one."""
    with v1.Session(config=config.session_config) as session:
        local_init_op = spec.scaffold.local_init_op
        if local_init_op is None:
            local_init_op = Scaffold.default_local_init_op()
        saver = spec.scaffold.saver or v1.train.Saver(sharded=True)
        _restore(saver, session, checkpoint_path, mode)
        builder._add_train_op(spec.train_op)
        common = {
            "tags": tags or TAGS[mode],
            "assets_collection": v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
            "main_op": local_init_op,
            "saver": saver,
            **options,
        }
        if with_variables:
            builder.add_meta_graph_and_variables(session, **common)
        else:
            builder.add_meta_graph(**common)


def _restore(saver: Any, session: Any, path: str, mode: str) -> None:
    try:
        saver.restore(session, path)
    except tf.errors.NotFoundError as error:
        raise ValueError(
            "Could not load all requested variables from checkpoint. Please make sure your model_fn does not expect "
            f"variables that were not saved in the checkpoint.\n\nEncountered error with mode `{mode}` while "
            f"restoring checkpoint from: `{path}`. Full Traceback:\n\n{error}"
        ) from None
