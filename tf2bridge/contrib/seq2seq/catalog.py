"""`tf.contrib.seq2seq`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names, same

_PATH = "contrib.seq2seq"
_HERE = "tf2bridge.contrib.seq2seq"
_PRIVATE = "contrib.seq2seq.python.ops"

_HELPERS = "Helper CustomHelper TrainingHelper GreedyEmbeddingHelper SampleEmbeddingHelper InferenceHelper"
_SCHEDULED = "ScheduledEmbeddingTrainingHelper ScheduledOutputTrainingHelper"
_BASIC = "BasicDecoder BasicDecoderOutput"
_DECODING = "Decoder dynamic_decode"
_ATTENTION = "LuongAttention BahdanauAttention hardmax"
_MONOTONIC = "BahdanauMonotonicAttention LuongMonotonicAttention safe_cumprod monotonic_attention"
_WRAPPER = "AttentionWrapper AttentionWrapperState"
_BEAM_STEP = "BeamSearchDecoderState BeamSearchDecoderOutput"
_BEAM = "BeamSearchDecoder FinalBeamSearchDecoderOutput"

_SAMPLERS = "Sampler CustomSampler TrainingSampler GreedyEmbeddingSampler SampleEmbeddingSampler InferenceSampler"
_SCHEDULED_SAMPLERS = "ScheduledEmbeddingTrainingSampler ScheduledOutputTrainingSampler"
_KERAS_ATTENTION = "LuongAttentionV2 BahdanauAttentionV2 LuongMonotonicAttentionV2 BahdanauMonotonicAttentionV2"

OWN = {
    **names(_PATH, f"{_HERE}.helper.feeding", _HELPERS),
    **names(_PATH, f"{_HERE}.helper.scheduled", _SCHEDULED),
    **names(_PATH, f"{_HERE}.basic_decoder", _BASIC),
    **names(_PATH, f"{_HERE}.decoder", _DECODING),
    **names(_PATH, f"{_HERE}.attention_wrapper.memory", "AttentionMechanism"),
    **names(_PATH, f"{_HERE}.attention_wrapper.mechanisms", _ATTENTION),
    **names(_PATH, f"{_HERE}.attention_wrapper.monotonic", _MONOTONIC),
    **names(_PATH, f"{_HERE}.attention_wrapper.wrapper", _WRAPPER),
    **names(_PATH, f"{_HERE}.beam_search_decoder.step", _BEAM_STEP),
    **names(_PATH, f"{_HERE}.beam_search_decoder.decoder", _BEAM),
    **names(_PATH, f"{_HERE}.beam_search_decoder.beams", "tile_batch"),
    **names(_PATH, f"{_HERE}.beam_search_ops", "gather_tree"),
    **names(_PATH, f"{_HERE}.loss", "sequence_loss"),
    **names(f"{_PRIVATE}.beam_search_decoder", f"{_HERE}.beam_search_ops", "gather_tree_from_array"),
    f"{_PRIVATE}.beam_search_decoder._length_penalty": f"{_HERE}.beam_search_decoder.scores:length_penalty",
    f"{_PRIVATE}.beam_search_decoder._mask_probs": f"{_HERE}.beam_search_decoder.scores:mask_probs",
    f"{_PRIVATE}.beam_search_decoder._get_scores": f"{_HERE}.beam_search_decoder.scores:get_scores",
    f"{_PRIVATE}.beam_search_decoder._beam_search_step": f"{_HERE}.beam_search_decoder.step:beam_search_step",
    f"{_PRIVATE}.beam_search_decoder._tensor_gather_helper": f"{_HERE}.beam_search_decoder.beams:gathered",
    f"{_PRIVATE}.attention_wrapper._BaseAttentionMechanism": f"{_HERE}.attention_wrapper.memory:BaseAttentionMechanism",
    f"{_PRIVATE}.attention_wrapper._prepare_memory": f"{_HERE}.attention_wrapper.memory:prepare_memory",
    f"{_PRIVATE}.attention_wrapper._maybe_mask_score": f"{_HERE}.attention_wrapper.memory:maybe_mask_score",
    f"{_PRIVATE}.attention_wrapper._bahdanau_score": f"{_HERE}.attention_wrapper.mechanisms:bahdanau_score",
    f"{_PRIVATE}.attention_wrapper._luong_score": f"{_HERE}.attention_wrapper.mechanisms:luong_score",
    f"{_PRIVATE}.attention_wrapper._compute_attention": f"{_HERE}.attention_wrapper.wrapper:compute_attention",
    f"{_PRIVATE}.attention_wrapper._monotonic_probability_fn": (
        f"{_HERE}.attention_wrapper.monotonic:monotonic_probability_fn"
    ),
    f"{_PRIVATE}.attention_wrapper._BaseMonotonicAttentionMechanism": (
        f"{_HERE}.attention_wrapper.monotonic:BaseMonotonicAttentionMechanism"
    ),
    f"{_PRIVATE}.decoder._transpose_batch_time": f"{_HERE}.cells:transpose_batch_time",
    f"{_PRIVATE}.helper._unstack_ta": f"{_HERE}.helper.feeding:unstacked",
    **names(f"{_PRIVATE}.helper", f"{_HERE}.helper.sampling", "bernoulli_sample categorical_sample"),
    **names(f"{_PRIVATE}.sampler", f"{_HERE}.sampler.feeding", _SAMPLERS),
    **names(f"{_PRIVATE}.sampler", f"{_HERE}.sampler.scheduled", _SCHEDULED_SAMPLERS),
    **names(f"{_PRIVATE}.attention_wrapper", f"{_HERE}.attention_wrapper.keras_mechanisms", _KERAS_ATTENTION),
    f"{_PRIVATE}.attention_wrapper._BaseAttentionMechanismV2": (
        f"{_HERE}.attention_wrapper.keras_memory:BaseAttentionMechanismV2"
    ),
    f"{_PRIVATE}.attention_wrapper._BaseMonotonicAttentionMechanismV2": (
        f"{_HERE}.attention_wrapper.keras_mechanisms:BaseMonotonicAttentionMechanismV2"
    ),
    **names(f"{_PRIVATE}.decoder", f"{_HERE}.decoder", "BaseDecoder"),
    **names(f"{_PRIVATE}.basic_decoder", f"{_HERE}.basic_decoder", "BasicDecoderV2"),
    **names(f"{_PRIVATE}.beam_search_decoder", f"{_HERE}.beam_search_decoder.keras_decoder", "BeamSearchDecoderV2"),
    **names(f"{_PRIVATE}.beam_search_decoder", f"{_HERE}.beam_search_decoder.decoder", "BeamSearchDecoderMixin"),
    f"{_PRIVATE}.beam_search_decoder._check_batch_beam": f"{_HERE}.beam_search_decoder.beams:check_rows",
    **names(f"{_PRIVATE}.loss", f"{_HERE}.loss", "SequenceLoss"),
}

ALIASES = {
    **same(f"{_PRIVATE}.helper", _PATH, f"{_HELPERS} {_SCHEDULED}"),
    **same(f"{_PRIVATE}.basic_decoder", _PATH, _BASIC),
    **same(f"{_PRIVATE}.decoder", _PATH, _DECODING),
    **same(f"{_PRIVATE}.attention_wrapper", _PATH, f"AttentionMechanism {_ATTENTION} {_MONOTONIC} {_WRAPPER}"),
    **same(f"{_PRIVATE}.beam_search_decoder", _PATH, f"{_BEAM_STEP} {_BEAM} tile_batch"),
    **same(f"{_PRIVATE}.beam_search_ops", _PATH, "gather_tree"),
    **same(f"{_PRIVATE}.loss", _PATH, "sequence_loss"),
    **same(f"{_PRIVATE}.sampler", f"{_PRIVATE}.helper", "bernoulli_sample categorical_sample"),
    f"{_PRIVATE}.helper._transpose_batch_time": f"{_PRIVATE}.decoder._transpose_batch_time",
}
