"""`tf.contrib.training`."""

from __future__ import annotations

from tf2bridge.behaviour.listing import names

_PATH = "contrib.training"
_HERE = "tf2bridge.contrib.training"

_TRAIN_OP = (
    "add_gradients_summaries clip_gradient_norms clip_gradient_norms_fn create_train_op multiply_gradients train"
)
_EVALUATION = "SummaryAtEndHook StopAfterNEvalsHook evaluate_once evaluate_repeatedly get_or_create_eval_step"

_PRIVATE = f"{_PATH}.python.training"
_SAMPLING = f"{_PRIVATE}.sampling_ops"
_STATE_SAVER = f"{_PRIVATE}.sequence_queueing_state_saver"

OWN = {
    **names(_PATH, f"{_HERE}.hparams", "HParams"),
    **names(_PATH, f"{_HERE}.parsing", "parse_values"),
    **names(_PATH, f"{_HERE}.train_op", _TRAIN_OP),
    **names(_PATH, f"{_HERE}.evaluation", _EVALUATION),
    **names(_PATH, f"{_HERE}.placement", "RandomStrategy GreedyLoadBalancingStrategy byte_size_load_fn"),
    **names(_PATH, f"{_HERE}.feeding", "FeedingQueueRunner"),
    **names(_PATH, f"{_HERE}.buckets", "bucket bucket_by_sequence_length"),
    **names(_PATH, f"{_HERE}.sampling", "rejection_sample stratified_sample"),
    f"{_SAMPLING}._verify_input": f"{_HERE}.sampling:verify_input",
    f"{_SAMPLING}._estimate_data_distribution": f"{_HERE}.sampling:data_distribution",
    f"{_SAMPLING}._calculate_acceptance_probabilities": f"{_HERE}.sampling:acceptance",
    **names(_PATH, f"{_HERE}.resampling", "resample_at_rate weighted_resample"),
    **names(_PATH, f"{_HERE}.state_saver", "SequenceQueueingStateSaver NextQueuedSequenceBatch"),
    **names(_PATH, f"{_HERE}.sequence_batches", "batch_sequences_with_states"),
    f"{_STATE_SAVER}._SequenceInputWrapper": f"{_HERE}.state_saver:SequenceInput",
    f"{_STATE_SAVER}._deconstruct_sparse_tensor_seq": f"{_HERE}.sparse_sequences:stored",
    f"{_STATE_SAVER}._reconstruct_sparse_tensor_seq": f"{_HERE}.sparse_sequences:restored",
    **names(_STATE_SAVER, f"{_HERE}.sequence_batches", "_padding"),
    f"{_PRIVATE}.resample._repeat_range": f"{_HERE}.resampling:_repeated_range",
    f"{_PATH}.wait_for_new_checkpoint": "tensorflow.python.training.checkpoint_utils:wait_for_new_checkpoint",
}

ALIASES = {f"{_PATH}.checkpoints_iterator": "train.checkpoints_iterator"}
