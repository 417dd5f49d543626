"""SavedModels of the Estimator of contrib.learn: a signature for each pair of inputs and outputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.estimators.model_fn import InputFnOps
from tf2bridge.contrib.learn.utils.signatures import (
    build_all_signature_defs,
    get_input_alternatives,
    get_output_alternatives,
)
from tf2bridge.internals.saving import export_utils

v1 = tf.compat.v1
FEATURE_KEYS = "input_feature_keys"
"""The collection of the names of features."""


def export(
    call_model: Callable[[Any], Any],
    serving_input_fn: Callable[[], Any],
    directory: Any,
    default_output: str | None,
    checkpoint_path: str,
    assets_extra: Mapping[str, str] | None,
    as_text: bool,
    strip_default_attrs: bool,
) -> Any:
    """Writes a SavedModel below `directory`, in a folder named by the time, and returns its path.

    `call_model(features)` returns the ModelFnOps.

    Raises:
        ValueError: the default output is ambiguous.
    """
    final = export_utils.get_timestamped_export_dir(directory)
    temporary = export_utils.get_temp_export_dir(final)
    builder = v1.saved_model.Builder(temporary)
    with tf.Graph().as_default() as graph:
        v1.train.create_global_step(graph)
        inputs, features = get_input_alternatives(_input_ops(serving_input_fn()))
        for key in features if isinstance(features, dict) else ():
            v1.add_to_collection(FEATURE_KEYS, key)
        made = call_model(features)
        signatures = build_all_signature_defs(inputs, *get_output_alternatives(made, default_output))
        initial = tf.group(v1.local_variables_initializer(), v1.tables_initializer())
        with v1.Session("") as session:
            saver = getattr(made.scaffold, "saver", None) or v1.train.Saver(sharded=True)
            saver.restore(session, checkpoint_path)
            builder.add_meta_graph_and_variables(
                session,
                (tf.saved_model.SERVING,),
                signature_def_map=signatures,
                assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
                main_op=initial,
                strip_default_attrs=strip_default_attrs,
            )
    for name, source in (assets_extra or {}).items():
        target = f"{os.fsdecode(temporary)}/assets.extra/{name}"
        v1.gfile.MakeDirs(os.path.dirname(target))  # noqa: PTH120  # it may be in a bucket
        v1.gfile.Copy(source, target)
    builder.save(as_text)
    v1.gfile.Rename(temporary, final)
    return final


def _input_ops(made: Any) -> Any:
    """Returns the result of a serving input_fn. A ServingInputReceiver is converted to InputFnOps."""
    inputs = getattr(made, "receiver_tensors", None)
    return made if inputs is None else InputFnOps(made.features, None, inputs)
