"""`tf.contrib.crf`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.crf"
_HERE = "tf2bridge.contrib.crf"

_SCORING = (
    "crf_sequence_score crf_multitag_sequence_score crf_log_norm crf_log_likelihood crf_unary_score crf_binary_score"
)

OWN = {
    **names(_PATH, f"{_HERE}.crf.scoring", _SCORING),
    **names(_PATH, f"{_HERE}.crf.cells", "CrfForwardRnnCell CrfDecodeForwardRnnCell CrfDecodeBackwardRnnCell"),
    **names(_PATH, f"{_HERE}.crf.decoding", "viterbi_decode crf_decode"),
}
