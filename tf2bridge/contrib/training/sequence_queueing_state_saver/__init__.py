"""`SequenceQueueingStateSaver`: batches of pieces of long sequences, with their recurrent state."""
