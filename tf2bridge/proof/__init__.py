"""Evidence that a program computes what it computed under genuine TensorFlow 0.x/1.x.

from tf2bridge import proof
found = proof.replay(proof.Trace("train.trace"), ["train.py", "--steps", "5"], Path("migrated"))
assert found.proven, proof.first_divergence(found.rows)
"""

from tf2bridge.first_use import public_names

_PUBLIC = {
    "Compared": "tf2bridge.proof.comparing.outcome",
    "Comparison": "tf2bridge.proof.comparing.rows",
    "Divergence": "tf2bridge.proof.diverging.divergence",
    "Distance": "tf2bridge.proof.numbers.distance",
    "Draw": "tf2bridge.proof.randomness.draws",
    "Replay": "tf2bridge.proof.replaying.outcomes",
    "Tolerance": "tf2bridge.proof.numbers.tolerance",
    "Trace": "tf2bridge.proof.traces.reader",
    "Verdict": "tf2bridge.proof.numbers.tolerance",
    "assert_equivalent": "tf2bridge.proof.testing.equivalence",
    "compare": "tf2bridge.proof.comparing.compared",
    "controlled_random": "tf2bridge.proof.randomness.control",
    "first_divergence": "tf2bridge.proof.comparing.rows",
    "replay_graphs": "tf2bridge.proof.replaying.graphs",
    "search": "tf2bridge.proof.diverging.search",
    "replay": "tf2bridge.program.replaying",
    "same_draws": "tf2bridge.proof.randomness.draws",
}

# At first use: the plugin of pytest imports neither TensorFlow nor NumPy.
__getattr__, __dir__ = public_names(__name__, _PUBLIC)
