"""`tf.contrib.legacy_seq2seq`, which 0.12 called `tf.nn.seq2seq`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.legacy_seq2seq"
_HERE = "tf2bridge.contrib.legacy_seq2seq"

_ATTENTION = "attention_decoder embedding_attention_decoder embedding_attention_seq2seq"

OWN = {
    **names(_PATH, f"{_HERE}.seq2seq.decoders", "rnn_decoder basic_rnn_seq2seq tied_rnn_seq2seq embedding_rnn_decoder"),
    **names(_PATH, f"{_HERE}.seq2seq.losses", "sequence_loss sequence_loss_by_example"),
    **names(_PATH, f"{_HERE}.seq2seq.attention", _ATTENTION),
    **names(
        _PATH, f"{_HERE}.seq2seq.embedding", "embedding_rnn_seq2seq embedding_tied_rnn_seq2seq one2many_rnn_seq2seq"
    ),
    **names(_PATH, f"{_HERE}.seq2seq.buckets", "model_with_buckets"),
}

ALIASES = {"contrib.legacy_seq2seq.python.ops.seq2seq": "contrib.legacy_seq2seq"}
