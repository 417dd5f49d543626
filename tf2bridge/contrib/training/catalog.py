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
    **names(_PATH, f"{_HERE}.hparam.hparams", "HParams"),
    **names(_PATH, f"{_HERE}.hparam.parsing", "parse_values"),
    **names(_PATH, f"{_HERE}.training", _TRAIN_OP),
    **names(_PATH, f"{_HERE}.evaluation", _EVALUATION),
    **names(_PATH, f"{_HERE}.device_setter", "RandomStrategy GreedyLoadBalancingStrategy byte_size_load_fn"),
    **names(_PATH, f"{_HERE}.feeding_queue_runner", "FeedingQueueRunner"),
    **names(_PATH, f"{_HERE}.bucket_ops", "bucket bucket_by_sequence_length"),
    **names(_PATH, f"{_HERE}.sampling_ops", "rejection_sample stratified_sample"),
    f"{_SAMPLING}._verify_input": f"{_HERE}.sampling_ops:verify_input",
    f"{_SAMPLING}._estimate_data_distribution": f"{_HERE}.sampling_ops:data_distribution",
    f"{_SAMPLING}._calculate_acceptance_probabilities": f"{_HERE}.sampling_ops:acceptance",
    **names(_PATH, f"{_HERE}.resample", "resample_at_rate weighted_resample"),
    **names(
        _PATH, f"{_HERE}.sequence_queueing_state_saver.saver", "SequenceQueueingStateSaver NextQueuedSequenceBatch"
    ),
    **names(_PATH, f"{_HERE}.sequence_queueing_state_saver.batches", "batch_sequences_with_states"),
    f"{_STATE_SAVER}._SequenceInputWrapper": f"{_HERE}.sequence_queueing_state_saver.saver:SequenceInput",
    f"{_STATE_SAVER}._deconstruct_sparse_tensor_seq": f"{_HERE}.sequence_queueing_state_saver.sparse:stored",
    f"{_STATE_SAVER}._reconstruct_sparse_tensor_seq": f"{_HERE}.sequence_queueing_state_saver.sparse:restored",
    **names(_STATE_SAVER, f"{_HERE}.sequence_queueing_state_saver.batches", "_padding"),
    f"{_PRIVATE}.resample._repeat_range": f"{_HERE}.resample:_repeated_range",
    f"{_PATH}.wait_for_new_checkpoint": "tensorflow.python.training.checkpoint_utils:wait_for_new_checkpoint",
}

ALIASES = {f"{_PATH}.checkpoints_iterator": "train.checkpoints_iterator"}
