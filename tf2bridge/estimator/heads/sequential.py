"""Heads that give an output for each step of a sequence."""

from __future__ import annotations

import abc

from tf2bridge.estimator.heads.head import Head


class SequentialHead(Head):
    """What a head of sequences must have beside what every head has."""

    @property
    @abc.abstractmethod
    def input_sequence_mask_key(self) -> str:
        """The key of the features' mask, [batch, length]: which steps belong to the sequence."""
