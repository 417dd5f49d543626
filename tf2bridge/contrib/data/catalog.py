"""`tf.contrib.data`, and what tf.data lost."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.data"
_HERE = "tf2bridge.contrib.data"

_TRANSFORMATIONS = (
    "batch_and_drop_remainder padded_batch_and_drop_remainder sloppy_interleave ignore_errors sliding_window_batch "
    "assert_element_shape reduce_dataset read_batch_features"
)
_OLD = "Dataset TextLineDataset TFRecordDataset FixedLengthRecordDataset"
_SAME = (
    "AUTOTUNE Counter CsvDataset Optional RandomDataset Reducer SqlDataset TFRecordWriter bucket_by_sequence_length "
    "choose_from_datasets copy_to_device dense_to_sparse_batch enumerate_dataset get_next_as_optional "
    "get_single_element group_by_reducer group_by_window make_batched_features_dataset make_csv_dataset "
    "make_saveable_from_iterator map_and_batch parallel_interleave parse_example_dataset prefetch_to_device "
    "rejection_resample sample_from_datasets scan shuffle_and_repeat unbatch unique"
)

OWN = {
    **names(_PATH, f"{_HERE}.transformations", _TRANSFORMATIONS),
    **names(_PATH, f"{_HERE}.old_datasets", _OLD),
    **names("data.experimental", f"{_HERE}.checkpoints", "CheckpointInputPipelineHook"),
    **names("data.experimental", "tf2bridge.behaviour.old_ops.data_options", "MapVectorizationOptions"),
}

ALIASES = {
    **same(_PATH, "data.experimental", f"{_SAME} CheckpointInputPipelineHook"),
    f"{_PATH}.Iterator": "data.Iterator",
}
