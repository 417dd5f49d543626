"""Evidence that a program computes what it computed under genuine TensorFlow 0.x/1.x.

from tf2bridge import proof
found = proof.replay(proof.Trace("train.trace"), ["train.py", "--steps", "5"], Path("migrated"))
assert found.proven, proof.first_divergence(found.rows)
"""

from tf2bridge.proof.compare import Comparison, compare, first_divergence
from tf2bridge.proof.numbers import Distance, Tolerance, Verdict
from tf2bridge.proof.replay import Replay, replay
from tf2bridge.proof.trace import Trace

__all__ = [
    "Comparison",
    "Distance",
    "Replay",
    "Tolerance",
    "Trace",
    "Verdict",
    "compare",
    "first_divergence",
    "replay",
]
