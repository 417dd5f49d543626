"""`tf.contrib.feature_column`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_SEQUENCES = (
    "sequence_input_layer sequence_categorical_column_with_identity "
    "sequence_categorical_column_with_hash_bucket sequence_categorical_column_with_vocabulary_file "
    "sequence_categorical_column_with_vocabulary_list sequence_numeric_column"
)

_HERE = "tf2bridge.contrib.feature_column.sequence_feature_column"
_PRIVATE = "contrib.feature_column.python.feature_column.sequence_feature_column"

OWN = {
    **names("contrib.feature_column", _HERE, _SEQUENCES),
    **names(_PRIVATE, _HERE, "concatenate_context_input"),
}
