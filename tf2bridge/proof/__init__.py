"""Evidence that a program computes what it computed under genuine TensorFlow 0.x/1.x.

from tf2bridge import proof
found = proof.replay(proof.Trace("train.trace"), ["train.py", "--steps", "5"], Path("migrated"))
assert found.proven, proof.first_divergence(found.rows)
"""

from typing import TYPE_CHECKING

from tf2bridge.first_use import public_names

if TYPE_CHECKING:  # for editors and mypy, which do not read the table
    from tf2bridge.program.replaying import replay as replay
    from tf2bridge.proof.comparing.any_two import compare as compare
    from tf2bridge.proof.comparing.outcome import Compared as Compared
    from tf2bridge.proof.comparing.rows import Comparison as Comparison
    from tf2bridge.proof.comparing.rows import first_divergence as first_divergence
    from tf2bridge.proof.diverging.divergence import Divergence as Divergence
    from tf2bridge.proof.diverging.search import search as search
    from tf2bridge.proof.numbers.distance import Distance as Distance
    from tf2bridge.proof.numbers.tolerance import Tolerance as Tolerance
    from tf2bridge.proof.numbers.tolerance import Verdict as Verdict
    from tf2bridge.proof.randomness.control import controlled_random as controlled_random
    from tf2bridge.proof.randomness.draws import Draw as Draw
    from tf2bridge.proof.randomness.draws import same_draws as same_draws
    from tf2bridge.proof.replaying.graphs import replay_graphs as replay_graphs
    from tf2bridge.proof.replaying.outcomes import Replay as Replay
    from tf2bridge.proof.testing.equivalence import assert_equivalent as assert_equivalent
    from tf2bridge.proof.traces.reader import Trace as Trace
    from tf2bridge.proof.worst.finding import worst_inputs as worst_inputs
    from tf2bridge.proof.worst.outcome import WorstInputs as WorstInputs

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
    "WorstInputs": "tf2bridge.proof.worst.outcome",
    "assert_equivalent": "tf2bridge.proof.testing.equivalence",
    "compare": "tf2bridge.proof.comparing.any_two",
    "controlled_random": "tf2bridge.proof.randomness.control",
    "first_divergence": "tf2bridge.proof.comparing.rows",
    "replay_graphs": "tf2bridge.proof.replaying.graphs",
    "search": "tf2bridge.proof.diverging.search",
    "replay": "tf2bridge.program.replaying",
    "same_draws": "tf2bridge.proof.randomness.draws",
    "worst_inputs": "tf2bridge.proof.worst.finding",
}

# At first use: the plugin of pytest imports neither TensorFlow nor NumPy.
__getattr__, __dir__ = public_names(__name__, _PUBLIC)
