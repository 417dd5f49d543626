"""Heads that give an output for each step of a sequence."""

from __future__ import annotations

import abc

from tf2bridge.estimator.heads.head import Head


class SequentialHead(Head):
    """The interface of a head of sequences, in addition to that of every head."""

    @property
    @abc.abstractmethod
    def input_sequence_mask_key(self) -> str:
        """The feature key of the mask, [batch, length], which is true for steps of the sequence."""
