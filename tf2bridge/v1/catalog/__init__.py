"""The list of all names that `tf2bridge.v1` supplies itself. All other names are those of `tf.compat.v1`.

Each catalogue lists one part of the namespace, in up to six dictionaries:
OWN, TF1 name -> "module:attribute" of the implementation;
ALIASES, TF1 name -> another TF1 name of the same meaning, parameters and default op name (contrib: as in 1.15.5);
SOURCES, namespace -> the module of TensorFlow or tf_keras that has its names;
MOVED, removed module below `tensorflow.python` -> the public namespace that has its names today;
HELD, module below `tensorflow.python` -> the modules of tf_keras or TensorFlow that have its private names today;
ENDED, TF1 name of OWN -> the first release without it.

A part with a folder, such as `tf2bridge.contrib.rnn`, has its catalogue there, in `catalog.py`. Catalogues that span
several parts are beside this file. CATALOGS lists them all, because a walk over the folders would slow down each start.
"""

from __future__ import annotations

import importlib

from tf2bridge.v1.namespace import Tree

_CONTRIB = """
crf cudnn_rnn data distribute distributions eager estimator factorization feature_column framework gan
graph_editor grid_rnn image input_pipeline integrate kernel_methods layers learn legacy_seq2seq lookup losses
metrics mixed_precision model_pruning nn opt predictor resampler rnn seq2seq slim solvers sparsemax
tensorboard testing tfprof tpu training
"""

CATALOGS = (
    *(f"tf2bridge.contrib.{part}.catalog" for part in _CONTRIB.split()),
    "tf2bridge.behaviour.old_ops.catalog",
    "tf2bridge.contrib.catalog",
    "tf2bridge.estimator.catalog",
    "tf2bridge.keras.catalog",
    "tf2bridge.train.catalog",
    *(
        f"{__name__}.{part}"
        for part in ("compat", "core", "keras_bases", "keras_package", "moved", "private_names", "python")
    ),
)
"""The modules that list names. Importing one imports nothing of TensorFlow."""


_MODULES = [importlib.import_module(name) for name in CATALOGS]


def _merged(kind: str) -> dict[str, str]:
    """Returns the dictionaries of this name in all catalogues as one.

    Raises:
        ValueError: Two catalogues list the same name.
    """
    merged: dict[str, str] = {}
    for module in _MODULES:
        rows: dict[str, str] = getattr(module, kind, {})
        if twice := merged.keys() & rows.keys():
            raise ValueError(f"listed twice in {kind}: {', '.join(sorted(twice))}")
        merged.update(rows)
    return merged


TREE = Tree(
    "tf2bridge.v1",
    own=_merged("OWN"),
    aliases=_merged("ALIASES"),
    sources=_merged("SOURCES"),
    moved=_merged("MOVED"),
    held=_merged("HELD"),
    ended=_merged("ENDED"),
)
