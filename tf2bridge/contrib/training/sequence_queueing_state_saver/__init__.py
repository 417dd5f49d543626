"""`SequenceQueueingStateSaver`: batches of parts of long sequences, whose state is kept."""
