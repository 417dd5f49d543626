"""The variables of embedding columns, and the lookups in them."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.embedding_ops import safe_embedding_lookup_sparse, scattered_embedding_lookup_sparse
from tf2bridge.contrib.layers.feature_column.base import DeepLookup
from tf2bridge.contrib.layers.feature_column.flattening import inner_flatten

v1 = tf.compat.v1


def embedded(column: Any, lookup: DeepLookup, collections: Any, trainable: Any, output_rank: int = 2) -> Any:
    """Returns the combined vectors of each example, [batch, ..., dimension]."""
    ids = inner_flatten(lookup.input_tensor, output_rank)
    weights = None if lookup.weight_tensor is None else inner_flatten(lookup.weight_tensor, output_rank)
    settings = {
        "dtype": tf.float32,
        "initializer": lookup.initializer,
        "trainable": trainable and lookup.trainable,
        "collections": collections,
    }
    if lookup.hash_key:
        numbers = model_variable(name="weights", shape=[lookup.vocab_size], **settings)
        return scattered_embedding_lookup_sparse(
            numbers, ids, lookup.dimension, hash_key=lookup.hash_key, combiner=lookup.combiner, name="lookup"
        )
    shape = [lookup.vocab_size, lookup.dimension]
    if lookup.shared_embedding_name is None:
        vectors = model_variable(name="weights", shape=shape, **settings)
    else:
        vectors = _shared(lookup.shared_embedding_name, shape, settings)
    parts = variables_of(vectors)
    restore(column._checkpoint_path(), parts)
    return safe_embedding_lookup_sparse(
        parts,
        ids,
        sparse_weights=weights,
        combiner=lookup.combiner,
        name=f"{column.name}weights",
        max_norm=lookup.max_norm,
    )


def variables_of(variable: Any) -> list[Any]:
    """Returns the parts of a partitioned variable, or a list of the variable itself."""
    return list(variable) if hasattr(variable, "as_tensor") else [variable]


def restore(checkpoint: tuple[str, str] | None, variables: list[Any]) -> None:
    """Initializes the variables from the tensor of a checkpoint, if a checkpoint is given."""
    if checkpoint is not None:
        path, name = checkpoint
        v1.train.init_from_checkpoint(path, {name: variables[0] if len(variables) == 1 else variables})


def _shared(name: str, shape: list[int], settings: dict[str, Any]) -> Any:
    made = v1.get_collection_ref(f"SHARED_EMBEDDING_COLLECTION_{name.upper()}")
    if not made:
        made.append(model_variable(name=name, shape=shape, **settings))
    if len(made) > 1:
        raise ValueError(f"the collection of the shared embedding {name} holds {len(made)} variables, not one")
    if made[0].shape.as_list() != shape:
        raise ValueError(f"the shared embedding {name} has the shape {made[0].shape}, not {shape}; use another name")
    return made[0]
