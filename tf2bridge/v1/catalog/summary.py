"""`tf.contrib.summary`: TensorFlow 2 has kept its functions, but under no public name."""

from __future__ import annotations

from tf2bridge.v1.listing import names

_PATH = "contrib.summary"
_HERE = "tensorflow.python.ops.summary_ops_v2"
_FUNCTIONS = (
    "SummaryWriter always_record_summaries audio create_file_writer create_summary_file_writer eval_dir generic "
    "histogram image import_event initialize never_record_summaries record_summaries_every_n_global_steps scalar "
    "summary_writer_initializer_op"
)

OWN = {
    **names(_PATH, _HERE, _FUNCTIONS),
    f"{_PATH}.all_summary_ops": f"{_HERE}:all_v2_summary_ops",
    f"{_PATH}.flush": f"{_HERE}:legacy_raw_flush",
    f"{_PATH}.graph": f"{_HERE}:graph_v1",
    f"{_PATH}.should_record_summaries": f"{_HERE}:_legacy_contrib_should_record_summaries",
}

ALIASES = {"contrib.summary.summary": "contrib.summary"}
"""As in 1.15.5, where the module showed itself."""
